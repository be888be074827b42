//! Whoever trusts nobody can check a game: `GET …/verify`, the commands, and what is kept for ever.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "verify/command.rs"]
mod command;
#[path = "verify/forgery.rs"]
mod forgery;
#[path = "verify/forms.rs"]
mod forms;
#[path = "verify/golden.rs"]
mod golden;
#[path = "verify/restored.rs"]
mod restored;
#[path = "verify/sheets.rs"]
mod sheets;
#[path = "verify/stages.rs"]
mod stages;
#[path = "verify/tampering.rs"]
mod tampering;
#[path = "verify/true_games.rs"]
mod true_games;
