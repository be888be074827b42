//! Offers to speak another protocol, which mean nothing here (RFC 9110 §7.8).

use reqwest::Method;
use serde_json::json;

use crate::api::asking::{operations, raw};
use crate::api::games::play_on;
use ground::server::{Reply, Server};
use ground::table::Table;
use ground::wire::{Line, Written, bare, get, post};
use testing::model::Seat::{Guest, Host};

/// What comes in front of any request where a proxy is set up for sockets, and what clients offer by themselves.
const OFFERS: [&[(&str, &str)]; 8] = [
    &[("Connection", "upgrade")],
    &[("Connection", "upgrade"), ("Upgrade", "")],
    &[("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABkAAQAoAAAAAIAAAAA")],
    &[("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")],
    &[("Upgrade", "WebSocket")],
    &[("Connection", "keep-alive, Upgrade"), ("Upgrade", "websocket")],
    &[("Connection", "keep-alive"), ("Connection", "UPGRADE"), ("Upgrade", "h2c"), ("Upgrade", "websocket")],
    &[("Connection", "Upgrade"), ("Upgrade", "TLS/1.2, HTTP/2.0")],
];

fn offering(request: Written, offer: &[(&str, &str)]) -> Written {
    offer.iter().fold(request, |request, (name, value)| request.with(name, value))
}

async fn reply_on(line: &mut Line, request: &Written) -> Reply {
    line.send(request).await;
    line.reply().await.expect("the connection goes on")
}

#[tokio::test]
async fn c_an_offer_to_upgrade_means_nothing_on_any_route() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let mut routes = operations(&server, &table.id).await;
    routes.extend(["/openapi.json", "/docs", "/nowhere"].map(|page| (Method::GET, page.to_owned())));
    routes.extend(["PUT", "OPTIONS"].map(|name| (name.parse().unwrap(), "/healthz".to_owned())));
    for (method, path) in routes {
        // A stream of a game that goes on has no end.
        let method = if path.ends_with("/stream") { Method::HEAD } else { method };
        let bare = bare(&server, method.as_str(), &path, None);
        let mut line = Line::for_request(&bare).await;
        let empty = bare.clone().with("Content-Length", "0");
        let full = bare.clone().carrying(&json!({}));
        for request in [bare, empty, full] {
            let plain = reply_on(&mut line, &request).await;
            for offer in OFFERS {
                // A body that nobody reads ends the connection, and the reply says so.
                if plain.header("connection") == Some("close") {
                    line = Line::for_request(&request).await;
                }
                let reply = reply_on(&mut line, &offering(request.clone(), offer)).await;

                assert_eq!(reply.status, plain.status, "{method} {path} {offer:?}: {}", reply.text);
                assert_eq!(reply.header("upgrade"), None, "{method} {path} {offer:?}");
                assert_eq!(reply.header("connection"), plain.header("connection"), "{method} {path} {offer:?}");
            }
            if plain.header("connection") == Some("close") {
                line = Line::for_request(&request).await;
            }
        }
    }
}

#[tokio::test]
async fn c_a_game_is_played_on_a_connection_whose_every_request_offers_to_upgrade() {
    let server = Server::shared().await;
    for offer in OFFERS {
        let table = Table::in_battle(&server).await;
        let mut line = Line::for_request(&get(&server, "/", None)).await;
        for shot in ["G1", "H1", "I1"] {
            for seat in [Host, Guest] {
                let fire = post(&server, &table.path("/fire"), Some(table.token(seat)), &json!({"shots": [shot]}));
                reply_on(&mut line, &offering(fire, offer)).await.expect(200);
            }
        }
        let look = reply_on(&mut line, &offering(get(&server, &table.path(""), None), offer)).await;
        assert_eq!(look.expect(200)["version"], 10);
        let same = offering(get(&server, &table.path(""), None), offer).with("If-None-Match", "\"10-spectator\"");
        assert_eq!(reply_on(&mut line, &same).await.status, 304);
        reply_on(&mut line, &get(&server, "/healthz", None)).await.expect(200);
    }
}

#[tokio::test]
async fn c_requests_that_are_sent_at_once_are_answered_one_after_the_other_whatever_they_offer() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let path = table.path("");
    let websocket = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    let h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    let json = "Content-Type: application/json\r\n";
    let requests = [
        // The others have come before this one is answered.
        format!("GET {path}/events?after=4&wait=1 HTTP/1.1\r\nHost: x\r\n\r\n"),
        format!("GET {path} HTTP/1.1\r\nHost: x\r\n{websocket}\r\n"),
        format!("POST {path}/fire HTTP/1.1\r\nHost: x\r\n{websocket}{json}Content-Length: 2\r\n\r\n{{}}"),
        format!("GET /v1/rules HTTP/1.1\r\nHost: x\r\n{h2c}\r\n"),
        format!(
            "POST /v1/games HTTP/1.1\r\nHost: x\r\n{h2c}{json}Transfer-Encoding: chunked\r\n\r\n\
             1\r\n{{\r\n1;x=y\r\n}}\r\n0\r\n\r\n"
        ),
        format!("GET {path}/nothing HTTP/1.1\r\nHost: x\r\n{websocket}\r\n"),
        "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n".to_owned(),
    ];

    let replies = raw(&server, requests.concat().as_bytes()).await;

    let heads: Vec<&str> = replies.split("HTTP/1.1 ").skip(1).collect();
    let statuses: Vec<&str> = heads.iter().map(|head| &head[..3]).collect();
    assert_eq!(statuses, ["200", "200", "401", "200", "201", "404", "200"], "{replies}");
    assert!(!replies.to_lowercase().contains("upgrade"), "{replies}");
    assert!(heads.last().unwrap().contains("connection: close\r\n"), "{replies}");
}

#[tokio::test]
async fn c_a_stream_is_one_also_where_an_upgrade_is_offered() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    play_on(&server, &table, "host resigns").await;
    for offer in ["Upgrade: websocket\r\nConnection: close, upgrade", "Upgrade: h2c\r\nConnection: upgrade, close"] {
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n{offer}\r\n\r\n",
            table.path("/events")
        );

        let reply = raw(&server, request.as_bytes()).await;

        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("\r\ntransfer-encoding: chunked\r\n"), "{head}");
        assert_eq!(body.matches("\ndata: ").count(), 5, "{body}");
        assert!(body.ends_with("\r\n0\r\n\r\n"), "{body}");
        assert!(!head.to_lowercase().contains("upgrade"), "{head}");
    }
}
