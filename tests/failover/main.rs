//! Machines with Patroni, set up as `docs/operations.md` says: the one with the primary is lost, again and again, while
//! whole games are played.
//!
//! This needs programs of Debian's, and minutes: `.ci/failover` installs them and runs this binary, which `cargo test`
//! alone leaves out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests and their helpers stop where something is not as it should be, and tell what they measured"
)]

mod machines;
mod players;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use ground::ledger;
use ground::server::{Server, program};
use ground::table::{Table, usual};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use machines::{Machines, PASSWORD};
use players::Players;

/// How often the primary's machine is lost.
const ROUNDS: usize = 4;

/// How long anything may take on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_mins(3);

/// The shortest clock there is, in seconds.
const TURN: i64 = 10;

fn server_on(url: &str) -> Server {
    let mut command = program();
    command.env("DATABASE_URL", url).env("PGPASSWORD", PASSWORD);
    Server::spawn(command)
}

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().expect("a time").parse().expect("RFC 3339")
}

/// A game in which both leave once its clock runs.
async fn left(server: &Server) -> Table {
    let clock = json!({"first": "host", "turn_seconds": TURN});
    Table::in_battle_with(server, &clock, &usual(), &usual()).await
}

/// Insists that the outage did not count against whoever is to move, and that the game ended by its clock after that.
async fn is_made_good(server: &Server, table: &Table) -> i64 {
    let ended = async {
        loop {
            let seen = table.look(server, None).await;
            if seen.status == 200 && seen.json["status"] == "finished" {
                return;
            }
            sleep(Duration::from_millis(200)).await;
        }
    };
    timeout(PATIENCE, ended).await.expect("the game ends by its clock");
    let log = ledger::check(server, table, &usual(), &usual()).await;
    let (end, extended) = log[4..].split_last().unwrap();
    // A machine that is busy may stand still once more.
    assert!(!extended.is_empty() && extended.iter().all(|event| event["type"] == "extended"), "{log:#?}");
    assert_eq!(end["type"], "timed_out", "{log:#?}");
    let more: i64 = extended.iter().map(|event| event["seconds"].as_i64().unwrap()).sum();
    let until = |event: &Value| time(&event["awaiting"][0]["until"]);
    let last = &extended[extended.len() - 1];
    assert_eq!(until(last) - until(&log[3]), TimeDelta::seconds(more));
    assert!(time(&end["at"]) >= until(last));
    more
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_machines_are_lost_again_and_again_and_games_go_on_without_hands() {
    let mut machines = Machines::start();
    machines.settle(PATIENCE).await;
    machines.create_database().await;
    let ways = [("HAProxy", machines.url_by_haproxy()), ("several hosts", machines.url_of_hosts())];
    let servers = ways.clone().map(|(_, url)| server_on(&url));
    let players = Players::begin(&servers);
    players.go_on(PATIENCE).await;

    for round in 1..=ROUNDS {
        let table = left(&servers[round % 2]).await;
        // The machine that the servers and the standby are told nothing by, its member of etcd included.
        let (lost, lost_at) = machines.lose_primary(round % 2 == 0).await;
        let gone_on = join_all([0, 1].map(|way| players.gone_on(way, lost_at, PATIENCE))).await;
        for ((way, _), took) in ways.iter().zip(&gone_on) {
            println!("round {round}: by {way} moves went on {:.1} s after {lost} was lost", took.as_secs_f64());
        }
        let more = is_made_good(&servers[(round + 1) % 2], &table).await;
        println!("round {round}: a clock that ran meanwhile got {more} s more");
        machines.bring_back(lost);
        machines.settle(PATIENCE).await;
    }

    let played = players.end(&servers[1], PATIENCE).await;
    println!("{played}");
}
