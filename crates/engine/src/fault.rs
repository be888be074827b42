use super::Cells;

/// One thing that is wrong with a layout, and the ship or mine that it is about (R5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The ship's place in the list sent, from 0.
    pub ship: Option<usize>,
    /// The mine's place in the list sent, from 0.
    pub mine: Option<usize>,
    /// The cells at fault.
    pub cells: Cells,
}

/// How many pairs that touch or overlap are told. A layout of the right size has fewer; one of two
/// hundred ships in a heap would have a hundred thousand.
pub const MOST_PAIRS: usize = 300;

/// What can be wrong with a layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// A ship or mine reaches beyond the grid (R1).
    OutsideGrid,
    /// The fleet has no such ship left (R1).
    SurplusShip {
        /// Its length in cells.
        length: u8,
    },
    /// A ship of the fleet was not sent (R1).
    MissingShip {
        /// Its length in cells.
        length: u8,
    },
    /// Two ships share a cell (R1).
    Overlap {
        /// The earlier ship's place in the list.
        earlier: usize,
    },
    /// Two ships touch (R2).
    Touch {
        /// The earlier ship's place in the list.
        earlier: usize,
    },
    /// A mine lies on a ship (R4).
    MineOnShip,
    /// A mine touches a ship (R4).
    MineTouchesShip,
    /// A mine touches another mine, or lies on it (R4).
    MineTouchesMine {
        /// The earlier mine's place in the list.
        earlier: usize,
    },
    /// Too few or too many mines (R3).
    WrongMineCount {
        /// How many there must be.
        expected: u8,
    },
    /// The fleet is legal and leaves no cell for a mine (R7).
    NoRoomForMines,
}

impl FaultKind {
    /// Whether it is about two ships or mines, of which there may be very many.
    pub fn is_about_a_pair(self) -> bool {
        match self {
            Self::Overlap { .. }
            | Self::Touch { .. }
            | Self::MineOnShip
            | Self::MineTouchesShip
            | Self::MineTouchesMine { .. } => true,
            Self::OutsideGrid
            | Self::SurplusShip { .. }
            | Self::MissingShip { .. }
            | Self::WrongMineCount { .. }
            | Self::NoRoomForMines => false,
        }
    }
}

/// Faults on their way into a list.
#[derive(Default)]
pub(super) struct Faults {
    list: Vec<Fault>,
    pairs: usize,
}

impl Faults {
    /// Adds a fault, unless it is about one pair too many.
    pub(super) fn tell(&mut self, kind: FaultKind, ship: Option<usize>, mine: Option<usize>, cells: Cells) {
        if kind.is_about_a_pair() {
            if self.is_full() {
                return;
            }
            self.pairs += 1;
        }
        self.list.push(Fault { kind, ship, mine, cells });
    }

    /// Whether no further pair is told.
    pub(super) fn is_full(&self) -> bool {
        self.pairs == MOST_PAIRS
    }

    /// Whether nothing is wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them.
    pub(super) fn into_list(self) -> Vec<Fault> {
        self.list
    }
}

/// Whether these may not be all faults of their layout, since no further pair was told.
pub fn may_be_more(faults: &[Fault]) -> bool {
    faults.iter().filter(|fault| fault.kind.is_about_a_pair()).count() >= MOST_PAIRS
}

/// In how many ways a layout breaks the rules, in words.
pub(super) fn ways(faults: &[Fault]) -> String {
    let at_least = if may_be_more(faults) { "at least " } else { "" };
    format!("{at_least}{} ways", faults.len())
}
