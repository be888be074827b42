//! The headers of replies.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor};

use crate::api::asking::{post_text, posting, raw, raw_body};
use ground::cluster::Cluster;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn c_every_reply_of_a_game_is_for_its_caller_alone_and_asked_for_anew() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let fire = table.path("/fire");
    let json_type = Some("application/json");
    let replies = [
        (200, table.look(&server, Some(Host)).await),
        (200, table.look(&server, None).await),
        (200, table.fire(&server, Host, "A1").await),
        (409, table.fire(&server, Host, "A1").await),
        (400, post_text(&server, &fire, Some(&table.host), "{").await),
        (401, post_text(&server, &fire, None, "{}").await),
        (401, server.get(&table.path(""), Some("nonsense")).await),
        (404, server.get("/v1/games/x", None).await),
        (405, send(server.request(Method::PUT, &fire)).await),
        (
            412,
            send(
                posting(&server, &fire, Some(&table.host), json_type, r#"{"shots": []}"#)
                    .header("if-match", "\"1-host\""),
            )
            .await,
        ),
        (413, post_text(&server, &fire, Some(&table.host), " ".repeat(20_000)).await),
        (415, send(posting(&server, &fire, Some(&table.host), None, "{}")).await),
        (422, table.fire(&server, Guest, "K1").await),
        (409, server.post(&table.path("/join"), None, &json!({})).await),
        (204, send(server.request(Method::OPTIONS, &fire)).await),
    ];
    for (status, reply) in replies {
        assert_eq!(reply.status, status, "{}", reply.text);
        assert_eq!(reply.header("cache-control"), Some("private, no-cache, no-transform"), "{status}");
        // A problem is in the caller's language, a game is in none.
        let vary = if status < 400 { "Authorization" } else { "Authorization, Accept-Language" };
        assert_eq!(reply.header("vary"), Some(vary), "{status}");
    }
    let page = server.get(&table.path("/events"), None).await;
    assert_eq!(page.header("cache-control"), Some("private, no-cache, no-transform"));
    assert_eq!(page.header("vary"), Some("Authorization, Accept-Encoding"));
}

#[tokio::test]
async fn c_whatever_carries_a_token_is_kept_by_nobody() {
    let server = Server::shared().await;

    let created = server.post("/v1/games", None, &json!({})).await;
    let path = format!("/v1/games/{}/join", created.expect(201)["game"]["id"].as_str().unwrap());
    let joined = server.post(&path, None, &json!({})).await;

    for reply in [created, joined] {
        assert!(reply.expect(201)["token"].is_string());
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn c_a_new_game_says_where_it_is() {
    let server = Server::shared().await;

    let created = server.post("/v1/games", None, &json!({})).await;

    let id = created.expect(201)["game"]["id"].as_str().unwrap();
    let location = format!("/v1/games/{id}");
    assert_eq!(created.header("location"), Some(location.as_str()));
    server.get(&location, None).await.expect(200);
    assert_eq!(id.len(), 36);
    assert_eq!(id.as_bytes()[14], b'7', "version 7");
    assert_eq!(id, id.to_lowercase());
}

#[tokio::test]
async fn c_every_reply_has_an_id_of_its_own_and_is_taken_for_what_it_says_it_is() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let mut ids = HashSet::new();
    let replies = [
        table.look(&server, None).await,
        table.look(&server, None).await,
        table.fire(&server, Host, "A1").await,
        table.fire(&server, Host, "A1").await,
        server.get("/v1/nowhere", None).await,
        server.get("/v1/rules", None).await,
        server.get("/healthz", None).await,
        server.get("/docs/", None).await,
        server.get("/openapi.json", None).await,
        send(server.request(Method::PUT, "/v1/games")).await,
        send(server.request(Method::OPTIONS, "/v1/games")).await,
        send(server.request(Method::HEAD, "/v1/rules")).await,
        post_text(&server, "/v1/games", None, " ".repeat(20_000)).await,
        send(server.request(Method::GET, "/v1/rules").header("x-request-id", "mine")).await,
    ];
    for reply in replies {
        let id = reply.header("x-request-id").unwrap().to_owned();
        assert!(!id.is_empty() && id != "mine");
        assert!(ids.insert(id), "an id came twice");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert!(reply.header("date").is_some());
        // The id is a request's, never a caller's.
        assert!(!reply.text.contains(reply.header("x-request-id").unwrap()));
    }
}

#[tokio::test]
async fn c_what_is_no_json_says_so() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let of = |reply: &Reply| reply.header("content-type").unwrap_or_default().to_owned();

    assert_eq!(of(&table.look(&server, None).await), "application/json");
    assert_eq!(of(&server.get(&table.path("/events"), None).await), "application/json");
    assert_eq!(of(&table.fire(&server, Host, "A1").await), "application/json");
    assert_eq!(of(&server.post("/v1/games", None, &json!({})).await), "application/json");
    assert_eq!(of(&server.get("/v1/rules", None).await), "application/json");
    assert_eq!(of(&server.get("/openapi.json", None).await), "application/json");
    assert_eq!(of(&table.fire(&server, Host, "A1").await), "application/problem+json");
    assert!(of(&server.get("/docs/", None).await).starts_with("text/html"));
}

#[tokio::test]
async fn c_only_a_missing_token_asks_for_one() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    let unauthorized = server.post(&table.path("/fire"), None, &json!({})).await;
    let refused = table.fire(&server, Guest, "A1").await;

    assert_eq!((unauthorized.status, unauthorized.header("www-authenticate")), (401, Some("Bearer")));
    assert_eq!((refused.status, refused.header("www-authenticate")), (409, None));
}

#[tokio::test]
async fn c_without_its_database_the_server_says_when_to_come_again() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let table = Table::in_battle(&server).await;
    let mut other = Cluster::shared().database().await.connect().await;
    let url = database.url();
    let name = url.rsplit('/').next().and_then(|end| end.split('?').next()).unwrap();
    other.execute(AssertSqlSafe(format!("drop database {name} with (force)"))).await.unwrap();

    for (method, path, body) in [
        (Method::GET, table.path(""), None),
        (Method::GET, table.path("/events"), None),
        (Method::POST, table.path("/fire"), Some(json!({"shots": ["A1"]}))),
        (Method::POST, "/v1/games".to_owned(), Some(json!({}))),
        (Method::GET, "/readyz".to_owned(), None),
    ] {
        let began = Instant::now();
        let request = authorized(server.request(method.clone(), &path), Some(&table.host));
        let reply = send(if let Some(body) = body { request.json(&body) } else { request }).await;

        assert!(began.elapsed() < Duration::from_secs(3), "{method} {path} took {:?}", began.elapsed());
        assert_eq!((reply.status, reply.code()), (503, "unavailable"), "{method} {path}");
        reply.refuses(503, "unavailable");
        assert!(reply.header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok()), "{path}");
        assert!(!reply.text.contains(name), "nothing of the inside is told: {}", reply.text);
    }
    server.get("/healthz", None).await.expect(200);
}

#[tokio::test]
async fn c_without_its_tables_the_server_is_not_ready() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    server.get("/readyz", None).await.expect(200);

    database.connect().await.execute("alter table games rename to somebody_elses").await.unwrap();

    server.get("/readyz", None).await.refuses(503, "unavailable");
    server.get("/healthz", None).await.expect(200);
}

#[tokio::test]
async fn c_a_body_that_does_not_come_ends_the_connection_after_ten_seconds() {
    let server = Server::shared().await;
    let began = Instant::now();

    let reply = raw(
        &server,
        b"POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{",
    )
    .await;

    let waited = began.elapsed();
    assert!(reply.starts_with("HTTP/1.1 408 "), "{reply}");
    assert_eq!(raw_body(&reply)["code"], "request_timeout");
    assert!((Duration::from_secs(10)..Duration::from_secs(14)).contains(&waited), "{waited:?}");
}

#[tokio::test]
async fn c_after_a_problem_the_connection_goes_on() {
    let server = Server::shared().await;
    let body = serde_json::to_string(&layout(FLEET, "J10").to_json()).unwrap();
    let place = format!(
        "POST /v1/games/x/place HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let last = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

    let replies = raw(&server, format!("{place}{place}{last}").as_bytes()).await;

    let statuses: Vec<_> =
        replies.match_indices("HTTP/1.1 ").map(|(at, start)| &replies[at + start.len()..][..3]).collect();
    assert_eq!(statuses, ["404", "404", "200"]);
}

#[tokio::test]
async fn c_what_is_no_reply_of_a_game_is_compressed_for_those_who_take_it() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let get = |path: &str, accept: &str| send(server.request(Method::GET, path).header("accept-encoding", accept));
    for path in ["/openapi.json", "/docs/swagger-ui.css", "/v1/rules"] {
        let plain = get(path, "identity").await;
        let small = get(path, "br, gzip;q=0.8").await;

        assert_eq!((plain.status, plain.header("content-encoding")), (200, None));
        assert_eq!((small.status, small.header("content-encoding")), (200, Some("gzip")));
        for reply in [&plain, &small] {
            assert!(reply.header("vary").is_some_and(|vary| vary.to_lowercase().contains("accept-encoding")), "{path}");
        }
        // Whoever takes nothing that there is gets it as it is.
        for accept in ["br, identity;q=0", "*;q=0", "nonsense", ";;q"] {
            let odd = get(path, accept).await;
            assert_eq!((odd.status, &odd.text), (200, &plain.text), "{accept}");
        }
    }
    for path in [table.path(""), table.path("/replay"), "/v1/games".to_owned()] {
        assert_eq!(get(&path, "gzip").await.header("content-encoding"), None, "{path}");
    }
}
