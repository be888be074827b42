//! How players find each other: the list of open games, and another game after the last.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "meeting/lobby.rs"]
mod lobby;
#[path = "meeting/rematch.rs"]
mod rematch;
