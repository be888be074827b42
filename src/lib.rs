//! Naval Battle with Mines.
#![forbid(unsafe_code)]
pub mod audit;
pub mod config;
pub mod embedded;
pub mod engine;
pub mod entropy;
pub mod http;
pub mod live;
pub mod meter;
pub mod play;
pub mod proof;
pub mod record;
pub mod store;
pub mod text;
pub mod wire;
