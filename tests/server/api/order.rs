//! One order for all requests: wherever two things are wrong, the earlier one is told.

use crate::api::asking::{post_text, posting};
use ground::server::{Reply, Server, authorized, send};
use ground::table::Table;
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
    let over = Table::in_battle(&server).await;
    over.resign(&server, Guest).await.expect(200);
    for below in ACTIONS {
        for content_type in [None, Some("text/plain"), Some("application/json")] {
            let path = format!("{}?x=1", table.path(below));
            let request = posting(&server, &path, Some("nonsense"), content_type, "{").header("if-match", "nonsense");
            send(request).await.refuses(401, "unauthorized");
        }
        // Whoever joins needs no token.
        if below != "/join" {
            post_text(&server, &table.path(below), None, "{").await.refuses(401, "unauthorized");
            post_text(&server, &over.path(below), None, "{}").await.refuses(401, "unauthorized");
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
