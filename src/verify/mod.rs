//! Checks a game against its log, and tells what is wrong in a language.
//!
//! The same check answers `GET …/verify` and the command `verify`.

use serde_json::Value;

use crate::schema::VerifyBody;
use crate::text::Language;
use record::GameBody;

pub use record::{Download, NoDownload, show};

/// What a check found.
#[derive(Debug)]
pub struct Findings {
    /// The findings as they are served.
    pub body: VerifyBody,
    /// A line for each event: its type and who acted.
    pub lines: Vec<String>,
}

/// Checks a game and its whole log; `kept` is a head that somebody kept from an earlier moment.
pub fn check(game: &GameBody, events: &[Value], kept: Option<&str>, language: Language) -> Findings {
    let findings = record::verify::check(game, events, kept);
    Findings { body: VerifyBody::new(&findings, language), lines: findings.lines }
}
