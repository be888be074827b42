//! Positions made by hand from the page of the rules, as scripts of what a person could play.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[path = "positions/endings.rs"]
mod endings;
#[path = "positions/firing.rs"]
mod firing;
#[path = "positions/layouts.rs"]
mod layouts;
#[path = "positions/mines.rs"]
mod mines;
#[path = "common/notation.rs"]
mod notation;
#[path = "positions/script.rs"]
mod script;
#[path = "positions/views.rs"]
mod views;
