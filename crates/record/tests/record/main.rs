//! What is recorded of a game, and how a record is checked: without any server.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod flaws;
mod forms;
mod proof;
