//! Checks a game against its log, trusting nobody, this server included.
//!
//! The same check answers `GET …/verify` and the command `verify`: it takes what `GET` of the game
//! and of its whole log gave, and nothing else.

mod check;
mod files;
mod show;

pub use check::{Findings, check};
pub use files::{Download, NoDownload};
pub use show::show;

/// A text out of a file as it may go to a terminal, which control characters would make tell another story.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}
