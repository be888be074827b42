use serde::Serialize;
use utoipa::ToSchema;

use super::code::{Code, CodeWord};
use crate::text::{Language, Message};
use engine::{Coordinate, Fault, FaultKind, Ship};
use record::Cell;

/// A request that was not carried out (RFC 9457).
#[derive(Serialize, ToSchema, Debug)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Leads to a page that explains the code.
    #[schema(format = "uri-reference", examples("/problems/not_your_turn"))]
    pub r#type: String,
    /// What the code is called, in your language.
    pub title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What is wrong with this very request, in your language.
    pub detail: String,
    /// The stable word for what is wrong.
    pub code: CodeWord,
    /// The current version, with `stale_version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 2_147_483_647)]
    pub version: Option<u32>,
    /// How many there must be, with `wrong_shot_count` and `wrong_reveal_count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 10)]
    pub expected: Option<u8>,
    /// The cells at fault, with `repeated_cell`, `outside_grid`, `already_fired` and `not_revealable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 225)]
    pub cells: Option<Vec<Cell>>,
    /// Every fault of the layout, with `illegal_layout`. Of pairs that touch or overlap the first 300
    /// are told, which is more than a layout of the right size can have; where there are 300,
    /// `detail` says "at least".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1000)]
    pub faults: Option<Vec<FaultBody>>,
    /// The games that there are not, as they were named, with `game_not_found` where many are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 50)]
    pub games: Option<Vec<String>>,
}

impl ProblemBody {
    /// A problem in a language, without further members.
    pub fn new(language: Language, code: Code, detail: String) -> Self {
        Self {
            r#type: format!("/problems/{}", code.word()),
            title: language.say(&code.title()),
            status: code.status(),
            detail,
            code: code.into(),
            version: None,
            expected: None,
            cells: None,
            faults: None,
            games: None,
        }
    }
}

/// One thing that is wrong with a layout.
#[derive(Serialize, ToSchema, Debug)]
#[schema(as = Fault)]
pub struct FaultBody {
    /// The stable word for it.
    pub code: FaultCode,
    /// The ship's place in the list sent, from 0; `null` where it is about no ship.
    #[schema(required, minimum = 0, maximum = 224)]
    pub ship: Option<usize>,
    /// The mine's place in the list sent, from 0; `null` where it is about no mine.
    #[schema(required, minimum = 0, maximum = 224)]
    pub mine: Option<usize>,
    /// The place of the other one of two ships; `null` where it is not about two.
    #[schema(required, minimum = 0, maximum = 224)]
    pub other_ship: Option<usize>,
    /// The place of the other one of two mines; `null` where it is not about two.
    #[schema(required, minimum = 0, maximum = 224)]
    pub other_mine: Option<usize>,
    /// The cells at fault, as far as they have a name.
    #[schema(max_items = 225)]
    pub cells: Vec<Cell>,
    /// The fault in a sentence, in your language: ships and mines go by where they lie.
    pub message: String,
}

impl FaultBody {
    /// A fault in a language.
    pub fn new(language: Language, fault: &Fault) -> Self {
        Self {
            code: fault.kind.into(),
            ship: fault.kind.ship(),
            mine: fault.kind.mine(),
            other_ship: fault.kind.other_ship(),
            other_mine: fault.kind.other_mine(),
            cells: Cell::list(fault.cells),
            message: language.say(&message(fault)),
        }
    }
}

/// What is wrong, with each ship by where it lies and its length, and each mine by where it lies.
fn message(fault: &Fault) -> Message {
    let start = |ship: Option<Ship>| ship.map(|ship| ship.start().to_string()).unwrap_or_default();
    let length_of = |ship: Option<Ship>| ship.map(Ship::length).unwrap_or_default();
    let cell = |mine: Option<Coordinate>| mine.map(|mine| mine.to_string()).unwrap_or_default();
    let (at, length, mine) = (start(fault.ship), length_of(fault.ship), cell(fault.mine));
    let (other_at, other_length) = (start(fault.other_ship), length_of(fault.other_ship));
    match fault.kind {
        FaultKind::ShipOutside { .. } => Message::ShipOutside { length, at },
        FaultKind::MineOutside { .. } => Message::MineOutside { mine },
        FaultKind::SurplusShip { .. } => Message::ShipSurplus { length, at },
        FaultKind::MissingShip { length } => Message::ShipMissing { length },
        FaultKind::Overlap { .. } => Message::ShipsOverlap { length, at, other_length, other_at },
        FaultKind::Touch { .. } => Message::ShipsTouch { length, at, other_length, other_at },
        FaultKind::MineOnShip { .. } => Message::MineOnShip { mine, length, at },
        FaultKind::MineTouchesShip { .. } => Message::MineTouchesShip { mine, length, at },
        FaultKind::MineTouchesMine { .. } => Message::MinesTouch { mine, other_mine: cell(fault.other_mine) },
        FaultKind::WrongMineCount { expected } => Message::MinesDue { expected },
        FaultKind::NoRoomForMines => Message::NoRoomForMines,
    }
}

/// What is wrong with a ship, a mine or the whole layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the word says it")]
pub enum FaultCode {
    OutsideGrid,
    WrongFleet,
    Overlap,
    Touch,
    MineOnShip,
    MineTouches,
    WrongMineCount,
    NoRoomForMines,
}

impl From<FaultKind> for FaultCode {
    fn from(kind: FaultKind) -> Self {
        match kind {
            FaultKind::ShipOutside { .. } | FaultKind::MineOutside { .. } => Self::OutsideGrid,
            FaultKind::SurplusShip { .. } | FaultKind::MissingShip { .. } => Self::WrongFleet,
            FaultKind::Overlap { .. } => Self::Overlap,
            FaultKind::Touch { .. } => Self::Touch,
            FaultKind::MineOnShip { .. } => Self::MineOnShip,
            FaultKind::MineTouchesShip { .. } | FaultKind::MineTouchesMine { .. } => Self::MineTouches,
            FaultKind::WrongMineCount { .. } => Self::WrongMineCount,
            FaultKind::NoRoomForMines => Self::NoRoomForMines,
        }
    }
}
