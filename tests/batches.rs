//! Moves that share statements: each stands or falls by itself, whatever becomes of the others.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "batches/breaks.rs"]
mod breaks;
#[path = "batches/crowd.rs"]
mod crowd;
#[path = "batches/sharing.rs"]
mod sharing;
