//! The rules and what is reckoned at every move, each thing once, to be timed and counted.
//!

#[allow(
    clippy::expect_used,
    clippy::unreachable,
    reason = "a measurement stops where something is not as it should be"
)]
mod cases;
#[allow(clippy::expect_used, reason = "a measurement stops where something is not as it should be")]
mod games;

pub use cases::{Measure, measure_all};
