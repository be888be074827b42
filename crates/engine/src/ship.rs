use super::{Cells, Coordinate};

/// A straight ship: where it begins, how long it is, which way it lies.
///
/// Nothing says that it fits a grid: that is what [`Placement::check`](super::Placement::check)
/// is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ship {
    start: Coordinate,
    length: u8,
    direction: Direction,
}

/// Which way a ship lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Direction {
    /// From its leftmost cell to the right.
    #[default]
    Across,
    /// From its topmost cell downwards.
    Down,
}

impl Ship {
    /// The longest that can be written down, in cells.
    pub const LONGEST: u8 = Coordinate::LIMIT;

    /// A ship from its leftmost or topmost cell; a ship of one cell always lies across.
    ///
    /// `None` where it has no cell, or more than [`Ship::LONGEST`].
    pub fn new(start: Coordinate, length: u8, direction: Direction) -> Option<Self> {
        (1..=Self::LONGEST).contains(&length).then(|| Self::on_cells(start, length, direction))
    }

    /// A ship of as many cells as were counted on a grid, so at least one and no more than fit.
    pub(super) fn on_cells(start: Coordinate, length: u8, direction: Direction) -> Self {
        Self { start, length, direction: if length == 1 { Direction::Across } else { direction } }
    }

    /// The leftmost or topmost cell.
    pub fn start(self) -> Coordinate {
        self.start
    }

    /// How many cells.
    pub fn length(self) -> u8 {
        self.length
    }

    /// Which way it lies.
    pub fn direction(self) -> Direction {
        self.direction
    }

    /// Its cells, as far as they lie on the largest grid.
    pub fn cells(self) -> Cells {
        match self.direction {
            Direction::Across => Cells::run_across(self.start, self.length),
            Direction::Down => Cells::run_down(self.start, self.length),
        }
    }
}
