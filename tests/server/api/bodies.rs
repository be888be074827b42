//! Bodies and queries: empty ones, their type, their size.

use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::api::asking::{operations, post_text, posting, raw, raw_body};
use crate::api::phase_games::PhaseGames;
use ground::server::{Server, authorized, send};
use ground::table::Table;

#[tokio::test]
async fn c_an_empty_body_is_an_empty_object_for_join_and_resign() {
    let server = Server::shared().await;
    let mut table = Table::create(&server, &json!({})).await;

    let joined = send(server.request(Method::POST, &table.path("/join"))).await;
    joined.expect(201)["token"].as_str().unwrap().clone_into(&mut table.guest);
    let resigned = send(authorized(server.request(Method::POST, &table.path("/resign")), Some(&table.guest))).await;

    resigned.expect(200);
    assert_eq!(joined.json["game"]["players"]["guest"]["name"], Value::Null);
}

#[tokio::test]
async fn c_an_empty_body_that_says_it_is_json_is_an_empty_object_too() {
    let server = Server::shared().await;
    let mut table = Table::create(&server, &json!({})).await;

    let joined = post_text(&server, &table.path("/join"), None, "").await;
    joined.expect(201)["token"].as_str().unwrap().clone_into(&mut table.guest);

    post_text(&server, &table.path("/resign"), Some(&table.guest), "").await.expect(200);
}

#[tokio::test]
async fn c_an_empty_body_is_nothing_for_all_others() {
    let games = PhaseGames::new().await;
    let posts = games.posts();
    for (path, token) in
        posts.iter().filter(|(path, _)| !["/join", "/resign", "/rematch"].iter().any(|below| path.ends_with(below)))
    {
        send(posting(&games.server, path, *token, None, "")).await.refuses(415, "unsupported_media_type");
        post_text(&games.server, path, *token, "").await.refuses(400, "malformed");
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_the_desk_knows_every_operation_that_takes_a_body() {
    let games = PhaseGames::new().await;
    let last = |path: &str| path.rsplit('/').next().unwrap().to_owned();

    let mut known: Vec<String> = games.posts().iter().map(|(path, _)| last(path)).collect();
    let operations = operations(&games.server, "GAME").await;
    let mut documented: Vec<String> =
        operations.iter().filter(|(method, _)| method == Method::POST).map(|(_, path)| last(path)).collect();

    known.sort();
    documented.sort();
    assert_eq!(known, documented);
}

#[tokio::test]
async fn a_body_of_another_type_or_of_none_is_unsupported() {
    let games = PhaseGames::new().await;
    for (path, token) in games.posts() {
        for content_type in [
            None,
            Some("text/plain"),
            Some("text/json"),
            Some("application/x-www-form-urlencoded"),
            Some("application/problem+json"),
            Some("application/jsonp"),
            Some("application/json-patch+json"),
            Some("application/"),
            Some("json"),
            Some("*/*"),
            Some(""),
        ] {
            let reply = send(posting(&games.server, &path, token, content_type, "{}")).await;
            assert_eq!((reply.status, reply.code()), (415, "unsupported_media_type"), "{path} {content_type:?}");
        }
        let request = posting(&games.server, &path, token, Some("application/json"), "{}");
        send(request.header("content-encoding", "gzip")).await.refuses(415, "unsupported_media_type");
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_json_is_json_in_any_case_and_with_parameters() {
    let server = Server::shared().await;
    for content_type in [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "application/json ; x=y",
    ] {
        send(posting(&server, "/v1/games", None, Some(content_type), "{}")).await.expect(201);
    }
}

#[tokio::test]
async fn c_a_content_type_that_stands_twice_is_malformed() {
    let games = PhaseGames::new().await;
    for (path, token) in games.posts() {
        for other in ["application/json", "text/plain"] {
            let request = posting(&games.server, &path, token, Some("application/json"), "{}");
            send(request.header(CONTENT_TYPE, other)).await.refuses(400, "malformed");
        }
    }
    games.ends_well().await;
}

#[tokio::test]
async fn a_body_ends_at_16_kib_on_every_post() {
    let games = PhaseGames::new().await;
    for (path, token) in games.posts() {
        for (bytes, status) in [(16 * 1024, 400), (16 * 1024 + 1, 413)] {
            // Spaces mean nothing in JSON, and the field is unknown to all.
            let body = format!(r#"{{"unknown": 1{}}}"#, " ".repeat(bytes - 14));
            assert_eq!(body.len(), bytes);

            let reply = post_text(&games.server, &path, token, body.clone()).await;
            assert_eq!(reply.status, status, "{path}: {bytes}");
            reply.refuses(status, if status == 413 { "body_too_large" } else { "malformed" });

            let chunked = futures_util::stream::iter(
                body.into_bytes().chunks(1000).map(<[u8]>::to_vec).map(Ok::<_, std::io::Error>).collect::<Vec<_>>(),
            );
            let reply = post_text(&games.server, &path, token, reqwest::Body::wrap_stream(chunked)).await;
            assert_eq!(reply.status, status, "{path}: {bytes} in chunks");
        }
    }
    games.ends_well().await;
}

#[tokio::test]
async fn a_legal_body_of_16_kib_is_taken() {
    let server = Server::shared().await;

    let created = post_text(&server, "/v1/games", None, format!("{{{}}}", " ".repeat(16 * 1024 - 2))).await;

    created.expect(201);
}

#[tokio::test]
async fn what_is_promised_too_large_is_not_waited_for() {
    let server = Server::shared().await;
    let head = |length: &str| {
        format!(
            "POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        )
    };

    for length in ["16385", "1000000000", "18446744073709551615"] {
        let reply = raw(&server, head(length).as_bytes()).await;

        assert!(reply.starts_with("HTTP/1.1 413 "), "{reply}");
        assert_eq!(raw_body(&reply)["code"], "body_too_large");
    }
}

#[tokio::test]
async fn c_a_hundred_thousand_brackets_are_too_large_to_be_read() {
    let games = PhaseGames::new().await;

    games.send("fire", "[".repeat(100_000)).await.refuses(413, "body_too_large");

    games.ends_well().await;
}

#[tokio::test]
async fn c_a_query_parameter_that_an_operation_does_not_know_is_refused() {
    let games = PhaseGames::new().await;
    let server = &games.server;
    for query in ["x=1", "x", "=", "=1", "name=Anna", "token=x", "after=1", "wait", "%00", "a=%ff"] {
        for (path, token) in games.posts() {
            let reply = post_text(server, &format!("{path}?{query}"), token, "{}").await;
            assert_eq!((reply.status, reply.code()), (400, "malformed"), "{path}?{query}");
        }
        for path in [games.firing.path(""), "/v1/rules".to_owned()] {
            let reply = server.get(&format!("{path}?{query}"), None).await;
            assert_eq!((reply.status, reply.code()), (400, "malformed"), "{path}?{query}");
        }
    }
    for query in ["x=1", "After=1", "limit=1&x=1", "seq=1"] {
        let reply = server.get(&format!("{}?{query}", games.firing.path("/events")), None).await;
        assert_eq!((reply.status, reply.code()), (400, "malformed"), "events?{query}");
    }
    // A question mark alone asks for nothing.
    server.get(&format!("{}?", games.firing.path("")), None).await.expect(200);
    games.ends_well().await;
}
