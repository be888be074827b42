//! Whether a server bears hours of play: `cargo bench --bench soak -- --minutes 30`.
//!
//! Fires are due by a schedule (3,600 a second) whatever became of those before, so that a latency
//! counts all waiting, and up to a millisecond of this program's own timer. Meanwhile games are opened,
//! won, resigned and called off, packed and deleted, streams are open, and Postgres makes checkpoints
//! as it likes, and vacuums as the embedded one does. Each minute is a row; at the end stand the bounds, each with `pass` or
//! `FAIL`. Every fire that was acknowledged is looked for in the logs.
//!
//! `--rate`, `--streams` and `--games` (under way at a time) fit the run to a machine:
//! `--minutes 1 --rate 200 --streams 50` is a short one. `NAVAL_BATTLE_KEEP_ABORTED` and
//! `NAVAL_BATTLE_KEEP_FINISHED`, in seconds, reach the server as they are set, else as 60 and 300.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod bounds;
mod check;
mod floor;
mod kept;
mod line;
mod plan;
mod streams;

#[path = "../moves/machine.rs"]
#[allow(dead_code, reason = "the benchmark of moves asks for more")]
mod machine;
#[path = "../moves/script.rs"]
#[allow(dead_code, reason = "the benchmark of moves asks for more")]
mod script;

use std::rc::Rc;
use std::time::{Duration, Instant};

use ground::cluster::Cluster;
use ground::server::Server;
use tokio::task::LocalSet;

use bounds::Minutes;
use floor::Floor;
use kept::Kept;
use machine::Processes;
use plan::Plan;

/// For how long of a minute the games of the one before are checked.
const CHECKING: Duration = Duration::from_secs(45);

fn main() {
    let plan = Plan::read();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    LocalSet::new().block_on(&runtime, soak(plan));
}

async fn soak(plan: Plan) {
    machine::raise_file_limit();
    // As the embedded Postgres has it, and as docs/operations.md would have any.
    let cluster = Cluster::start_with(&["autovacuum_naptime=5s"]);
    let database = cluster.database().await;
    let server = Server::start_with(&database, &plan.environment());
    let processes = Processes { servers: vec![server.id()], postmaster: cluster.postmaster_id() };
    let mut kept = Kept::of(&database).await;
    let floor = Rc::new(Floor::new(plan.clone(), server.base.trim_start_matches("http://").to_owned()));
    floor.fill().await;
    floor.begin();
    let open = streams::open(&floor);

    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    println!("{build} build, {} cores shared by client, server and Postgres; {plan}\n", machine::cores());
    Minutes::begin_table();
    let mut minutes = Minutes::default();
    let mut before = kept.wal().await;
    for minute in 1..=plan.minutes {
        let until = floor.begun() + Duration::from_mins(1) * minute;
        check::ended(&floor, &mut kept, CHECKING).await;
        tokio::time::sleep_until(until.into()).await;
        let fires = floor.take_fires();
        let (memory, _) = processes.memory();
        let written = kept.wal().await;
        let tables = kept.tables().await;
        let lag = kept.packing_lag().await;
        minutes.push(fires, memory, written - before, tables, lag).await;
        before = written;
    }
    floor.end().await;
    drop(open);
    let checked = check::all(&floor, &mut kept, &server).await;
    minutes.conclude(&floor, &checked);
    println!("{checked}; it took {:.0} s in all", Instant::now().duration_since(floor.begun()).as_secs_f64());
}
