//! One order for all requests: wherever two things are wrong, the earlier one is told.

use serde_json::json;

use crate::api::asking::{post_text, posting};
use crate::api::script::play;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use reqwest::Method;
use testing::model::Seat;

use Seat::{Guest, Host};

/// The actions of a seat and of whoever joins.
const ACTIONS: [&str; 5] = ["/join", "/place", "/fire", "/reveal", "/resign"];

/// An id in the right spelling that no game has.
const NO_GAME: &str = "/v1/games/01890a5d-ac96-774b-bcce-b302099a8057";

#[tokio::test]
async fn c1_no_route_comes_before_everything() {
    let server = Server::shared().await;

    let get = send(server.request(Method::GET, "/v1/nowhere?x=1").bearer_auth("nonsense")).await;
    let put = send(server.request(Method::PUT, "/v1/nowhere").body(too_large())).await;
    let below = send(server.request(Method::POST, &format!("{NO_GAME}/nowhere")).body(too_large())).await;

    for reply in [get, put, below] {
        reply.refuses(404, "route_not_found");
    }
}

#[tokio::test]
async fn c1_the_method_comes_before_size_game_and_token() {
    let server = Server::shared().await;
    for below in ACTIONS {
        let request = server.request(Method::PUT, &format!("{NO_GAME}{below}?x=1"));

        let reply = send(request.bearer_auth("nonsense").header("content-type", "text/plain").body(too_large())).await;

        reply.refuses(405, "method_not_allowed");
    }
}

#[tokio::test]
async fn c2_the_size_comes_before_the_game_and_the_token() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for below in ACTIONS {
        for path in [format!("{NO_GAME}{below}?x=1"), format!("/v1/games/x{below}"), table.path(below)] {
            let reply = send(posting(&server, &path, Some("nonsense"), Some("text/plain"), too_large())).await;

            reply.refuses(413, "body_too_large");
        }
    }
}

#[tokio::test]
async fn c3_the_game_comes_before_the_token() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for below in ACTIONS {
        for path in [format!("{NO_GAME}{below}?x=1"), format!("/v1/games/x{below}")] {
            for token in [None, Some("nonsense"), Some(table.host.as_str())] {
                send(posting(&server, &path, token, Some("text/plain"), "{")).await.refuses(404, "game_not_found");
            }
        }
    }
    for below in ["", "/events", "?x=1", "/events?after=x"] {
        for token in [None, Some("nonsense"), Some(table.host.as_str())] {
            server.get(&format!("{NO_GAME}{below}"), token).await.refuses(404, "game_not_found");
        }
    }
}

#[tokio::test]
async fn c4_the_token_comes_before_what_the_request_says() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for below in ACTIONS {
        for content_type in [None, Some("text/plain"), Some("application/json")] {
            let path = format!("{}?x=1", table.path(below));
            let request = posting(&server, &path, Some("nonsense"), content_type, "{").header("if-match", "nonsense");
            send(request).await.refuses(401, "unauthorized");
        }
        // Whoever joins needs no token.
        if below != "/join" {
            post_text(&server, &table.path(below), None, "{").await.refuses(401, "unauthorized");
        }
    }
    for below in ["?x=1", "/events?after=x"] {
        server.get(&table.path(below), Some("nonsense")).await.refuses(401, "unauthorized");
    }
}

#[tokio::test]
async fn c5_the_content_type_comes_before_query_headers_and_body() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for below in ACTIONS {
        let path = format!("{}?x=1", table.path(below));
        let request =
            posting(&server, &path, Some(&table.host), Some("text/plain"), "{").header("if-match", "nonsense");

        send(request).await.refuses(415, "unsupported_media_type");
    }
    send(posting(&server, "/v1/games?x=1", None, Some("text/plain"), "{")).await.refuses(415, "unsupported_media_type");
}

#[tokio::test]
async fn c5_what_is_malformed_comes_before_a_version_that_is_stale() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (below, body) in bodies() {
        let token = (below != "/join").then_some(table.host.as_str());
        let stale = |path: &str, body: &str| {
            posting(&server, path, token, Some("application/json"), body.to_owned()).header("if-match", "\"1-nobody\"")
        };
        let path = table.path(below);

        send(stale(&format!("{path}?x=1"), body)).await.refuses(400, "malformed");
        send(stale(&path, "{")).await.refuses(400, "malformed");
        send(stale(&path, r#"{"unknown": 1}"#)).await.refuses(400, "malformed");
        send(stale(&path, body).header("if-match", "nonsense")).await.refuses(400, "malformed");
        send(stale(&path, body)).await.refuses(412, "stale_version");
    }
}

#[tokio::test]
async fn c7_a_stale_version_comes_before_phase_and_turn() {
    let server = Server::shared().await;
    // The guest is not on turn, has placed, and owes nothing; the seats are taken.
    let battle = Table::in_battle(&server).await;
    let over = Table::in_battle(&server).await;
    over.resign(&server, Host).await.expect(200);
    let in_battle = ["game_full", "already_placed", "not_your_turn", "not_your_turn"];
    for (table, codes) in [(battle, in_battle), (over, ["game_over"; 4])] {
        let version = table.see(&server, None).await["version"].clone();
        for ((below, body), code) in bodies().into_iter().zip(codes) {
            let token = (below != "/join").then_some(table.guest.as_str());
            let ask = |tag: &'static str| {
                let request = posting(&server, &table.path(below), token, Some("application/json"), body);
                send(request.header("if-match", tag))
            };

            let stale = ask("\"1-guest\", \"1-spectator\"").await;

            assert_eq!(stale.refuses(412, "stale_version")["version"], version);
            ask("*").await.refuses(409, code);
        }
    }
}

#[tokio::test]
async fn c8_phase_and_turn_come_before_what_is_sent() {
    let server = Server::shared().await;
    let waiting = Table::create(&server, &json!({})).await;
    let placing = Table::joined(&server, &json!({})).await;
    let battle = Table::in_battle(&server).await;
    play(&server, &battle, "host fires A1 : hit").await;

    // By count, as a repetition, outside the grid, or fired at before.
    for cells in ["", "A1 B1", "B1 B1", "K1", "A1"] {
        placing.fire(&server, Host, cells).await.refuses(409, "not_in_battle");
        placing.reveal(&server, Host, cells).await.refuses(409, "not_in_battle");
        battle.fire(&server, Host, cells).await.refuses(409, "not_your_turn");
        battle.reveal(&server, Host, cells).await.refuses(409, "not_your_turn");
        battle.reveal(&server, Guest, cells).await.refuses(409, "no_reveal_due");
    }
    let illegal = layout("A1>5 A2>4", "A1");
    waiting.place(&server, Host, &illegal).await.refuses(409, "not_joined");
    battle.place(&server, Host, &illegal).await.refuses(409, "already_placed");
    battle.resign(&server, Host).await.expect(200);
    battle.place(&server, Host, &illegal).await.refuses(409, "game_over");
    battle.fire(&server, Guest, "K1 K1").await.refuses(409, "game_over");
}

#[tokio::test]
async fn c8_a_mine_struck_comes_before_what_is_fired_next() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    play(
        &server,
        &table,
        "
        host fires J10   : mine owes 1
        host fires J10   : 409 reveal_due
        host fires K1 K1 : 409 reveal_due
        host fires       : 409 reveal_due
        ",
    )
    .await;
}

#[tokio::test]
async fn c9_of_a_volley_count_repetition_grid_and_record_are_told_in_this_order() {
    let server = Server::shared().await;
    let options = json!({"salvo": true, "first": "host"});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;

    play(
        &server,
        &table,
        "
        host  fires H1 H2 H3 H4 H5          : miss miss miss miss miss
        guest fires H1 H2 H3 H4 H5          : miss miss miss miss miss
        host  fires H1 H1 K1 A1 B1 C1       : 422 wrong_shot_count 5
        host  fires H1 A1 A1 K1 B1          : 422 repeated_cell A1
        host  fires H1 A1 K1 K1 B1          : 422 repeated_cell K1
        host  fires H1 A1 K1 B1 C1          : 422 outside_grid K1
        host  fires H1 A1 B1 C1 D1          : 409 already_fired H1
        host  fires E1 A1 B1 C1 D1          : hit hit hit hit sunk
        ",
    )
    .await;
}

#[tokio::test]
async fn c10_of_cells_given_away_the_own_board_is_looked_at_last() {
    let server = Server::shared().await;
    let options = json!({"grid": 12, "salvo": true, "first": "host"});
    let board = layout(FLEET, "L12 L10");
    let table = Table::in_battle_with(&server, &options, &board, &board).await;

    play(
        &server,
        &table,
        "
        host fires L12 L10 J1 J2 J3 : mine mine miss miss miss owes 2
        host gives M1 M1 J1         : 422 wrong_reveal_count 2
        host gives M1 M1            : 422 repeated_cell M1
        host gives J1 J1            : 422 repeated_cell J1
        host gives M1 J1            : 422 outside_grid M1
        host gives A1 J1            : 422 not_revealable J1
        host gives A1 B1
        ",
    )
    .await;
}

#[tokio::test]
async fn c_what_lies_on_a_board_never_changes_which_refusal_comes() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let refused = async |cell: &str| -> Reply { table.fire(&server, Guest, cell).await };

    let water = refused("J1").await;

    for cell in ["A1", "J10", "F7", "O15"] {
        assert_eq!(refused(cell).await.text, water.text);
    }
}

#[tokio::test]
async fn c_head_is_judged_as_get_is() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (status, path, token) in [
        (404, "/v1/nowhere".to_owned(), None),
        (404, NO_GAME.to_owned(), Some("nonsense")),
        (401, table.path("?x=1"), Some("nonsense")),
        (400, table.path("?x=1"), None),
        (400, table.path("/events?after=x"), None),
    ] {
        let reply = send(authorized(server.request(Method::HEAD, &path), token)).await;

        assert_eq!((reply.status, reply.text.as_str()), (status, ""), "{path}");
    }
}

/// A body for each action that the schema allows.
fn bodies() -> [(&'static str, &'static str); 5] {
    [
        ("/join", r#"{"name": null}"#),
        ("/place", r#"{"ships": []}"#),
        ("/fire", r#"{"shots": ["J1"]}"#),
        ("/reveal", r#"{"cells": ["A1"]}"#),
        ("/resign", "{}"),
    ]
}

/// A byte more than a body may have.
fn too_large() -> String {
    " ".repeat(16 * 1024 + 1)
}
