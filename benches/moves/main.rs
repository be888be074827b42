//! What a move costs, how that grows, and how near it comes to the most that Postgres can do:
//! `cargo bench --bench moves`.
//!
//! It starts a Postgres and servers of its own, which go with it, and plays whole legal games from
//! a seed through the Rust client. At the end it checks every game that it played. Client, server
//! and Postgres share the machine's cores; what others took meanwhile stands beside each figure.
//! Words after `--` choose parts: `move`, `limit`, `read`, `disk`; all four take about five minutes.
//! `short` has every measurement take a moment, to see that it runs.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, clippy::indexing_slicing, reason = "it uses a part of it")]
#[path = "../../tests/common/mod.rs"]
mod common;

mod check;
mod course;
mod figures;
mod limit;
mod machine;
mod parts;
mod postgres;
mod script;
mod statements;
mod wire;

use std::time::Duration;

use common::cluster::Cluster;
use parts::Bench;

/// The parts of a run without words.
const PARTS: [&str; 4] = ["move", "limit", "read", "disk"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let has = |word: &str| words.iter().any(|said| said == word);
    let chosen: Vec<&str> = PARTS.into_iter().filter(|part| has(part)).collect();
    let chosen = if chosen.is_empty() { PARTS.to_vec() } else { chosen };
    let unit = if has("short") { Duration::from_millis(100) } else { Duration::from_secs(1) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let cluster = Cluster::start();
        let build = if cfg!(debug_assertions) { "debug" } else { "release" };
        println!("{build} build, {} cores shared by client, server and Postgres", machine::cores());
        let bench = Bench { cluster, unit };
        for part in chosen {
            match part {
                "move" => bench.moves().await,
                "limit" => bench.limit().await,
                "read" => bench.reads().await,
                "disk" => bench.disk().await,
                other => panic!("there is no part {other}"),
            }
        }
    });
}
