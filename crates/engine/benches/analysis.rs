//! How far analyses are from exact counting, and what a game costs: `cargo bench --bench analysis`.
//!
//! In all 64 configurations games of two bots of one level, each level in turn, and of two who fire at random are analysed,
//! and the CPU time of the thread is printed. On 8×8 each turn is also held against the counting of all layouts that the tests have. Words after `--`: a
//! number is the games of each configuration (6), `errors` or `times` prints the one table alone, anything else chooses the
//! configurations whose name has it, as in `cargo bench --bench analysis -- errors 40 8x8-russian`.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::num::NonZeroU16;
use std::time::Duration;

use arrayvec::ArrayVec;
use engine::analysis::{Analysis, Chance};
use engine::bot::{Choice, Level, SeatView, choose};
use engine::{
    Action, Cells, Coordinate, Dice as _, Event, FirstShot, Fleet, Game, GameView, Grid, MOST_SHOTS, Options, Seat,
    SeededDice, Viewer, join,
};
use rustix::time::{ClockId, clock_gettime};
use testing::exact;

fn main() {
    let (mut games, mut chosen, mut table) = (6, String::new(), None);
    for word in std::env::args().skip(1).filter(|word| !word.starts_with("--")) {
        match (word.parse(), &*word) {
            (Ok(number), _) => games = number,
            (_, "errors" | "times") => table = Some(word),
            _ => chosen = word,
        }
    }
    let configurations: Vec<_> =
        configurations().into_iter().filter(|options| name(options).contains(&chosen)).collect();
    if table.as_deref() != Some("errors") {
        println!("{games} games a configuration; ms of CPU a game\n");
        println!("| configuration | mean | worst |\n| --- | --- | --- |");
        for options in &configurations {
            times(options, games);
        }
    }
    if table.as_deref() != Some("times") {
        println!("\n{games} games a configuration; errors over the cells that are not certain\n");
        println!("| configuration | turns | ships: mean, worst | mines: mean, worst | turns over 0.02, 0.03, 0.04 |");
        println!("| --- | --- | --- | --- | --- |");
        for options in configurations.iter().filter(|options| options.grid == Grid::Eight) {
            errors(options, games);
        }
    }
}

/// All 64.
fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for grid in Grid::ALL {
        for fleet in Fleet::ALL {
            for rules in 0..8_u8 {
                let [mines, salvo, shoot_again] = [1, 2, 4].map(|rule| rules & rule != 0);
                all.push(Options {
                    grid,
                    fleet,
                    mines,
                    salvo,
                    shoot_again,
                    first: FirstShot::Host,
                    ..Options::default()
                });
            }
        }
    }
    all
}

fn name(options: &Options) -> String {
    let side = options.grid.side();
    let rules = [(options.mines, "-mines"), (options.salvo, "-salvo"), (options.shoot_again, "-again")];
    let rules = rules.into_iter().filter(|rule| rule.0).map(|rule| rule.1).collect::<String>();
    format!("{side}x{side}-{}{rules}", options.fleet.word())
}

/// A game of two bots of one level, or of two who fire at random, before its first event, and its events.
fn played(options: &Options, number: u32) -> (Game, Vec<(u32, Event)>) {
    let level = Level::ALL.get(usize::try_from(number).unwrap() % (Level::ALL.len() + 1));
    let mut dice = SeededDice::from_number(number.into());
    let first = Game::new(*options, Seat::Guest);
    let (mut game, joined) = (first, join(&first, None, Seat::Host).unwrap());
    game.apply(&joined).unwrap();
    let mut log = vec![(2, joined)];
    let next = |game: &Game| game.awaiting().next();
    while let Some(awaited) = next(&game) {
        let view = SeatView::of(&game, awaited.seat).unwrap();
        let choice = match level {
            Some(level) => choose(*level, &view, &mut dice),
            None if awaited.action == Action::Fire => {
                let open = options.grid.cells() - game.board(awaited.seat.other()).unwrap().shots();
                Choice::Fire(at_random(open, awaited.count, &mut dice))
            }
            None => choose(Level::Easy, &view, &mut dice),
        };
        let event = game.play(awaited.seat, choice.command()).unwrap();
        log.push((u32::try_from(log.len()).unwrap() + 2, event));
    }
    (first, log)
}

/// So many of the cells.
fn at_random(mut cells: Cells, count: u8, dice: &mut SeededDice) -> ArrayVec<Coordinate, MOST_SHOTS> {
    let mut chosen = ArrayVec::new();
    for _ in 0..count {
        let faces = NonZeroU16::new(cells.len().into()).unwrap();
        let cell = cells.iter().nth(dice.below(faces).into()).unwrap();
        cells = cells - cell.into();
        chosen.push(cell);
    }
    chosen
}

fn times(options: &Options, games: u32) {
    let (mut sum, mut worst) = (Duration::ZERO, Duration::ZERO);
    for number in 0..games {
        let (first, log) = played(options, number);
        let before = spent();
        let analysis = Analysis::of(&first, &log, [7; 32]).unwrap();
        let time = spent().checked_sub(before).unwrap();
        assert!(analysis.boards_drawn > 0);
        (sum, worst) = (sum + time, worst.max(time));
    }
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("| {} | {:.0} | {:.0} |", name(options), ms(sum / games), ms(worst));
}

/// The CPU time of this thread.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap()
}

fn errors(options: &Options, games: u32) {
    let (mut of_ships, mut of_mines, mut turns, mut over) = (Errors::default(), Errors::default(), 0, [0; 3]);
    let mut opening = None;
    for number in 0..games {
        let (mut game, log) = played(options, number);
        let analysis = Analysis::of(&game, &log, [7; 32]).unwrap();
        let mut analysed = analysis.turns.iter();
        for (_, event) in &log {
            if matches!(event, Event::Fired { .. }) {
                let turn = analysed.next().unwrap();
                let board = GameView::new(&game, Viewer::Seat(turn.seat)).boards.of(turn.seat.other()).clone();
                // What is known of every board at first is the same, and takes the longest to count.
                let is_opening = board.shots.is_empty() && board.revealed.is_empty();
                let counted = if is_opening { opening.take() } else { None };
                let exact = counted.unwrap_or_else(|| exact::chances(&board, options));
                let worst = of_ships.add(turn.ships(), &exact.ships).max(of_mines.add(turn.mines(), &exact.mines));
                turns += 1;
                if is_opening {
                    opening = Some(exact);
                }
                for (count, bound) in over.iter_mut().zip([0.02, 0.03, 0.04]) {
                    *count += u32::from(worst > bound);
                }
            }
            game.apply(event).unwrap();
        }
    }
    let [two, three, four] = over;
    println!("| {} | {turns} | {of_ships} | {of_mines} | {two}, {three}, {four} |", name(options));
}

#[derive(Default)]
struct Errors {
    sum: f64,
    cells: f64,
    worst: f64,
}

impl Errors {
    /// Adds those of one board, and gives the worst of them.
    fn add<'a>(&mut self, chances: impl Iterator<Item = &'a [Chance]>, exact: &[f64]) -> f64 {
        let mut worst = 0.0_f64;
        for (chance, exact) in chances.flatten().zip(exact).filter(|(_, exact)| (1e-9..1.0 - 1e-9).contains(*exact)) {
            let error = (f64::from(chance.parts()) / f64::from(Chance::ONE) - exact).abs();
            (self.sum, self.cells, worst) = (self.sum + error, self.cells + 1.0, worst.max(error));
        }
        self.worst = self.worst.max(worst);
        worst
    }
}

impl std::fmt::Display for Errors {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:.4}, {:.4}", self.sum / self.cells.max(1.0), self.worst)
    }
}
