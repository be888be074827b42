//! Positions made by hand from the page of the rules, as scripts of what a person could play.

mod endings;
mod firing;
mod layouts;
mod mines;
mod script;
mod views;
