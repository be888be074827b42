//! HTTP by actix, and the document by utoipa.
//!
//! An operation is declared beside its handler and listed in `routes.rs`. A handler takes what came,
//! asks the service, and answers. What it read of the request is looked at once the game and the
//! token are known to be good.

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
mod operation;
mod pages;
mod parameters;
mod precondition;
mod problem;
mod rate_limit;
mod reply;
mod request;
mod routes;
mod rules;
mod serve;
mod stream_quota;

pub use openapi::document_text;
pub use serve::{Counts, Limits, Server, ServerSettings, bind};
