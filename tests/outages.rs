//! Clients that vanish, a Postgres that is slow, held, hung or gone, and a server that is killed:
//! what was acknowledged stays, and nothing happens twice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "outages/clients.rs"]
mod clients;
#[path = "outages/ground.rs"]
mod ground;
#[path = "outages/kills.rs"]
mod kills;
#[path = "outages/postgres.rs"]
mod postgres;
#[path = "outages/rows.rs"]
mod rows;
#[path = "outages/wires.rs"]
mod wires;
