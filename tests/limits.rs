//! What one address may use, what a server takes on at a time, and what it counts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "limits/budgets.rs"]
mod budgets;
#[path = "limits/metrics.rs"]
mod metrics;
#[path = "limits/work.rs"]
mod work;
