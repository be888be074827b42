//! `GET …/verify` on every stage of a game.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

use ground::cluster::Cluster;
use ground::random_game::RandomGame;
use ground::server::{Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::model::{Options, Seat};

use Seat::{Guest, Host};

const CLASSIC: Options = Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false };

/// What is to be found on a game that is not opened, with so many events.
fn sealed(events: usize, host: Option<&str>, guest: Option<&str>) -> Value {
    let commitments = json!({ "host": host, "guest": guest });
    json!({ "ok": true, "complete": false, "events": events, "answers": 0, "commitments": commitments, "faults": [] })
}

/// What is to be found on a game that somebody has won.
fn opened(events: usize, answers: usize) -> Value {
    let commitments = json!({ "host": "opened", "guest": "opened" });
    json!({ "ok": true, "complete": true, "events": events, "answers": answers, "commitments": commitments, "faults": [] })
}

/// Asks for the verification as everybody who can, and insists that all are told the same.
async fn verified(server: &Server, table: &Table) -> Value {
    let path = table.path("/verify");
    let spectator = server.get(&path, None).await;
    for token in [&table.host, &table.guest] {
        if !token.is_empty() {
            assert_eq!(server.get(&path, Some(token)).await.text, spectator.text);
        }
    }
    spectator.expect(200).clone()
}

#[tokio::test]
async fn on_every_stage_it_is_told_what_could_be_checked() {
    let server = Server::shared().await;
    let mut table = Table::create(&server, &json!({"options": {"first": "host"}})).await;
    assert_eq!(verified(&server, &table).await, sealed(1, None, None));
    table.join(&server).await;
    assert_eq!(verified(&server, &table).await, sealed(2, None, None));
    table.place(&server, Guest, &layout(FLEET, "J10")).await.expect(200);
    assert_eq!(verified(&server, &table).await, sealed(3, None, Some("sealed")));
    table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
    assert_eq!(verified(&server, &table).await, sealed(4, Some("sealed"), Some("sealed")));
    table.fire(&server, Host, "J10").await.expect(200);
    assert_eq!(verified(&server, &table).await, sealed(5, Some("sealed"), Some("sealed")));
    table.reveal(&server, Host, "A1").await.expect(200);
    table.fire(&server, Guest, "A1").await.expect(200);
    assert_eq!(verified(&server, &table).await, sealed(7, Some("sealed"), Some("sealed")));
    table.resign(&server, Host).await.expect(200);

    assert_eq!(verified(&server, &table).await, opened(8, 2));
}

#[tokio::test]
async fn a_whole_game_has_an_answer_for_every_shot() {
    let server = Server::shared().await;
    for (seed, options) in [
        Options { grid: 8, russian: true, mines: true, salvo: true, shoot_again: false },
        Options { grid: 15, russian: false, mines: true, salvo: true, shoot_again: true },
    ]
    .into_iter()
    .enumerate()
    {
        let mut game = RandomGame::create(&server, options, &json!({}), None, u64::try_from(seed).unwrap()).await;
        game.join(&server, None).await;
        game.play_to_the_end(&server).await;

        let log = game.table.log(&server).await;
        let shots = log.iter().filter_map(|event| event.get("shots")?.as_array()).map(Vec::len).sum();

        assert_eq!(verified(&server, &game.table).await, opened(log.len(), shots));
    }
}

#[tokio::test]
async fn an_abort_leaves_the_commitments_sealed() {
    let server = Server::shared().await;
    let unjoined = Table::create(&server, &json!({})).await;
    unjoined.resign(&server, Host).await.expect(200);
    let placing = Table::joined(&server, &json!({})).await;
    placing.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
    placing.resign(&server, Guest).await.expect(200);

    assert_eq!(verified(&server, &unjoined).await, sealed(2, None, None));
    assert_eq!(verified(&server, &placing).await, sealed(4, Some("sealed"), None));
}

#[tokio::test]
async fn a_layout_that_was_hidden_before_anybody_joined_is_checked_like_any_other() {
    let server = Server::shared().await;
    let mut table = Table::create(&server, &json!({"options": {"first": "guest"}})).await;
    table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
    assert_eq!(verified(&server, &table).await, sealed(2, Some("sealed"), None));
    table.join(&server).await;
    assert_eq!(verified(&server, &table).await, sealed(3, Some("sealed"), None));
    table.place(&server, Guest, &layout(FLEET, "J10")).await.expect(200);
    table.fire(&server, Guest, "A1").await.expect(200);
    table.resign(&server, Guest).await.expect(200);
    assert_eq!(verified(&server, &table).await, opened(6, 1));

    let alone = Table::create(&server, &json!({})).await;
    alone.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
    alone.resign(&server, Host).await.expect(200);
    assert_eq!(verified(&server, &alone).await, sealed(3, Some("sealed"), None));
}

#[tokio::test]
async fn what_is_kept_of_a_layout_hidden_before_anybody_joined_is_held_against_the_log() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    for (change, expected) in [
        ("update events set awaits = 18 where seq = 2", "wrong_derived"),
        ("update events set awaits = 18 | 4096 where seq = 1", "wrong_derived"),
        ("update events set awaits = 18 | 8192 where seq = 2", "wrong_record"),
        ("update games set rematch_of = game_id where true", "wrong_view"),
        ("update layouts set salt = sha256(salt) where seat = 0", "wrong_commitment"),
        ("update games set host_commitment = null where true", "wrong_view"),
    ] {
        let table = Table::create(&server, &json!({})).await;
        table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
        assert_eq!(verified(&server, &table).await, sealed(2, Some("sealed"), None));

        let statement = format!("{change} and game_id = '{}'", table.id);
        let changed = database.connect().await.execute(AssertSqlSafe(statement)).await.unwrap();
        assert_eq!(changed.rows_affected(), 1, "{change}");

        let found = verified(&server, &table).await;
        let faults = found["faults"].as_array().unwrap();
        assert!(faults.iter().any(|fault| fault["code"] == expected), "{change}: {found}");
    }
}

#[tokio::test]
async fn a_game_out_of_time_is_checked_like_any_other() {
    let database = Cluster::shared().database().await;
    let server = Server::without_packing(&database);
    // Only what it creates expires so soon.
    let hasty = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let unjoined = Table::create(&hasty, &json!({})).await;
    let clock = json!({"turn_seconds": 10});
    let mut game = RandomGame::create(&server, CLASSIC, &clock, None, 1).await;
    game.join(&server, None).await;
    game.play_on(&server, 6).await;
    let placing = Table::joined(&server, &clock).await;
    placing.place(&server, Guest, &layout(FLEET, "J10")).await.expect(200);

    for table in [&unjoined, &game.table, &placing] {
        wait_until_it_ends(&server, table).await;
    }

    assert_eq!(verified(&server, &unjoined).await, sealed(2, None, None));
    assert_eq!(verified(&server, &placing).await, sealed(4, None, Some("sealed")));
    let log = game.table.log(&server).await;
    assert_eq!(log.last().unwrap()["type"], "timed_out");
    let shots = log.iter().filter_map(|event| event.get("shots")?.as_array()).map(Vec::len).sum();
    assert_eq!(verified(&server, &game.table).await, opened(log.len(), shots));
}

/// Waits until the server has written the end that a clock brings.
async fn wait_until_it_ends(server: &Server, table: &Table) {
    for _ in 0..300 {
        let status = table.look(server, None).await.json["status"].clone();
        if status == "finished" || status == "aborted" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("nobody ended the game");
}

#[tokio::test]
async fn what_somebody_changed_in_the_database_is_told_beside_its_event() {
    let database = Cluster::shared().database().await;
    let server = Server::without_packing(&database);
    for (change, expected) in [
        (
            "update events set body = replace(body, '\"miss\"', '\"hit\"') where seq = 5",
            &[(json!(5), "wrong_head")][..],
        ),
        ("update events set body = replace(body, '\"miss\"', '\"hit\"') where seq = 5", &[(json!(5), "wrong_answer")]),
        ("update events set head = sha256(head) where seq = 3", &[(json!(3), "wrong_head"), (json!(4), "wrong_head")]),
        ("update events set awaits = awaits + 1 where seq = 4", &[(json!(4), "wrong_derived")]),
        ("update layouts set salt = sha256(salt) where seat = 1", &[(json!(4), "wrong_commitment")]),
        ("delete from events where seq = 7", &[(Value::Null, "wrong_view")]),
        ("update games set host_name = 'Eve'", &[(Value::Null, "wrong_view")]),
    ] {
        let table = Table::in_battle(&server).await;
        table.fire(&server, Host, "J1").await.expect(200);
        table.fire(&server, Guest, "J1").await.expect(200);
        table.resign(&server, Guest).await.expect(200);
        assert_eq!(verified(&server, &table).await, opened(7, 2));

        let condition = if change.contains(" where ") { "and" } else { "where" };
        let statement = format!("{change} {condition} game_id = '{}'", table.id);
        let changed = database.connect().await.execute(AssertSqlSafe(statement)).await.unwrap();
        assert_eq!(changed.rows_affected(), 1, "{change}");

        let found = verified(&server, &table).await;
        assert_eq!(found["ok"], false, "{change}: {found}");
        for (seq, code) in expected {
            let faults = found["faults"].as_array().unwrap();
            let told = faults.iter().find(|fault| fault["seq"] == *seq && fault["code"] == *code);
            let told = told.unwrap_or_else(|| panic!("{change}: no {code} at {seq} in {found}"));
            assert!(told["message"].as_str().is_some_and(|message| message.len() > 10));
        }
        let asked = server.request(Method::GET, &table.path("/verify")).header("accept-language", "ru");
        let russian = send(asked).await.expect(200)["faults"].clone();
        for (fault, theirs) in found["faults"].as_array().unwrap().iter().zip(russian.as_array().unwrap()) {
            assert_eq!((&fault["seq"], &fault["code"]), (&theirs["seq"], &theirs["code"]));
            assert_ne!(fault["message"], theirs["message"]);
        }
    }
}

#[tokio::test]
async fn the_game_then_the_token_then_the_query_is_looked_at() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let other = Table::in_battle(&server).await;

    for token in [None, Some(table.host.as_str()), Some("nonsense")] {
        let unknown = "/v1/games/01890a5d-ac96-774b-bcce-b302099a8057/verify?x";
        server.get(unknown, token).await.refuses(404, "game_not_found");
    }
    for wrong in ["nonsense", &other.host] {
        server.get(&table.path("/verify?x"), Some(wrong)).await.refuses(401, "unauthorized");
    }
    for query in ["x", "upto=1", "head=0"] {
        server.get(&table.path(&format!("/verify?{query}")), None).await.refuses(400, "malformed");
    }
}

#[tokio::test]
async fn head_gives_the_same_status_and_headers_without_a_body() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (path, token) in [(table.path("/verify"), None), (table.path("/verify"), Some("nonsense"))] {
        let get = server.get(&path, token).await;
        let head = send(authorized(server.request(Method::HEAD, &path), token)).await;

        assert_eq!((head.status, head.text.as_str()), (get.status, ""));
        for name in ["content-type", "content-length", "cache-control", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{name}");
            assert!(get.header(name).is_some(), "{name}");
        }
    }
}
