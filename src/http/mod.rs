//! The wire: actix, serde and utoipa.
//!
//! A handler takes what came, asks the corridor, and answers. Reading the request is left to the
//! corridor's moment for it: after the game and the token are known to be good.

mod address;
mod budgets;
mod caller;
mod docs;
mod edge;
mod encoding;
mod games;
mod health;
mod layouts;
mod metrics;
mod openapi;
mod places;
mod problem;
mod reply;
mod routes;
mod rules;
mod serve;
mod speech;
mod unread;

pub use openapi::{can_occur, document};
pub use serve::{Counts, Limits, Server, Settings, bind};
