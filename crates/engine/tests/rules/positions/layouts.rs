//! Layouts, legal and illegal (R1 to R7).

use engine::{Cells, Coordinate, Direction, Fault, Fleet, Grid, MOST_PAIRS, Options, Placement, Refusal, Seat, Ship};

use crate::positions::script::play;
use testing::notation::{cell, faults_written, placement, set, ships};

#[test]
fn p01_r1_every_length_lies_flush_against_every_edge_and_corner() {
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
fn p02_r1_a_ship_never_goes_on_in_the_next_row_or_column() {
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
fn p02_r1_what_is_refused_is_not_placed() {
    let mut game = play("10x10, classic, host first");

    game.play("host places A1>5 A3>4 A5>3 A7>3 J1>2 = illegal_layout: outside_grid ship 4 at K1");

    game.play(
        "due: host places, guest places
         host sees host ships:
         host places A1>5 A3>4 A5>3 A7>3 I1>2",
    );
}

#[test]
fn r1_the_fleet_is_exact() {
    for (fleet, expected) in [
        ("A1>5 A3>4 A5>3 A7>3 E7>2", ""),
        ("E7>2 A7>3 A5>3 A3>4 A1>5", ""),
        ("A1>5 A3>4 A5>3 A7>3", "wrong_fleet"),
        ("A1>5", "wrong_fleet, wrong_fleet, wrong_fleet, wrong_fleet"),
        ("A1>5 A3>4 A5>3 A7>3 E7>2 H5v2", "wrong_fleet ship 5 at H5 H6"),
        // As many cells in other lengths.
        (
            "A1>5 A3>4 A5>4 A7>2 E7>2",
            "wrong_fleet ship 2 at A5 B5 C5 D5, wrong_fleet ship 4 at E7 F7, wrong_fleet, wrong_fleet",
        ),
        ("A1>5 A3>4 A5>3 A7>3 E7>1", "wrong_fleet ship 4 at E7, wrong_fleet"),
        ("A1>6 A3>4 A5>3 A7>3 E7>2", "wrong_fleet ship 0 at A1 B1 C1 D1 E1 F1, wrong_fleet"),
    ] {
        let told = faults_of(Grid::Eight, Fleet::Classic, &placement(fleet, ""));

        assert_eq!(told, expected, "{fleet}");
    }
}

#[test]
fn r1_r2_p09_a_pair_that_shares_a_cell_or_touches_is_told_once_at_the_later() {
    for (fleet, expected) in [
        ("A1>5 A3>4 A5>3 A7>3 C7>2", "overlap ship 4 at C7"),
        ("C7>2 A1>5 A3>4 A5>3 A7>3", "overlap ship 4 at C7"),
        ("A1>5 A3>4 A5>3 A7>3 D7>2", "touch ship 4 at D7"),
        ("A1>5 A3>4 A5>3 A7>3 D6>2", "touch ship 4 at D6, touch ship 4 at D6"),
        // By side along the whole of it, and at a corner.
        ("A1>5 A3>4 A5>3 A7>3 F2v2", "touch ship 4 at F2"),
        ("A1>5 A3>4 A5>3 A7>3 D8>2", "touch ship 4 at D8"),
        // With one empty cell between.
        ("A1>5 A3>4 A5>3 A7>3 E8>2", ""),
        ("A1>5 A3>4 A5>3 A7>3 G1v2", ""),
        // Of a ship that is partly outside, the part inside counts.
        ("A1>5 A3>4 A5>3 A7>3 D8v2", "outside_grid ship 4 at D9, touch ship 4 at D8"),
        ("A1>5 A3>4 A5>3 G8v3 H7>2", "outside_grid ship 3 at G9 G10, outside_grid ship 4 at I7, touch ship 4 at H7"),
        ("A1>5 A3>4 A5>3 H7>3 I7>2", "outside_grid ship 3 at I7 J7, outside_grid ship 4 at I7 J7"),
    ] {
        let told = faults_of(Grid::Eight, Fleet::Classic, &placement(fleet, ""));

        assert_eq!(told, expected, "{fleet}");
    }
}

#[test]
fn r3_p11_the_grid_says_how_many_mines() {
    for (grid, legal, count) in
        [(Grid::Eight, "H3", 1), (Grid::Ten, "H3", 1), (Grid::Twelve, "H3 H5", 2), (Grid::Fifteen, "H3 H5 J5", 3)]
    {
        let fleet = "A1>5 A3>4 A5>3 A7>3 E7>2";
        let fewer = &legal[2..];
        let more = format!("{legal} H1");
        let check = |mines: bool, line: &str| {
            let options = Options { grid, mines, ..Options::default() };
            placement(fleet, line)
                .check(&options)
                .map(|layout| layout.mines())
                .map_err(|faults| faults_written(&faults))
        };

        assert_eq!(grid.mines(), count);
        assert_eq!(check(true, legal), Ok(set(legal)));
        assert_eq!(check(true, fewer), Err("wrong_mine_count".to_owned()));
        assert_eq!(check(true, &more), Err("wrong_mine_count".to_owned()));
        assert_eq!(check(false, ""), Ok(Cells::EMPTY));
        assert_eq!(check(false, legal), Err("wrong_mine_count".to_owned()));
    }
}

#[test]
fn r4_p10_a_mine_touches_neither_ship_nor_mine() {
    for (mines, expected) in [
        ("H3 L12", ""),
        ("H3 H5", ""),
        ("H3 H4", "mine_touches mine 1 at H4"),
        ("H3 I4", "mine_touches mine 1 at I4"),
        ("H3 H3", "mine_touches mine 1 at H3"),
        ("H3 B3", "mine_on_ship ship 1 mine 1 at B3"),
        ("H3 F1", "mine_touches ship 0 mine 1 at F1"),
        ("H3 F2", "mine_touches ship 0 mine 1 at F2"),
        ("H3 G1", ""),
        (
            "H3 D6",
            "mine_touches ship 2 mine 1 at D6, mine_touches ship 3 mine 1 at D6, mine_touches ship 4 mine 1 at D6",
        ),
        ("H3 M3", "outside_grid mine 1 at M3"),
        ("M3 M3", "outside_grid mine 0 at M3, outside_grid mine 1 at M3"),
        // What lies outside takes part in no pair.
        ("L3 M3", "outside_grid mine 1 at M3"),
    ] {
        let options = Options { grid: Grid::Twelve, ..Options::default() };

        let checked = placement("A1>5 A3>4 A5>3 A7>3 E7>2", mines).check(&options);

        let told = checked.map_or_else(|faults| faults_written(&faults), |_| String::new());
        assert_eq!(told, expected, "{mines}");
    }
}

#[test]
fn r5_every_violation_is_told_at_once() {
    let sent = placement("A1>5 A2>4 K5>3 A7>3", "A1 H8 H8");
    let options = Options { grid: Grid::Eight, ..Options::default() };

    let faults = sent.check(&options).expect_err("it is full of faults");

    assert_eq!(
        faults_written(&faults),
        "touch ship 1 at A2 B2 C2 D2, outside_grid ship 2 at K5 L5 M5, wrong_fleet, \
         mine_on_ship ship 0 mine 0 at A1, mine_touches ship 1 mine 0 at A1, mine_touches mine 2 at H8, \
         wrong_mine_count"
    );
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
    let refused = Refusal::IllegalLayout(faults).to_string();
    assert_eq!(refused, "the layout breaks the rules in at least 531 ways");

    // Downloads, which have no bound, are checked as well.
    let endless = Placement { ships: heap.ships.repeat(100), mines: heap.mines.repeat(100) };
    let faults = endless.check(&options).expect_err("it is a heap");
    assert_eq!(faults.len(), 22_500 + MOST_PAIRS + 5 + 1);

    let faults = off_grid.check(&options).expect_err("it is a heap");
    assert_eq!((count(&faults, "outside_grid ship"), count(&faults, "outside_grid mine")), (225, 225));
    let refused = Refusal::IllegalLayout(faults).to_string();
    assert_eq!(refused, "the layout breaks the rules in 681 ways", "what lies outside takes part in no pair");
}

#[test]
fn r7_p16_a_legal_fleet_that_leaves_no_mine_a_cell_is_refused() {
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

        // Where the fleet has a fault of its own, or the grid is larger, the room is no matter.
        let mut short = placement(line, "");
        short.ships.pop();
        let faults = short.check(&options).expect_err("a ship is missing");
        assert_eq!(faults_written(&faults), "wrong_fleet, wrong_mine_count");
        assert_eq!(told("J10", &Options { grid: Grid::Ten, ..options }), "");
    }
}

#[test]
fn r7_p16_after_a_blocked_fleet_the_player_can_place_anew() {
    let mut game = play("8x8, russian, mines, host first");

    game.play(
        "host places C1v4 H3v3 B7>3 E1v2 A3v2 F4v2 A1>1 H1>1 F7>1 H7>1 with A8 \
         = illegal_layout: mine_touches ship 2 mine 0 at A8, no_room_for_mines",
    );

    game.play("host places A1>4 A3>3 A5>3 A7>2 D7>2 G7>2 F1>1 H1>1 F3>1 H3>1 with H5\ndue: guest places");
}

#[test]
fn r1_a_ship_of_one_cell_lies_across_whatever_was_sent() {
    let mut game = play("10x10, russian, host first");

    game.play(
        "both place A1v4 C1v3 E1v3 G1v2 I1v2 A6v2 C6v1 E6v1 G6v1 I6v1
         host fires C6 = sunk:C6>1",
    );

    game.play("guest sees guest ships: A1v4, C1v3, E1v3, G1v2, I1v2, A6v2, C6>1 sunk, E6>1, G6>1, I6>1");
    assert!(game.game.board(Seat::Guest).is_some_and(|board| board.sunk() == cell("C6").into()));
    assert_eq!(ships("C6v1"), ships("C6>1"));
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
