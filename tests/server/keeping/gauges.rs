use std::time::Duration;

use serde_json::json;

use super::copies::run;
use ground::cluster::Cluster;
use ground::server::Server;
use ground::stream::within;
use ground::table::Table;

/// Waits until a gauge is as it should be, and tells it.
async fn gauge(server: &Server, line: &str, is_so: impl Fn(f64) -> bool) -> f64 {
    within(async {
        loop {
            let page = server.get("/metrics", None).await.text;
            let found = page.lines().find_map(|written| written.strip_prefix(line)?.strip_prefix(' '));
            let value: f64 = found.unwrap_or_else(|| panic!("{line} in\n{page}")).parse().unwrap();
            if is_so(value) {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_told_how_late_the_oldest_timer_is_and_what_the_tables_take() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let table = Table::create(&server, &json!({})).await;
    for kind in ["clocks", "packing", "deleting"] {
        let line = format!("naval_battle_oldest_due_seconds{{kind=\"{kind}\"}}");
        gauge(&server, &line, |seconds| (0.0..60.0).contains(&seconds)).await;
    }
    for name in ["games", "events", "archives", "layouts", "creations", "rematch_requests", "lobby", "timers"] {
        let line = format!("naval_battle_table_size_bytes{{table=\"{name}\"}}");
        gauge(&server, &line, |bytes| bytes >= 8_192.0).await;
    }

    drop(server);
    // A timer that nobody can take is late.
    let mut holder = database.connect().await;
    run(&mut holder, "update timers set check_at = now() - interval '1 hour'").await;
    run(&mut holder, "begin").await;
    assert_eq!(run(&mut holder, &format!("select from timers where game_id = '{}' for update", table.id)).await, 1);
    let server = Server::start(&database);
    let clocks = "naval_battle_oldest_due_seconds{kind=\"clocks\"}";
    gauge(&server, clocks, |seconds| seconds >= 3_600.0).await;
    run(&mut holder, "rollback").await;
    gauge(&server, clocks, |seconds| seconds < 60.0).await;
}
