//! The wire: actix, serde and utoipa.
//!
//! A handler takes what came, asks the corridor, and answers. Reading the request is left to the
//! corridor's moment for it: after the game and the token are known to be good.

mod access_log;
mod address;
mod caller;
mod docs;
mod encoding;
mod games;
mod health;
mod language;
mod layouts;
mod metrics;
mod openapi;
mod problem;
mod rate_limit;
mod reply;
mod request;
mod routes;
mod rules;
mod serve;
mod stream_quota;

pub use openapi::{can_occur, document};
pub use serve::{Counts, Limits, Server, ServerSettings, bind};
