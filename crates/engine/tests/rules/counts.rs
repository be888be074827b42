//! How many legal fleets there are, counted with the engine's own geometry (R1, R2, R7).
//!
//! A fleet is legal where no ship lies on a cell that another ship lies on or touches. Going over
//! the grid cell by cell, what can still be placed depends on nothing but the cells that no ship
//! lies on or touches yet and on the ships left, so fleets that agree in both are counted as one.
//! That this is what [`Placement::check`] says is held against it on random fleets.

use std::collections::HashMap;

use engine::{Cells, Coordinate, Direction, FaultKind, Fleet, Grid, Options, Placement, Ship};
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use testing::campaign;

#[test]
fn r1_r2_there_are_16546192_classic_fleets_on_8x8() {
    assert_eq!(fleets(Grid::Eight, Fleet::Classic, Counted::All), 16_546_192);
}

#[test]
fn r7_11288_classic_fleets_on_8x8_leave_no_cell_for_a_mine() {
    assert_eq!(fleets(Grid::Eight, Fleet::Classic, Counted::WithoutMineCell), 11_288);
}

#[test]
fn r1_r2_there_are_20774262284_russian_fleets_on_8x8() {
    assert_eq!(fleets(Grid::Eight, Fleet::Russian, Counted::All), 20_774_262_284);
}

#[test]
fn r7_2075878304_russian_fleets_on_8x8_leave_no_cell_for_a_mine() {
    assert_eq!(fleets(Grid::Eight, Fleet::Russian, Counted::WithoutMineCell), 2_075_878_304);
}

#[test]
fn r1_r2_there_are_1925751392_classic_fleets_on_10x10() {
    assert_eq!(fleets(Grid::Ten, Fleet::Classic, Counted::All), 1_925_751_392);
}

#[test]
fn r7_no_classic_fleet_on_10x10_leaves_no_cell_for_a_mine() {
    assert_eq!(fleets(Grid::Ten, Fleet::Classic, Counted::WithoutMineCell), 0);
}

#[test]
fn r1_r2_there_are_1855545978831780_russian_fleets_on_10x10() {
    assert_eq!(fleets(Grid::Ten, Fleet::Russian, Counted::All), 1_855_545_978_831_780);
}

#[test]
fn r7_22828444_russian_fleets_on_10x10_leave_no_cell_for_a_mine() {
    assert_eq!(fleets(Grid::Ten, Fleet::Russian, Counted::WithoutMineCell), 22_828_444);
}

#[test]
fn r7_on_12x12_and_15x15_there_is_room_for_all_mines_whatever_the_fleet() {
    for fleet in Fleet::ALL {
        for grid in [Grid::Twelve, Grid::Fifteen] {
            // What each ship and each mine takes in the middle of the sea, where it takes most.
            let middle = Coordinate::new(5, 5).unwrap();
            let takes = |length| Ship::new(middle, length, Direction::Down).unwrap().cells().with_neighbours().len();

            let by_ships: u8 = fleet.ships().iter().map(|length| takes(*length)).sum();
            let by_other_mines = takes(1) * (grid.mines() - 1);

            assert!(by_ships + by_other_mines < grid.cells().len());
        }
    }
}

#[test]
fn r1_r2_r7_the_check_agrees_with_what_is_counted() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for (grid, fleet) in [Grid::Eight, Grid::Ten].into_iter().flat_map(|grid| Fleet::ALL.map(|fleet| (grid, fleet))) {
        let with_mines = Options { grid, fleet, ..Options::default() };
        let without = Options { mines: false, ..with_mines };
        let kinds = Kinds::of(fleet);
        let places: Vec<Place> = grid.cells().iter().flat_map(|start| kinds.places(grid, start)).collect();
        let (mut legal, mut illegal, mut blocked) = (0, 0, 0);
        for _ in 0..campaign(2_000, 20_000) {
            let ships = random_ships(grid, fleet, &places, &mut rng);
            let (is_legal, free) = verdict(grid, &ships);
            let mut placement = Placement { ships, mines: Vec::new() };

            let checked = placement.check(&without);
            placement.mines.extend(mines(grid, free));
            let checked_with_mines = placement.check(&with_mines);

            assert_eq!(checked.is_ok(), is_legal, "{placement:?}");
            let has_room = is_legal && free != 0;
            assert_eq!(checked_with_mines.is_ok(), has_room, "{placement:?}");
            let faults = checked_with_mines.err().unwrap_or_default();
            let no_room = faults.iter().any(|fault| fault.kind == FaultKind::NoRoomForMines);
            assert_eq!(no_room, is_legal && !has_room, "{placement:?}");
            match (is_legal, has_room) {
                (false, _) => illegal += 1,
                (true, false) => blocked += 1,
                (true, true) => legal += 1,
            }
        }
        assert!(legal > 100 && illegal > 100, "{grid:?} {fleet:?}: {legal} legal, {illegal} illegal");
        assert!(blocked > 20 || (grid, fleet) != (Grid::Eight, Fleet::Russian), "{blocked} without a mine cell");
    }
}

/// Which fleets are counted.
#[derive(Clone, Copy)]
enum Counted {
    All,
    /// Those that leave no cell for a mine (R7).
    WithoutMineCell,
}

/// The cells of a grid up to 10×10 as bits, row by row.
type Bits = u128;

/// A ship that starts at some cell: the place of its length in the fleet, its cells, and those
/// that it lies on or touches.
struct Place {
    ship: Ship,
    kind: usize,
    cells: Bits,
    taken: Bits,
}

/// Counts the legal fleets.
fn fleets(grid: Grid, fleet: Fleet, counted: Counted) -> u64 {
    let side = usize::from(grid.side());
    let kinds = Kinds::of(fleet);
    // By the cells that no ship lies on or touches yet: how many fleets there are, by the ships left.
    let mut states = HashMap::from([(bits(grid, grid.cells()), kinds.none_placed())]);
    for (at, start) in grid.cells().iter().enumerate() {
        let places = kinds.places(grid, start);
        let mut next: HashMap<Bits, Vec<u64>> = HashMap::with_capacity(states.len() * 2);
        let mut add = |free: Bits, fleets: &[u64], kind: Option<usize>| {
            let (key, out_of_reach) = match counted {
                Counted::All => (free & (Bits::MAX << at << 1), 0),
                // A later ship touches nothing more than a row and a cell before it.
                Counted::WithoutMineCell => (free, free & !(Bits::MAX << at.saturating_sub(side))),
            };
            if out_of_reach == 0 {
                let sums = next.entry(key).or_insert_with(|| vec![0; fleets.len()]);
                kinds.add(sums, fleets, kind);
            }
        };
        for (&free, fleets) in &states {
            add(free, fleets, None);
            for place in places.iter().filter(|place| place.cells & !free == 0) {
                add(free & !place.taken, fleets, Some(place.kind));
            }
        }
        states = next;
    }
    states.get(&0).map_or(0, |fleets| fleets[0])
}

/// The lengths of a fleet and how often it has each.
///
/// The ships left are a number in which each length is a digit.
struct Kinds {
    /// Length, how many, and the weight of its digit.
    lengths: Vec<(u8, usize, usize)>,
    combinations: usize,
}

impl Kinds {
    fn of(fleet: Fleet) -> Self {
        let (mut lengths, mut combinations) = (Vec::new(), 1);
        for length in 1..=Fleet::LONGEST_SHIP {
            let ships = fleet.ships_of(length);
            if ships > 0 {
                lengths.push((length, ships, combinations));
                combinations *= ships + 1;
            }
        }
        Self { lengths, combinations }
    }

    /// One fleet, of which every ship is left.
    fn none_placed(&self) -> Vec<u64> {
        let mut fleets = vec![0; self.combinations];
        fleets[self.combinations - 1] = 1;
        fleets
    }

    /// Adds fleets, with a ship of this kind placed on each that has one left.
    fn add(&self, sums: &mut [u64], fleets: &[u64], kind: Option<usize>) {
        let Some(kind) = kind else {
            for (sum, fleets) in sums.iter_mut().zip(fleets) {
                *sum += fleets;
            }
            return;
        };
        let (_, ships, weight) = self.lengths[kind];
        for (left, fleets) in fleets.iter().enumerate() {
            if *fleets > 0 && (left / weight) % (ships + 1) > 0 {
                sums[left - weight] += fleets;
            }
        }
    }

    /// Every ship of the fleet that can start at this cell.
    fn places(&self, grid: Grid, start: Coordinate) -> Vec<Place> {
        let mut places = Vec::new();
        for (kind, &(length, ..)) in self.lengths.iter().enumerate() {
            let directions: &[_] =
                if length == 1 { &[Direction::Across] } else { &[Direction::Across, Direction::Down] };
            for &direction in directions {
                let ship = Ship::new(start, length, direction).unwrap();
                let cells = ship.cells();
                if (cells & grid.cells()).len() == length {
                    let taken = cells.with_neighbours() & grid.cells();
                    places.push(Place { ship, kind, cells: bits(grid, cells), taken: bits(grid, taken) });
                }
            }
        }
        places
    }
}

/// A set of cells as bits.
fn bits(grid: Grid, cells: Cells) -> Bits {
    let bit = |cell: Coordinate| 1 << (u32::from(cell.row()) * u32::from(grid.side()) + u32::from(cell.column()));
    cells.iter().fold(0, |bits: Bits, cell| bits | bit(cell))
}

/// The ships of a fleet, most where no other touches them, some anywhere.
fn random_ships(grid: Grid, fleet: Fleet, places: &[Place], rng: &mut impl Rng) -> Vec<Ship> {
    let (mut ships, mut free) = (Vec::new(), bits(grid, grid.cells()));
    for &length in fleet.ships() {
        let fits = |place: &&Place| place.ship.length() == length && place.cells & !free == 0;
        let fitting: Vec<&Place> = places.iter().filter(fits).collect();
        if let Some(place) = fitting.choose(rng).filter(|_| rng.random_ratio(19, 20)) {
            free &= !place.taken;
            ships.push(place.ship);
        } else {
            let [column, row] = [(); 2].map(|()| rng.random_range(0..grid.side()));
            let direction = *[Direction::Across, Direction::Down].choose(rng).unwrap();
            ships.push(Ship::new(Coordinate::new(column, row).unwrap(), length, direction).unwrap());
        }
    }
    ships
}

/// Whether ships are whole and apart as the counting has it, and which cells they leave.
fn verdict(grid: Grid, ships: &[Ship]) -> (bool, Bits) {
    let (mut legal, mut free) = (true, bits(grid, grid.cells()));
    for ship in ships {
        let cells = ship.cells();
        legal &= (cells & grid.cells()).len() == ship.length() && bits(grid, cells) & !free == 0;
        free &= !bits(grid, cells.with_neighbours() & grid.cells());
    }
    (legal, free)
}

/// As many mines as are played, on the first cells where they can lie, or anywhere.
fn mines(grid: Grid, mut free: Bits) -> Vec<Coordinate> {
    let mut mines = Vec::new();
    for _ in 0..grid.mines() {
        let lies = |cell: &Coordinate| bits(grid, (*cell).into()) & free != 0;
        let mine = grid.cells().iter().find(lies).or(grid.cells().first()).unwrap();
        free &= !bits(grid, Cells::from(mine).with_neighbours() & grid.cells());
        mines.push(mine);
    }
    mines
}
