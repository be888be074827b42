//! Whole games, analysed.

use engine::analysis::{Analysis, Chance, Turn};
use engine::bot::{Level, SeatView, choose};
use engine::{Event, FirstShot, Game, GameView, Grid, Mark, Options, Outcome, Seat, SeededDice, Viewer, join};
use testing::campaign;
use testing::model;

use crate::mirror;

/// A game that two bots have played, and the game before its first event.
pub(crate) struct Played {
    pub(crate) first: Game,
    pub(crate) log: Vec<(u32, Event)>,
}

impl Played {
    pub(crate) fn by(options: &Options, level: Level, number: u64) -> Self {
        let mut dice = SeededDice::from_number(number);
        let first = Game::new(*options, Seat::Guest);
        let mut game = first;
        let joined = join(&game, None, Seat::Host).unwrap();
        game.apply(&joined).unwrap();
        let mut log = vec![(2, joined)];
        let next = |game: &Game| game.awaiting().next();
        while let Some(awaited) = next(&game) {
            let view = SeatView::of(&game, awaited.seat).unwrap();
            let event = game.play(awaited.seat, choose(level, &view, &mut dice).command()).unwrap();
            log.push((u32::try_from(log.len()).unwrap() + 2, event));
        }
        Self { first, log }
    }

    pub(crate) fn analysis(&self, seed: u8) -> Analysis {
        Analysis::of(&self.first, &self.log, [seed; 32]).unwrap()
    }

    /// Each turn with the game before it.
    pub(crate) fn moments<'a>(&'a self, analysis: &'a Analysis) -> impl Iterator<Item = (Game, &'a Turn)> {
        let (mut game, mut turns) = (self.first, analysis.turns.iter());
        self.log.iter().filter_map(move |(seq, event)| {
            let before = game;
            game.apply(event).unwrap();
            let turn = matches!(event, Event::Fired { .. }).then(|| turns.next().unwrap())?;
            assert_eq!(turn.seq, *seq);
            Some((before, turn))
        })
    }
}

/// Every configuration as the engine has it.
fn configurations() -> Vec<Options> {
    model::Options::all().iter().map(|options| mirror::options(options, FirstShot::Guest)).collect()
}

#[test]
fn every_configuration_is_analysed_and_what_is_certain_is_told_as_certain() {
    for (number, options) in (0..).zip(configurations()) {
        let played = Played::by(&options, Level::Hard, number);

        let analysis = played.analysis(1);

        for (game, turn) in played.moments(&analysis) {
            let board = GameView::new(&game, Viewer::Seat(turn.seat)).boards.of(turn.seat.other()).clone();
            let fired = game.board(turn.seat.other()).unwrap().shots();
            for (cell, mark) in &board.shots {
                let (ship, mine) = match mark {
                    Mark::Miss => (0, 0),
                    Mark::Hit | Mark::Sunk => (Chance::ONE, 0),
                    Mark::Mine => (0, Chance::ONE),
                };
                assert_eq!((turn.ship(*cell).parts(), turn.mine(*cell).parts()), (ship, mine), "{options:?} {cell}");
            }
            for cell in board.known_empty.iter() {
                assert_eq!((turn.ship(cell).parts(), turn.mine(cell).parts()), (0, 0), "{options:?} {cell}");
            }
            for cell in board.revealed.iter() {
                assert_eq!((turn.ship(cell).parts(), turn.mine(cell).parts()), (Chance::ONE, 0), "{options:?} {cell}");
            }
            // Each layout has so many cells of ships, and so many mines; what is rounded adds up.
            let sum = |rows: &mut dyn Iterator<Item = &[Chance]>| -> f64 {
                rows.flatten().map(|chance| f64::from(chance.parts()) / f64::from(Chance::ONE)).sum()
            };
            let cells: u8 = options.fleet.ships().iter().sum();
            assert!((sum(&mut turn.ships()) - f64::from(cells)).abs() < 0.0115, "{options:?}");
            assert!((sum(&mut turn.mines()) - f64::from(options.mine_count())).abs() < 0.0115, "{options:?}");
            // What was there had a chance.
            for shot in &turn.shots {
                let (ship, mine) = (turn.ship(shot.cell), turn.mine(shot.cell));
                let is_possible = match shot.outcome {
                    Outcome::Miss => ship.parts() < Chance::ONE && mine.parts() < Chance::ONE,
                    Outcome::Hit | Outcome::Sunk(_) => mine.parts() < Chance::ONE,
                    Outcome::Mine => ship.parts() < Chance::ONE,
                };
                assert!(is_possible, "{options:?} {shot:?}");
            }
            let open = options.grid.cells() - fired;
            assert!(open.contains(turn.best));
            assert!(open.iter().all(|cell| turn.ship(cell) <= turn.ship(turn.best)), "{options:?}");
        }
    }
}

#[test]
fn a_volley_is_reckoned_before_it() {
    let options = Options { grid: Grid::Ten, salvo: true, ..Options::default() };
    let played = Played::by(&options, Level::Medium, 5);
    let mut volley_of_several = 0;
    for turn in &played.analysis(1).turns {
        // None of its cells is certain because another of them was fired at.
        volley_of_several += usize::from(turn.shots.len() > 1);
        for shot in turn.shots.iter().filter(|shot| matches!(shot.outcome, Outcome::Miss | Outcome::Mine)) {
            assert!(turn.mine(shot.cell).parts() < Chance::ONE, "{turn:?}");
        }
    }
    assert!(volley_of_several > 5);
}

#[test]
fn the_same_seed_gives_the_same_analysis_and_another_hardly_another() {
    for (number, options) in (100..).zip(configurations().into_iter().step_by(campaign(5, 1))) {
        let played = Played::by(&options, Level::Hard, number);

        let [one, again, other] = [3, 3, 4].map(|seed| played.analysis(seed));

        assert_eq!(one, again);
        for seat in Seat::BOTH {
            let [one, other] = [&one, &other].map(|analysis| analysis.fortune(seat));
            assert_eq!((one.shots, one.hits, one.mines), (other.shots, other.hits, other.mines));
            assert!(one.expected_hits.abs_diff(other.expected_hits) < 10_000, "{options:?}: {one:?} {other:?}");
        }
    }
}

#[test]
fn luck_is_what_was_hit_less_what_was_to_be_expected() {
    for (number, options) in (200..).zip(configurations().into_iter().step_by(campaign(7, 1))) {
        let played = Played::by(&options, Level::Medium, number);
        let analysis = played.analysis(9);
        for seat in Seat::BOTH {
            let fortune = analysis.fortune(seat);
            let turns = || analysis.turns.iter().filter(|turn| turn.seat == seat);
            let shots = || turns().flat_map(|turn| turn.shots.iter().map(move |shot| (turn, shot)));
            let of = |is: fn(Outcome) -> bool| shots().filter(|(_, shot)| is(shot.outcome)).count();

            assert_eq!(usize::try_from(fortune.shots).unwrap(), shots().count());
            let hits = of(|outcome| matches!(outcome, Outcome::Hit | Outcome::Sunk(_)));
            assert_eq!(usize::try_from(fortune.hits).unwrap(), hits);
            assert_eq!(usize::try_from(fortune.mines).unwrap(), of(|outcome| outcome == Outcome::Mine));
            let sum = |chance: fn(&Turn, engine::Coordinate) -> Chance| -> u32 {
                shots().map(|(turn, shot)| u32::from(chance(turn, shot.cell).parts())).sum()
            };
            assert_eq!((fortune.expected_hits, fortune.expected_mines), (sum(Turn::ship), sum(Turn::mine)));
            let near = |(turn, shot): &(&Turn, &engine::Shot)| {
                i32::from(turn.ship(turn.best).parts()) - i32::from(turn.ship(shot.cell).parts()) <= 100
            };
            assert_eq!(usize::try_from(fortune.as_good).unwrap(), shots().filter(near).count());
        }
    }
}

#[test]
fn whoever_fires_where_most_is_to_be_expected_is_neither_lucky_nor_unlucky_for_long() {
    let options = Options { grid: Grid::Eight, ..Options::default() };
    let (mut luck, mut shots) = (0.0, 0.0);
    for number in 0..campaign(60, 2_000) {
        // Boards that bots of this level hide are as likely as any other.
        let analysis = Played::by(&options, Level::Medium, 1_000 + number).analysis(1);
        for seat in Seat::BOTH {
            let fortune = analysis.fortune(seat);
            luck += f64::from(fortune.hits) - f64::from(fortune.expected_hits) / f64::from(Chance::ONE);
            shots += f64::from(fortune.shots);
        }
    }
    // A shot's luck has a standard deviation of less than a half.
    assert!(luck.abs() < 4.0 * 0.5 * f64::sqrt(shots), "{luck} in {shots} shots");
}
