//! What people put beside the server: proxies, poolers, standbys, and a clock that jumps.
//!
//! These need programs of Debian's that a fresh clone does not: `.ci/neighbours` installs them and runs this binary,
//! which `cargo test` alone leaves out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod clocks;
mod failover;
mod poolers;
mod proxies;
mod scrape;
