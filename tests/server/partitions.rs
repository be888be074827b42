//! Every statement runs on tables that are spread by `game_id`: those of a single Postgres, partitioned by its hash.

use std::time::Duration;

use ground::cluster::{Cluster, Database};
use ground::ledger;
use ground::random_game::RandomGame;
use ground::server::Server;
use ground::table::{Table, usual};
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _};
use testing::model::Options;
use testing::model::Seat::{Guest, Host};

/// Tables whose rows are spread, and by what.
const TABLES: [(&str, &str); 10] = [
    ("games", "game_id"),
    ("events", "game_id"),
    ("layouts", "game_id"),
    ("archives", "game_id"),
    ("timers", "game_id"),
    ("lobby", "game_id"),
    ("rematch_requests", "game_id"),
    ("heartbeat", "place"),
    ("gaps", "place"),
    ("creations", "key"),
];

const PARTS: usize = 8;

/// A database whose tables are partitioned.
async fn partitioned() -> Database {
    let database = Cluster::shared().database().await;
    let mut migrating = Server::start(&database);
    migrating.terminate();
    assert_eq!(migrating.wait(), Some(0));
    let mut direct = database.connect().await;
    let view: String = sqlx::query_scalar("select pg_get_viewdef('logs')").fetch_one(&mut direct).await.unwrap();
    direct.execute("drop view logs").await.unwrap();
    for (table, column) in TABLES {
        let mut statements = vec![
            format!("alter table {table} rename to whole"),
            format!("create table {table} (like whole including all) partition by hash ({column})"),
        ];
        statements.extend((0..PARTS).map(|part| {
            format!(
                "create table {table}_{part} partition of {table} for values with (modulus {PARTS}, remainder {part})"
            )
        }));
        statements.push(format!("insert into {table} select * from whole; drop table whole"));
        direct.execute(AssertSqlSafe(statements.join(";"))).await.unwrap();
    }
    direct.execute(AssertSqlSafe(format!("create view logs as {view}"))).await.unwrap();
    database
}

#[tokio::test]
async fn games_of_all_kinds_are_played_and_kept_on_partitioned_tables() {
    let database = partitioned().await;
    for batch in ["on", "always"] {
        let server = Server::start_with(&database, &[("NAVAL_BATTLE_BATCH", batch), ("NAVAL_BATTLE_PACK_AFTER", "1")]);
        for (number, options) in (0_u64..).zip(Options::all()).step_by(21) {
            let mut game = RandomGame::create(&server, options, &json!({}), Some("Ada"), number).await;
            game.join(&server, Some("Bea")).await;
            game.play_to_the_end(&server).await;
            let again = server.post(&game.table.path("/rematch"), Some(&game.table.host), &json!({})).await;
            let joined = server.post(&game.table.path("/rematch"), Some(&game.table.guest), &json!({})).await;
            assert_eq!(again.expect(201)["game"]["id"], joined.expect(201)["game"]["id"]);
            let verdict = server.get(&game.table.path("/verify"), None).await;
            assert_eq!(verdict.expect(200)["faults"], json!([]), "{}", verdict.text);
        }
        let against_bot = server.post("/v1/games", None, &json!({"bot": "easy"})).await;
        let against_bot = Table::of(against_bot.expect(201));
        against_bot.place(&server, Host, &usual()).await.expect(200);
        let key = "a-key-that-stands-for-a-seat-of-this-game";
        let listed = server.post_with_key("/v1/games", None, key, &json!({"listed": true})).await;
        let listed_again = server.post_with_key("/v1/games", None, key, &json!({"listed": true})).await;
        assert_eq!(listed.expect(201)["game"]["id"], listed_again.expect(201)["game"]["id"]);
        let table = Table::in_battle(&server).await;
        table.fire(&server, Host, "A1").await.expect(200);
        table.resign(&server, Guest).await.expect(200);
        ledger::check(&server, &table, &usual(), &usual()).await;
        let packed = "select count(*) from archives where game_id = $1::text::uuid";
        let mut direct = database.connect().await;
        while sqlx::query_scalar::<_, i64>(packed).bind(&table.id).fetch_one(&mut direct).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        ledger::check(&server, &table, &usual(), &usual()).await;
        assert!(server.whole_log().await.lines().all(|line| !line.contains(" ERROR ")), "{}", server.log());
    }
}
