//! What a move costs, how that grows, and how near it comes to the most that Postgres can do:
//! `cargo bench --bench moves`.
//!
//! It starts a Postgres and servers of its own, which go with it, and plays whole legal games from
//! a seed through the Rust client. At the end it checks every game that it played. Client, server
//! and Postgres share the machine's cores; what others took meanwhile stands beside each figure.
//! Words after `--` choose parts: `move`, `limit`, `read`, `disk`. All four, which come without
//! words, take about five minutes. Further ones show what grows with what: `stored`, `length`,
//! `connections`, `replicas`, `looks`, `salvo`, `streams`, `packing`; `axes` is all of these, and a number the
//! most games that `stored` stores. `short` has every measurement take a moment, to see that it runs.
//! `docs/performance.md` has what they printed.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod axes;
mod check;
mod course;
mod figures;
mod limit;
mod machine;
mod packing;
mod parts;
mod postgres;
mod script;
mod streams;
mod wire;

use std::time::Duration;

use ground::cluster::Cluster;
use parts::Bench;

/// The parts of a run without words.
const PARTS: [&str; 4] = ["move", "limit", "read", "disk"];

/// What grows with what.
const AXES: [&str; 8] = ["stored", "length", "connections", "replicas", "looks", "salvo", "streams", "packing"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let has = |word: &str| words.iter().any(|said| said == word);
    let all = if has("axes") { AXES.to_vec() } else { PARTS.to_vec() };
    let chosen: Vec<&str> = PARTS.into_iter().chain(AXES).filter(|part| has(part)).collect();
    let chosen = if chosen.is_empty() { all } else { chosen };
    let most = words.iter().find_map(|word| word.parse().ok()).unwrap_or(u32::MAX);
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
                "stored" => bench.stored(most).await,
                "length" => bench.length().await,
                "connections" => bench.connections().await,
                "replicas" => bench.replicas().await,
                "looks" => bench.looks().await,
                "salvo" => bench.salvo().await,
                "packing" => bench.packing().await,
                "streams" => bench.streams().await,
                other => panic!("there is no part {other}"),
            }
        }
    });
}
