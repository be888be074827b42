use serde::{Deserialize, Serialize};

use crate::{Bot, Cell, Direction, Eyes, FirstShot, Fleet};

/// A game to create. The default is a 10×10 classic game with mines against whoever has the link.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Create {
    /// What is played.
    pub options: Choice,
    /// The host's name: 1 to 32 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the game is offered to strangers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<bool>,
    /// Whether the server takes the guest's seat, and how strong it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<Bot>,
}

/// The options of a game to create. What is left out has its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Choice {
    /// Columns and rows: 8, 10, 12 or 15.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<u8>,
    /// The ships of each side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<Fleet>,
    /// Whether each side hides mines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mines: Option<bool>,
    /// Whether a turn has one shot for each of one's ships afloat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salvo: Option<bool>,
    /// Whether a hit earns another shot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shoot_again: Option<bool>,
    /// Who shoots first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstShot>,
    /// Seconds for each action that is due: 10 to 1,209,600.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_seconds: Option<u32>,
}

/// Ships and mines to hide.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Layout {
    /// The fleet, each ship once.
    pub ships: Vec<Ship>,
    /// The mines; none where the option is off.
    #[serde(default)]
    pub mines: Vec<Cell>,
}

/// A ship to hide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ship {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    pub length: u8,
    /// Which way it lies.
    pub direction: Direction,
}

/// Which part of a log to read. The default is its first hundred events, at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stretch {
    /// Only events with a greater `seq`.
    pub after: u32,
    /// At most so many, 1 to 500.
    pub limit: Option<u16>,
    /// Seconds to wait while there is nothing, 0 to 25.
    pub wait: u8,
}

/// Which moment of a game to look at, and through whose eyes. The default is the last, one's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Right after this event.
    pub upto: Option<u32>,
    /// Through these eyes.
    pub eyes: Option<Eyes>,
}

#[derive(Serialize)]
pub(crate) struct Join<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct Fire<'a> {
    pub(crate) shots: &'a [Cell],
}

#[derive(Serialize)]
pub(crate) struct Reveal<'a> {
    pub(crate) cells: &'a [Cell],
}

#[derive(Serialize)]
pub(crate) struct Nothing {}

impl Create {
    /// The default game, by somebody with a name.
    pub fn by(name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..Self::default() }
    }
}

impl Ship {
    /// A ship that lies to the right of its start.
    pub fn across(start: Cell, length: u8) -> Self {
        Self { start, length, direction: Direction::Across }
    }

    /// A ship that lies down from its start.
    pub fn down(start: Cell, length: u8) -> Self {
        Self { start, length, direction: Direction::Down }
    }
}
