//! How strong the bots are: `cargo bench --bench strength`.
//!
//! Each level plays against the others in all 64 configurations, and alone against random layouts.
//! It prints win rates with their 95 % intervals (Wilson), shots to finish, and the time of a
//! decision, its median and its 99th percentile. The games are the same in every run; only the times differ. Words after `--` choose:
//! a number is the games per pairing (1000), anything else the configurations whose name has it,
//! as in `cargo bench --bench strength -- 200 10x10-classic`.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::time::Duration;

use engine::SeededDice;
use engine::bot::{Level, SeatView, choose};
use engine::{
    Action, BySeat, Command, Coordinate, Dice, FirstShot, Fleet, Game, Grid, Options, Seat, join, random_placement,
};
use rustix::time::{ClockId, clock_gettime};

/// Who plays whom: the stronger as the host.
const PAIRINGS: [(Level, Level); 3] =
    [(Level::Medium, Level::Easy), (Level::Hard, Level::Medium), (Level::Hard, Level::Easy)];

fn main() {
    let mut games = 1000;
    let mut chosen = String::new();
    for word in std::env::args().skip(1).filter(|word| !word.starts_with("--")) {
        match word.parse() {
            Ok(number) => games = number,
            Err(_) => chosen = word,
        }
    }
    println!("{games} games per pairing; who shoots first is a coin's choice");
    println!(
        "wins of the stronger with 95 % interval | shots alone: easy, medium, hard | µs per decision of hard (median, p99)\n"
    );
    println!("| configuration | medium – easy | hard – medium | hard – easy | shots alone | µs: p50, p99 |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for options in configurations() {
        let name = name(&options);
        if !name.contains(&chosen) {
            continue;
        }
        let mut times = Times::default();
        let rates = PAIRINGS.map(|(stronger, weaker)| {
            let levels = BySeat { host: stronger, guest: weaker };
            let wins = (0..games).filter(|&seed| played(&options, levels, seed, &mut times) == Seat::Host).count();
            rate(wins, games)
        });
        let alone = Level::ALL.map(|level| {
            let shots: usize = (0..games).map(|seed| alone(&options, level, seed)).sum();
            format!("{:.1}", mean(shots, games))
        });
        println!("| {name} | {} | {} | {} |", rates.join(" | "), alone.join(", "), times.quantiles());
    }
}

/// All 64.
fn configurations() -> Vec<Options> {
    let mut all = Vec::new();
    for grid in Grid::ALL {
        for fleet in Fleet::ALL {
            for mines in [false, true] {
                for salvo in [false, true] {
                    for shoot_again in [false, true] {
                        all.push(Options { grid, fleet, mines, salvo, shoot_again, ..Options::default() });
                    }
                }
            }
        }
    }
    all
}

fn name(options: &Options) -> String {
    let side = options.grid.side();
    let mut name = format!("{side}x{side}-{}", options.fleet.word());
    for (on, word) in [(options.mines, "-mines"), (options.salvo, "-salvo"), (options.shoot_again, "-again")] {
        if on {
            name.push_str(word);
        }
    }
    name
}

/// A whole game; returns who won.
fn played(options: &Options, levels: BySeat<Level>, seed: u64, times: &mut Times) -> Seat {
    let mut dice = SeededDice::from_number(seed);
    let coin = if dice.next().is_multiple_of(2) { Seat::Host } else { Seat::Guest };
    let mut game = Game::new(*options, Seat::Guest);
    game.apply(&join(&game, None, coin).unwrap()).unwrap();
    loop {
        if let Some(ending) = game.ending() {
            return ending.winner().unwrap();
        }
        let awaited = game.awaiting().next().unwrap();
        let level = *levels.of(awaited.seat);
        let before = spent();
        let choice = choose(level, &SeatView::of(&game, awaited.seat).unwrap(), &mut dice);
        if level == Level::Hard && awaited.action != Action::Place {
            times.add(spent().saturating_sub(before));
        }
        game.play(awaited.seat, choice.command()).unwrap();
    }
}

/// How many shots a level needs against a random layout, the other side firing at nothing but water.
fn alone(options: &Options, level: Level, seed: u64) -> usize {
    let mut dice = SeededDice::from_number(seed);
    let options = Options { first: FirstShot::Host, ..*options };
    let mut game = Game::new(options, Seat::Guest);
    game.apply(&join(&game, None, Seat::Host).unwrap()).unwrap();
    for seat in Seat::BOTH {
        let placement = random_placement(&options, &mut dice);
        game.play(seat, Command::Place(&placement)).unwrap();
    }
    while game.ending().is_none() {
        let awaited = game.awaiting().next().unwrap();
        match awaited.seat {
            Seat::Host => {
                let choice = choose(level, &SeatView::of(&game, Seat::Host).unwrap(), &mut dice);
                game.play(Seat::Host, choice.command()).unwrap();
            }
            Seat::Guest => {
                let board = game.board(Seat::Host).unwrap();
                let water = options.grid.cells() - board.ships() - board.mines() - board.shots();
                let shots: Vec<Coordinate> = water.iter().take(awaited.count.into()).collect();
                if shots.len() < usize::from(awaited.count) {
                    // The water is used up, which is more shots than any level needs but by bad luck.
                    return usize::from(options.grid.cells().len());
                }
                game.play(Seat::Guest, Command::Fire(&shots)).unwrap();
            }
        }
    }
    game.board(Seat::Guest).unwrap().shots().len().into()
}

/// The processor's time that this thread has used: what others do meanwhile is not in it.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap()
}

/// How long decisions took.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    fn quantiles(&mut self) -> String {
        self.0.sort_unstable();
        let at = |percent: usize| self.0.get(self.0.len() * percent / 100).map_or(0, Duration::as_micros);
        format!("{}, {}", at(50), at(99))
    }
}

fn mean(sum: usize, count: u64) -> f64 {
    number(sum) / number(usize::try_from(count).unwrap())
}

/// Wins in percent with Wilson's 95 % interval.
fn rate(wins: usize, games: u64) -> String {
    let (share, games) = (mean(wins, games), number(usize::try_from(games).unwrap()));
    let z = 1.959_964;
    let middle = (share + z * z / (2.0 * games)) / (1.0 + z * z / games);
    let half = z / (1.0 + z * z / games) * (share * (1.0 - share) / games + z * z / (4.0 * games * games)).sqrt();
    format!("{:.1} ({:.1}–{:.1})", share * 100.0, (middle - half) * 100.0, (middle + half) * 100.0)
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("a count of games or shots"))
}
