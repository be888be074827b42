//! The log: its pages, and times that never change.

use serde_json::{Value, json};

use crate::api::games::play_on;
use crate::api::whole_games::is_time;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn c_the_log_is_read_from_anywhere_in_any_stretch() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (query, expected) in [
        ("", &[1, 2, 3, 4][..]),
        ("after=0", &[1, 2, 3, 4]),
        ("after=2", &[3, 4]),
        ("limit=2", &[1, 2]),
        ("limit=500", &[1, 2, 3, 4]),
        ("after=1&limit=1", &[2]),
        ("limit=1&after=3", &[4]),
        ("after=4", &[]),
        ("after=5", &[]),
        ("after=2147483647", &[]),
    ] {
        let reply = server.get(&table.path(&format!("/events?{query}")), None).await;

        let seqs: Vec<_> =
            reply.expect(200)["events"].as_array().unwrap().iter().map(|event| event["seq"].clone()).collect();
        assert_eq!(seqs, expected, "{query}");
        assert_eq!(reply.json["version"], 4, "{query}");
        assert_eq!(reply.json.as_object().unwrap().len(), 2, "{query}");
    }
}

#[tokio::test]
async fn c_a_hundred_events_come_where_nothing_is_said() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for row in 1..=10 {
        for column in ["G", "H", "I", "J"] {
            let cell = format!("{column}{row}");
            for seat in [Host, Guest] {
                let reply = table.fire(&server, seat, &cell).await;
                if reply.expect(200)["awaiting"][0]["action"] == "reveal" {
                    let given = if seat == Host { "A1" } else { "B1" };
                    table.reveal(&server, seat, given).await.expect(200);
                }
            }
        }
    }
    for row in [2, 4, 6, 8] {
        for cell in ["A", "B"].map(|column| format!("{column}{row}")) {
            table.fire(&server, Host, &cell).await.expect(200);
            table.fire(&server, Guest, &cell).await.expect(200);
        }
    }

    let reply = server.get(&table.path("/events"), None).await;

    assert_eq!(reply.expect(200)["version"], 102);
    let seqs: Vec<_> =
        reply.json["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=100).collect::<Vec<_>>());
}

#[tokio::test]
async fn c_bounds_that_are_none_are_malformed() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for query in [
        "after=",
        "after=-1",
        "after=x",
        "after=1.5",
        "after=1.0",
        "after=%2B1",
        "after=+1",
        "after=1e1",
        "after=0x1",
        "after=%20",
        "after=1%00",
        "after=١",
        "limit=0",
        "limit=501",
        "limit=-1",
        "limit=",
        "limit=x",
        "limit=1.0",
        "limit=99999999999999999999",
        "after=1&after=2",
        "after=1&after=1",
        "limit=1&limit=1",
        "after=1,2",
        "after[]=1",
        "after",
    ] {
        let reply = server.get(&table.path(&format!("/events?{query}")), None).await;
        assert_eq!((reply.status, reply.code()), (400, "malformed"), "{query}");
        reply.refuses(400, "malformed");
    }
}

#[tokio::test]
async fn c_the_log_is_the_same_for_everybody() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    play_on(&server, &table, "host fires J10 = mine, owes 1\nhost reveals A1\nguest fires A1 = hit").await;

    let path = table.path("/events");
    let spectator = server.get(&path, None).await;

    assert_eq!(spectator.expect(200)["version"], 7);
    for seat in [Host, Guest] {
        assert_eq!(server.get(&path, Some(table.token(seat))).await.text, spectator.text);
    }
}

#[tokio::test]
async fn an_event_carries_what_its_type_has_and_nothing_else() {
    let server = Server::shared().await;
    let salvo = json!({"salvo": true, "first": "host"});
    let table = Table::in_battle_with(&server, &salvo, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    play_on(
        &server,
        &table,
        "host fires E7 F7 J10 J1 A1 = hit, sunk E7>2, mine, miss, hit, owes 1
         host reveals A1
         guest fires H1 H2 H3 H4 = miss, miss, miss, miss
         host resigns",
    )
    .await;
    let hex = |value: &Value| value.as_str().is_some_and(|text| text.len() == 64 && hex::decode(text).is_ok());

    let log = table.log(&server).await;

    let mut seen = Vec::new();
    for event in &log {
        let mut keys: Vec<_> = event.as_object().unwrap().keys().map(String::as_str).collect();
        keys.retain(|key| !["seq", "at", "type", "status", "awaiting", "head"].contains(key));
        keys.sort_unstable();
        seen.push(format!("{}: {}", event["type"].as_str().unwrap(), keys.join(" ")));
        assert!(is_time(&event["at"]) && hex(&event["head"]), "{event}");
        for entry in event["awaiting"].as_array().unwrap() {
            let keys: Vec<_> = entry.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, ["action", "count", "seat", "until"]);
        }
    }
    assert_eq!(
        seen,
        [
            "created: game options rules seat",
            "joined: first seat",
            "placed: commitment seat",
            "placed: commitment seat",
            "fired: owed seat shots",
            "revealed: cells seat",
            "fired: seat shots",
            "resigned: result seat",
        ]
    );
    let shot = |outcome: &str| {
        let shot = log[4]["shots"].as_array().unwrap().iter().find(|shot| shot["outcome"] == outcome).unwrap();
        shot.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shot("sunk"), "cell outcome ship");
    for outcome in ["miss", "hit", "mine"] {
        assert_eq!(shot(outcome), "cell outcome");
    }
}

#[tokio::test]
async fn a_time_is_the_same_to_the_last_digit_whenever_it_is_read() {
    let server = Server::shared().await;
    let created = server.post("/v1/games", None, &json!({"options": {"turn_seconds": 60, "first": "host"}})).await;
    let game = &created.expect(201)["game"];
    let mut table = Table::of(&created.json);
    let (created_at, expiry) = (game["created_at"].clone(), game["awaiting"][1]["until"].clone());
    assert!(is_time(&created_at) && is_time(&expiry));
    let look = table.look(&server, None).await;
    assert_eq!((&look.json["created_at"], &look.json["awaiting"][1]["until"]), (&created_at, &expiry));
    table.join(&server).await;

    let mut events = Vec::new();
    for (seat, below, body) in [
        (Host, "/place", layout(FLEET, "J10").to_json()),
        (Guest, "/place", layout(FLEET, "J10").to_json()),
        (Host, "/fire", json!({"shots": ["J10"]})),
        (Host, "/reveal", json!({"cells": ["A1"]})),
        (Guest, "/fire", json!({"shots": ["J1"]})),
    ] {
        let reply = server.post(&table.path(below), Some(table.token(seat)), &body).await;
        events.push(reply.expect(200)["events"][0].clone());
        for time in [&reply.json["events"][0]["at"], &reply.json["awaiting"][0]["until"]] {
            assert!(is_time(time), "{time}");
        }
        let look = table.look(&server, Some(Host)).await;
        assert_eq!(look.json["awaiting"], reply.json["awaiting"]);
        assert_eq!(look.json["created_at"], created_at);
    }

    let log = table.log(&server).await;
    assert_eq!(log[2..], events);
    assert_eq!(log[0]["at"], created_at);
    assert_eq!(log[0]["awaiting"][1]["until"], expiry);
    // Through another connection, too.
    assert_eq!(table.log(&server.afresh()).await, log);
}
