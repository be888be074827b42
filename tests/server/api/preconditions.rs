//! `ETag`, `If-None-Match` and `If-Match`.

use reqwest::Method;
use reqwest::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use serde_json::json;

use crate::api::games::play_on;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn c_a_tag_is_the_version_and_who_looks() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (eyes, tag) in [(Some(Host), "\"4-host\""), (Some(Guest), "\"4-guest\""), (None, "\"4-spectator\"")] {
        assert_eq!(table.look(&server, eyes).await.header("etag"), Some(tag));
    }

    let fired = table.fire(&server, Host, "J10").await;
    let gave = table.reveal(&server, Host, "A1").await;
    let resigned = table.resign(&server, Guest).await;

    assert_eq!(fired.header("etag"), Some("\"5-host\""));
    assert_eq!(gave.header("etag"), Some("\"6-host\""));
    assert_eq!(resigned.header("etag"), Some("\"7-guest\""));
    assert_eq!(table.look(&server, None).await.header("etag"), Some("\"7-spectator\""));
}

#[tokio::test]
async fn c_placing_comes_with_its_tag() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({})).await;

    for (seat, tag) in [(Guest, "\"3-guest\""), (Host, "\"4-host\"")] {
        let reply = table.place(&server, seat, &layout(FLEET, "J10")).await;
        assert_eq!((reply.status, reply.header("etag")), (200, Some(tag)));
    }
}

#[tokio::test]
async fn c_whoever_knows_the_state_is_not_told_again() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (eyes, tag) in [(Some(Host), "4-host"), (Some(Guest), "4-guest"), (None, "4-spectator")] {
        let other = if tag == "4-host" { "4-guest" } else { "4-host" };
        for (sent, status) in [
            (format!("\"{tag}\""), 304),
            (format!("W/\"{tag}\""), 304),
            ("*".to_owned(), 304),
            (format!("\"3-host\", \"{tag}\""), 304),
            (format!("\"3-host\",W/\"{tag}\" , \"x,y\""), 304),
            (format!("\"{other}\""), 200),
            ("\"3-host\", \"5-host\"".to_owned(), 200),
            (format!("\"{tag}-next\""), 200),
            (format!("\"{}\"", tag.to_uppercase()), 200),
        ] {
            let reply = ask(&server, &table, eyes, &[&sent]).await;

            assert_eq!(reply.status, status, "{sent}");
            assert_eq!(reply.header("etag"), Some(format!("\"{tag}\"").as_str()));
            assert_eq!(reply.header("cache-control"), Some("private, no-cache, no-transform"));
            assert_eq!(reply.header("vary"), Some("Authorization"));
            assert_eq!(reply.text.is_empty(), status == 304, "{sent}");
        }
    }
}

#[tokio::test]
async fn c_after_a_move_everybody_is_told_again() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let tags = ["\"4-host\"", "\"4-guest\"", "\"4-spectator\""];
    for eyes in [Some(Host), Some(Guest), None] {
        assert_eq!(ask(&server, &table, eyes, &tags).await.status, 304);
    }

    play_on(&server, &table, "host fires A1 = hit").await;

    for eyes in [Some(Host), Some(Guest), None] {
        assert_eq!(ask(&server, &table, eyes, &tags).await.status, 200);
    }
}

#[tokio::test]
async fn c_two_headers_of_tags_are_one_list() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    assert_eq!(ask(&server, &table, None, &["\"1-host\"", "\"4-spectator\""]).await.status, 304);
    assert_eq!(ask(&server, &table, None, &["\"1-host\"", "\"2-host\""]).await.status, 200);
    assert_eq!(fire_if(&server, &table, &["\"1-host\"", "\"4-host\""]).await.status, 200);
}

#[tokio::test]
async fn c_head_knows_the_state_too() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    let request = server.request(Method::HEAD, &table.path("")).header(IF_NONE_MATCH, "\"4-spectator\"");
    let reply = send(request).await;

    assert_eq!((reply.status, reply.header("etag")), (304, Some("\"4-spectator\"")));
}

#[tokio::test]
async fn c_malformed_tags_are_refused() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for tags in [
        "",
        " ",
        "4-host",
        "\"4-host",
        "4-host\"",
        "'4-host'",
        "\"4-host\" \"5-host\"",
        "\"4-host\",",
        ",",
        ",\"4-host\"",
        "w/\"4-host\"",
        "W/4-host",
        "W /\"4-host\"",
        "*, \"4-host\"",
        "\"4-host\", *",
        "**",
        "\"4 host\"",
        "\"4-host\"; x",
    ] {
        let looked = ask(&server, &table, Some(Host), &[tags]).await;
        assert_eq!((looked.status, looked.code()), (400, "malformed"), "{tags:?}");
        let fired = fire_if(&server, &table, &[tags]).await;
        assert_eq!((fired.status, fired.code()), (400, "malformed"), "{tags:?}");
    }
    assert_eq!(ask(&server, &table, Some(Host), &["*", "*"]).await.status, 400);
    assert_eq!(fire_if(&server, &table, &["*", "\"4-host\""]).await.status, 400);

    play_on(&server, &table, "host fires A1 = hit").await;
}

#[tokio::test]
async fn whoever_acts_on_an_old_version_is_told_the_current_one() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    play_on(&server, &table, "both fire at water 2 times").await;

    let reply = fire_if(&server, &table, &["\"7-host\""]).await;

    assert_eq!(reply.refuses(412, "stale_version")["version"], 8);
    assert_eq!(table.log(&server).await.len(), 8);
    assert_eq!(fire_if(&server, &table, &["\"8-host\""]).await.expect(200)["version"], 9);
}

#[tokio::test]
async fn only_the_own_tag_of_this_very_version_will_do() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for tags in [
        "\"4-guest\"",
        "\"4-spectator\"",
        "\"3-host\"",
        "\"5-host\"",
        "\"04-host\"",
        "\"4-host-next\"",
        "\"4\"",
        "\"\"",
        "\"4-HOST\"",
        "\"3-host\", \"4-guest\"",
        "W/\"3-host\"",
        "W/\"4-guest\"",
        "\"3-host-gzip\"",
        "\"4-guest-gzip\"",
        "\"4-host-xz\"",
        "\"4-host-next-gzip\"",
    ] {
        let reply = fire_if(&server, &table, &[tags]).await;
        assert_eq!((reply.status, reply.code()), (412, "stale_version"), "{tags}");
        assert_eq!(reply.json["version"], 4);
    }
    assert_eq!(table.log(&server).await.len(), 4);

    assert_eq!(fire_if(&server, &table, &["\"x,y\", W/\"1-host\",\"4-host\""]).await.status, 200);
}

#[tokio::test]
async fn c_the_own_tag_counts_as_a_proxy_that_compresses_has_changed_it() {
    let server = Server::shared().await;
    for changed in
        ["W/\"4-TAG\"", "\"4-TAG-gzip\"", "\"4-TAG;gzip\"", "W/\"4-TAG-br\"", "\"4-TAG-zstd\"", "\"4-TAG-deflate\""]
    {
        let table = Table::in_battle(&server).await;
        for (eyes, name) in [(Some(Host), "host"), (Some(Guest), "guest"), (None, "spectator")] {
            let tag = changed.replace("TAG", name);
            let looked = ask(&server, &table, eyes, &[&tag]).await;
            assert_eq!((looked.status, looked.header("etag")), (304, Some(format!("\"4-{name}\"").as_str())), "{tag}");
        }
        let tag = changed.replace("TAG", "host");
        fire_if(&server, &table, &[&tag]).await.expect(200);
        assert_eq!(ask(&server, &table, Some(Host), &[&tag]).await.status, 200, "the game has moved on since {tag}");
        assert_eq!(fire_if(&server, &table, &[&tag]).await.refuses(412, "stale_version")["version"], 5);
    }
}

#[tokio::test]
async fn any_version_will_do_for_a_star() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    assert_eq!(fire_if(&server, &table, &["*"]).await.expect(200)["version"], 5);
}

#[tokio::test]
async fn place_reveal_and_resign_heed_it_too() {
    let server = Server::shared().await;
    let mut table = Table::create(&server, &json!({"options": {"first": "host"}})).await;
    table.join(&server).await;
    let board = layout(FLEET, "J10").to_json();
    let act = async |below: &str, seat: Seat, tag: &str, body: &serde_json::Value| -> u16 {
        let request = authorized(server.request(Method::POST, &table.path(below)), Some(table.token(seat)));
        send(request.header(IF_MATCH, tag).json(body)).await.status
    };

    assert_eq!(act("/place", Host, "\"1-host\"", &board).await, 412);
    assert_eq!(act("/place", Host, "\"2-host\"", &board).await, 200);
    assert_eq!(act("/place", Guest, "\"2-guest\"", &board).await, 412);
    assert_eq!(act("/place", Guest, "\"3-guest\"", &board).await, 200);
    play_on(&server, &table, "host fires J10 = mine, owes 1").await;
    assert_eq!(act("/reveal", Host, "\"4-host\"", &json!({"cells": ["A1"]})).await, 412);
    assert_eq!(act("/reveal", Host, "\"5-host\"", &json!({"cells": ["A1"]})).await, 200);
    assert_eq!(act("/resign", Host, "\"5-host\"", &json!({})).await, 412);
    assert_eq!(act("/resign", Host, "\"6-host\"", &json!({})).await, 200);
}

#[tokio::test]
async fn join_heeds_the_spectators_tag() {
    let server = Server::shared().await;
    let table = Table::create(&server, &json!({})).await;
    let join = async |tag: &str| -> Reply {
        send(server.request(Method::POST, &table.path("/join")).header(IF_MATCH, tag)).await
    };

    for tag in ["\"1-host\"", "\"1-guest\"", "\"2-spectator\"", "W/\"2-spectator\""] {
        assert_eq!(join(tag).await.refuses(412, "stale_version")["version"], 1);
    }
    join("\"1-spectator\"").await.expect(201);
    assert_eq!(join("\"1-spectator\"").await.refuses(412, "stale_version")["version"], 2);
    join("\"2-spectator\"").await.refuses(409, "game_full");
}

#[tokio::test]
async fn c_whatever_else_ignores_if_match() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for tags in ["\"1-host\"", "nonsense"] {
        let created = send(server.request(Method::POST, "/v1/games").header(IF_MATCH, tags).json(&json!({}))).await;
        created.expect(201);
        for path in [table.path(""), table.path("/events"), "/v1/rules".to_owned()] {
            send(server.request(Method::GET, &path).header(IF_MATCH, tags)).await.expect(200);
        }
    }
}

#[tokio::test]
async fn c_a_tag_is_there_once() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    let look = table.look(&server, None).await;

    assert_eq!(look.headers.get_all(ETAG).iter().count(), 1);
}

/// Looks at a game on condition that its state is none of those known.
async fn ask(server: &Server, table: &Table, eyes: Option<Seat>, tags: &[&str]) -> Reply {
    let request = authorized(server.request(Method::GET, &table.path("")), eyes.map(|seat| table.token(seat)));
    send(tags.iter().fold(request, |request, tags| request.header(IF_NONE_MATCH, *tags))).await
}

/// The host fires at A1 on condition that the state is one of those named.
async fn fire_if(server: &Server, table: &Table, tags: &[&str]) -> Reply {
    let request = authorized(server.request(Method::POST, &table.path("/fire")), Some(&table.host));
    let request = request.json(&json!({"shots": ["A1"]}));
    send(tags.iter().fold(request, |request, tags| request.header(IF_MATCH, *tags))).await
}
