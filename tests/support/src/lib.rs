//! What the tests of every crate share: a naive model of the rules, and a short notation for games.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "tests and their helpers stop where something is not as it should be"
)]

pub mod exact;
pub mod game_file;
pub mod model;
pub mod notation;
pub mod referee;

use engine::{Command, Event, Game, Refusal, Seat};

/// What comes of a seat's command; the game stays as it is.
pub fn decide(game: &Game, seat: Seat, command: Command<'_>) -> Result<Event, Refusal> {
    let mut played = *game;
    played.play(seat, command)
}

/// How many cases a test goes through: few, or as many as a long campaign has.
///
/// `.ci/run --long` sets `NAVAL_BATTLE_CAMPAIGN`. The few are enough for the test to find what it is there for.
pub fn campaign<Count>(few: Count, many: Count) -> Count {
    if std::env::var_os("NAVAL_BATTLE_CAMPAIGN").is_some() { many } else { few }
}
