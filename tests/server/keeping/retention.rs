use reqwest::Method;
use serde_json::json;
use sqlx::PgConnection;

use super::copies::{number, run, until};
use ground::cluster::Cluster;
use ground::server::{Server, send};
use ground::stream::within;
use ground::table::Table;
use testing::model::Seat::{Guest, Host};

/// How many rows of a game lie in any table.
async fn rows_of(connection: &mut PgConnection, game: &str) -> i64 {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.columns c join information_schema.tables t
                using (table_schema, table_name)
          where table_schema = 'public' and column_name = 'game_id' and table_type = 'BASE TABLE'",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    assert!(tables.len() >= 7, "{tables:?}");
    let mut rows = 0;
    for table in tables {
        rows += number(connection, &format!("select count(*) from {table} where game_id = '{game}'")).await;
    }
    rows
}

async fn is_gone(server: &Server, connection: &mut PgConnection, table: &Table) {
    within(async {
        while rows_of(connection, &table.id).await > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    })
    .await;
    for below in ["", "/events", "/events?wait=5", "/verify", "/replay"] {
        server.get(&table.path(below), None).await.refuses(404, "game_not_found");
        server.get(&table.path(below), Some(&table.host)).await.refuses(404, "game_not_found");
    }
    for below in ["/join", "/place", "/fire", "/reveal", "/resign", "/rematch"] {
        server.post(&table.path(below), Some(&table.host), &json!({})).await.refuses(404, "game_not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aborted_game_is_deleted_with_all_its_rows_after_its_time() {
    let database = Cluster::shared().database().await;
    let short = [("NAVAL_BATTLE_KEEP_ABORTED", "2")];
    let servers = [Server::start_with(&database, &short), Server::start_with(&database, &short)];
    let mut direct = database.connect().await;
    let finished = Table::in_battle(&servers[0]).await;
    finished.resign(&servers[0], Guest).await.expect(200);
    let running = Table::in_battle(&servers[0]).await;
    let key = "a-random-key-that-nobody-else-has-6b0d25aa";
    let create = || servers[0].request(Method::POST, "/v1/games").header("idempotency-key", key);
    let body = json!({"listed": true, "name": "Ada"});
    let listed = Table::of(send(create().json(&body)).await.expect(201));
    let placing = Table::joined(&servers[1], &json!({"turn_seconds": 600})).await;

    for table in [&listed, &placing] {
        table.resign(&servers[0], Host).await.expect(200);
        assert!(rows_of(&mut direct, &table.id).await > 2);
        assert_eq!(table.see(&servers[1], None).await["status"], "aborted");
    }

    for table in [&listed, &placing] {
        is_gone(&servers[1], &mut direct, table).await;
    }
    assert_eq!(finished.see(&servers[0], None).await["status"], "finished");
    assert_eq!(running.see(&servers[0], None).await["status"], "battle");
    // Its key is as free as if it had never been.
    assert_ne!(Table::of(send(create().json(&body)).await.expect(201)).id, listed.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_game_points_to_a_deleted_rematch_and_another_can_be_asked_for() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_KEEP_ABORTED", "1")]);
    let mut direct = database.connect().await;
    let table = Table::in_battle(&server).await;
    table.resign(&server, Guest).await.expect(200);
    let before = table.look(&server, Some(Host)).await;
    let ask = async || {
        let asked = server.request(Method::POST, &table.path("/rematch")).bearer_auth(&table.host);
        send(asked.header("idempotency-key", "again").json(&json!({}))).await
    };
    let next = Table::of(ask().await.expect(201));
    assert_eq!(number(&mut direct, "select count(*) from rematch_requests").await, 1);
    assert_eq!(table.see(&server, Some(Host)).await["next"], next.id.as_str());

    next.resign(&server, Host).await.expect(200);
    is_gone(&server, &mut direct, &next).await;
    assert_eq!(number(&mut direct, "select count(*) from rematch_requests").await, 0);

    let after = table.look(&server, Some(Host)).await;
    assert_eq!((after.header("etag"), &after.json), (before.header("etag"), &before.json));
    let again = server.post(&table.path("/rematch"), Some(&table.guest), &json!({})).await;
    assert_eq!(again.expect(201)["game"]["status"], "waiting");
    let look = table.look(&server, Some(Host)).await;
    assert_eq!(look.expect(200)["next"], again.json["game"]["id"]);
    // Whoever has the state with the first one must not take this for it.
    assert_eq!(look.header("etag"), Some("\"5-host-next2\""));
    assert_eq!(ask().await.expect(201)["game"]["id"], again.json["game"]["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_kept_for_ever_or_for_as_long_as_is_said() {
    let database = Cluster::shared().database().await;
    let for_ever = Server::start_with(&database, &[("NAVAL_BATTLE_KEEP_ABORTED", "1")]);
    let mut direct = database.connect().await;
    let tables = [Table::in_battle(&for_ever).await, Table::in_battle(&for_ever).await];
    for table in &tables {
        table.resign(&for_ever, Guest).await.expect(200);
    }
    // One lies packed, as after a long time.
    until(&mut direct, "select count(*) from timers where kind = 1", 2).await;
    run(&mut direct, &format!("update timers set check_at = now() where game_id = '{}'", tables[0].id)).await;
    until(&mut direct, "select count(*) from archives where not aborted", 1).await;
    assert_eq!(tables[0].see(&for_ever, None).await["status"], "finished");
    drop(for_ever);

    let server = Server::start_with(&database, &[("NAVAL_BATTLE_KEEP_FINISHED", "1")]);
    is_gone(&server, &mut direct, &tables[0]).await;
    // The other one is looked at once its timer goes off.
    run(&mut direct, "update timers set check_at = now()").await;
    is_gone(&server, &mut direct, &tables[1]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn creations_are_forgotten_after_a_day() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let mut direct = database.connect().await;
    for key in ["a-random-key-that-nobody-else-has-5eb1f0c1", "a-random-key-that-nobody-else-has-5eb1f0c2"] {
        server.post_with_key("/v1/games", None, key, &json!({})).await.expect(201);
    }
    let older = "update creations set created_at = now() - interval '25 hours'
                  where key = (select key from creations order by game_id limit 1)";
    assert_eq!(run(&mut direct, older).await, 1);

    until(&mut direct, "select count(*) from creations", 1).await;

    assert_eq!(number(&mut direct, "select count(*) from games").await, 2);
}
