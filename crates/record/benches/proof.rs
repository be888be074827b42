//! What proofs cost: `cargo bench --bench proof`.
//!
//! For each grid it prints the µs of CPU to make the proof of one shot and to check it, and the bytes of a reply, of one
//! shot and of a volley of ten, by shot. A number after `--` is how many proofs are made for each line (2000).

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::hint::black_box;
use std::time::Duration;

use engine::{Coordinate, Grid, Options, Seat, SeededDice, random_placement};
use record::Proof;
use record::proof::{Salt, commitment};
use rustix::time::{ClockId, clock_gettime};
use uuid::Uuid;

fn main() {
    let proofs = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(2_000);
    println!("{proofs} proofs a line\n");
    println!(
        "| grid | µs to make | µs to check | bytes: one shot | bytes a shot of ten |\n| --- | --- | --- | --- | --- |"
    );
    for grid in Grid::ALL {
        line(grid, proofs);
    }
}

fn line(grid: Grid, proofs: u32) {
    let options = Options { grid, ..Options::default() };
    let layout = random_placement(&options, &mut SeededDice::from_number(1)).check(&options).unwrap();
    let (salt, game, seat, side) = (Salt::new([7; 32]), Uuid::nil(), Seat::Host, grid.side());
    let committed = commitment(game, &options, seat, &layout, &salt);
    let cells: Vec<Coordinate> = grid.cells().iter().collect();
    let of = |cells: &[Coordinate]| Proof::new(50, seat, side, &layout, &salt, cells.iter().copied()).unwrap();
    let (mut making, mut checking) = (Duration::ZERO, Duration::ZERO);
    for number in 0..usize::try_from(proofs).unwrap() {
        let before = spent();
        let proof = black_box(of(&[cells[number % cells.len()]]));
        let made = spent();
        proof.check_cells(game, &options, &committed).unwrap();
        making += made.checked_sub(before).unwrap();
        checking += spent().checked_sub(made).unwrap();
    }
    let bytes = |cells: &[Coordinate]| serde_json::to_vec(&of(cells)).unwrap().len();
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(proofs);
    println!(
        "| {side}×{side} | {:.0} | {:.0} | {} | {} |",
        micros(making),
        micros(checking),
        bytes(&cells[..1]),
        bytes(&cells[..10]).div_ceil(10)
    );
}

/// The CPU time of this thread.
fn spent() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap()
}
