//! Budgets that are spent, a database that is gone, and rows that make no sense.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};

use crate::problems::{asking, operations};
use ground::cluster::{Cluster, Database};
use ground::server::{Server, send};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

/// Longer than any budget.
const MANY: usize = 200;

/// Has every operation that has a budget, or that fails on a guess, say that it is spent.
pub(crate) async fn of_budgets(database: &Database, document: &Value) {
    let server = Server::start_with(database, &[("NAVAL_BATTLE_LIMITS", "on")]);
    for (id, method, path) in operations(document, "nothing-is-here") {
        let is_limited = document["paths"][path.replace("nothing-is-here", "{game_id}")]
            [method.as_str().to_lowercase()]["responses"]
            .get("429")
            .is_some();
        if is_limited {
            let mut spent = false;
            for _ in 0..MANY {
                spent = send(asking(&server, &method, &path, None)).await.status == 429;
                if spent {
                    break;
                }
            }
            assert!(spent, "{id} has no limit");
        }
    }
}

/// Has every operation meet a row that makes no sense, and then no database at all.
pub(crate) async fn of_the_database(document: &Value) {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let mut connection = database.connect().await;
    // Nothing can be written any more.
    let open = Table::create(&server, &json!({})).await;
    let placing = Table::joined(&server, &json!({})).await;
    connection.execute("alter table games add constraint provoked check (version < 0) not valid").await.unwrap();
    server.post("/v1/games", None, &json!({})).await.refuses(500, "internal");
    server.post(&open.path("/join"), None, &json!({})).await.refuses(500, "internal");
    placing.place(&server, Host, &layout(FLEET, "J10")).await.refuses(500, "internal");
    connection.execute("alter table lobby rename to elsewhere").await.unwrap();
    server.get("/v1/games", None).await.refuses(500, "internal");
    connection.execute("alter table elsewhere rename to lobby").await.unwrap();
    connection.execute("alter table games rename to elsewhere").await.unwrap();
    for (_, method, path) in operations(document, &placing.id) {
        if path.contains(&placing.id) {
            send(asking(&server, &method, &path, Some(&placing.host))).await.refuses(500, "internal");
        }
    }
    let (feed, glance) = many(&placing);
    server.get(&feed, None).await.refuses(500, "internal");
    server.post("/v1/games/status", None, &glance).await.refuses(500, "internal");
    connection.execute("alter table elsewhere rename to games").await.unwrap();
    connection.execute("alter table games drop constraint provoked").await.unwrap();

    // What a creation left makes no sense when it is repeated.
    let key = "jJ8sP0vQ2mX5tZ7wB1nC4kL6hG9fD3aS";
    let created = Table::of(server.post_with_key("/v1/games", None, key, &json!({})).await.expect(201));
    let garble = format!("update events set head = '\\x00' where game_id = '{}'", created.id);
    connection.execute(AssertSqlSafe(garble)).await.unwrap();
    server.post_with_key("/v1/games", None, key, &json!({})).await.refuses(500, "record_damaged");

    let table = Table::in_battle(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);
    let garble = format!("update games set state = '\\x01ff' || state where game_id = '{}'", table.id);
    connection.execute(AssertSqlSafe(garble)).await.unwrap();
    for (_, method, path) in operations(document, &table.id) {
        if path.contains(&table.id) {
            send(asking(&server, &method, &path, Some(&table.host))).await;
        }
    }
    let (feed, glance) = many(&table);
    server.get(&feed, None).await.refuses(500, "record_damaged");
    server.post("/v1/games/status", None, &glance).await.refuses(500, "record_damaged");
    let garble = format!("update events set body = '\\', head = '\\x00' where game_id = '{}'", table.id);
    connection.execute(AssertSqlSafe(garble)).await.unwrap();
    for below in ["/events", "/replay", "/verify"] {
        server.get(&table.path(below), None).await;
    }
    table.resign(&server, Guest).await;

    let drop = format!("drop database {} with (force)", database.name());
    Cluster::shared().database().await.connect().await.execute(AssertSqlSafe(drop)).await.unwrap();
    for (id, method, path) in operations(document, &table.id) {
        let needs_it =
            document["paths"][path.replace(&table.id, "{game_id}")][method.as_str().to_lowercase()]["responses"]
                .get("503")
                .is_some();
        if needs_it {
            let reply = send(asking(&server, &method, &path, None)).await;
            assert_eq!(
                (reply.status, method == Method::GET || method == Method::POST),
                (503, true),
                "{id}: {}",
                reply.text
            );
        }
    }
}

/// What asks for a game as one of many: the path of a feed, and the body of a glance.
fn many(table: &Table) -> (String, Value) {
    (format!("/v1/feed?games={}&after=0", table.id), json!({"games": [{"id": table.id}]}))
}
