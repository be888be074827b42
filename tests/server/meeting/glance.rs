use reqwest::Method;
use serde_json::{Value, json};

use ground::cluster::Cluster;
use ground::server::{Server, authorized, send};
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

const PATH: &str = "/v1/games/status";

const UNKNOWN: &str = "0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";

async fn glance(server: &Server, games: &Value) -> Value {
    let reply = server.post(PATH, None, &json!({ "games": games })).await;
    assert_eq!(reply.header("cache-control"), Some("private, no-cache, no-transform"));
    reply.expect(200)["games"].clone()
}

/// What a glance shows of a game that is looked at.
fn of(game: &Value) -> Value {
    let fields = ["id", "version", "status", "you", "awaiting", "next"];
    fields.iter().map(|field| ((*field).to_owned(), game[field].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[tokio::test]
async fn c_games_at_a_glance_stand_as_each_is_shown_in_the_order_sent() {
    let server = Server::shared().await;
    let waiting = Table::create(&server, &json!({"options": {"turn_seconds": 60}})).await;
    let battle = Table::in_battle(&server).await;
    let clock = Table::joined(&server, &json!({"turn_seconds": 600})).await;
    let ended = Table::in_battle(&server).await;
    ended.resign(&server, Guest).await.expect(200);
    server.post(&ended.path("/rematch"), Some(&ended.host), &json!({})).await.expect(201);

    let games = glance(
        &server,
        &json!([
            {"id": ended.id, "token": ended.guest},
            {"id": waiting.id, "token": waiting.host},
            {"id": UNKNOWN},
            {"id": battle.id, "token": null},
            {"id": clock.id, "token": clock.guest},
            {"id": battle.id, "token": battle.host},
            {"id": battle.id, "token": clock.host},
            {"id": battle.id, "token": "nonsense"},
            {"id": battle.id.to_uppercase(), "token": battle.host},
            {"id": battle.id, "token": battle.guest},
            {"id": ""},
        ]),
    )
    .await;

    let expected = json!([
        of(&ended.see(&server, Some(Guest)).await),
        of(&waiting.see(&server, Some(Host)).await),
        null,
        of(&battle.see(&server, None).await),
        of(&clock.see(&server, Some(Guest)).await),
        of(&battle.see(&server, Some(Host)).await),
        null,
        null,
        null,
        of(&battle.see(&server, Some(Guest)).await),
        null,
    ]);
    assert_eq!(games, expected);
    assert!(games[0]["next"].is_string() && games[4]["awaiting"][0]["until"].is_string());
    assert_eq!((&games[5]["you"], &games[3]["you"]), (&json!("host"), &Value::Null));
}

#[tokio::test]
async fn c_a_glance_ignores_the_header_and_changes_nothing() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let before = table.look(&server, Some(Host)).await;
    let body = json!({"games": [{"id": table.id}]});

    for token in [Some("nonsense"), Some(table.host.as_str()), None] {
        let request = authorized(server.request(Method::POST, PATH), token).json(&body);
        let reply = send(request.header("idempotency-key", "x").header("if-match", "\"1-host\"")).await;
        assert_eq!(reply.expect(200)["games"][0]["you"], Value::Null);
    }

    assert_eq!(table.look(&server, Some(Host)).await.text, before.text);
}

#[tokio::test]
async fn c_a_glance_takes_1_to_50_games_and_reads_strictly() {
    let server = Server::shared().await;
    let table = Table::create(&server, &json!({})).await;
    let some = |count: usize| json!({"games": vec![json!({"id": table.id}); count]});

    assert_eq!(server.post(PATH, None, &some(50)).await.expect(200)["games"].as_array().unwrap().len(), 50);
    for body in [
        some(0),
        some(51),
        json!({}),
        json!([]),
        json!({"games": null}),
        json!({"games": [table.id]}),
        json!({"games": [{}]}),
        json!({"games": [{"id": null}]}),
        json!({"games": [{"id": 7}]}),
        json!({"games": [{"id": table.id, "token": 7}]}),
        json!({"games": [{"id": table.id, "as": "host"}]}),
        json!({"games": [{"id": table.id}], "more": 1}),
    ] {
        server.post(PATH, None, &body).await.refuses(400, "malformed");
    }
    let twice = server.request(Method::POST, PATH).header("content-type", "application/json");
    let twice = twice.body(format!(r#"{{"games":[{{"id":"{0}","id":"{0}"}}]}}"#, table.id));
    send(twice).await.refuses(400, "malformed");
    server.post(&format!("{PATH}?x=1"), None, &some(1)).await.refuses(400, "malformed");
    send(server.request(Method::POST, PATH).body("{}")).await.refuses(415, "unsupported_media_type");
}

#[tokio::test]
async fn c_the_path_of_the_glance_is_no_game() {
    let server = Server::shared().await;
    for method in [Method::GET, Method::HEAD, Method::PUT] {
        let reply = send(server.request(method.clone(), PATH)).await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST, OPTIONS")), "{method}");
    }
    let options = send(server.request(Method::OPTIONS, PATH)).await;
    assert_eq!((options.status, options.header("allow")), (204, Some("POST, OPTIONS")));
    server.get(&format!("{PATH}/events"), None).await.refuses(404, "game_not_found");
}

#[tokio::test]
async fn c_what_a_glance_does_not_find_is_a_failed_guess() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let (table, other) = (Table::in_battle(&server).await, Table::in_battle(&server).await);
    let wrong = json!({"games": vec![json!({"id": table.id, "token": other.host}); 30]});
    let unknown = json!({"games": vec![json!({"id": UNKNOWN}); 29]});
    let own = json!({"games": [{"id": table.id, "token": table.host}, {"id": other.id}]});

    assert_eq!(server.post(PATH, None, &wrong).await.expect(200)["games"], json!(vec![Value::Null; 30]));
    server.post(PATH, None, &unknown).await.expect(200);
    server.post(PATH, None, &wrong).await.refuses(429, "rate_limited");

    // Whoever shows what is known to be good goes on.
    for _ in 0..100 {
        assert_eq!(server.post(PATH, None, &own).await.expect(200)["games"][0]["you"], "host");
    }
}
