//! Does each thing once before [`counted`], and once in it, for callgrind to count: all things, or those
//! whose name has the word that is given.
//!
//! `.ci/instructions` runs it. It prints a line for each thing: how often it was done, and its name.

#![allow(clippy::print_stdout, reason = "it speaks to a script")]

use std::hint::black_box;

use engine_bench::{Measure, measure_all};

fn main() {
    measure_all(&mut Counting { chosen: std::env::args().nth(1).unwrap_or_default() });
}

struct Counting {
    /// A part of the names of what is counted.
    chosen: String,
}

impl Measure for Counting {
    fn measure<I>(&mut self, name: &str, times: u32, input: impl Fn() -> I, run: impl Fn(&mut I)) {
        if !name.contains(&self.chosen) {
            return;
        }
        // The first time, symbols are bound and the processor is asked what it can do.
        run(&mut input());
        let mut input = input();
        counted(&mut || run(black_box(&mut input)));
        println!("{times} {name}");
    }
}

/// What callgrind counts: it zeroes its counts before this function and dumps them after it.
#[inline(never)]
fn counted(run: &mut dyn FnMut()) {
    run();
    // Without this the call would be a jump, from which nothing comes back here.
    black_box(());
}
