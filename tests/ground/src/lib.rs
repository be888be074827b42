//! What the tests over HTTP stand on: a real Postgres, real servers, and a table to play at.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "tests and their helpers stop where something is not as it should be"
)]

pub mod cleanup;
pub mod cluster;
pub mod contract;
pub mod disk;
pub mod handmade;
pub mod held;
pub mod ledger;
pub mod proxy;
pub mod random_game;
pub mod server;
pub mod signals;
pub mod statements;
pub mod stream;
pub mod table;
pub mod verifier;
pub mod wire;
