//! What holds without a server: the house rules, the book of rules, the laws of the fuzz targets, texts, bodies, counts,
//! and what containers are started with.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod architecture;
mod book;
mod compose;
mod functions;
mod json;
mod metrics;
mod seeds;
mod texts;
