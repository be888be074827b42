//! Positions made by hand from the page of the rules, as scripts of what a person could play.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests, which stop where something is not as it should be"
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
