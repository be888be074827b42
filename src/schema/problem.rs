use serde::Serialize;
use utoipa::ToSchema;

use super::code::{Code, CodeWord};
use crate::text::{Language, Message};
use engine::{Fault, FaultKind};
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
    /// The cells at fault, as far as they have a name.
    #[schema(max_items = 225)]
    pub cells: Vec<Cell>,
    /// The fault in a sentence, in your language.
    pub message: String,
}

impl FaultBody {
    /// A fault in a language.
    pub fn new(language: Language, fault: &Fault) -> Self {
        Self {
            code: fault.kind.into(),
            ship: fault.kind.ship(),
            mine: fault.kind.mine(),
            cells: Cell::list(fault.cells),
            message: language.say(&message(fault.kind)),
        }
    }
}

/// What is wrong; a fault of a pair is told at its mine, else at its later ship.
fn message(kind: FaultKind) -> Message {
    match kind {
        FaultKind::ShipOutside { ship } => Message::ShipOutside { ship },
        FaultKind::MineOutside { mine } => Message::MineOutside { mine },
        FaultKind::SurplusShip { ship, length } => Message::ShipSurplus { ship, length },
        FaultKind::MissingShip { length } => Message::ShipMissing { length },
        FaultKind::Overlap { ship, earlier } => Message::ShipsOverlap { ship, earlier },
        FaultKind::Touch { ship, earlier } => Message::ShipsTouch { ship, earlier },
        FaultKind::MineOnShip { mine, ship } => Message::MineOnShip { mine, ship },
        FaultKind::MineTouchesShip { mine, ship } => Message::MineTouchesShip { mine, ship },
        FaultKind::MineTouchesMine { mine, earlier } => Message::MinesTouch { mine, earlier },
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
