//! Nothing hidden gets out: not into a log, not into a table that is read to others, and not into
//! anything by which two games could be told apart. P73.

mod hidden;
mod logs;
mod tables;
mod twins;
