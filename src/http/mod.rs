//! HTTP by actix, and the document by utoipa.
//!
//! An operation is a file in `operations`, and listed there. What its handler reads of a request is
//! looked at once the game and the token are known to be good.

mod access_log;
mod address;
mod admission;
mod caller;
mod claims;
mod connection;
mod docs;
mod encoding;
mod event_stream;
mod files;
mod guesses;
mod language;
mod openapi;
mod operation;
mod operations;
mod paced_stream;
mod page;
mod pages;
mod parameters;
mod plain_stream;
mod precondition;
mod prefix;
mod problem;
mod rate_limit;
mod reply;
mod request;
mod routes;
mod serve;
mod stream_quota;

pub use openapi::document_text;
pub use serve::{Counts, Limits, Page, Server, ServerSettings, bind};
