//! A server whose moves share statements, and many games that are moved in at once.

use futures_util::future::join_all;
use serde_json::{Value, json};

use ground::cluster::{Cluster, Database};
use ground::ledger;
use ground::server::{Reply, Server};
use ground::table::{Table, usual};
use ground::wire::{Written, post};
use testing::model::Seat;

/// All moves share, however few they are.
pub(crate) const ALWAYS: (&str, &str) = ("NAVAL_BATTLE_BATCH", "always");

pub(crate) async fn database() -> Database {
    Cluster::shared().database().await
}

/// So many games in battle; the host fires first.
pub(crate) async fn tables(server: &Server, count: usize) -> Vec<Table> {
    join_all((0..count).map(|_| Table::in_battle(server))).await
}

pub(crate) fn fire(server: &Server, table: &Table, seat: Seat, cell: &str) -> Written {
    post(server, &table.path("/fire"), Some(table.token(seat)), &json!({ "shots": [cell] }))
}

/// How many statements did this together, and for how many moves.
pub(crate) async fn shared(server: &Server, step: &str) -> (u64, u64) {
    let page = server.get("/metrics", None).await;
    page.expect(200);
    let value = |part: &str| {
        let line = format!("naval_battle_batch_moves_{part}{{step=\"{step}\"}} ");
        let found = page.text.lines().find_map(|written| written.strip_prefix(&line));
        found.map_or(0, |value| value.trim_end_matches(".0").parse().expect("a number"))
    };
    (value("count"), value("sum"))
}

/// Insists that every acknowledged event is in its game's log once, that the log is a game by the
/// rules, and that it has as many events as are told.
pub(crate) async fn check(server: &Server, table: &Table, acknowledged: &[Value], events: usize) {
    let log = ledger::check(server, table, &usual(), &usual()).await;
    assert_eq!(log.len(), events, "{log:?}");
    for event in acknowledged {
        assert_eq!(log.iter().filter(|logged| *logged == event).count(), 1, "{event}");
    }
}

/// The event that a reply acknowledges.
#[track_caller]
pub(crate) fn acknowledged(reply: &Reply) -> Value {
    reply.expect(200)["events"][0].clone()
}
