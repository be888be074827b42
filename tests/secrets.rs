//! Nothing hidden gets out: not into a log, not into a table that is read to others, and not into
//! anything by which two games could be told apart. P73.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "secrets/hidden.rs"]
mod hidden;
#[path = "secrets/logs.rs"]
mod logs;
#[path = "secrets/tables.rs"]
mod tables;
#[path = "secrets/twins.rs"]
mod twins;
