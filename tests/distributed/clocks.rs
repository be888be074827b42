//! Clocks ring in time wherever a game lies and whoever made it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use ground::server::Server;
use ground::table::{Table, usual};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::nodes::Nodes;

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().expect("a time").parse().expect("RFC 3339")
}

/// Waits for the end of a game; gives how long after its deadline it was written.
pub(crate) async fn lateness(server: &Server, table: &Table) -> TimeDelta {
    let ended = async {
        loop {
            let log = table.log(server).await;
            if log.last().is_some_and(|last| last["type"] == "timed_out") {
                return time(&log[log.len() - 1]["at"]) - time(&log[log.len() - 2]["awaiting"][0]["until"]);
            }
            sleep(Duration::from_millis(200)).await;
        }
    };
    timeout(PATIENCE, ended).await.expect("the clock rings")
}

/// Nodes may take their time, where much is asked of the machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// When an end is written at the latest, after its deadline.
pub(crate) const IN_TIME: TimeDelta = TimeDelta::seconds(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_rings_in_time_also_when_the_server_of_the_game_is_gone() {
    let nodes = Nodes::start(2).await;
    let clock = json!({"first": "host", "turn_seconds": 30});
    let maker = nodes.workers[0].serve();
    let other = nodes.workers[1].serve();
    let mut tables = Vec::new();
    for _ in 0..6 {
        tables.push(Table::in_battle_with(&maker, &clock, &usual(), &usual()).await);
    }
    drop(maker);

    for table in &tables {
        let late = lateness(&other, table).await;
        assert!(late <= IN_TIME, "{late}");
    }
}
