//! The feed: a log followed live, awaited and resumed, through any server. P55.
//!
//! P… is a case from the field, C a sentence of the contract. Nothing here has to be fast: what
//! must come is waited for with [`PATIENCE`](common::stream::PATIENCE), and where the contract
//! names a time the bound is generous.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

#[path = "feed/course.rs"]
mod course;
#[path = "feed/crowd.rs"]
mod crowd;
#[path = "feed/cuts.rs"]
mod cuts;
#[path = "feed/followers.rs"]
mod followers;
#[path = "feed/form.rs"]
mod form;
#[path = "feed/games.rs"]
mod games;
#[path = "feed/leaving.rs"]
mod leaving;
#[path = "feed/outages.rs"]
mod outages;
#[path = "feed/replicas.rs"]
mod replicas;
#[path = "feed/waiting.rs"]
mod waiting;
