//! Naval Battle with Mines: the server.
#![forbid(unsafe_code)]
mod address;
mod budget;
pub mod config;
pub mod deadlines;
pub mod entropy;
pub mod http;
pub mod live;
pub mod metrics;
mod registry;
pub mod schema;
pub mod service;
pub mod store;
pub mod text;
