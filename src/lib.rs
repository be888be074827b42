//! Naval Battle with Mines.
#![forbid(unsafe_code)]
pub mod engine;
pub mod proof;
