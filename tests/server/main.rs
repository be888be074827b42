//! The service as its users meet it: real servers on a real Postgres.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod analysis;
mod api;
mod archives;
mod batches;
mod client;
mod clocks;
mod documents;
mod feed;
mod keeping;
mod limits;
mod meeting;
mod moves;
mod openapi;
mod opponents;
mod page;
mod partitions;
mod plans;
mod proofs;
mod races;
mod repeats;
mod replay;
mod secrets;
mod verify;
