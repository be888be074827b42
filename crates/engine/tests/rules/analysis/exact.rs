//! The chances against exact counting, and the counting against trying all.

use std::collections::BTreeSet;

use engine::analysis::{Chance, Turn};
use engine::bot::Level;
use engine::{BoardView, FirstShot, Fleet, Game, GameView, Grid, Mark, Options, Viewer};
use testing::campaign;
use testing::exact::{self, Exact};

use super::played::Played;

/// Rows and columns.
type Cells = BTreeSet<(u8, u8)>;

/// How far chances are from the exact ones, over the cells that are not certain.
#[derive(Default, Debug)]
struct Errors {
    sum: f64,
    cells: f64,
    worst: f64,
}

impl Errors {
    fn add<'a>(&mut self, chances: impl Iterator<Item = &'a [Chance]>, exact: &[f64]) {
        for (chance, exact) in chances.flatten().zip(exact) {
            let error = (f64::from(chance.parts()) / f64::from(Chance::ONE) - exact).abs();
            if *exact > 1e-9 && *exact < 1.0 - 1e-9 {
                self.sum += error;
                self.cells += 1.0;
                self.worst = self.worst.max(error);
            } else {
                assert!(error < 1e-9, "{chance:?} {exact}");
            }
        }
    }

    fn mean(&self) -> f64 {
        self.sum / self.cells.max(1.0)
    }
}

fn seen(game: &Game, turn: &Turn) -> BoardView {
    GameView::new(game, Viewer::Seat(turn.seat)).boards.of(turn.seat.other()).clone()
}

fn counted(game: &Game, turn: &Turn) -> Exact {
    exact::chances(&seen(game, turn), game.options())
}

/// Analyses games on 8×8 and holds so many turns of each against exact counting.
fn held_against(fleet: Fleet, mines: bool, games: u64, every: usize) -> [Errors; 2] {
    let mut errors = [Errors::default(), Errors::default()];
    for number in 0..games {
        let (salvo, first) = (number % 3 == 2, FirstShot::Host);
        let options = Options { grid: Grid::Eight, fleet, mines, salvo, first, ..Options::default() };
        let played = Played::by(&options, if number % 2 == 0 { Level::Hard } else { Level::Medium }, 300 + number);
        let analysis = played.analysis(7);
        for (game, turn) in played.moments(&analysis).skip(usize::try_from(number).unwrap()).step_by(every) {
            let exact = counted(&game, turn);
            errors[0].add(turn.ships(), &exact.ships);
            errors[1].add(turn.mines(), &exact.mines);
        }
    }
    errors
}

/// What the contract promises.
fn are_within_bounds(errors: &[Errors; 2]) {
    for errors in errors {
        assert!(errors.mean() <= 0.01 && errors.worst <= 0.04, "mean {}, {errors:?}", errors.mean());
    }
}

#[test]
fn chances_on_8x8_with_the_classic_fleet_are_near_to_the_exact_ones() {
    are_within_bounds(&held_against(Fleet::Classic, false, campaign(12, 60), campaign(9, 2)));
    are_within_bounds(&held_against(Fleet::Classic, true, campaign(12, 60), campaign(9, 2)));
}

#[test]
fn chances_on_8x8_with_the_russian_fleet_are_near_to_the_exact_ones() {
    are_within_bounds(&held_against(Fleet::Russian, false, campaign(8, 40), campaign(13, 2)));
    are_within_bounds(&held_against(Fleet::Russian, true, campaign(8, 40), campaign(13, 2)));
}

#[test]
fn where_few_layouts_are_left_the_chances_are_exact() {
    for (number, fleet) in (0..campaign(6, 60)).zip(Fleet::ALL.into_iter().cycle()) {
        let options = Options { grid: Grid::Eight, fleet, first: FirstShot::Host, ..Options::default() };
        let played = Played::by(&options, Level::Hard, 500 + number);
        let analysis = played.analysis(7);
        let moments: Vec<_> = played.moments(&analysis).collect();
        let mut held = 0;
        for (game, turn) in moments.into_iter().rev().step_by(3) {
            let exact = counted(&game, turn);
            if exact.layouts > 2_000.0 {
                break;
            }
            held += 1;
            let rounded = |share: f64| (share - 0.5 / 10_000.0, share + 0.5 / 10_000.0);
            for (chances, exact) in [
                (turn.ships().flatten().collect::<Vec<_>>(), &exact.ships),
                (turn.mines().flatten().collect(), &exact.mines),
            ] {
                for (chance, exact) in chances.into_iter().zip(exact) {
                    let (least, most) = rounded(*exact);
                    let share = f64::from(chance.parts()) / f64::from(Chance::ONE);
                    assert!((least - 1e-9..=most + 1e-9).contains(&share), "{share} of {exact}");
                }
            }
        }
        assert!(held > 0, "some moment has few layouts");
    }
}

/// All layouts that agree with a board, tried one by one with sets of cells: (ships, mines) each.
fn all_by_trying(board: &BoardView, options: &Options) -> Vec<(Cells, Cells)> {
    let side = options.grid.side();
    let cell = |at: engine::Coordinate| (at.row(), at.column());
    let touches = |one: &Cells, other: &Cells| {
        one.iter().any(|a| other.iter().any(|b| a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1))
    };
    let marked = |is: &dyn Fn(Mark) -> bool| -> Cells {
        board.shots.iter().filter(|shot| is(shot.1)).map(|shot| cell(shot.0)).collect()
    };
    let (miss, hit) = (marked(&|mark| mark == Mark::Miss), marked(&|mark| mark == Mark::Hit));
    let struck = marked(&|mark| mark == Mark::Mine);
    let given: Cells = board.revealed.iter().map(cell).collect();
    let sunk: Vec<Cells> =
        board.ships.iter().filter(|ship| ship.1).map(|(ship, _)| ship.cells().iter().map(cell).collect()).collect();
    let mut lengths = options.fleet.ships().to_vec();
    for ship in &sunk {
        lengths.remove(lengths.iter().position(|length| usize::from(*length) == ship.len()).unwrap());
    }
    // Every ship as cells, then mines; the same length always further on than before.
    let mut partial: Vec<(Vec<Cells>, usize)> = vec![(sunk.clone(), 0)];
    let (mut last, places) = (0, |length: u8| -> Vec<Cells> {
        let across = (0..side).flat_map(|row| (0..side).map(move |column| (row, column, false)));
        let down = across.clone().map(|(row, column, _)| (row, column, true)).filter(|_| length > 1);
        let starts = across.chain(down);
        let cells = starts.map(|(row, column, down)| -> Cells {
            (0..length).map(|step| if down { (row + step, column) } else { (row, column + step) }).collect()
        });
        cells.filter(|cells| cells.iter().all(|(row, column)| *row < side && *column < side)).collect()
    });
    for length in lengths {
        let places = places(length);
        let mut next = Vec::new();
        for (ships, from) in &partial {
            let from = if length == last { *from } else { 0 };
            for (number, place) in places.iter().enumerate().skip(from) {
                let is_free = place.is_disjoint(&miss) && place.is_disjoint(&struck) && !place.is_subset(&hit);
                if is_free && !ships.iter().any(|ship| touches(ship, place)) {
                    next.push(([ships.clone(), vec![place.clone()]].concat(), number + 1));
                }
            }
        }
        (partial, last) = (next, length);
    }
    let mut layouts = Vec::new();
    for (ships, _) in partial {
        let ships: Cells = ships.into_iter().flatten().collect();
        if !hit.is_subset(&ships) || !given.is_subset(&ships) {
            continue;
        }
        if struck.len() == usize::from(options.mine_count()) {
            if !touches(&ships, &struck) {
                layouts.push((ships, struck.clone()));
            }
            continue;
        }
        for at in places(1) {
            let mine = at.is_disjoint(&miss) && !touches(&ships, &at) && !touches(&ships, &struck);
            if mine {
                layouts.push((ships.clone(), at));
            }
        }
    }
    layouts
}

#[test]
fn the_counting_agrees_with_trying_all() {
    for (number, fleet) in (0..campaign(8, 100)).zip(Fleet::ALL.into_iter().cycle()) {
        let options = Options { grid: Grid::Eight, fleet, first: FirstShot::Host, ..Options::default() };
        let played = Played::by(&options, Level::Medium, 700 + number);
        let analysis = played.analysis(7);
        let moments: Vec<_> = played.moments(&analysis).collect();
        for (game, turn) in moments.into_iter().rev().step_by(5).take(4) {
            let exact = counted(&game, turn);
            if exact.layouts > 3_000.0 {
                break;
            }
            let all = all_by_trying(&seen(&game, turn), game.options());
            let count = f64::from(u32::try_from(all.len()).unwrap());
            assert!((count - exact.layouts).abs() < 0.5, "{count} {}", exact.layouts);
            for (index, cell) in (0..8).flat_map(|row| (0..8).map(move |column| (row, column))).enumerate() {
                let share = |of: &dyn Fn(&(BTreeSet<_>, BTreeSet<_>)) -> bool| {
                    f64::from(u32::try_from(all.iter().filter(|layout| of(layout)).count()).unwrap()) / count
                };
                assert!((share(&|layout| layout.0.contains(&cell)) - exact.ships[index]).abs() < 1e-9, "{cell:?}");
                assert!((share(&|layout| layout.1.contains(&cell)) - exact.mines[index]).abs() < 1e-9, "{cell:?}");
            }
        }
    }
}
