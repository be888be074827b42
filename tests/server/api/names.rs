//! Names come back as they were sent.

use serde_json::json;

use crate::api::asking::post_text;
use crate::api::phase_games::PhaseGames;
use ground::server::Server;
use ground::table::Table;

#[tokio::test]
async fn c_a_name_comes_back_as_it_was_sent() {
    let server = Server::shared().await;
    let ships = "\u{1f6a2}".repeat(32);
    for name in [
        "Anna",
        "A",
        " ",
        "  Anna  ",
        "Анна",
        "\u{1f6a2}",
        "👩‍👩‍👧‍👦 🏴‍☠️",
        "e\u{301} is not \u{e9}",
        "\u{202e}annA",
        "\u{200b}\u{feff}\u{2028}\u{2029}",
        "\"\\/<script>&amp;'",
        "{\"a\": 1}",
        "null",
        "\u{fffd}\u{ffff}\u{10ffff}\u{e000}",
        "A\u{a0}\u{ad}B",
        "12345678901234567890123456789012",
        ships.as_str(),
    ] {
        let created = server.post("/v1/games", None, &json!({ "name": name })).await;
        let id = created.expect(201)["game"]["id"].as_str().unwrap();
        let path = format!("/v1/games/{id}");
        let joined = server.post(&format!("{path}/join"), None, &json!({ "name": name })).await;

        assert_eq!(joined.expect(201)["game"]["players"]["host"]["name"], name);
        let look = server.get(&path, None).await;
        let log = server.get(&format!("{path}/events"), None).await;
        for seat in ["host", "guest"] {
            assert_eq!(look.json["players"][seat]["name"], name);
        }
        for event in log.json["events"].as_array().unwrap() {
            assert_eq!(event["name"], name);
        }
        // The chain holds also with what JSON escapes.
        let mut head = crate::api::proof::NO_HEAD;
        for event in log.json["events"].as_array().unwrap() {
            head = crate::api::proof::head(head, event);
            assert_eq!(event["head"], hex::encode(head), "{name}");
        }
    }
}

#[tokio::test]
async fn c_a_name_written_with_escapes_is_the_same_name() {
    let server = Server::shared().await;

    let reply = post_text(&server, "/v1/games", None, r#"{"name": "\u0041\ud83d\udea2\/"}"#).await;

    assert_eq!(reply.expect(201)["game"]["players"]["host"]["name"], "A\u{1f6a2}/");
}

#[tokio::test]
async fn c_a_name_has_1_to_32_characters_and_none_of_control() {
    let games = PhaseGames::new().await;
    let long = "x".repeat(33);
    let long_astral = "\u{1f6a2}".repeat(33);
    let much_too_long = "x".repeat(10_000);
    for name in [
        "",
        r"\u0000",
        r"A\u0000",
        r"\u0001",
        r"\n",
        r"A\tB",
        r"\r",
        r"\u001b[31m",
        r"\u001f",
        r"\u007f",
        r"\u0080",
        r"\u0085",
        r"\u009f",
        r"\ud800",
        r"\udea2\ud83d",
        r"A\ud83d",
        &long,
        &long_astral,
        &much_too_long,
    ] {
        for operation in ["create", "join"] {
            games.refuses(operation, &format!(r#"{{"name": "{name}"}}"#)).await;
        }
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_a_refused_name_leaves_the_guests_seat_free() {
    let server = Server::shared().await;
    let table = Table::create(&server, &json!({})).await;

    post_text(&server, &table.path("/join"), None, r#"{"name": ""}"#).await.refuses(400, "malformed");

    assert_eq!(table.see(&server, None).await["status"], "waiting");
    assert_eq!(table.log(&server).await.len(), 1);
}
