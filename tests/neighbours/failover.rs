//! A standby that is promoted: what was acknowledged is there, and nobody loses to the time between (R30).

use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use ground::cluster::{Database, scratch_folder};
use ground::handmade::Handmade;
use ground::ledger;
use ground::server::Server;
use ground::table::{Table, usual};
use serde_json::{Value, json};
use testing::model::Seat::{Guest, Host};
use tokio::time::sleep;

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().expect("a time").parse().expect("RFC 3339")
}

/// Has the way to Postgres lead to this one from now on, as an address does that moves with the primary.
fn lead(way: &Path, postgres: &Handmade) {
    let new = way.with_extension("new");
    symlink(postgres.socket(), &new).unwrap();
    std::fs::rename(new, way).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_after_a_failover_no_move_is_lost_and_nobody_has_lost_by_it() {
    let mut primary = Handmade::trusting(&[]);
    let way = scratch_folder("way").join("postgres");
    lead(&way, &primary);
    let server = Server::start(&Database::on(&way, "postgres"));
    let standby = primary.synchronous_standby().await;
    let clock = json!({"first": "host", "turn_seconds": 10});
    let mut played = Vec::new();
    for _ in 0..20 {
        let table = Table::in_battle(&server).await;
        table.fire(&server, Host, "A1").await.expect(200);
        played.push((table.log(&server).await, table));
    }
    let late = Table::in_battle_with(&server, &clock, &usual(), &usual()).await;
    sleep(Duration::from_secs(2)).await;
    let left = Table::in_battle_with(&server, &clock, &usual(), &usual()).await;
    let moved_in = Table::in_battle_with(&server, &clock, &usual(), &usual()).await;
    let until = |log: &[Value]| time(&log[log.len() - 1]["awaiting"][0]["until"]);
    let due = until(&left.log(&server).await);
    let log = late.log(&server).await;
    assert!(until(&log) + TimeDelta::milliseconds(1_500) < due, "{log:#?}");

    // The primary is gone half a second before the second deadline, and the standby goes on six seconds later.
    let now = server.post("/v1/games", None, &json!({})).await;
    let rest = due - TimeDelta::milliseconds(500) - time(&now.expect(201)["game"]["created_at"]);
    sleep(rest.to_std().unwrap_or_default()).await;
    primary.stop();
    sleep(Duration::from_secs(6)).await;
    standby.promote().await;
    lead(&way, &standby);

    let key = "the-same-shot";
    let shot = json!({"shots": ["A1"]});
    let reply = loop {
        let reply = server.post_with_key(&moved_in.path("/fire"), Some(moved_in.token(Host)), key, &shot).await;
        if reply.status != 503 {
            break reply;
        }
        sleep(Duration::from_millis(100)).await;
    };
    reply.expect(200);
    for (before, table) in &played {
        assert_eq!(table.log(&server).await, *before, "an acknowledged move is lost or doubled");
        table.fire(&server, Guest, "A1").await.expect(200);
    }
    ledger::check(&server, &moved_in, &usual(), &usual()).await;
    let ends = |table: &Table| {
        let (table, server) = (table.clone(), server.afresh());
        async move {
            for _ in 0..400 {
                let log = table.log(&server).await;
                if log.last().is_some_and(|last| last.get("result").is_some()) {
                    return log;
                }
                sleep(Duration::from_millis(100)).await;
            }
            panic!("nobody ended the game");
        }
    };
    let kinds = |log: Vec<Value>| log[4..].iter().map(|event| event["type"].clone()).collect::<Vec<_>>();
    assert_eq!(kinds(ends(&late).await), ["timed_out"], "its deadline lay before");
    assert_eq!(kinds(ends(&left).await), ["extended", "timed_out"]);
    assert_eq!(kinds(ends(&moved_in).await), ["extended", "fired", "timed_out"]);
}
