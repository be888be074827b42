use super::{Cells, Coordinate};

/// The square that each side plays on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Grid {
    /// 8×8, one mine.
    Eight,
    /// 10×10, one mine.
    #[default]
    Ten,
    /// 12×12, two mines.
    Twelve,
    /// 15×15, three mines.
    Fifteen,
}

impl Grid {
    /// All grids, smallest first.
    pub const ALL: [Self; 4] = [Self::Eight, Self::Ten, Self::Twelve, Self::Fifteen];

    /// The grid with this many columns and rows, if there is one.
    pub fn with_side(side: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|grid| grid.side() == side)
    }

    /// How many columns, and as many rows.
    pub fn side(self) -> u8 {
        match self {
            Self::Eight => 8,
            Self::Ten => 10,
            Self::Twelve => 12,
            Self::Fifteen => 15,
        }
    }

    /// How many mines each side hides where mines are played (R3).
    pub fn mines(self) -> u8 {
        match self {
            Self::Eight | Self::Ten => 1,
            Self::Twelve => 2,
            Self::Fifteen => 3,
        }
    }

    /// Every cell of the grid.
    pub fn cells(self) -> Cells {
        const EIGHT: Cells = Cells::square(8);
        const TEN: Cells = Cells::square(10);
        const TWELVE: Cells = Cells::square(12);
        match self {
            Self::Eight => EIGHT,
            Self::Ten => TEN,
            Self::Twelve => TWELVE,
            Self::Fifteen => Cells::ALL,
        }
    }

    /// Whether the cell lies on this grid.
    pub fn contains(self, cell: Coordinate) -> bool {
        let side = self.side();
        cell.column() < side && cell.row() < side
    }
}
