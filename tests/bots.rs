//! The bots: whole games of every pair in all 64 configurations, held against the second model of
//! the rules; and what a bot cannot see has no influence on what it does.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[path = "bots/decisions.rs"]
mod decisions;
#[path = "bots/games.rs"]
mod games;
#[allow(dead_code, reason = "these tests need a part of it")]
#[path = "laws/mirror.rs"]
mod mirror;
#[allow(dead_code, unused_imports, reason = "these tests need a part of it")]
#[path = "common/model.rs"]
mod model;
#[allow(dead_code, reason = "these tests need a part of it")]
#[path = "common/notation.rs"]
mod notation;
#[path = "bots/twins.rs"]
mod twins;
