//! What servers do by themselves: clocks that nothing delays, and the end of games that were kept for
//! long enough.

mod backlog;
mod copies;
mod gauges;
mod retention;
mod upgrade;
