//! A game that is packed and unpacked is the same game, and no two byte strings are one game.

use engine::{
    Abort, Battle, Cells, Coordinate, Due, Ending, Game, GameView, Grid, Layout, Phase, Seat, UnpackError, Victory,
    Viewer,
};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::laws::table::of_every_configuration;

/// Form, phase, seats, number, boards.
const HEADER: usize = 5;

#[test]
fn every_game_is_read_back_from_the_bytes_of_the_form_released() {
    of_every_configuration(2, |mut table, steps| {
        for _ in 0..steps {
            let went_on = table.goes_on();

            let packed = table.game.pack();
            assert_eq!(Game::unpack(*table.game.options(), &packed), Ok(table.game));
            if table.rng.random_ratio(1, 8) || !went_on {
                assert_eq!(packed.as_slice(), form_1(&table.game));
            }
            if !went_on {
                break;
            }
        }
    });
}

#[test]
fn games_that_ended_early_are_read_back_as_well() {
    of_every_configuration(4, |mut table, steps| {
        for _ in 0..steps % 8 {
            table.goes_on();
        }

        if table.game.awaiting().count() == 0 {
            // A short game on a small grid is over already.
        } else if table.rng.random() {
            table.runs_out_of_time();
        } else {
            table.is_resigned();
        }

        let packed = table.game.pack();
        assert_eq!(packed.as_slice(), form_1(&table.game));
        assert_eq!(Game::unpack(*table.game.options(), &packed), Ok(table.game));
    });
}

#[test]
fn no_other_bytes_are_the_same_game() {
    of_every_configuration(2, |mut table, steps| {
        for _ in 0..steps {
            let went_on = table.goes_on();
            let packed = table.game.pack();
            let spoiled = spoiled(&packed, &mut table.rng);

            let read = Game::unpack(*table.game.options(), &spoiled);

            if let Ok(game) = read {
                assert_eq!(game.pack().as_slice(), spoiled, "the bytes that a game has are the only ones");
                assert_eq!(game == table.game, spoiled == packed.as_slice());
                can_be_looked_at(&game);
            }
            if !went_on {
                break;
            }
        }
    });
}

#[test]
fn no_other_header_is_the_same_game() {
    of_every_configuration(1, |mut table, _| {
        // Waiting, then with one board or placing, placing with one board, then in battle, then at the end.
        for events in [0, 1, 1, 1, 3, usize::MAX] {
            for _ in 0..events {
                if !table.goes_on() {
                    break;
                }
            }
            let packed = table.game.pack();

            for index in 0..HEADER {
                for byte in (0..16).chain([u8::MAX]) {
                    let mut spoiled = packed.to_vec();
                    spoiled[index] = byte;
                    if let Ok(game) = Game::unpack(*table.game.options(), &spoiled) {
                        assert_eq!(game.pack().as_slice(), spoiled);
                        assert_eq!(game == table.game, byte == packed[index]);
                    }
                }
            }
        }
    });
}

#[test]
fn bytes_at_random_are_read_as_a_game_of_these_bytes_or_refused() {
    of_every_configuration(20, |mut table, _| {
        let mut bytes: Vec<u8> = (0..table.rng.random_range(0..200)).map(|_| table.rng.random()).collect();
        // Mostly a header that might be one.
        for (byte, most) in bytes.iter_mut().zip([1, 5, 10, 10, 3]) {
            if table.rng.random_ratio(7, 8) {
                *byte = table.rng.random_range(0..=most);
            }
        }

        let read = Game::unpack(*table.game.options(), &bytes);

        match read {
            Ok(game) => {
                assert_eq!(game.pack().as_slice(), bytes);
                can_be_looked_at(&game);
            }
            Err(UnpackError::UnknownForm(form)) => assert!(form == bytes[0] && form != 1),
            Err(UnpackError::Damaged) => assert!(bytes.first().is_none_or(|form| *form == 1)),
        }
    });
}

#[test]
fn a_layout_is_packed_as_its_two_planes() {
    of_every_configuration(2, |mut table, _| {
        table.goes_to_battle();

        let grid = table.game.options().grid;
        for layout in table.layouts() {
            let expected = [vec![1], planes(grid, &[layout.ships(), layout.mines()])].concat();
            assert_eq!(layout.pack(grid).as_slice(), expected);
            assert_eq!(Layout::unpack(table.game.options(), &expected), Ok(layout));
        }
    });
}

#[test]
fn no_other_bytes_are_the_same_layout() {
    of_every_configuration(4, |mut table, _| {
        table.goes_to_battle();
        let grid = table.game.options().grid;
        let layout = table.layouts()[0];
        let packed = layout.pack(grid);

        for _ in 0..20 {
            let spoiled = spoiled(&packed, &mut table.rng);
            if let Ok(read) = Layout::unpack(table.game.options(), &spoiled) {
                assert_eq!(read.pack(grid).as_slice(), spoiled);
                assert_eq!(read == layout, spoiled == packed.as_slice());
            }
        }
    });
}

#[test]
fn r1_to_r4_no_board_that_breaks_the_rules_is_read_back() {
    of_every_configuration(2, |mut table, _| {
        table.goes_to_battle();
        let options = *table.game.options();
        let (packed, side) = (table.game.pack(), usize::from(options.grid.side()));
        let layout = table.game.board(Seat::Host).copied().unwrap();
        let packed_layout = table.layouts()[0].pack(options.grid);

        for (index, cell) in (0..side * side).zip(options.grid.cells().iter()) {
            // One ship cell more or less, and one mine more or less, on the host's board.
            let ship = flipped(&packed, HEADER * 8 + side * side + index);
            assert_eq!(Game::unpack(options, &ship), Err(UnpackError::Damaged), "{cell}");
            let mark = Game::unpack(options, &flipped(&packed, HEADER * 8 + 2 * side * side + index));
            assert_eq!(mark.is_ok(), layout.ships().contains(cell), "only a ship cell is given away, not {cell}");

            for plane in 0..2 {
                let spoiled = flipped(&packed_layout, 8 + plane * side * side + index);
                assert_eq!(Layout::unpack(&options, &spoiled), Err(UnpackError::Damaged), "{cell}");
            }
        }
    });
}

#[test]
fn r8_to_r19_no_more_is_read_back_as_due_than_can_be_done() {
    of_every_configuration(2, |mut table, steps| {
        for _ in 0..steps % 200 {
            table.goes_on();
        }
        let options = *table.game.options();
        let packed = table.game.pack();

        for (phase, number) in [2, 3].into_iter().flat_map(|phase| (0..=u8::MAX).map(move |number| (phase, number))) {
            let mut spoiled = packed.to_vec();
            (spoiled[1], spoiled[3]) = (phase, number);
            let Ok(game) = Game::unpack(options, &spoiled) else { continue };
            let Phase::Battle(battle) = *game.phase() else { panic!("{game:?}") };
            let (own, target) = (battle.boards.of(battle.turn), battle.boards.of(battle.turn.other()));
            match battle.due {
                Due::Fire(shots) => {
                    assert!(shots.get() <= (options.grid.cells() - target.shots()).len());
                    assert!(options.salvo || shots.get() == 1);
                }
                Due::Reveal(cells) => assert!(cells.get() <= own.revealable().len()),
            }
        }
    });
}

/// The bytes with one bit turned over.
fn flipped(packed: &[u8], bit: usize) -> Vec<u8> {
    let mut bytes = packed.to_vec();
    bytes[bit / 8] ^= 1 << (bit % 8);
    bytes
}

/// The bytes of a game by the description of the form, one bit after the other.
fn form_1(game: &Game) -> Vec<u8> {
    let seat = |seat: Option<Seat>| match seat {
        None => 0,
        Some(Seat::Host) => 1,
        Some(Seat::Guest) => 2,
    };
    let (phase, lower, upper, number) = match *game.phase() {
        Phase::Waiting { awaited, .. } => (0, Some(awaited), None, 0),
        Phase::Placing { first, .. } => (1, Some(first), None, 0),
        Phase::Battle(Battle { first, turn, due: Due::Fire(shots), .. }) => (2, Some(first), Some(turn), shots.get()),
        Phase::Battle(Battle { first, turn, due: Due::Reveal(owed), .. }) => (3, Some(first), Some(turn), owed.get()),
        Phase::Over { ending: Ending::Won { winner, by }, first, .. } => {
            let by = match by {
                Victory::FleetSunk => 0,
                Victory::Resigned => 1,
                Victory::TimedOut => 2,
            };
            (4, first, Some(winner), by)
        }
        Phase::Over { ending: Ending::Aborted(Abort::Aborted), first, .. } => (5, first, None, 0),
        Phase::Over { ending: Ending::Aborted(Abort::Expired), first, .. } => (5, first, None, 1),
    };
    let (mut presence, mut sets) = (0, Vec::new());
    for (flag, seat) in [(1, Seat::Host), (2, Seat::Guest)] {
        if let Some(board) = game.board(seat) {
            presence += flag;
            sets.extend([board.shots(), board.ships(), board.mines() | board.revealed()]);
        }
    }
    let header = vec![1, phase, seat(lower) + 4 * seat(upper), number, presence];
    [header, planes(game.options().grid, &sets)].concat()
}

/// Sets of cells one after the other, a bit for each cell of the grid row by row, lowest bit first.
fn planes(grid: Grid, sets: &[Cells]) -> Vec<u8> {
    let (mut bytes, mut bit) = (Vec::new(), 0);
    for set in sets {
        for row in 0..grid.side() {
            for column in 0..grid.side() {
                if bit % 8 == 0 {
                    bytes.push(0);
                }
                if set.contains(Coordinate::new(column, row).unwrap()) {
                    *bytes.last_mut().unwrap() |= 1 << (bit % 8);
                }
                bit += 1;
            }
        }
    }
    bytes
}

/// The bytes with one thing done to them, now and then nothing.
fn spoiled(packed: &[u8], rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = packed.to_vec();
    match rng.random_range(0..7) {
        0 => bytes.truncate(rng.random_range(0..packed.len())),
        1 => bytes.extend((0..rng.random_range(1..90)).map(|_| *[0, 0, rng.random()].choose(rng).unwrap())),
        // A bit anywhere, then one of the last, which may be padding, then of the header.
        2 => bytes[rng.random_range(0..packed.len())] ^= 1 << rng.random_range(0..8),
        3 => *bytes.last_mut().unwrap() ^= 1 << rng.random_range(0..8),
        4 => bytes[rng.random_range(0..HEADER)] ^= 1 << rng.random_range(0..8),
        5 => bytes[rng.random_range(0..HEADER)] = rng.random_range(0..12),
        _ => bytes[rng.random_range(0..packed.len())] = rng.random(),
    }
    bytes
}

/// Whatever was read, looking at it is no reason to stop.
fn can_be_looked_at(game: &Game) {
    for eyes in [Viewer::Seat(Seat::Host), Viewer::Seat(Seat::Guest), Viewer::Spectator] {
        let view = GameView::new(game, eyes);
        assert!(view.boards.host.known_empty.len() <= game.options().grid.cells().len());
    }
}
