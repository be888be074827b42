//! The Rust client against a real server: whole games, streams that are torn, answers that are lost.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "client/games.rs"]
mod games;
#[path = "client/losses.rs"]
mod losses;
#[path = "client/refusals.rs"]
mod refusals;
#[path = "client/seats.rs"]
mod seats;
#[path = "client/streams.rs"]
mod streams;
