use arrayvec::ArrayVec;

use super::board::ships_in;
use super::fault::Faults;
use super::{Cells, Coordinate, Fault, FaultKind, MOST_SHOTS, Options, Ship};

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
    /// told once, at the later of the two; what lies outside the grid takes part in no pair. Of
    /// pairs the first [`MOST_PAIRS`](super::MOST_PAIRS) are told.
    pub fn check(&self, options: &Options) -> Result<Layout, Vec<Fault>> {
        let mut faults = Faults::default();
        self.check_ships(options, &mut faults);
        let fleet_is_legal = faults.is_empty();
        let ships = self.ships.iter().fold(Cells::EMPTY, |all, ship| all | ship.cells());
        self.check_mines(options, &mut faults);
        if fleet_is_legal && options.mines && (options.grid.cells() - ships.with_neighbours()).is_empty() {
            faults.tell(FaultKind::NoRoomForMines, None, None, Cells::EMPTY);
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

    fn check_ships(&self, options: &Options, faults: &mut Faults) {
        let grid = options.grid.cells();
        let mut missing = options.fleet.ships().to_vec();
        for (index, ship) in self.ships.iter().enumerate() {
            let mut tell = |kind, cells| faults.tell(kind, Some(index), None, cells);
            let cells = ship.cells();
            if (cells & grid).len() < ship.length() {
                tell(FaultKind::OutsideGrid, cells - grid);
            }
            if let Some(place) = missing.iter().position(|length| *length == ship.length()) {
                missing.remove(place);
            } else {
                tell(FaultKind::SurplusShip { length: ship.length() }, cells);
            }
            self.check_pairs(index, cells & grid, grid, faults);
        }
        for length in missing {
            faults.tell(FaultKind::MissingShip { length }, None, None, Cells::EMPTY);
        }
    }

    /// A ship, as far as it lies on the grid, against those before it.
    fn check_pairs(&self, index: usize, cells: Cells, grid: Cells, faults: &mut Faults) {
        if cells.is_empty() || faults.is_full() {
            return;
        }
        for (earlier, other) in self.ships.iter().take(index).enumerate() {
            let other = other.cells() & grid;
            let shared = cells & other;
            let touching = cells & other.with_neighbours();
            if !shared.is_empty() {
                faults.tell(FaultKind::Overlap { earlier }, Some(index), None, shared);
            } else if !touching.is_empty() {
                faults.tell(FaultKind::Touch { earlier }, Some(index), None, touching);
            }
        }
    }

    fn check_mines(&self, options: &Options, faults: &mut Faults) {
        let grid = options.grid.cells();
        for (index, mine) in self.mines.iter().copied().enumerate() {
            if options.grid.contains(mine) {
                self.check_mine(index, mine, grid, faults);
            } else {
                faults.tell(FaultKind::OutsideGrid, None, Some(index), mine.into());
            }
        }
        let expected = options.mine_count();
        if self.mines.len() != usize::from(expected) {
            faults.tell(FaultKind::WrongMineCount { expected }, None, None, Cells::EMPTY);
        }
    }

    /// A mine against the ships, and against the mines before it.
    fn check_mine(&self, index: usize, mine: Coordinate, grid: Cells, faults: &mut Faults) {
        if faults.is_full() {
            return;
        }
        let mut tell = |kind, ship| faults.tell(kind, ship, Some(index), mine.into());
        for (ship, other) in self.ships.iter().enumerate() {
            let other = other.cells() & grid;
            if other.contains(mine) {
                tell(FaultKind::MineOnShip, Some(ship));
            } else if other.with_neighbours().contains(mine) {
                tell(FaultKind::MineTouchesShip, Some(ship));
            }
        }
        for (earlier, other) in self.mines.iter().copied().take(index).enumerate() {
            let other = Cells::from(other) & grid;
            if other.with_neighbours().contains(mine) {
                tell(FaultKind::MineTouchesMine { earlier }, None);
            }
        }
    }
}
