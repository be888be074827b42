use super::fault::ways;
use super::{Cells, Fault};

/// Why the rules say no. A refusal changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Both seats are taken.
    #[error("both seats of this game are taken")]
    GameFull,
    /// A player tries to join their own game.
    #[error("you already have a seat in this game")]
    OwnGame,
    /// The layout is final (R6).
    #[error("your ships and mines are placed, and a layout is final")]
    AlreadyPlaced,
    /// Nobody has joined yet.
    #[error("the second seat of this game has not been taken yet")]
    NotJoined,
    /// The fleets are not both placed.
    #[error("the battle begins once both sides have placed their ships")]
    NotInBattle,
    /// The other side is to act.
    #[error("it is the other side's turn")]
    NotYourTurn,
    /// Cells are owed first (R19).
    #[error("you struck a mine: reveal {expected} of your ships' cells before anybody fires again")]
    RevealDue {
        /// How many cells.
        expected: u8,
    },
    /// No cell is owed.
    #[error("you owe no cell: it is your turn to fire")]
    NoRevealDue,
    /// The game has ended.
    #[error("this game has ended")]
    GameOver,
    /// A turn has exactly so many shots (R8, R9).
    #[error("this turn has exactly {expected} shots, and {sent} were sent")]
    WrongShotCount {
        /// How many there must be.
        expected: u8,
        /// How many there were.
        sent: usize,
    },
    /// Exactly so many cells are owed (R19).
    #[error("exactly {expected} cells are owed, and {sent} were sent")]
    WrongRevealCount {
        /// How many there must be.
        expected: u8,
        /// How many there were.
        sent: usize,
    },
    /// The same cell twice in one request (R9, R19).
    #[error("a cell may stand only once in a request")]
    RepeatedCell(Cells),
    /// Beyond this game's grid (R1).
    #[error("the grid of this game ends before that")]
    OutsideGrid(Cells),
    /// Fired at before (R10).
    #[error("nobody fires at the same cell twice")]
    AlreadyFired(Cells),
    /// Not a cell that the seat can give away (R16).
    #[error("only a cell of your own ships, neither hit nor given away yet, can be given away")]
    NotRevealable(Cells),
    /// R1 to R7, all faults at once (R5).
    #[error("the layout breaks the rules in {}", ways(.0))]
    IllegalLayout(Vec<Fault>),
}
