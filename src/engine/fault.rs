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
