use super::{Cells, Coordinate, Fault, FaultKind, Fleet, Options, Ship};

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
    /// A layout as it was written down.
    pub(super) fn restore(ships: Cells, mines: Cells) -> Self {
        Self { ships, mines }
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
    /// told once, at the later of the two; what lies outside the grid takes part in no pair.
    pub fn check(&self, options: &Options) -> Result<Layout, Vec<Fault>> {
        let mut faults = Vec::new();
        self.check_ships(options, &mut faults);
        let fleet_is_legal = faults.is_empty();
        let ships = self.ships.iter().fold(Cells::EMPTY, |all, ship| all | ship.cells());
        self.check_mines(options, &mut faults);
        if fleet_is_legal && options.mines && (options.grid.cells() - ships.with_neighbours()).is_empty() {
            faults.push(Fault { kind: FaultKind::NoRoomForMines, ship: None, mine: None, cells: Cells::EMPTY });
        }
        if faults.is_empty() { Ok(Layout { ships, mines: self.mines.iter().copied().collect() }) } else { Err(faults) }
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

    fn check_ships(&self, options: &Options, faults: &mut Vec<Fault>) {
        let grid = options.grid.cells();
        for (index, ship) in self.ships.iter().enumerate() {
            let mut tell = |kind, cells| faults.push(Fault { kind, ship: Some(index), mine: None, cells });
            let cells = ship.cells();
            if (cells & grid).len() < ship.length() {
                tell(FaultKind::OutsideGrid, cells - grid);
            }
            let earlier_ships = self.ships.iter().take(index);
            let same_length = earlier_ships.clone().filter(|earlier| earlier.length() == ship.length()).count();
            if same_length >= options.fleet.ships_of(ship.length()) {
                tell(FaultKind::SurplusShip { length: ship.length() }, cells);
            }
            for (earlier, other) in earlier_ships.enumerate() {
                let other = other.cells() & grid;
                let shared = cells & other;
                let touching = cells & grid & other.with_neighbours();
                if !shared.is_empty() {
                    tell(FaultKind::Overlap { earlier }, shared);
                } else if !touching.is_empty() {
                    tell(FaultKind::Touch { earlier }, touching);
                }
            }
        }
        self.check_missing(options.fleet, faults);
    }

    fn check_missing(&self, fleet: Fleet, faults: &mut Vec<Fault>) {
        for length in (1..=Fleet::LONGEST_SHIP).rev() {
            let sent = self.ships.iter().filter(|ship| ship.length() == length).count();
            for _ in sent..fleet.ships_of(length) {
                faults.push(Fault {
                    kind: FaultKind::MissingShip { length },
                    ship: None,
                    mine: None,
                    cells: Cells::EMPTY,
                });
            }
        }
    }

    fn check_mines(&self, options: &Options, faults: &mut Vec<Fault>) {
        let grid = options.grid.cells();
        for (index, mine) in self.mines.iter().copied().enumerate() {
            let mut tell = |kind, ship| faults.push(Fault { kind, ship, mine: Some(index), cells: mine.into() });
            if !options.grid.contains(mine) {
                tell(FaultKind::OutsideGrid, None);
                continue;
            }
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
        let expected = options.mine_count();
        if self.mines.len() != usize::from(expected) {
            faults.push(Fault {
                kind: FaultKind::WrongMineCount { expected },
                ship: None,
                mine: None,
                cells: Cells::EMPTY,
            });
        }
    }
}
