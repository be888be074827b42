//! The rules: laws over random games, exact counts, games by hand, layouts by chance, and the bots.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod analysis;
mod bots;
mod cells;
mod counts;
mod dice;
mod games;
mod laws;
mod layouts;
mod mirror;
mod placing;
