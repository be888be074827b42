//! Nothing hidden gets out: not into a log, not into a table that is read to others, and not into
//! anything by which two games could be told apart.

mod hidden;
mod logs;
mod sealed;
mod tables;
mod twins;
