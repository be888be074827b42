//! How random layouts are spread, and how long one takes: `cargo bench --bench layouts`.
//!
//! For each grid and fleet, without and with mines, it prints how often the cells hold a ship or a
//! mine, and how far that is from layouts that are equally likely by another reckoning: ships placed
//! longest first on any free place, each layout weighed by the numbers of places multiplied.
//! A number after `--` is how many layouts are drawn for each line (40000).

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::time::Instant;

use engine::SeededDice;
use engine::{Cells, Coordinate, Dice, Direction, Fleet, Grid, Options, Ship, random_placement};

fn main() {
    let mut words = std::env::args().skip(1);
    let layouts: u32 = words.find_map(|word| word.parse().ok()).unwrap_or(40_000);
    println!("{layouts} layouts a line; chances in percent; gaps in percentage points over all cells\n");
    println!(
        "| layouts | ship: corner, edge, centre | mine: corner, edge, centre | ship gap: mean, widest | mine gap: mean, widest | by chance alone | µs |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for grid in Grid::ALL {
        for fleet in Fleet::ALL {
            for mines in [false, true] {
                line(&Options { grid, fleet, mines, ..Options::default() }, layouts);
            }
        }
    }
}

fn line(options: &Options, layouts: u32) {
    let mut dice = SeededDice::from_number(1);
    let (mut drawn, mut weighed) = (Density::new(), Density::new());
    let before = Instant::now();
    for _ in 0..layouts {
        let placement = random_placement(options, &mut dice);
        let ships = placement.ships.iter().fold(Cells::EMPTY, |all, ship| all | ship.cells());
        drawn.add(ships, placement.mines.iter().copied().collect(), 1.0);
    }
    let time = before.elapsed() / layouts;
    for _ in 0..layouts * 4 {
        if let Some((ships, mines, weight)) = placed_anywhere(options, &mut dice) {
            weighed.add(ships, mines, weight);
        }
    }
    let side = options.grid.side();
    let spots = |chance: &dyn Fn(Coordinate) -> f64| {
        let middle = side / 2;
        let spots = [(0, 0), (middle, 0), (middle, middle)];
        let chances =
            spots.map(|(column, row)| format!("{:.1}", 100.0 * chance(Coordinate::new(column, row).unwrap())));
        chances.join(", ")
    };
    let gap = |one: &dyn Fn(Coordinate) -> f64, other: &dyn Fn(Coordinate) -> f64| {
        let gaps: Vec<f64> = options.grid.cells().iter().map(|cell| 100.0 * (one(cell) - other(cell)).abs()).collect();
        let mean = gaps.iter().sum::<f64>() / f64::from(side) / f64::from(side);
        format!("{mean:.2}, {:.2}", gaps.iter().copied().fold(0.0, f64::max))
    };
    let (ship, mine) = (|cell| drawn.ship(cell), |cell| drawn.mine(cell));
    let (weighed_ship, weighed_mine) = (|cell| weighed.ship(cell), |cell| weighed.mine(cell));
    // The standard error of a difference of two such shares, at the mean share.
    let share = f64::from(options.fleet.ships().iter().sum::<u8>()) / f64::from(side) / f64::from(side);
    let error = 100.0 * (share * (1.0 - share) * (1.0 / drawn.effective() + 1.0 / weighed.effective())).sqrt();
    let mines = if options.mines { "-mines" } else { "" };
    println!(
        "| {side}x{side}-{}{mines} | {} | {} | {} | {} | {error:.2} | {:.1} |",
        options.fleet.word(),
        spots(&ship),
        if options.mines { spots(&mine) } else { String::new() },
        gap(&ship, &weighed_ship),
        if options.mines { gap(&mine, &weighed_mine) } else { String::new() },
        f64::from(u32::try_from(time.as_nanos()).unwrap()) / 1000.0,
    );
}

/// How often each cell holds a ship and a mine.
struct Density {
    weight: f64,
    squares: f64,
    ships: [[f64; 15]; 15],
    mines: [[f64; 15]; 15],
}

impl Density {
    fn new() -> Self {
        Self { weight: 0.0, squares: 0.0, ships: [[0.0; 15]; 15], mines: [[0.0; 15]; 15] }
    }

    fn add(&mut self, ships: Cells, mines: Cells, weight: f64) {
        self.weight += weight;
        self.squares += weight * weight;
        for (cells, sums) in [(ships, &mut self.ships), (mines, &mut self.mines)] {
            for cell in cells.iter() {
                sums[usize::from(cell.row())][usize::from(cell.column())] += weight;
            }
        }
    }

    fn ship(&self, cell: Coordinate) -> f64 {
        self.ships[usize::from(cell.row())][usize::from(cell.column())] / self.weight
    }

    fn mine(&self, cell: Coordinate) -> f64 {
        self.mines[usize::from(cell.row())][usize::from(cell.column())] / self.weight
    }

    /// How many layouts of equal weight would be as exact (Kish).
    fn effective(&self) -> f64 {
        self.weight * self.weight / self.squares
    }
}

/// Ships longest first and then mines, each on any free place; with the numbers of places multiplied.
fn placed_anywhere(options: &Options, dice: &mut impl Dice) -> Option<(Cells, Cells, f64)> {
    let (mut ships, mut mines, mut weight) = (Cells::EMPTY, Cells::EMPTY, 1.0);
    let mut free = options.grid.cells();
    let fleet = options.fleet.ships();
    for (index, length) in fleet.iter().copied().chain((0..options.mine_count()).map(|_| 1)).enumerate() {
        let mut places = Vec::with_capacity(420);
        for start in free.iter() {
            for direction in [Direction::Across, Direction::Down] {
                let ship = Ship::new(start, length, direction).unwrap();
                let cells = ship.cells();
                let again = length == 1 && direction == Direction::Down;
                if !again && cells.len() == length && (cells - free).is_empty() {
                    places.push(cells);
                }
            }
        }
        let count = std::num::NonZeroU16::new(u16::try_from(places.len()).ok()?)?;
        weight *= f64::from(count.get());
        let cells = places[usize::from(dice.below(count))];
        free = free - cells.with_neighbours();
        if index < fleet.len() { ships |= cells } else { mines |= cells }
    }
    Some((ships, mines, weight))
}
