use super::{Cells, Fault};

/// Why the rules say no. A refusal changes nothing. It is displayed by its name: sentences
/// for people stand in the server's texts alone.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum Refusal {
    /// Both seats are taken.
    GameFull,
    /// A player tries to join their own game.
    OwnGame,
    /// The layout is final (R6).
    AlreadyPlaced,
    /// Nobody has joined yet.
    NotJoined,
    /// The fleets are not both placed.
    NotInBattle,
    /// The other side is to act.
    NotYourTurn,
    /// Cells are owed first (R19).
    RevealDue {
        /// How many cells.
        expected: u8,
    },
    /// No cell is owed.
    NoRevealDue,
    /// The game has ended.
    GameOver,
    /// A turn has exactly so many shots (R8, R9).
    WrongShotCount {
        /// How many there must be.
        expected: u8,
        /// How many there were.
        sent: usize,
    },
    /// Exactly so many cells are owed (R19).
    WrongRevealCount {
        /// How many there must be.
        expected: u8,
        /// How many there were.
        sent: usize,
    },
    /// The same cell twice in one request (R9, R19).
    RepeatedCell(Cells),
    /// Beyond this game's grid (R1).
    OutsideGrid(Cells),
    /// Fired at before (R10).
    AlreadyFired(Cells),
    /// Not a cell that the seat can give away (R16).
    NotRevealable(Cells),
    /// R1 to R7, all faults at once (R5).
    IllegalLayout(Vec<Fault>),
}
