use serde::{Deserialize, Serialize};

use crate::{Awaited, Bot, BySeat, Cell, Direction, EventKind, GameResult, Mark, Options, Seal, Seat, Status};

/// Something that happened in a game.
///
/// `kind` says what; what does not apply to it is left out, as on the wire.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Its place in the log, from 1.
    pub seq: u32,
    /// When (RFC 3339).
    pub at: String,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// `created`: the game's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// `created`: the version of the rules and of the byte forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u8>,
    /// `created`: every option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Options>,
    /// `created`: the game of which this is the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<String>,
    /// `created`, `joined`: the player's name, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `joined`: how strong the server plays, if it is who joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<Bot>,
    /// `joined`: who shoots first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Seat>,
    /// `placed`: the commitment to the layout, SHA-256 in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// `fired`: what each shot found, in the order sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shots: Vec<Shot>,
    /// `fired`: how many cells the shooter now owes; whenever a mine was struck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owed: Option<u8>,
    /// `revealed`: which cells, in the order sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// `extended`: by how many seconds `until` is later than it was, since nobody could act for so long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// How the game ended; on its last event alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// How far the game has come after this event.
    pub status: Status,
    /// Who owes what after this event.
    pub awaiting: Vec<Awaited>,
    /// The chain's head after this event: SHA-256 in hex.
    pub head: String,
}

/// A shot and what it found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shot {
    /// Where.
    pub cell: Cell,
    /// What was there.
    pub outcome: Mark,
    /// The ship, with `sunk` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ship: Option<SunkShip>,
}

/// A ship that was sunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SunkShip {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    pub length: u8,
    /// Which way it lay.
    pub direction: Direction,
}

/// What an action added to the log, and where the game now stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// The `seq` of the last event.
    pub version: u32,
    /// How far the game has come.
    pub status: Status,
    /// Who owes what.
    pub awaiting: Vec<Awaited>,
    /// What was added to the log.
    pub events: Vec<Event>,
    /// The salt of the layout just placed, in the reply to `place` alone: 64 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

/// A stretch of a log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Log {
    /// The events in order.
    pub events: Vec<Event>,
    /// The `seq` of the game's last event.
    pub version: u32,
}

/// What was found in a game's log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verification {
    /// Whether no fault was found.
    pub ok: bool,
    /// Whether the game is opened, so that everything could be checked; else the chain alone was.
    pub complete: bool,
    /// How many events were checked.
    pub events: u32,
    /// How many answers to shots were checked against the layouts.
    pub answers: u32,
    /// What became of each seat's commitment; none before they have placed.
    pub commitments: BySeat<Option<Seal>>,
    /// What is wrong, in the order of the log.
    pub faults: Vec<Flaw>,
}

/// One thing that is wrong with a log or with the game that it is said to be of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Flaw {
    /// The event that it is about; none where it is about the game as a whole.
    pub seq: Option<u32>,
    /// The stable word for it.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
}
