//! The Rust client against a real server: whole games, streams that are torn, answers that are lost.

mod games;
mod losses;
mod refusals;
mod seats;
mod streams;
