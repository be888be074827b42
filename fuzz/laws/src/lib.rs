//! What holds for every sequence of bytes, one law for each fuzz target.
//!
//! A law stops where it is broken. `tests/seeds.rs` runs the same laws over `fuzz/seeds`, so that
//! `cargo test` holds them too.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod bodies;
mod cell;
mod download;
mod headers;
mod placing;
mod position;
mod record;
mod tables;

pub use bodies::{create, fire, place, reveal};
pub use cell::cell;
pub use download::verify;
pub use headers::headers;
pub use placing::layout;
pub use position::{state, stored_layout};
pub use record::event;

/// A law, by the name of its target.
pub type Law = fn(&[u8]);

/// Every law.
pub const ALL: [(&str, Law); 11] = [
    ("cell", cell),
    ("place", place),
    ("fire", fire),
    ("reveal", reveal),
    ("create", create),
    ("layout", layout),
    ("state", state),
    ("stored_layout", stored_layout),
    ("event", event),
    ("headers", headers),
    ("verify", verify),
];
