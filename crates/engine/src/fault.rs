use super::{Cells, Coordinate, Placement, Ship};

/// One thing that is wrong with a layout (R5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What is wrong, and with which ship or mine.
    pub kind: FaultKind,
    /// The cells at fault.
    pub cells: Cells,
    /// The ship that it is about: of two ships the later.
    pub ship: Option<Ship>,
    /// The mine that it is about: of two mines the later.
    pub mine: Option<Coordinate>,
    /// The other one of two ships.
    pub other_ship: Option<Ship>,
    /// The other one of two mines.
    pub other_mine: Option<Coordinate>,
}

/// How many pairs that touch or overlap are listed. A layout of the right size has fewer; one of two
/// hundred ships in a heap would have a hundred thousand.
pub const MOST_PAIRS: usize = 300;

/// What can be wrong with a layout. A ship or mine is told by its place in the list sent, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "`ship`, `mine` and `earlier`, one before it, are places in the list sent")]
pub enum FaultKind {
    /// A ship reaches beyond the grid (R1).
    ShipOutside { ship: usize },
    /// A mine lies beyond the grid (R1).
    MineOutside { mine: usize },
    /// The fleet has no such ship left (R1); its length is in cells.
    SurplusShip { ship: usize, length: u8 },
    /// A ship of the fleet was not sent (R1); its length is in cells.
    MissingShip { length: u8 },
    /// Two ships share a cell (R1).
    Overlap { ship: usize, earlier: usize },
    /// Two ships touch (R2).
    Touch { ship: usize, earlier: usize },
    /// A mine lies on a ship (R4).
    MineOnShip { mine: usize, ship: usize },
    /// A mine touches a ship (R4).
    MineTouchesShip { mine: usize, ship: usize },
    /// A mine touches another mine, or lies on it (R4).
    MineTouchesMine { mine: usize, earlier: usize },
    /// There must be exactly so many mines (R3).
    WrongMineCount { expected: u8 },
    /// The fleet is legal and leaves no cell for a mine (R7).
    NoRoomForMines,
}

impl FaultKind {
    /// The ship that it is about: of two ships the later.
    pub fn ship(self) -> Option<usize> {
        match self {
            Self::ShipOutside { ship }
            | Self::SurplusShip { ship, .. }
            | Self::Overlap { ship, .. }
            | Self::Touch { ship, .. }
            | Self::MineOnShip { ship, .. }
            | Self::MineTouchesShip { ship, .. } => Some(ship),
            Self::MineOutside { .. }
            | Self::MissingShip { .. }
            | Self::MineTouchesMine { .. }
            | Self::WrongMineCount { .. }
            | Self::NoRoomForMines => None,
        }
    }

    /// The mine that it is about: of two mines the later.
    pub fn mine(self) -> Option<usize> {
        match self {
            Self::MineOutside { mine }
            | Self::MineOnShip { mine, .. }
            | Self::MineTouchesShip { mine, .. }
            | Self::MineTouchesMine { mine, .. } => Some(mine),
            Self::ShipOutside { .. }
            | Self::SurplusShip { .. }
            | Self::MissingShip { .. }
            | Self::Overlap { .. }
            | Self::Touch { .. }
            | Self::WrongMineCount { .. }
            | Self::NoRoomForMines => None,
        }
    }

    /// The other one of two ships, which is the earlier.
    pub fn other_ship(self) -> Option<usize> {
        match self {
            Self::Overlap { earlier, .. } | Self::Touch { earlier, .. } => Some(earlier),
            Self::ShipOutside { .. }
            | Self::MineOutside { .. }
            | Self::SurplusShip { .. }
            | Self::MissingShip { .. }
            | Self::MineOnShip { .. }
            | Self::MineTouchesShip { .. }
            | Self::MineTouchesMine { .. }
            | Self::WrongMineCount { .. }
            | Self::NoRoomForMines => None,
        }
    }

    /// The other one of two mines, which is the earlier.
    pub fn other_mine(self) -> Option<usize> {
        match self {
            Self::MineTouchesMine { earlier, .. } => Some(earlier),
            Self::ShipOutside { .. }
            | Self::MineOutside { .. }
            | Self::SurplusShip { .. }
            | Self::MissingShip { .. }
            | Self::Overlap { .. }
            | Self::Touch { .. }
            | Self::MineOnShip { .. }
            | Self::MineTouchesShip { .. }
            | Self::WrongMineCount { .. }
            | Self::NoRoomForMines => None,
        }
    }

    /// Whether it is about two ships or mines, of which there may be very many.
    pub fn is_about_a_pair(self) -> bool {
        match self {
            Self::Overlap { .. }
            | Self::Touch { .. }
            | Self::MineOnShip { .. }
            | Self::MineTouchesShip { .. }
            | Self::MineTouchesMine { .. } => true,
            Self::ShipOutside { .. }
            | Self::MineOutside { .. }
            | Self::SurplusShip { .. }
            | Self::MissingShip { .. }
            | Self::WrongMineCount { .. }
            | Self::NoRoomForMines => false,
        }
    }
}

/// Faults of a placement on their way into a list.
pub(super) struct Faults<'a> {
    placement: &'a Placement,
    list: Vec<Fault>,
    pairs: usize,
}

impl<'a> Faults<'a> {
    /// None yet.
    pub(super) fn of(placement: &'a Placement) -> Self {
        Self { placement, list: Vec::new(), pairs: 0 }
    }

    /// Adds a fault, unless it is about one pair too many.
    pub(super) fn add(&mut self, kind: FaultKind, cells: Cells) {
        if kind.is_about_a_pair() {
            if self.is_full() {
                return;
            }
            self.pairs += 1;
        }
        let Placement { ships, mines } = self.placement;
        let ship = |index: Option<usize>| index.and_then(|index| ships.get(index).copied());
        let mine = |index: Option<usize>| index.and_then(|index| mines.get(index).copied());
        self.list.push(Fault {
            kind,
            cells,
            ship: ship(kind.ship()),
            mine: mine(kind.mine()),
            other_ship: ship(kind.other_ship()),
            other_mine: mine(kind.other_mine()),
        });
    }

    /// Whether no further pair is added.
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

/// Whether these may not be all faults of their layout, since no further pair was added.
pub fn may_be_more(faults: &[Fault]) -> bool {
    faults.iter().filter(|fault| fault.kind.is_about_a_pair()).count() >= MOST_PAIRS
}
