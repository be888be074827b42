use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use engine::FaultKind;

/// Words of the engine on the wire, and the way between the two.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident),+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $(#[allow(missing_docs, reason = "the word says it")] $variant),+ }

        impl From<engine::$name> for $name {
            fn from(value: engine::$name) -> Self {
                match value { $(engine::$name::$variant => Self::$variant),+ }
            }
        }

        impl From<$name> for engine::$name {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant),+ }
            }
        }
    )+};
}

words! {
    /// One of the two places at the table.
    Seat { Host, Guest }

    /// The ships of each side: `classic` 5, 4, 3, 3, 2 or `russian` 4, 3, 3, 2, 2, 2, 1, 1, 1, 1.
    Fleet { Classic, Russian }

    /// Who shoots first; the coin for `random` is thrown when the guest joins.
    FirstShot { Host, Guest, Random }

    /// Which way a ship lies: `across` to the right of its start, or `down` from it.
    Direction { Across, Down }

    /// What a cell fired at is: water, a ship cell, a cell of a sunk ship, a mine.
    Mark { Miss, Hit, Sunk, Mine }

    /// How far the game has come.
    Status { Waiting, Placing, Battle, Finished, Aborted }

    /// How well a bot plays.
    Level { Easy, Medium, Hard }

    /// What a seat owes the game.
    Action { Join, Place, Fire, Reveal }
}

/// The one status that games are listed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the word says it")]
pub enum Waiting {
    Waiting,
}

impl Waiting {
    /// The word.
    pub const WORD: &str = "waiting";
}

/// Through whose eyes a game is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Eyes)]
#[expect(missing_docs, reason = "the word says it")]
pub enum EyesBody {
    Host,
    Guest,
    Spectator,
    All,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the word says it")]
pub enum Reason {
    FleetSunk,
    Resigned,
    TimedOut,
    Aborted,
    Expired,
}

impl From<engine::Ending> for Reason {
    fn from(ending: engine::Ending) -> Self {
        use engine::{Abort, Ending, Victory};
        match ending {
            Ending::Won { by: Victory::FleetSunk, .. } => Self::FleetSunk,
            Ending::Won { by: Victory::Resigned, .. } => Self::Resigned,
            Ending::Won { by: Victory::TimedOut, .. } => Self::TimedOut,
            Ending::Aborted(Abort::Aborted) => Self::Aborted,
            Ending::Aborted(Abort::Expired) => Self::Expired,
        }
    }
}

/// What is wrong with a ship, a mine or the whole layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
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
