//! What may break: clients, connections, processes, Postgres, and the ground under it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod log;
mod outages;
mod startup;
