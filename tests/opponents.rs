//! Games against the server: a bot as the guest, and layouts drawn and checked.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "opponents/games.rs"]
mod games;
#[path = "opponents/layouts.rs"]
mod layouts;
#[path = "opponents/seeds.rs"]
mod seeds;
#[path = "opponents/solo.rs"]
mod solo;
