use super::{Cells, Coordinate, Fleet, Layout, Ship};

/// One side's hidden ships and mines, and all that was done to them in the open.
///
/// A ship is a run of neighbouring ship cells, since no two ships touch (R2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    ships: Cells,
    mines: Cells,
    shots: Cells,
    revealed: Cells,
}

/// What a shot found (R11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is water.
    Miss,
    /// A cell of a ship that stays afloat.
    Hit,
    /// The last cell of this ship (R12).
    Sunk(Ship),
    /// There is a mine (R16).
    Mine,
}

/// What a cell that was fired at is by now: when a ship sinks, all its cells are sunk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// There is water.
    Miss,
    /// A cell of a ship afloat.
    Hit,
    /// A cell of a ship sunk.
    Sunk,
    /// There is a mine.
    Mine,
}

impl Board {
    /// A board before the first shot.
    pub fn new(layout: Layout) -> Self {
        Self { ships: layout.ships(), mines: layout.mines(), shots: Cells::EMPTY, revealed: Cells::EMPTY }
    }

    /// A board as it was written down; `None` where it contradicts itself.
    pub(super) fn restore(layout: Layout, shots: Cells, revealed: Cells) -> Option<Self> {
        let sound = (revealed - layout.ships()).is_empty();
        sound.then_some(Self { shots, revealed, ..Self::new(layout) })
    }

    /// What was hidden.
    pub fn layout(&self) -> Layout {
        Layout::of(self)
    }

    /// Where the ships lie.
    pub fn ships(&self) -> Cells {
        self.ships
    }

    /// Where the mines lie.
    pub fn mines(&self) -> Cells {
        self.mines
    }

    /// The cells fired at.
    pub fn shots(&self) -> Cells {
        self.shots
    }

    /// Whether the cell was fired at.
    pub(super) fn was_fired_at(&self, cell: Coordinate) -> bool {
        self.shots.contains(cell)
    }

    /// The cells that the owner has given away, also those fired at since (R16).
    pub fn revealed(&self) -> Cells {
        self.revealed
    }

    /// The ship cells neither hit nor given away yet: what the owner can still give (R16).
    pub fn revealable(&self) -> Cells {
        self.ships - self.shots - self.revealed
    }

    /// The cells of the ships of which every cell is hit.
    pub fn sunk(&self) -> Cells {
        self.ships - self.afloat_cells()
    }

    /// How many ships have a cell that is not hit.
    pub fn afloat(&self) -> u8 {
        starts(self.afloat_cells()).len()
    }

    /// Whether the last ship is sunk.
    pub fn is_lost(&self) -> bool {
        (self.ships - self.shots).is_empty()
    }

    /// The ships row by row by their start.
    pub fn ships_in_order(&self) -> impl Iterator<Item = Ship> {
        ships_in(self.ships)
    }

    /// The cells fired at, row by row, with what each is by now.
    pub fn marks(&self) -> impl Iterator<Item = (Coordinate, Mark)> {
        let (board, sunk) = (*self, self.sunk());
        board.shots.iter().map(move |cell| {
            let mark = if board.mines.contains(cell) {
                Mark::Mine
            } else if sunk.contains(cell) {
                Mark::Sunk
            } else if board.ships.contains(cell) {
                Mark::Hit
            } else {
                Mark::Miss
            };
            (cell, mark)
        })
    }

    /// Fires at a cell and tells what was there.
    #[inline]
    pub(super) fn strike(&mut self, cell: Coordinate) -> Outcome {
        self.shots.insert(cell);
        if self.mines.contains(cell) {
            Outcome::Mine
        } else if self.ships.contains(cell) {
            let run = self.ships.run_through(cell);
            if self.shots.has_run(run) { Outcome::Sunk(run.into()) } else { Outcome::Hit }
        } else {
            Outcome::Miss
        }
    }

    /// Goes back to when these cells had been fired at.
    pub(super) fn take_back_to(&mut self, shots: Cells) {
        self.shots = shots;
    }

    /// Gives cells away (R16).
    pub(super) fn reveal(&mut self, cells: Cells) {
        self.revealed |= cells;
    }

    /// The cells of all ships that have a cell not hit.
    fn afloat_cells(&self) -> Cells {
        let unhit = self.ships - self.shots;
        // A ship is found whole from any of its cells in as many steps as the longest ship has
        // cells but one; along the ships' own cells a step never reaches another ship (R2).
        (1..Fleet::LONGEST_SHIP).fold(unhit, |found, _| found.with_sides() & self.ships)
    }
}

/// The ships with these cells, row by row by their start.
pub(super) fn ships_in(ships: Cells) -> impl Iterator<Item = Ship> {
    starts(ships).iter().map(move |start| ships.run_through(start).into())
}

/// The leftmost or topmost cell of each ship.
fn starts(ships: Cells) -> Cells {
    ships - ships.right() - ships.down()
}
