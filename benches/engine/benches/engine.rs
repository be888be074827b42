//! What the rules cost in time: `cargo bench --package engine-bench`.
//!
//! A word after `--` chooses what is measured by its name, as in `-- shot`. The times are those of
//! one shot, fold, game and so on.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use engine_bench::{Measure, measure_all};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    measure_all(&mut Timing(&mut criterion));
    criterion.final_summary();
}

struct Timing<'a>(&'a mut Criterion);

impl Measure for Timing<'_> {
    fn measure<I>(&mut self, name: &str, times: u32, input: impl Fn() -> I, run: impl Fn(&mut I)) {
        self.0.bench_function(name, |bencher| {
            // Criterion reckons with what was done once; here that is something done so many times.
            bencher.iter_custom(|rounds| {
                let mut spent = Duration::ZERO;
                for _ in 0..rounds {
                    let mut input = input();
                    let begin = Instant::now();
                    run(black_box(&mut input));
                    spent += begin.elapsed();
                }
                spent / times
            });
        });
    }
}
