use std::borrow::Cow;

use serde_json::json;
use sqlx::AssertSqlSafe;
use sqlx::migrate::Migrator;

use super::copies::{run, until};
use ground::cluster::{Cluster, Database};
use ground::server::Server;
use ground::stream::within;
use ground::table::{Table, usual};
use testing::model::Seat::{Guest, Host};

/// The last migration of the release before.
const BEFORE: i64 = 20_261_130_180_000;

const TABLES: [&str; 7] = ["games", "events", "archives", "layouts", "creations", "lobby", "timers"];

/// The tables of the release before, with the rows of another database.
async fn earlier(from: &Database) -> Database {
    let database = Cluster::shared().database().await;
    let mut connection = database.connect().await;
    let all = sqlx::migrate!();
    let released = all.iter().filter(|migration| migration.version <= BEFORE).cloned().collect::<Vec<_>>();
    assert!(released.len() < all.iter().count());
    let released = Migrator { migrations: Cow::Owned(released), ..Migrator::DEFAULT };
    released.run(&mut connection).await.unwrap();
    for table in TABLES {
        let rows = format!("select coalesce(json_agg(t), '[]')::text from {table} t");
        let rows: String = sqlx::query_scalar(AssertSqlSafe(rows)).fetch_one(&mut from.connect().await).await.unwrap();
        let fill = format!("insert into {table} select * from json_populate_recordset(null::{table}, $1::json)");
        sqlx::query(AssertSqlSafe(fill)).bind(rows).execute(&mut connection).await.unwrap();
    }
    database
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tables_of_the_release_before_are_taken_over_with_the_games_in_them() {
    let origin = Cluster::shared().database().await;
    let server = Server::start(&origin);
    let waiting = Table::create(&server, &json!({"listed": true})).await;
    let running = Table::in_battle(&server).await;
    let clock = json!({"first": "host", "turn_seconds": 10});
    let clocked = Table::in_battle_with(&server, &clock, &usual(), &usual()).await;
    let [packed, ended, aborted] =
        [Table::in_battle(&server).await, Table::in_battle(&server).await, Table::joined(&server, &json!({})).await];
    for table in [&packed, &ended, &aborted] {
        table.resign(&server, Guest).await.expect(200);
    }
    let mut direct = origin.connect().await;
    until(&mut direct, "select count(*) from timers where kind = 1 and failures = 0", 4).await;
    run(
        &mut direct,
        &format!("update timers set check_at = now() where game_id in ('{}', '{}')", packed.id, aborted.id),
    )
    .await;
    until(&mut direct, "select count(*) from archives", 2).await;
    let finished = [&packed, &ended];
    let mut logs = Vec::new();
    for table in finished {
        logs.push((table.log(&server).await, server.get(&table.path("/replay"), None).await.text));
    }
    drop(server);
    let database = earlier(&origin).await;
    let mut direct = database.connect().await;
    // Whatever was to be looked at had one order.
    run(&mut direct, "update timers set check_at = now() - interval '1 minute'").await;

    let server = Server::start_with(&database, &[("NAVAL_BATTLE_KEEP_ABORTED", "1")]);

    for (table, (log, replay)) in finished.iter().zip(&logs) {
        assert_eq!(&table.log(&server).await, log);
        assert_eq!(&server.get(&table.path("/replay"), None).await.text, replay);
    }
    until(&mut direct, "select count(*) from archives where not aborted and kept_since is not null", 2).await;
    within(async {
        while aborted.look(&server, None).await.status != 404 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    })
    .await;
    until(&mut direct, &format!("select count(*) from games where game_id = '{}' and version = 5", clocked.id), 1)
        .await;
    running.fire(&server, Host, "A1").await.expect(200);
    assert_eq!(waiting.see(&server, None).await["status"], "waiting");
    until(&mut direct, "select count(*) from timers where kind = 0", 1).await;
}
