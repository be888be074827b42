//! The server on a distributed Postgres: what it does there, and what the loss of a node costs.
//!
//! This needs a Postgres with the extension Citus: `.ci/distributed` runs this binary, which `cargo test` alone leaves out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod clocks;
mod commands;
mod games;
mod growth;
mod nodes;
mod outages;
mod spreading;
