use arrayvec::ArrayVec;

use super::board::ships_in;
use super::fault::Faults;
use super::{Board, Cells, Coordinate, Fault, FaultKind, MOST_SHOTS, Options, Ship};

/// Ships and mines as somebody sent them, perhaps illegal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    /// The ships in the order sent.
    pub ships: Vec<Ship>,
    /// The mines in the order sent.
    pub mines: Vec<Coordinate>,
}

/// Ships and mines that are legal for the options they were checked against (R1 to R4).
///
/// The cells say all: by R2 a ship is a run of neighbouring ship cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    ships: Cells,
    mines: Cells,
}

impl Layout {
    /// A layout as it was written down; `None` where it breaks the rules (R1 to R4).
    pub(super) fn restore(options: &Options, ships: Cells, mines: Cells) -> Option<Self> {
        // No fleet has more ships than that, and one more is enough to be too many.
        let mut fleet: ArrayVec<Ship, { MOST_SHOTS + 1 }> = ships_in(ships).take(MOST_SHOTS + 1).collect();
        fleet.sort_unstable_by_key(|ship| std::cmp::Reverse(ship.length()));
        let is_fleet = fleet.iter().map(|ship| ship.length()).eq(options.fleet.ships().iter().copied());
        // Cells beside each other that do not lie in one line have two that touch at a corner.
        let ships_are_straight_and_apart = (ships & ships.corners()).is_empty();
        let mines_are_apart = (mines & (mines.corners() | mines.right() | mines.down())).is_empty();
        let is_legal = is_fleet
            && ships_are_straight_and_apart
            && mines.len() == options.mine_count()
            && (mines & ships.with_neighbours()).is_empty()
            && mines_are_apart;
        is_legal.then_some(Self { ships, mines })
    }

    /// That of a board, which was legal when it was hidden.
    pub(super) fn of(board: &Board) -> Self {
        Self { ships: board.ships(), mines: board.mines() }
    }

    /// Where the ships lie.
    pub fn ships(&self) -> Cells {
        self.ships
    }

    /// Where the mines lie.
    pub fn mines(&self) -> Cells {
        self.mines
    }
}

impl Placement {
    /// Checks the whole layout against R1 to R7.
    ///
    /// # Errors
    ///
    /// *Every* fault: first those of the fleet, ship by ship, then those of the mines. A pair is
    /// listed once, at the later of the two; what lies outside the grid takes part in no pair. Of
    /// pairs the first [`MOST_PAIRS`](super::MOST_PAIRS) are listed.
    pub fn check(&self, options: &Options) -> Result<Layout, Vec<Fault>> {
        let mut faults = Faults::of(self);
        self.check_ships(options, &mut faults);
        let fleet_is_legal = faults.is_empty();
        let ships = self.ships.iter().fold(Cells::EMPTY, |all, ship| all | ship.cells());
        self.check_mines(options, &mut faults);
        if fleet_is_legal && options.mines && (options.grid.cells() - ships.with_neighbours()).is_empty() {
            faults.add(FaultKind::NoRoomForMines, Cells::EMPTY);
        }
        if faults.is_empty() {
            Ok(Layout { ships, mines: self.mines.iter().copied().collect() })
        } else {
            Err(faults.into_list())
        }
    }

    /// The cells where one more mine could lie beside these ships and mines (R4).
    ///
    /// They may be illegal: what lies on the grid counts as it lies. None where the game has no mines.
    pub fn free_mine_cells(&self, options: &Options) -> Cells {
        if !options.mines {
            return Cells::EMPTY;
        }
        let grid = options.grid.cells();
        let ships = self.ships.iter().fold(Cells::EMPTY, |all, ship| all | ship.cells());
        let mines: Cells = self.mines.iter().copied().collect();
        grid - ((ships | mines) & grid).with_neighbours()
    }

    fn check_ships(&self, options: &Options, faults: &mut Faults<'_>) {
        let grid = options.grid.cells();
        let mut missing = options.fleet.ships().to_vec();
        for (index, ship) in self.ships.iter().enumerate() {
            let (cells, length) = (ship.cells(), ship.length());
            if (cells & grid).len() < length {
                faults.add(FaultKind::ShipOutside { ship: index }, cells - grid);
            }
            if let Some(place) = missing.iter().position(|missing| *missing == length) {
                missing.remove(place);
            } else {
                faults.add(FaultKind::SurplusShip { ship: index, length }, cells);
            }
            self.check_pairs(index, cells & grid, grid, faults);
        }
        for length in missing {
            faults.add(FaultKind::MissingShip { length }, Cells::EMPTY);
        }
    }

    /// A ship, as far as it lies on the grid, against those before it.
    fn check_pairs(&self, ship: usize, cells: Cells, grid: Cells, faults: &mut Faults<'_>) {
        if cells.is_empty() || faults.is_full() {
            return;
        }
        for (earlier, other) in self.ships.iter().take(ship).enumerate() {
            let other = other.cells() & grid;
            let shared = cells & other;
            let touching = cells & other.with_neighbours();
            if !shared.is_empty() {
                faults.add(FaultKind::Overlap { ship, earlier }, shared);
            } else if !touching.is_empty() {
                faults.add(FaultKind::Touch { ship, earlier }, touching);
            }
        }
    }

    fn check_mines(&self, options: &Options, faults: &mut Faults<'_>) {
        let grid = options.grid.cells();
        for (mine, cell) in self.mines.iter().copied().enumerate() {
            if options.grid.contains(cell) {
                self.check_mine(mine, cell, grid, faults);
            } else {
                faults.add(FaultKind::MineOutside { mine }, cell.into());
            }
        }
        let expected = options.mine_count();
        if self.mines.len() != usize::from(expected) {
            faults.add(FaultKind::WrongMineCount { expected }, Cells::EMPTY);
        }
    }

    /// A mine against the ships, and against the mines before it.
    fn check_mine(&self, mine: usize, cell: Coordinate, grid: Cells, faults: &mut Faults<'_>) {
        if faults.is_full() {
            return;
        }
        for (ship, other) in self.ships.iter().enumerate() {
            let other = other.cells() & grid;
            if other.contains(cell) {
                faults.add(FaultKind::MineOnShip { mine, ship }, cell.into());
            } else if other.with_neighbours().contains(cell) {
                faults.add(FaultKind::MineTouchesShip { mine, ship }, cell.into());
            }
        }
        for (earlier, other) in self.mines.iter().copied().take(mine).enumerate() {
            let other = Cells::from(other) & grid;
            if other.with_neighbours().contains(cell) {
                faults.add(FaultKind::MineTouchesMine { mine, earlier }, cell.into());
            }
        }
    }
}
