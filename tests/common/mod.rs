//! What the tests over HTTP stand on: a real Postgres, real servers, and a table to play at.

pub mod cluster;
pub mod keeper;
pub mod model;
pub mod playing;
pub mod server;
pub mod stream;
pub mod table;
pub mod verifier;
