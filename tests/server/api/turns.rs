//! What a game has in force, and that a failed request does no harm to it.

use serde_json::json;

use crate::api::asking::{posting, raw, side_by_side};
use crate::api::games::play_on;
use ground::server::{Server, authorized, send};
use ground::table::{Table, words};
use testing::model::{Options, Seat};

use Seat::{Guest, Host};

#[tokio::test]
async fn after_any_failed_request_the_right_move_counts() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let other = Table::in_battle(&server).await;
    let path = table.path("/fire");
    let shot = |cell: &str| format!(r#"{{"shots": ["{cell}"]}}"#);
    let too_large = "x".repeat(20_000);
    let json_type = Some("application/json");
    let mut free = words("G1 G2 G3 G4 G5 H1 H2 H3 H4 H5 I1 I2 I3 I4 I5").into_iter();

    for (status, request) in [
        (400, posting(&server, &path, Some(&table.host), json_type, "{")),
        (400, posting(&server, &path, Some(&table.host), json_type, r#"{"shots": ["Z9"]}"#)),
        (400, posting(&server, &format!("{path}?now"), Some(&table.host), json_type, shot("J1"))),
        (400, posting(&server, &path, Some(&table.host), json_type, shot("J1")).header("if-match", "9")),
        (401, posting(&server, &path, None, json_type, shot("J1"))),
        (401, posting(&server, &path, Some(&other.host), json_type, shot("J1"))),
        (404, posting(&server, "/v1/games/x/fire", Some(&table.host), json_type, shot("J1"))),
        (405, authorized(server.request(reqwest::Method::PUT, &path), Some(&table.host))),
        (409, posting(&server, &path, Some(&table.guest), json_type, shot("J1"))),
        (409, posting(&server, &table.path("/reveal"), Some(&table.host), json_type, r#"{"cells": ["A1"]}"#)),
        (412, posting(&server, &path, Some(&table.host), json_type, shot("J1")).header("if-match", "\"1-host\"")),
        (413, posting(&server, &path, Some(&table.host), json_type, too_large.clone())),
        (415, posting(&server, &path, Some(&table.host), Some("text/plain"), shot("J1"))),
        (422, posting(&server, &path, Some(&table.host), json_type, r#"{"shots": []}"#)),
        (422, posting(&server, &path, Some(&table.host), json_type, shot("K1"))),
    ] {
        assert_eq!(send(request).await.status, status);
        let cell = free.next().unwrap();
        play_on(&server, &table, &format!("host fires {cell} = miss\nguest fires {cell} = miss")).await;
    }
    // One that breaks off in the middle of its body.
    let broken = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n5\r\n{{\"sho\r\nnonsense\r\n",
        table.host
    );
    raw(&server, broken.as_bytes()).await;
    play_on(&server, &table, "host fires J1 = miss").await;
}

#[tokio::test]
async fn a_game_tells_the_rules_in_force() {
    let server = Server::shared().await;
    for options in Options::all() {
        let mut sent = options.to_json();
        sent["first"] = json!("guest");
        sent["turn_seconds"] = json!(600);

        let table = Table::joined(&server, &sent).await;

        let setup = json!({"ships": options.fleet(), "mines": options.mine_count()});
        for eyes in [Some(Host), Some(Guest), None] {
            let look = table.look(&server, eyes).await;
            assert_eq!(look.json["options"], sent);
            assert_eq!(look.json["setup"], setup);
            for seat in ["host", "guest"] {
                assert_eq!(look.json["players"][seat]["ships_afloat"], options.fleet().len());
            }
        }
    }
}

#[tokio::test]
async fn the_defaults_are_those_of_the_contract() {
    let server = Server::shared().await;

    let table = Table::create(&server, &json!({})).await;

    let look = table.look(&server, None).await;
    let defaults = json!({
        "grid": 10, "fleet": "classic", "mines": true, "salvo": false, "shoot_again": false, "first": "random",
        "turn_seconds": null,
    });
    assert_eq!(look.json["options"], defaults);
    assert_eq!(server.get("/v1/rules", None).await.expect(200)["defaults"], defaults);
}

#[tokio::test]
async fn r22_who_shoots_first_is_chosen_or_left_to_a_coin() {
    let server = Server::shared().await;
    for seat in ["host", "guest"] {
        let table = Table::joined(&server, &json!({"first": seat})).await;
        assert_eq!(table.see(&server, None).await["first"], seat);
    }

    // Sixty-four coins that all fall alike are no coins.
    let coins = side_by_side((0..64).map(|_| async {
        let table = Table::joined(&server, &json!({"first": "random"})).await;
        table.see(&server, None).await["first"].as_str().unwrap().to_owned()
    }));
    let coins = coins.await;

    assert!(coins.contains(&"host".to_owned()) && coins.contains(&"guest".to_owned()), "{coins:?}");
}
