//! Requests that are sent again: the same reply, and one effect.

use futures_util::future::join_all;
use ground::cluster::Cluster;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use reqwest::Method;
use serde_json::{Value, json};
use testing::model::Seat;

/// A key long enough to stand for a seat.
const SECRET: &str = "jJ8sP0vQ2mX5tZ7wB1nC4kL6hG9fD3aS";

/// Two servers on one database.
async fn two_servers() -> [Server; 2] {
    let database = Cluster::shared().database().await;
    [Server::start(&database), Server::start(&database)]
}

async fn post(server: &Server, path: &str, token: Option<&str>, key: &str, body: &Value) -> Reply {
    let request = authorized(server.request(Method::POST, path), token).header("Idempotency-Key", key);
    send(request.json(body)).await
}

/// Status, body and tag: what a repeat must be equal in.
fn essence(reply: &Reply) -> (u16, &str, Option<&str>) {
    (reply.status, &reply.text, reply.header("etag"))
}

#[tokio::test]
async fn every_action_sent_twice_has_one_effect_and_one_reply() {
    let servers = two_servers().await;
    let [one, other] = &servers;
    let table = Table::joined(one, &json!({"first": "host"})).await;
    let steps = [
        (Seat::Host, "/place", layout(FLEET, "J10").to_json()),
        (Seat::Guest, "/place", layout(FLEET, "J10").to_json()),
        (Seat::Host, "/fire", json!({"shots": ["J10"]})),
        (Seat::Host, "/reveal", json!({"cells": ["A1"]})),
        (Seat::Guest, "/fire", json!({"shots": ["A1"]})),
        (Seat::Host, "/resign", json!({})),
    ];

    let mut replies = Vec::new();
    for (index, (seat, path, body)) in steps.iter().enumerate() {
        let key = format!("step-{index}");
        let first = post(one, &table.path(path), Some(table.token(*seat)), &key, body).await;
        first.expect(200);
        let again = post(other, &table.path(path), Some(table.token(*seat)), &key, body).await;
        assert_eq!(essence(&again), essence(&first), "{path}");
        replies.push((key, first));
    }

    assert_eq!(table.log(one).await.len(), 2 + steps.len());
    // The game has long moved on, and is over: the replies are those of then.
    for ((seat, path, body), (key, first)) in steps.iter().zip(&replies) {
        let again = post(one, &table.path(path), Some(table.token(*seat)), key, body).await;
        assert_eq!(essence(&again), essence(first), "{path}");
    }
    assert_eq!(table.log(one).await.len(), 2 + steps.len());
}

#[tokio::test]
async fn a_key_belongs_to_one_request_of_one_seat() {
    let server = Server::on_new_database().await;
    let table = Table::in_battle(&server).await;
    let fire = table.path("/fire");
    post(&server, &fire, Some(&table.host), "k", &json!({"shots": ["A1"]})).await.expect(200);

    let other_body = post(&server, &fire, Some(&table.host), "k", &json!({"shots": ["A2"]})).await;
    let other_bytes = send(
        authorized(server.request(Method::POST, &fire), Some(&table.host))
            .header("Idempotency-Key", "k")
            .header("Content-Type", "application/json")
            .body(r#"{"shots": ["A1"]}"#),
    )
    .await;
    let other_path = post(&server, &table.path("/resign"), Some(&table.host), "k", &json!({})).await;
    let other_seat = post(&server, &fire, Some(&table.guest), "k", &json!({"shots": ["A1"]})).await;

    for reply in [other_body, other_bytes, other_path] {
        reply.refuses(422, "idempotency_mismatch");
    }
    other_seat.expect(200);
    assert_eq!(table.log(&server).await.len(), 6);
}

#[tokio::test]
async fn a_refusal_leaves_the_key_free_and_the_repeat_is_judged_anew() {
    let server = Server::on_new_database().await;
    let table = Table::in_battle(&server).await;
    let fire = table.path("/fire");
    let shot = json!({"shots": ["B1"]});

    let refused = post(&server, &fire, Some(&table.guest), "k", &shot).await;
    table.fire(&server, Seat::Host, "J1").await.expect(200);
    let accepted = post(&server, &fire, Some(&table.guest), "k", &shot).await;

    refused.refuses(409, "not_your_turn");
    accepted.expect(200);
}

#[tokio::test]
async fn a_kept_reply_comes_before_the_precondition_and_after_the_reading() {
    let server = Server::on_new_database().await;
    let table = Table::in_battle(&server).await;
    let fire = |key: &str, tag: &str, body: &'static str| {
        let request = authorized(server.request(Method::POST, &table.path("/fire")), Some(&table.host));
        let request = request.header("Idempotency-Key", key).header("If-Match", tag);
        send(request.header("Content-Type", "application/json").body(body))
    };
    let first = fire("k", "\"4-host\"", r#"{"shots":["A1"]}"#).await;
    first.expect(200);

    let again = fire("k", "\"4-host\"", r#"{"shots":["A1"]}"#).await;
    let mismatch = fire("k", "\"4-host\"", r#"{"shots":["A2"]}"#).await;
    let malformed = fire("k", "\"4-host\"", r#"{"shots":["a1"]}"#).await;
    let stale = fire("other", "\"4-host\"", r#"{"shots":["A2"]}"#).await;

    assert_eq!(essence(&again), essence(&first));
    mismatch.refuses(422, "idempotency_mismatch");
    malformed.refuses(400, "malformed");
    stale.refuses(412, "stale_version");
}

#[tokio::test]
async fn sixteen_equal_requests_at_once_have_one_effect_and_one_reply() {
    let servers = two_servers().await;
    for round in 0..20 {
        let table = Table::in_battle(&servers[0]).await;
        let path = table.path("/fire");
        let shot = json!({"shots": ["B1"]});
        let key = format!("round-{round}");

        let requests = (0..16).map(|index| post(&servers[index % 2], &path, Some(&table.host), &key, &shot));
        let replies = join_all(requests).await;

        let accepted: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
        assert!(!accepted.is_empty());
        for reply in &replies {
            match reply.status {
                200 => assert_eq!(essence(reply), essence(accepted[0])),
                _ => drop(reply.refuses(409, "in_flight")),
            }
        }
        assert_eq!(table.log(&servers[1]).await.len(), 5);
    }
}

#[tokio::test]
async fn joining_again_with_the_key_gives_the_same_seat_for_ever_and_never_two() {
    let servers = two_servers().await;
    for _ in 0..10 {
        let table = Table::create(&servers[0], &json!({})).await;
        let path = table.path("/join");
        let body = json!({"name": "Boris"});

        let with_key = (0..8).map(|index| post(&servers[index % 2], &path, None, SECRET, &body));
        let without = (0..8).map(|index| servers[index % 2].post(&path, None, &body));
        let (with_key, without) = tokio::join!(join_all(with_key), join_all(without));

        let tokens: std::collections::BTreeSet<_> = with_key
            .iter()
            .chain(&without)
            .filter(|reply| reply.status == 201)
            .map(|reply| reply.json["token"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(tokens.len(), 1, "one seat, one token");
        for reply in with_key.iter().chain(&without).filter(|reply| reply.status != 201) {
            assert!(reply.status == 409, "{}", reply.text);
        }
        assert_eq!(table.log(&servers[0]).await.len(), 2);
    }
}

#[tokio::test]
async fn a_joining_is_repeated_when_the_game_has_moved_on_and_is_over() {
    let servers = two_servers().await;
    let mut table = Table::create(&servers[0], &json!({"options": {"first": "host"}})).await;
    let body = json!({"name": "Boris"});
    let first = post(&servers[0], &table.path("/join"), None, SECRET, &body).await;
    table.guest = first.expect(201)["token"].as_str().unwrap().to_owned();
    table.place(&servers[0], Seat::Host, &layout(FLEET, "J10")).await.expect(200);
    table.place(&servers[0], Seat::Guest, &layout(FLEET, "J10")).await.expect(200);
    table.resign(&servers[0], Seat::Host).await.expect(200);

    let again = post(&servers[1], &table.path("/join"), None, SECRET, &body).await;
    let other_body = post(&servers[1], &table.path("/join"), None, SECRET, &json!({"name": "Vera"})).await;
    let other_key = post(&servers[1], &table.path("/join"), None, &SECRET.to_lowercase(), &body).await;
    let by_the_host = post(&servers[1], &table.path("/join"), Some(&table.host), SECRET, &body).await;

    assert_eq!(essence(&again), essence(&first));
    assert_eq!(again.header("cache-control"), Some("no-store"));
    other_body.refuses(422, "idempotency_mismatch");
    other_key.refuses(409, "game_over");
    by_the_host.refuses(409, "game_over");
}

#[tokio::test]
async fn creating_again_with_the_key_gives_the_same_game_and_token() {
    let servers = two_servers().await;
    for round in 0..10 {
        let key = format!("{SECRET}-{round}");
        let body = json!({"name": "Anna", "options": {"grid": 8}});

        let equal = (0..12).map(|index| post(&servers[index % 2], "/v1/games", None, &key, &body));
        let replies = join_all(equal).await;
        let other = post(&servers[0], "/v1/games", None, &key, &json!({"name": "Vera"})).await;

        for reply in &replies {
            reply.expect(201);
            assert_eq!(essence(reply), essence(&replies[0]));
        }
        other.refuses(422, "idempotency_mismatch");
        let id = replies[0].json["game"]["id"].as_str().unwrap();
        let token = replies[0].json["token"].as_str().unwrap();
        let log = servers[1].get(&format!("/v1/games/{id}/events"), Some(token)).await;
        assert_eq!(log.expect(200)["events"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_key_that_stands_for_a_seat_is_long_and_every_key_is_visible_ascii() {
    let server = Server::on_new_database().await;
    let table = Table::in_battle(&server).await;
    let waiting = Table::create(&server, &json!({})).await;
    let long = "x".repeat(256);

    for key in ["short", &SECRET[..31], "", &long] {
        post(&server, "/v1/games", None, key, &json!({})).await.refuses(400, "malformed");
        post(&server, &waiting.path("/join"), None, key, &json!({})).await.refuses(400, "malformed");
    }
    for key in ["", "a b", "\u{e4}", &long] {
        let refused = post(&server, &table.path("/fire"), Some(&table.host), key, &json!({"shots": ["A1"]})).await;
        refused.refuses(400, "malformed");
    }
    let twice = authorized(server.request(Method::POST, &table.path("/fire")), Some(&table.host))
        .header("Idempotency-Key", "a")
        .header("Idempotency-Key", "b")
        .json(&json!({"shots": ["A1"]}));
    send(twice).await.refuses(400, "malformed");
    assert_eq!(table.log(&server).await.len(), 4);
}

#[tokio::test]
async fn no_key_and_no_token_lies_in_the_database() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let created = post(&server, "/v1/games", None, SECRET, &json!({})).await;
    let id = created.expect(201)["game"]["id"].as_str().unwrap().to_owned();
    let joined = post(&server, &format!("/v1/games/{id}/join"), None, SECRET, &json!({})).await;
    let token = joined.expect(201)["token"].as_str().unwrap().to_owned();

    let mut connection = database.connect().await;
    let mut rows: Vec<String> = Vec::new();
    for table in ["games", "events", "layouts", "creations"] {
        let sql = sqlx::AssertSqlSafe(format!("select t::text from {table} t"));
        rows.extend(sqlx::query_scalar::<_, String>(sql).fetch_all(&mut connection).await.unwrap());
    }

    assert!(rows.len() >= 4);
    let everything = rows.join("\n");
    for secret in [SECRET.to_owned(), hex::encode(SECRET), token.clone(), hex::encode(&token)] {
        assert!(!everything.contains(&secret));
    }
}

/// What a game may be asked for, with bodies that can be read.
const POSTS: [(&str, &str); 6] = [
    ("/place", "{\"ships\":[],\"mines\":[]}"),
    ("/fire", "{\"shots\":[\"A1\"]}"),
    ("/reveal", "{\"cells\":[\"A1\"]}"),
    ("/resign", "{}"),
    ("/rematch", "{}"),
    ("/join", "{}"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_accepted_names_no_other_request_of_its_seat_whatever_the_game_has_come_to() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let key = |what: &str| format!("{SECRET}-{what}");
    let table = Table::joined(&server, &json!({"first": "host"})).await;
    let host = Some(table.host.as_str());
    let layout = layout(FLEET, "J10").to_json();
    let mut kept: Vec<(&str, String, Value)> = Vec::new();
    let steps = [
        ("/place", layout.clone()),
        ("/fire", json!({"shots": ["J10"]})),
        ("/reveal", json!({"cells": ["A1"]})),
        ("/resign", json!({})),
        ("/rematch", json!({})),
        ("pack", json!({})),
    ];
    for (below, body) in steps {
        if below == "pack" {
            let mut connection = database.connect().await;
            let due = "update timers set check_at = now() - interval '1 minute' where game_id::text = $1";
            sqlx::query(due).bind(&table.id).execute(&mut connection).await.unwrap();
            let packed = "select count(*) from archives where game_id::text = $1";
            ground::stream::within(async {
                while sqlx::query_scalar::<_, i64>(packed).bind(&table.id).fetch_one(&mut connection).await.unwrap()
                    == 0
                {
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                }
            })
            .await;
        } else {
            let reply = post(&server, &table.path(below), host, &key(below), &body).await;
            assert!(matches!(reply.status, 200 | 201), "{below}: {}", reply.text);
            kept.push((below, key(below), body));
        }
        if below == "/place" {
            table.place(&server, Seat::Guest, &self::layout(FLEET, "J10")).await.expect(200);
        }

        for (path, key, body) in &kept {
            for (other, other_body) in POSTS {
                let other_body: Value = serde_json::from_str(other_body).unwrap();
                if other == *path && other_body == *body {
                    continue;
                }
                let refused = post(&server, &table.path(other), host, key, &other_body).await;
                assert_eq!(
                    (refused.status, refused.code()),
                    (422, "idempotency_mismatch"),
                    "{below}: {path}, then {other}"
                );
                // The same key of the other seat is another one.
                if matches!(other, "/place" | "/reveal" | "/join") {
                    let of_the_guest = post(&server, &table.path(other), Some(&table.guest), key, &other_body).await;
                    assert_eq!(of_the_guest.status, 409, "{path}, then {other}: {}", of_the_guest.text);
                }
            }
        }
    }
}

#[tokio::test]
async fn the_key_by_which_somebody_joined_names_no_other_request_of_their_seat() {
    let server = Server::on_new_database().await;
    let mut table = Table::create(&server, &json!({})).await;
    let joined = post(&server, &table.path("/join"), None, SECRET, &json!({})).await;
    joined.expect(201)["token"].as_str().unwrap().clone_into(&mut table.guest);
    for ends in [false, true] {
        if ends {
            table.resign(&server, Seat::Host).await.expect(200);
        }
        for (below, body) in POSTS.into_iter().filter(|(below, _)| *below != "/join") {
            let body: Value = serde_json::from_str(body).unwrap();
            let refused = post(&server, &table.path(below), Some(&table.guest), SECRET, &body).await;
            assert_eq!((refused.status, refused.code()), (422, "idempotency_mismatch"), "{below}");
        }
        // Of the other seat it is a key like any other.
        let keyed = post(&server, &table.path("/fire"), Some(&table.host), SECRET, &json!({"shots": ["A1"]})).await;
        assert_eq!(keyed.status, 409, "{}", keyed.text);
        assert_eq!(essence(&post(&server, &table.path("/join"), None, SECRET, &json!({})).await), essence(&joined));
    }
}
