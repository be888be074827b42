//! A standby that is promoted.
