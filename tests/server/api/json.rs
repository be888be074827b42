//! One request, one meaning: how JSON is read.

use serde_json::{Value, json};

use crate::api::asking::post_text;
use crate::api::phase_games::PhaseGames;
use ground::server::Server;
use ground::table::Table;
use testing::model::Seat;

use Seat::Host;

#[tokio::test]
async fn what_is_no_json_is_malformed() {
    let games = PhaseGames::new().await;
    let brackets = "[".repeat(16_000);
    let braces = r#"{"a":"#.repeat(3_000);
    for operation in ["create", "join", "place", "fire", "reveal", "resign"] {
        for body in [
            "{",
            "}",
            "{]",
            "nonsense",
            "NaN",
            "{'name': 1}",
            "{name: 1}",
            "{} {}",
            "{},",
            "{/**/}",
            "{}//",
            " ",
            "\n",
            "\u{feff}{}",
            "\0",
            "{}\0",
            "\u{b}{}",
            brackets.as_str(),
            braces.as_str(),
            r#"{"\ud800": 1}"#,
        ] {
            games.refuses(operation, body).await;
        }
        for body in [
            &b"{\"\xff\": 1}"[..],
            b"\xff\xfe{\0}\0",
            b"\xfe\xff\0{\0}",
            b"{\"name\": \"\xc0\x80\"}",
            b"{\"name\": \"\xed\xa0\x80\"}",
        ] {
            games.send(operation, body).await.refuses(400, "malformed");
        }
    }
    games.ends_well().await;
}

#[tokio::test]
async fn a_body_is_an_object_and_nothing_else() {
    let games = PhaseGames::new().await;
    for operation in ["create", "join", "place", "fire", "reveal", "resign"] {
        for body in ["null", "true", "1", r#""{}""#, "[]", "[{}]", r#"[["B7"]]"#, "[[], []]"] {
            games.refuses(operation, body).await;
        }
    }
    games.ends_well().await;
}

#[tokio::test]
async fn a_field_that_is_missing_or_of_another_type_is_malformed() {
    let games = PhaseGames::new().await;
    for (operation, body) in [
        ("create", r#"{"options": 10}"#),
        ("create", r#"{"options": "classic"}"#),
        ("create", r#"{"name": 1}"#),
        ("create", r#"{"name": ["Anna"]}"#),
        ("create", r#"{"listed": 1}"#),
        ("create", r#"{"listed": "false"}"#),
        ("create", r#"{"bot": true}"#),
        ("create", r#"{"bot": "unbeatable"}"#),
        ("join", r#"{"name": {}}"#),
        ("join", r#"{"name": false}"#),
        ("place", "{}"),
        ("place", r#"{"mines": []}"#),
        ("place", r#"{"ships": {}}"#),
        ("place", r#"{"ships": "A1"}"#),
        ("place", r#"{"ships": [], "mines": "J10"}"#),
        ("place", r#"{"ships": [], "mines": {"0": "J10"}}"#),
        ("place", r#"{"ships": [], "mines": [null]}"#),
        ("place", r#"{"ships": [null]}"#),
        ("place", r#"{"ships": ["A1"]}"#),
        ("place", r#"{"ships": [{}]}"#),
        ("place", r#"{"ships": [{"start": "A1"}]}"#),
        ("place", r#"{"ships": [{"length": 5}]}"#),
        ("fire", "{}"),
        ("fire", r#"{"shots": "B7"}"#),
        ("fire", r#"{"shots": {"cell": "B7"}}"#),
        ("fire", r#"{"shots": [["B7"]]}"#),
        ("fire", r#"{"shots": [7]}"#),
        ("fire", r#"{"shots": [null]}"#),
        ("fire", r#"{"shots": [{"column": 1, "row": 6}]}"#),
        ("reveal", "{}"),
        ("reveal", r#"{"cells": "A1"}"#),
        ("reveal", r#"{"cells": [1]}"#),
    ] {
        games.refuses(operation, body).await;
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_an_unknown_field_is_refused_wherever_it_stands() {
    let games = PhaseGames::new().await;
    for (operation, body) in [
        ("create", r#"{"color": "red"}"#),
        ("create", r#"{"": 1}"#),
        ("create", r#"{"Name": "Anna"}"#),
        ("create", r#"{"token": "x"}"#),
        ("create", r#"{"options": {"size": 10}}"#),
        ("create", r#"{"options": {"name": "Anna"}}"#),
        ("create", r#"{"grid": 10}"#),
        ("join", r#"{"seat": "guest"}"#),
        ("join", r#"{"name": "Boris", "token": "x"}"#),
        ("place", r#"{"ships": [], "mines": [], "seat": "guest"}"#),
        ("place", r#"{"ships": [{"start": "A1", "length": 5, "sunk": false}]}"#),
        ("place", r#"{"ships": [{"start": "A1", "length": 5, "end": "E1"}]}"#),
        ("fire", r#"{"shots": ["A1"], "seat": "host"}"#),
        ("fire", r#"{"cells": ["A1"]}"#),
        ("fire", r#"{"shots": ["A1"], "version": 4}"#),
        ("reveal", r#"{"cells": ["A1"], "shots": []}"#),
        ("resign", r#"{"sure": true}"#),
        ("resign", r#"{"x": null}"#),
    ] {
        games.refuses(operation, body).await;
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_a_doubled_key_is_refused_wherever_it_stands() {
    let games = PhaseGames::new().await;
    for (operation, body) in [
        ("create", r#"{"name": "Anna", "name": "Anna"}"#),
        ("create", r#"{"name": "Anna", "n\u0061me": "Boris"}"#),
        ("create", r#"{"name": null, "name": "Anna"}"#),
        ("create", r#"{"options": {}, "options": {}}"#),
        ("create", r#"{"options": {"grid": 8, "grid": 10}}"#),
        ("join", r#"{"name": "A", "name": "B"}"#),
        ("place", r#"{"ships": [], "ships": []}"#),
        ("place", r#"{"ships": [], "mines": null, "mines": []}"#),
        ("place", r#"{"ships": [{"start": "A1", "start": "A1", "length": 5}]}"#),
        ("fire", r#"{"shots": ["A1"], "shots": ["A1"]}"#),
        ("reveal", r#"{"cells": ["A1"], "cells": ["A1"]}"#),
    ] {
        games.refuses(operation, body).await;
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_an_array_never_stands_for_an_object() {
    let games = PhaseGames::new().await;
    for (operation, body) in [
        ("create", r#"[{"grid": 10}, "Anna", false, null]"#),
        ("create", r#"{"options": []}"#),
        ("create", r#"{"options": [10, "classic", true, false, false, "random", null]}"#),
        ("join", r#"["Boris"]"#),
        ("place", "[[], []]"),
        ("place", r#"{"ships": [["A1", 5, "across"]]}"#),
        ("fire", r#"[["A1"]]"#),
        ("reveal", r#"[["A1"]]"#),
        ("resign", "[]"),
    ] {
        games.refuses(operation, body).await;
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_null_is_absent_wherever_it_is_allowed() {
    let server = Server::shared().await;
    let nulls = r#"{"options": {"grid": null, "fleet": null, "mines": null, "salvo": null, "shoot_again": null,
        "first": null, "turn_seconds": null}, "name": null, "listed": null, "bot": null}"#;
    let plain = post_text(&server, "/v1/games", None, "{}").await;
    for body in [nulls, r#"{"options": null}"#, r#"{"options": {}, "listed": false}"#] {
        let reply = post_text(&server, "/v1/games", None, body).await;

        for field in ["options", "setup", "players", "status", "first"] {
            assert_eq!(reply.expect(201)["game"][field], plain.expect(201)["game"][field]);
        }
    }

    let mut table = Table::create(&server, &json!({"options": {"mines": false}})).await;
    let reply = post_text(&server, &table.path("/join"), None, r#"{"name": null}"#).await;
    assert_eq!(reply.expect(201)["game"]["players"]["guest"]["name"], Value::Null);
    reply.json["token"].as_str().unwrap().clone_into(&mut table.guest);
    let ships = r#"[{"start": "A1", "length": 5, "direction": null}, {"start": "A3", "length": 4}, {"start": "A5",
        "length": 3}, {"start": "A7", "length": 3}, {"start": "E7", "length": 2, "direction": "across"}]"#;
    for (token, rest) in [(&table.host, r#", "mines": null"#), (&table.guest, "")] {
        let body = format!(r#"{{"ships": {ships}{rest}}}"#);
        post_text(&server, &table.path("/place"), Some(token), body).await.expect(200);
    }
    let boards = table.see(&server, Some(Host)).await["boards"].clone();
    assert_eq!(boards["host"]["ships"][0]["direction"], "across");
}

#[tokio::test]
async fn c_null_is_no_value_where_one_is_needed() {
    let games = PhaseGames::new().await;
    for (operation, body) in [
        ("place", r#"{"ships": null}"#),
        ("place", r#"{"ships": [{"start": null, "length": 5}]}"#),
        ("place", r#"{"ships": [{"start": "A1", "length": null}]}"#),
        ("place", r#"{"ships": [], "mines": [null]}"#),
        ("fire", r#"{"shots": null}"#),
        ("reveal", r#"{"cells": null}"#),
    ] {
        games.refuses(operation, body).await;
    }
    // Mines left out are none, which is one too few here.
    for body in [r#"{"ships": []}"#, r#"{"ships": [], "mines": null}"#] {
        let reply = games.send("place", body).await;
        let faults = reply.refuses(422, "illegal_layout")["faults"].as_array().unwrap();
        assert!(faults.iter().any(|fault| fault["code"] == "wrong_mine_count"), "{faults:?}");
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_an_error_of_reading_says_where() {
    let games = PhaseGames::new().await;
    for (operation, body, place) in [
        ("create", r#"{"options": {"grid": 9}}"#, "options.grid"),
        ("create", r#"{"options": {"turn_seconds": 9}}"#, "options.turn_seconds"),
        ("place", r#"{"ships": [{"start": "A1", "length": 1}, {"start": "A0", "length": 1}]}"#, "ships[1].start"),
        ("place", r#"{"ships": [{"start": "A1", "length": 16}]}"#, "ships[0].length"),
        ("fire", r#"{"shots": ["A1", "b7"]}"#, "shots[1]"),
    ] {
        let reply = games.send(operation, body).await;
        let detail = reply.refuses(400, "malformed")["detail"].as_str().unwrap();
        assert!(detail.contains(place), "{detail}");
    }
    games.ends_well().await;
}
