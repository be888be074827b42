//! How numbers and lists are read.

use serde_json::json;

use crate::api::asking::post_text;
use crate::api::phase_games::PhaseGames;
use ground::server::Server;
use ground::table::Table;
use testing::model::Seat;

use Seat::Host;

#[tokio::test]
async fn c_a_number_is_the_integer_that_it_equals() {
    let server = Server::shared().await;
    for grid in ["10", "10.0", "1e1", "1E+1", "10.000", "100e-1", "0.1e2", "1000.0E-2"] {
        let reply = post_text(&server, "/v1/games", None, format!(r#"{{"options": {{"grid": {grid}}}}}"#)).await;
        assert_eq!(reply.expect(201)["game"]["options"]["grid"].to_string(), "10", "{grid}");
    }
    for (sent, seconds) in [("1e1", 10), ("60.0", 60), ("1.2096e6", 1_209_600)] {
        let body = format!(r#"{{"options": {{"turn_seconds": {sent}}}}}"#);
        let reply = post_text(&server, "/v1/games", None, body).await;
        assert_eq!(reply.expect(201)["game"]["options"]["turn_seconds"].to_string(), seconds.to_string());
    }

    let table = Table::joined(&server, &json!({})).await;
    let body = r#"{"ships": [
        {"start": "A1", "length": 5.0}, {"start": "A3", "length": 4e0}, {"start": "A5", "length": 30e-1},
        {"start": "A7", "length": 3}, {"start": "E7", "length": 0.2e1}], "mines": ["J10"]}"#;
    post_text(&server, &table.path("/place"), Some(&table.host), body).await.expect(200);
    let lengths = table.see(&server, Some(Host)).await["boards"]["host"]["ships"][0]["length"].to_string();
    assert_eq!(lengths, "5");
}

#[tokio::test]
async fn c_a_number_that_is_no_such_integer_is_refused() {
    let games = PhaseGames::new().await;
    for number in [
        "10.5",
        "1.05e1",
        "-10",
        "+10",
        "010",
        "10.",
        ".1e2",
        "0x0A",
        "1e400",
        "1e40",
        "-1e400",
        "1e-400",
        "-0",
        "266",
        "65546",
        "4294967306",
        "18446744073709551626",
        "99999999999999999999999999",
        "Infinity",
        "-Infinity",
        "NaN",
        r#""10""#,
        "[10]",
        "true",
    ] {
        games.refuses("create", &format!(r#"{{"options": {{"grid": {number}}}}}"#)).await;
        games.refuses("place", &format!(r#"{{"ships": [{{"start": "A1", "length": {number}}}]}}"#)).await;
        // A clock may have 266 or 65,546 seconds.
        if !["266", "65546"].contains(&number) {
            games.refuses("create", &format!(r#"{{"options": {{"turn_seconds": {number}}}}}"#)).await;
        }
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_a_turn_has_ten_seconds_to_two_weeks() {
    let server = Server::shared().await;
    for (seconds, status) in [
        ("9", 400),
        ("0", 400),
        ("-10", 400),
        ("10", 201),
        ("11", 201),
        ("1209600", 201),
        ("1209601", 400),
        ("10.5", 400),
        ("1e9", 400),
        ("null", 201),
    ] {
        let body = format!(r#"{{"options": {{"turn_seconds": {seconds}}}}}"#);

        let reply = post_text(&server, "/v1/games", None, body).await;

        assert_eq!(reply.status, status, "{seconds}: {}", reply.text);
    }
}

#[tokio::test]
async fn c_a_list_has_at_most_225_entries() {
    let games = PhaseGames::new().await;
    let cells = |count| vec!["A1"; count];
    let ships = |count| vec![json!({"start": "A1", "length": 1}); count];
    for (operation, body, code) in [
        ("fire", json!({"shots": cells(225)}), "wrong_shot_count"),
        ("reveal", json!({"cells": cells(225)}), "wrong_reveal_count"),
        ("place", json!({"ships": ships(225), "mines": []}), "illegal_layout"),
        ("place", json!({"ships": [], "mines": cells(225)}), "illegal_layout"),
        ("fire", json!({"shots": []}), "wrong_shot_count"),
        ("reveal", json!({"cells": []}), "wrong_reveal_count"),
        ("place", json!({"ships": [], "mines": []}), "illegal_layout"),
    ] {
        games.send(operation, body.to_string()).await.refuses(422, code);
    }
    for (operation, body) in [
        ("fire", json!({"shots": cells(226)})),
        ("reveal", json!({"cells": cells(226)})),
        ("place", json!({"ships": ships(226), "mines": []})),
        ("place", json!({"ships": [], "mines": cells(226)})),
    ] {
        games.refuses(operation, &body.to_string()).await;
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_a_length_is_1_to_15() {
    let games = PhaseGames::new().await;
    for length in [1, 15] {
        let body = json!({"ships": [{"start": "A1", "length": length}]});
        games.send("place", body.to_string()).await.refuses(422, "illegal_layout");
    }
    for length in [0, 16, -1, 256, 271] {
        let body = json!({"ships": [{"start": "A1", "length": length}]});
        games.refuses("place", &body.to_string()).await;
    }
    games.ends_well().await;
}
