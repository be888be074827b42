//! How often each cell holds a ship or a mine, against layouts drawn by the letter of "every legal
//! layout is equally likely": all pieces anywhere, begun again until they lie as they may.

use engine::SeededDice;
use engine::{Coordinate, Direction, Fleet, Grid, Options, Placement, Ship, random_placement};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};
use testing::campaign;

#[test]
fn a_random_layout_is_as_likely_as_any_other() {
    for (grid, fleet) in [(Grid::Ten, Fleet::Classic), (Grid::Twelve, Fleet::Classic), (Grid::Fifteen, Fleet::Russian)]
    {
        let options = Options { grid, fleet, ..Options::default() };
        let mut dice = SeededDice::from_number(1);
        let mut rng = ChaCha8Rng::seed_from_u64(1);

        let drawn = Density::of(|| random_placement(&options, &mut dice), &options);
        let by_the_letter = Density::of(|| drawn_by_the_letter(&options, &mut rng), &options);

        let worst = drawn.worst_deviation(&by_the_letter);
        // Over some 500 comparisons of chance alone, one in a thousand runs is beyond 4.9.
        assert!(worst < 4.9, "{grid:?} {fleet:?}: {worst} standard errors");
    }
}

#[test]
fn what_a_layout_is_likely_to_be_does_not_hang_on_its_side() {
    for (grid, fleet) in [(Grid::Eight, Fleet::Russian), (Grid::Eight, Fleet::Classic), (Grid::Ten, Fleet::Russian)] {
        let options = Options { grid, fleet, ..Options::default() };
        let mut dice = SeededDice::from_number(2);

        let [one, other] = [(); 2].map(|()| {
            let mut few = Density::default();
            few.add(|| random_placement(&options, &mut dice), &options, campaign(1_500, 10_000));
            few
        });

        let worst = one.turned().worst_deviation(&other);
        assert!(worst < 4.9, "{grid:?} {fleet:?}: {worst} standard errors");
    }
}

/// How many of so many layouts have a ship, and how many a mine, on each cell.
#[derive(Default)]
struct Density {
    layouts: u32,
    ships: [[u32; 15]; 15],
    mines: [[u32; 15]; 15],
}

impl Density {
    fn of(draw: impl FnMut() -> Placement, options: &Options) -> Self {
        let mut density = Self::default();
        density.add(draw, options, campaign(10_000, 100_000));
        density
    }

    fn add(&mut self, mut draw: impl FnMut() -> Placement, options: &Options, layouts: u32) {
        for _ in 0..layouts {
            let layout = draw().check(options).unwrap();
            for (cells, counts) in [(layout.ships(), &mut self.ships), (layout.mines(), &mut self.mines)] {
                for cell in cells.iter() {
                    counts[usize::from(cell.row())][usize::from(cell.column())] += 1;
                }
            }
        }
        self.layouts += layouts;
    }

    /// With rows for columns.
    fn turned(&self) -> Self {
        let turn = |counts: &[[u32; 15]; 15]| {
            let mut turned = [[0; 15]; 15];
            for (row, columns) in counts.iter().enumerate() {
                for (column, count) in columns.iter().enumerate() {
                    turned[column][row] = *count;
                }
            }
            turned
        };
        Self { layouts: self.layouts, ships: turn(&self.ships), mines: turn(&self.mines) }
    }

    /// The widest gap between two densities of a cell, in standard errors.
    fn worst_deviation(&self, other: &Self) -> f64 {
        let pairs = |one: &[[u32; 15]; 15], other: &[[u32; 15]; 15]| -> Vec<(u32, u32)> {
            one.iter().flatten().copied().zip(other.iter().flatten().copied()).collect()
        };
        let mut worst: f64 = 0.0;
        for (one, two) in pairs(&self.ships, &other.ships).into_iter().chain(pairs(&self.mines, &other.mines)) {
            let (layouts, others) = (f64::from(self.layouts), f64::from(other.layouts));
            let together = f64::from(one + two) / (layouts + others);
            let error = (together * (1.0 - together) * (1.0 / layouts + 1.0 / others)).sqrt();
            if error > 0.0 {
                worst = worst.max((f64::from(one) / layouts - f64::from(two) / others).abs() / error);
            }
        }
        worst
    }
}

fn drawn_by_the_letter(options: &Options, rng: &mut impl Rng) -> Placement {
    loop {
        if let Some(placement) = tried_by_the_letter(options, rng) {
            return placement;
        }
    }
}

/// Every piece anywhere on the grid; none where two touch.
fn tried_by_the_letter(options: &Options, rng: &mut impl Rng) -> Option<Placement> {
    let mut placement = Placement::default();
    let mut free = options.grid.cells();
    let ships = options.fleet.ships();
    for length in ships.iter().copied().chain((0..options.mine_count()).map(|_| 1)) {
        let direction = if rng.random() { Direction::Across } else { Direction::Down };
        let (along, aside) =
            (rng.random_range(0..=options.grid.side() - length), rng.random_range(0..options.grid.side()));
        let start = match direction {
            Direction::Across => Coordinate::new(along, aside)?,
            Direction::Down => Coordinate::new(aside, along)?,
        };
        let ship = Ship::new(start, length, direction)?;
        if !(ship.cells() - free).is_empty() {
            return None;
        }
        free = free - ship.cells().with_neighbours();
        if placement.ships.len() < ships.len() { placement.ships.push(ship) } else { placement.mines.push(start) }
    }
    Some(placement)
}
