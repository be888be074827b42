//! The rules and what is reckoned at every move, each thing once, to be timed and counted.
//!
//! The rooms are those of the server, read from its source. Here they are compiled without actix,
//! sqlx and whatever else they do not need, which takes seconds instead of minutes.

#[path = "../../../src/engine/mod.rs"]
pub mod engine;
#[path = "../../../src/entropy.rs"]
pub mod entropy;
#[path = "../../../src/proof.rs"]
pub mod proof;
#[path = "../../../src/record/mod.rs"]
pub mod record;

#[allow(
    clippy::expect_used,
    clippy::unreachable,
    reason = "a measurement stops where something is not as it should be"
)]
mod cases;
#[allow(clippy::expect_used, reason = "a measurement stops where something is not as it should be")]
mod games;

pub use cases::{Measure, measure_all};
