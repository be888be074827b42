//! Layouts beyond what games can show: every edge, every row, heaps of ships (R1 to R7).

use engine::{Cells, Coordinate, Direction, Fault, Fleet, Grid, MOST_PAIRS, Options, Placement, Ship};
use testing::notation::{cell, faults_written, placement, ships};

#[test]
fn r1_every_length_lies_flush_against_every_edge_and_corner() {
    for (grid, fleet) in every_grid_and_fleet() {
        let options = Options { grid, fleet, ..Options::default() };
        let mut lengths = fleet.ships().to_vec();
        lengths.dedup();
        for length in lengths {
            for ship in flush_with_the_edges(grid, length) {
                let others = fleet.ships().iter().copied();
                let others = others.filter(|other| *other != length);
                let same = std::iter::repeat_n(length, fleet.ships_of(length) - 1);
                let mut whole = Placement { ships: vec![ship], mines: vec![] };

                complete(&mut whole, &others.chain(same).collect::<Vec<_>>(), &options);

                let layout = whole.check(&options).expect("a legal layout");
                assert!((ship.cells() - layout.ships()).is_empty());
                assert_eq!((ship.cells() & grid.cells()).len(), length);
            }
        }
    }
}

#[test]
fn r1_a_ship_never_goes_on_in_the_next_row_or_column() {
    for grid in Grid::ALL {
        let last = grid.side() - 1;
        for row in 0..=last {
            for length in 2..=5 {
                for (column, row, direction) in [(last, row, Direction::Across), (row, last, Direction::Down)] {
                    let start = Coordinate::new(column, row).expect("a cell of the grid");
                    let ship = Ship::new(start, length, direction).unwrap();

                    let told = faults_of(grid, Fleet::Classic, &Placement { ships: vec![ship], mines: vec![] });

                    // The cells beyond, as far as they have a name.
                    let beyond: Vec<_> = (ship.cells() - grid.cells()).iter().map(|cell| cell.to_string()).collect();
                    let at = if beyond.is_empty() { String::new() } else { format!(" at {}", beyond.join(" ")) };
                    assert!(told.starts_with(&format!("outside_grid ship 0{at},")), "{ship:?} on {grid:?}: {told}");
                    assert_eq!(beyond.len(), usize::from((length - 1).min(15 - grid.side())));
                }
            }
        }
    }
}

#[test]
fn r5_of_ships_and_mines_in_a_heap_each_is_told_and_the_first_300_pairs() {
    let heap = Placement { ships: ships(&"A1>1 ".repeat(225)), mines: vec![cell("A1"); 225] };
    let off_grid = Placement { ships: ships(&"O15>15 ".repeat(225)), mines: vec![cell("O15"); 225] };
    let options = Options { grid: Grid::Eight, ..Options::default() };
    let count = |faults: &[Fault], code: &str| faults_written(faults).matches(code).count();

    let faults = heap.check(&options).expect_err("it is a heap");
    let (overlaps, surplus) = (count(&faults, "overlap"), count(&faults, "wrong_fleet ship"));
    assert_eq!((overlaps, surplus, count(&faults, "wrong_mine_count")), (MOST_PAIRS, 225, 1));
    assert_eq!(faults.len(), 531);

    // Downloads, which have no bound, are checked as well.
    let endless = Placement { ships: heap.ships.repeat(100), mines: heap.mines.repeat(100) };
    let faults = endless.check(&options).expect_err("it is a heap");
    assert_eq!(faults.len(), 22_500 + MOST_PAIRS + 5 + 1);

    let faults = off_grid.check(&options).expect_err("it is a heap");
    assert_eq!((count(&faults, "outside_grid ship"), count(&faults, "outside_grid mine")), (225, 225));
    assert_eq!(faults.len(), 681, "what lies outside takes part in no pair");
}

#[test]
fn r7_a_legal_fleet_that_leaves_no_mine_a_cell_is_refused() {
    for (fleet, line) in [
        (Fleet::Russian, "C1v4 H3v3 B7>3 E1v2 A3v2 F4v2 A1>1 H1>1 F7>1 H7>1"),
        (Fleet::Classic, "B3v5 G1v4 E2v3 E7>3 B1>2"),
    ] {
        let options = Options { grid: Grid::Eight, fleet, ..Options::default() };
        let told = |mines: &str, options: &Options| {
            let faults = placement(line, mines).check(options).err().unwrap_or_default();
            faults_written(&faults)
        };

        assert_eq!(told("", &Options { mines: false, ..options }), "");
        assert_eq!(told("", &options), "wrong_mine_count, no_room_for_mines");
        for mine in options.grid.cells().iter() {
            let told = told(&mine.to_string(), &options);
            assert!(told.starts_with("mine_") && told.ends_with(", no_room_for_mines"), "{mine}: {told}");
        }
    }
}

/// All grids with both fleets.
fn every_grid_and_fleet() -> impl Iterator<Item = (Grid, Fleet)> {
    Grid::ALL.into_iter().flat_map(|grid| Fleet::ALL.map(|fleet| (grid, fleet)))
}

/// A ship of this length in every corner and in the middle of every edge, in both directions.
fn flush_with_the_edges(grid: Grid, length: u8) -> Vec<Ship> {
    let last = grid.side() - length;
    let mut ships = Vec::new();
    for along in [0, last / 2, last] {
        for edge in [0, grid.side() / 2, grid.side() - 1] {
            let middle_of_the_grid = along != 0 && along != last && edge != 0 && edge != grid.side() - 1;
            if !middle_of_the_grid {
                for (column, row, direction) in [(along, edge, Direction::Across), (edge, along, Direction::Down)] {
                    ships.push(Ship::new(Coordinate::new(column, row).expect("a cell"), length, direction).unwrap());
                }
            }
        }
    }
    ships
}

/// Adds ships of these lengths, and the mines; whether that can be done.
fn complete(placement: &mut Placement, lengths: &[u8], options: &Options) -> bool {
    let taken = placement.ships.iter().fold(Cells::EMPTY, |taken, ship| taken | ship.cells());
    let free = options.grid.cells() - taken.with_neighbours();
    let Some((&length, lengths)) = lengths.split_first() else { return lay_mines(placement, free, options) };
    for start in free.iter() {
        for direction in [Direction::Down, Direction::Across] {
            let ship = Ship::new(start, length, direction).unwrap();
            if ship.cells().len() == length && (ship.cells() - free).is_empty() {
                placement.ships.push(ship);
                if complete(placement, lengths, options) {
                    return true;
                }
                placement.ships.pop();
            }
        }
    }
    false
}

/// Lays the mines on the first free cells; whether there are enough.
fn lay_mines(placement: &mut Placement, mut free: Cells, options: &Options) -> bool {
    for laid in 0..options.mine_count() {
        let Some(mine) = free.first() else {
            placement.mines.truncate(placement.mines.len() - usize::from(laid));
            return false;
        };
        placement.mines.push(mine);
        free = free - Cells::from(mine).with_neighbours();
    }
    true
}

/// The faults of ships without mines.
fn faults_of(grid: Grid, fleet: Fleet, placement: &Placement) -> String {
    let options = Options { grid, fleet, mines: false, ..Options::default() };
    placement.check(&options).map_or_else(|faults| faults_written(&faults), |_| String::new())
}
