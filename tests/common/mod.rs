//! What the tests over HTTP stand on: a real Postgres, real servers, and a table to play at.

pub mod cluster;
pub mod contract;
pub mod held;
pub mod keeper;
pub mod ledger;
pub mod model;
pub mod playing;
pub mod proxy;
pub mod server;
pub mod signals;
pub mod stream;
pub mod table;
pub mod verifier;
pub mod wire;
