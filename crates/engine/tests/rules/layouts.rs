//! Random layouts: thousands of each configuration, all legal (R1 to R7).

mod density;

use crate::mirror;
use engine::SeededDice;
use engine::{Direction, FirstShot, Fleet, Grid, Options, Placement, random_placement};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use testing::campaign;
use testing::model;
use testing::model::{LayoutSent, ShipSent};
use testing::notation::{ship_written, written};

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_8x8_with_the_classic_fleet() {
    every_random_layout_is_legal(Grid::Eight, Fleet::Classic);
}

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_8x8_with_the_russian_fleet() {
    every_random_layout_is_legal(Grid::Eight, Fleet::Russian);
}

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_10x10_with_the_classic_fleet() {
    every_random_layout_is_legal(Grid::Ten, Fleet::Classic);
}

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_10x10_with_the_russian_fleet() {
    every_random_layout_is_legal(Grid::Ten, Fleet::Russian);
}

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_12x12_with_the_classic_fleet() {
    every_random_layout_is_legal(Grid::Twelve, Fleet::Classic);
}

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_12x12_with_the_russian_fleet() {
    every_random_layout_is_legal(Grid::Twelve, Fleet::Russian);
}

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_15x15_with_the_classic_fleet() {
    every_random_layout_is_legal(Grid::Fifteen, Fleet::Classic);
}

#[test]
fn r1_to_r7_every_random_layout_is_legal_on_15x15_with_the_russian_fleet() {
    every_random_layout_is_legal(Grid::Fifteen, Fleet::Russian);
}

#[test]
fn equal_seeds_give_equal_layouts_in_every_release() {
    let with = |grid, fleet, mines| Options { grid, fleet, mines, ..Options::default() };
    for (options, seed, ships, mines) in [
        (with(Grid::Eight, Fleet::Russian, true), 0, "H1v4 A8>3 D4v3 F3v2 G8>2 A6>2 F1>1 E8>1 C2>1 A4>1", "A1"),
        (with(Grid::Ten, Fleet::Classic, false), 7, "D4>5 A2>4 J3v3 G8>3 G10>2", ""),
        (with(Grid::Ten, Fleet::Classic, true), 7, "D4>5 A2>4 J3v3 G8>3 G10>2", "C6"),
        (
            with(Grid::Twelve, Fleet::Russian, true),
            1 << 52,
            "A3>4 D12>3 J11>3 A12>2 J2>2 E6v2 L8>1 F2>1 J4>1 L5>1",
            "I9 C1",
        ),
        (with(Grid::Fifteen, Fleet::Classic, true), (1 << 53) - 1, "E10>5 C10v4 J5v3 E15>3 K3>2", "L5 A12 I14"),
    ] {
        let placement = random_placement(&options, &mut SeededDice::from_number(seed));

        let drawn: Vec<String> = placement.ships.iter().map(|ship| ship_written(*ship)).collect();
        assert_eq!((drawn.join(" ").as_str(), written(placement.mines).as_str()), (ships, mines), "seed {seed}");
    }
}

#[test]
fn different_seeds_give_different_layouts() {
    let options = Options::default();
    let mut drawn: Vec<String> = Vec::new();
    for seed in 0..1000 {
        drawn.push(format!("{:?}", random_placement(&options, &mut SeededDice::from_number(seed))));
    }

    drawn.sort_unstable();
    drawn.dedup();

    assert_eq!(drawn.len(), 1000, "of two thousand million layouts a thousand are hardly ever two the same");
}

#[test]
fn r4_the_cells_free_for_a_mine_are_those_that_the_model_finds() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for options in model::Options::all() {
        for _ in 0..campaign(10, 40) {
            let spoiled = model::spoiled_layout(&options, &mut rng);
            let legal = model::random_layout(&options, &mut rng);
            for layout in [spoiled, legal] {
                let expected: Vec<String> =
                    model::free_mine_cells(&options, &layout).into_iter().map(model::name).collect();

                let free = mirror::placement(&layout).free_mine_cells(&mirror::options(&options, FirstShot::Random));

                assert_eq!(written(free.iter()), expected.join(" "), "{layout:?}");
            }
        }
    }
}

fn every_random_layout_is_legal(grid: Grid, fleet: Fleet) {
    for mines in [false, true] {
        let options = Options { grid, fleet, mines, ..Options::default() };
        let model = model::Options {
            grid: grid.side(),
            russian: fleet == Fleet::Russian,
            mines,
            salvo: options.salvo,
            shoot_again: options.shoot_again,
        };
        let mut dice = SeededDice::from_number(1);
        for _ in 0..campaign(1_000, 10_000) {
            let placement = random_placement(&options, &mut dice);

            assert!(placement.check(&options).is_ok(), "{placement:?}");
            assert_eq!(model::faults(&model, &sent(&placement)), [], "{placement:?}");
            let lengths: Vec<u8> = placement.ships.iter().map(|ship| ship.length()).collect();
            assert_eq!(lengths, fleet.ships(), "longest first");
        }
    }
}

/// The placement as the model takes it.
fn sent(placement: &Placement) -> LayoutSent {
    let mut ships = Vec::new();
    for ship in &placement.ships {
        let down = ship.direction() == Direction::Down;
        ships.push(ShipSent { start: ship.start().to_string(), length: ship.length(), down });
    }
    LayoutSent { ships, mines: placement.mines.iter().map(ToString::to_string).collect() }
}
