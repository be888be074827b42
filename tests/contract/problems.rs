//! What is refused, by whom, and why.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::{join, join_all};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use ground::cluster::Database;
use ground::contract::{Contract, Exchange};
use ground::held::Held;
use ground::server::{Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use ground::wire::{ask, without_its_body};
use testing::model::{Seat, blocked_classic_fleet};

use Seat::{Guest, Host};

/// An id that no game has.
const UNKNOWN: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// Every operation of the document: its id, its method and its path, below this game.
pub(crate) fn operations(document: &Value, game: &str) -> Vec<(String, Method, String)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let id = operation["operationId"].as_str().unwrap().to_owned();
            operations.push((id, method, path.replace("{game_id}", game)));
        }
    }
    operations
}

/// A request with a body where the method takes one.
pub(crate) fn asking(server: &Server, method: &Method, path: &str, token: Option<&str>) -> RequestBuilder {
    let feed = format!("/v1/feed?games={UNKNOWN}");
    let request = authorized(server.request(method.clone(), if path == "/v1/feed" { &feed } else { path }), token);
    match (method, path) {
        (_, "/v1/games/status") => request.json(&json!({"games": vec![json!({"id": UNKNOWN}); 20]})),
        (&Method::POST, _) => request.json(&json!({})),
        _ => request,
    }
}

/// What any operation refuses before it looks at the game.
pub(crate) async fn of_every_operation(server: &Server, document: &Value) {
    let table = Table::in_battle(server).await;
    for (id, method, path) in operations(document, &table.id) {
        let host = Some(table.host.as_str());
        let large = authorized(server.request(method.clone(), &path), host).body(" ".repeat(16 * 1024 + 1));
        send(large).await.refuses(413, "body_too_large");
        let query = format!("{path}?unknown=1");
        send(asking(server, &method, &query, host)).await.refuses(400, "malformed");
        if method == Method::POST {
            let untyped = authorized(server.request(method.clone(), &path), host).body("{}");
            send(untyped).await.refuses(415, "unsupported_media_type");
        }
        if path.contains(&table.id) {
            send(asking(server, &method, &path, Some("nonsense"))).await.refuses(401, "unauthorized");
            let elsewhere = path.replace(&table.id, UNKNOWN);
            send(asking(server, &method, &elsewhere, host)).await.refuses(404, "game_not_found");
        }
        if id == "proveAnswer" {
            send(asking(server, &method, &path, host)).await.refuses(404, "nothing_to_prove");
        } else if id.starts_with("analyse") {
            send(asking(server, &method, &path, host)).await.refuses(409, "not_over");
        }
        let other = send(authorized(server.request(Method::DELETE, &path), host)).await;
        assert_eq!(other.status, 405, "{id}");
    }
    table.resign(server, Guest).await.expect(200);
    server.get(&table.path("/analysis/4"), None).await.refuses(404, "nothing_to_analyse");
    server.get("/nowhere", None).await.refuses(404, "route_not_found");
    server.get(&format!("/v1/feed?games={UNKNOWN},{}", table.id), None).await.refuses(404, "game_not_found");
}

/// What phase, turn and the public record refuse.
pub(crate) async fn of_the_rules(server: &Server) {
    let any = layout(FLEET, "J10");
    let mut table = Table::create(server, &json!({"options": {"first": "host"}})).await;
    server.post(&table.path("/join"), Some(&table.host), &json!({})).await.refuses(409, "own_game");
    table.join(server).await;
    server.post(&table.path("/join"), None, &json!({})).await.refuses(409, "game_full");
    table.fire(server, Host, "A1").await.refuses(409, "not_in_battle");
    table.reveal(server, Host, "A1").await.refuses(409, "not_in_battle");
    table.place(server, Host, &any).await.expect(200);
    table.place(server, Host, &any).await.refuses(409, "already_placed");
    table.place(server, Guest, &any).await.expect(200);
    table.fire(server, Guest, "A1").await.refuses(409, "not_your_turn");
    table.reveal(server, Guest, "A1").await.refuses(409, "not_your_turn");
    table.reveal(server, Host, "A1").await.refuses(409, "no_reveal_due");
    table.fire(server, Host, "A1 A1").await.refuses(422, "wrong_shot_count");
    table.fire(server, Host, "O15").await.refuses(422, "outside_grid");
    table.fire(server, Host, "J10").await.expect(200);
    table.fire(server, Host, "A1").await.refuses(409, "reveal_due");
    table.reveal(server, Host, "A1 B1").await.refuses(422, "wrong_reveal_count");
    table.reveal(server, Host, "O15").await.refuses(422, "outside_grid");
    table.reveal(server, Host, "J1").await.refuses(422, "not_revealable");
    table.reveal(server, Host, "A1").await.expect(200);
    table.fire(server, Guest, "A1").await.expect(200);
    table.fire(server, Host, "J10").await.refuses(409, "already_fired");
    server.get(&table.path("/replay?as=all"), None).await.refuses(409, "not_over");
    for (below, tag) in
        [("join", "1-spectator"), ("place", "1-host"), ("fire", "1-host"), ("reveal", "1-host"), ("resign", "1-host")]
    {
        let token = (below != "join").then_some(table.host.as_str());
        let body = match below {
            "place" => any.to_json(),
            "fire" => json!({"shots": ["A2"]}),
            "reveal" => json!({"cells": ["A2"]}),
            _ => json!({}),
        };
        let request = authorized(server.request(Method::POST, &table.path(&format!("/{below}"))), token).json(&body);
        send(request.header("if-match", format!("\"{tag}\""))).await.refuses(412, "stale_version");
    }
    server.post(&table.path("/rematch"), Some(&table.host), &json!({})).await.refuses(409, "not_over");
    table.resign(server, Host).await.expect(200);
    table.place(server, Host, &any).await.refuses(409, "game_over");
    table.fire(server, Host, "A2").await.refuses(409, "game_over");
    table.reveal(server, Host, "A2").await.refuses(409, "game_over");
    table.resign(server, Host).await.refuses(409, "game_over");
    server.post(&table.path("/join"), None, &json!({})).await.refuses(409, "game_over");

    // A volley, so that more than one cell is due.
    let salvo = json!({"first": "host", "salvo": true, "grid": 12});
    let two = layout(FLEET, "J10 L12");
    let table = Table::in_battle_with(server, &salvo, &two, &two).await;
    table.fire(server, Host, "A1 A1 A2 A3 A4").await.refuses(422, "repeated_cell");
    table.fire(server, Host, "J10 L12 A1 A2 A3").await.expect(200);
    table.reveal(server, Host, "A1 A1").await.refuses(422, "repeated_cell");
    table.reveal(server, Host, "A1 B1").await.expect(200);
    // Before the battle nobody wins.
    let table = Table::create(server, &json!({"name": null, "listed": false, "bot": null})).await;
    table.resign(server, Host).await.expect(200);
    server.post(&table.path("/rematch"), Some(&table.host), &json!({})).await.refuses(409, "not_joined");
}

/// Every fault that a layout can have.
pub(crate) async fn of_layouts(server: &Server) {
    let table = Table::joined(server, &json!({})).await;
    for (fleet, mines, code) in [
        ("H1>5 A3>4 A5>3 A7>3 E7>2", "J10", "outside_grid"),
        ("A1>5 A3>4 A5>3 A7>3", "J10", "wrong_fleet"),
        ("A1>5 A1v4 A7>3 E7>3 H7>2", "J10", "overlap"),
        ("A1>5 A2>4 A5>3 A7>3 E7>2", "J10", "touch"),
        (FLEET, "A1", "mine_on_ship"),
        (FLEET, "F1", "mine_touches"),
        (FLEET, "J10 H10", "wrong_mine_count"),
    ] {
        let refused = table.place(server, Host, &layout(fleet, mines)).await;
        let faults = refused.refuses(422, "illegal_layout")["faults"].as_array().unwrap();
        assert!(faults.iter().any(|fault| fault["code"] == code), "{code}: {faults:?}");
    }
    let small = Table::joined(server, &json!({"grid": 8})).await;
    let mut blocked = layout("", "A8");
    blocked.ships = blocked_classic_fleet();
    let refused = small.place(server, Host, &blocked).await;
    let faults = refused.refuses(422, "illegal_layout")["faults"].as_array().unwrap();
    assert!(faults.iter().any(|fault| fault["code"] == "no_room_for_mines"), "{faults:?}");
    // Every pair of a crowd is a fault.
    let crowd = layout(&"A1>1 ".repeat(20), &"A1 ".repeat(20));
    table.place(server, Host, &crowd).await.refuses(422, "illegal_layout");
}

/// Keys that were used for something else, and games that somebody else holds.
pub(crate) async fn of_repeats(server: &Server, database: &Database) {
    let key = "0123456789abcdef0123456789abcdef";
    let keyed =
        async |path: &str, token: Option<&str>, body: &Value| server.post_with_key(path, token, key, body).await;
    let created = keyed("/v1/games", None, &json!({"options": {"first": "host"}})).await.expect(201).clone();
    keyed("/v1/games", None, &json!({})).await.refuses(422, "idempotency_mismatch");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut table = Table::of(&created);
    table.guest = text(&keyed(&table.path("/join"), None, &json!({})).await.expect(201)["token"]);
    keyed(&table.path("/join"), None, &json!({"name": "Boris"})).await.refuses(422, "idempotency_mismatch");
    let place = keyed(&table.path("/place"), Some(&table.host), &layout(FLEET, "J10").to_json()).await;
    place.expect(200);
    for (below, body) in [
        ("/place", layout(FLEET, "H10").to_json()),
        ("/fire", json!({"shots": ["A1"]})),
        ("/reveal", json!({"cells": ["A1"]})),
        ("/resign", json!({})),
        ("/rematch", json!({})),
    ] {
        keyed(&table.path(below), Some(&table.host), &body).await.refuses(422, "idempotency_mismatch");
    }

    let open = Table::create(server, &json!({})).await;
    let battle = Table::in_battle(server).await;
    let struck = Table::in_battle(server).await;
    struck.fire(server, Host, "J10").await.expect(200);
    let over = Table::in_battle(server).await;
    over.resign(server, Guest).await.expect(200);
    for (table, below, token, body) in [
        (&open, "/join", None, json!({})),
        (&table, "/place", Some(&table.guest), layout(FLEET, "J10").to_json()),
        (&battle, "/fire", Some(&battle.host), json!({"shots": ["A1"]})),
        (&struck, "/reveal", Some(&struck.host), json!({"cells": ["A1"]})),
        (&battle, "/resign", Some(&battle.guest), json!({})),
        (&over, "/rematch", Some(&over.host), json!({})),
    ] {
        let holder = Held::take(database, table).await;
        server.post(&table.path(below), token.map(String::as_str), &body).await.refuses(409, "in_flight");
        holder.release().await;
    }
}

/// What takes its time: clocks that run out, and bodies that never come.
pub(crate) async fn of_time(server: &Server, database: &Database, contract: &Contract) {
    // Only what it creates expires so soon.
    let hasty = Server::start_with(database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let unjoined = Table::create(&hasty, &json!({})).await;
    let over = Table::in_battle(server).await;
    over.resign(server, Guest).await.expect(200);
    let rematch = hasty.post(&over.path("/rematch"), Some(&over.host), &json!({})).await;
    let new = Table { id: rematch.expect(201)["game"]["id"].as_str().unwrap().to_owned(), ..over.clone() };
    let clock = json!({"turn_seconds": 10, "first": "host"});
    let battle = Table::in_battle_with(server, &clock, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    let placing = Table::joined(server, &clock).await;
    placing.place(server, Guest, &layout(FLEET, "J10")).await.expect(200);

    let document = server.get("/openapi.json", None).await.expect(200).clone();
    let stalled = operations(&document, &battle.id).into_iter().map(|(_, method, path)| async move {
        let written = without_its_body(server, method.as_str(), &path, None);
        let reply = ask(&written).await.expect("the server answers");
        reply.refuses(408, "request_timeout");
        contract.judge(&Exchange { method: &method, path: &path, parameters: Vec::new(), body: None, reply: &reply });
    });
    // Meanwhile nobody can act for two seconds.
    let log = battle.log(server).await;
    let from: DateTime<Utc> = log[log.len() - 1]["at"].as_str().unwrap().parse().unwrap();
    join(join_all(stalled), database.was_out_of_reach(from, from + TimeDelta::seconds(2))).await;

    wait_until_it_ends(server, &new).await;
    server.post(&over.path("/rematch"), Some(&over.guest), &json!({})).await.expect(201);
    for table in [&unjoined, &battle, &placing] {
        wait_until_it_ends(server, table).await;
        server.get(&table.path("/verify"), None).await.expect(200);
        server.get(&table.path("/events"), None).await.expect(200);
        server.get(&format!("/v1/feed?games={}&after=0", table.id), None).await.expect(200);
        server.get(&table.path("/replay"), None).await.expect(200);
    }
}

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
