//! A seat is a secret: how tokens are taken, and where they are not.

use reqwest::Method;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderValue};
use serde_json::{Value, json};

use crate::api::asking::{assert_same_reply, operations_of_a_game, raw};
use ground::server::{Reply, Server, send};
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn c_a_token_is_32_bytes_in_base64url_and_shown_once() {
    let server = Server::shared().await;
    let mut table = Table::create(&server, &json!({})).await;
    table.join(&server).await;

    for token in [&table.host, &table.guest] {
        assert_eq!(token.len(), 43);
        assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{token}");
    }
    assert_ne!(table.host, table.guest);
    for eyes in [Some(Host), Some(Guest), None] {
        let look = table.look(&server, eyes).await;
        assert!(!look.text.contains(&table.host) && !look.text.contains(&table.guest));
    }
    let log = server.get(&table.path("/events"), Some(&table.host)).await;
    assert!(!log.text.contains(&table.host) && !log.text.contains(&table.guest));
}

#[tokio::test]
async fn c_whatever_is_no_token_of_the_game_gets_one_answer_on_every_route() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let other = Table::in_battle(&server).await;
    let before = table.look(&server, None).await;
    for (method, below) in operations_of_a_game(&server).await {
        let ask = async |values: &[Vec<u8>]| -> Reply {
            let mut request = server.request(method.clone(), &table.path(&below)).json(&json!({}));
            for value in values {
                request = request.header(AUTHORIZATION, HeaderValue::from_bytes(value).unwrap());
            }
            send(request).await
        };
        let reference = ask(&[b"Bearer nonsense".to_vec()]).await;
        assert_eq!(reference.header("www-authenticate"), Some("Bearer"));
        reference.refuses(401, "unauthorized");

        for wrong in wrong_headers(&table, &other) {
            let reply = ask(&wrong).await;
            assert_eq!(
                reply.status,
                401,
                "{method} {below} {:?}",
                wrong.iter().map(|value| String::from_utf8_lossy(value)).collect::<Vec<_>>()
            );
            assert_same_reply(&reply, &reference);
        }
        // Without any a GET and a join are a spectator's, and all else is the same 401.
        if method == Method::POST && below != "/join" {
            assert_same_reply(&ask(&[]).await, &reference);
        }
    }
    assert_same_reply(&table.look(&server, None).await, &before);
}

/// The values of `Authorization` that open nothing.
fn wrong_headers(table: &Table, other: &Table) -> Vec<Vec<Vec<u8>>> {
    let host = table.host.as_str();
    let mut changed = host.to_owned();
    changed.replace_range(..1, if host.starts_with('A') { "B" } else { "A" });
    let mut wrong = Vec::new();
    for value in [
        String::new(),
        " ".to_owned(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        host.to_owned(),
        format!("Basic {host}"),
        format!("Token {host}"),
        format!("Bearer{host}"),
        format!("Bearer:{host}"),
        format!("Bearer=\"{host}\""),
        format!("Bearer \"{host}\""),
        format!("Bearer {host} {host}"),
        format!("Bearer {host},"),
        format!("Bearer {host}="),
        format!("Bearer {host}A"),
        format!("Bearer {}", &host[1..]),
        format!("Bearer {}", &host[..42]),
        format!("Bearer {changed}"),
        format!("Bearer {}", swap_case(host)),
        format!("Bearer {}", other_bits(host)),
        format!("Bearer {}", "A".repeat(43)),
        format!("Bearer {}", "A".repeat(5_000)),
        format!("Bearer {}", other.host),
        format!("Bearer {}", other.guest),
        format!("Bearer {}", table.id),
        "Bearer ../../etc/passwd".to_owned(),
    ] {
        wrong.push(vec![value.into_bytes()]);
    }
    wrong.push(vec![b"Bearer \xff\xfe".to_vec()]);
    let good = format!("Bearer {host}").into_bytes();
    // Twice has no one meaning, be it twice the same.
    wrong.push(vec![good.clone(), good.clone()]);
    wrong.push(vec![good.clone(), b"Bearer nonsense".to_vec()]);
    wrong.push(vec![b"Basic eDp5".to_vec(), good]);
    wrong
}

fn swap_case(text: &str) -> String {
    let swap = |letter: char| {
        if letter.is_ascii_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    };
    text.chars().map(swap).collect()
}

/// The same 32 bytes in another spelling: the last two bits of 43 characters belong to no byte.
fn other_bits(token: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let (rest, last) = token.split_at(42);
    let place = ALPHABET.iter().position(|letter| *letter == last.as_bytes()[0]).unwrap();
    format!("{rest}{}", char::from(ALPHABET[place ^ 1]))
}

#[tokio::test]
async fn c_the_name_of_the_scheme_is_the_same_in_any_case() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let request = server.request(Method::GET, &table.path(""));

        let reply = send(request.header(AUTHORIZATION, format!("{scheme} {}", table.host))).await;

        assert_eq!(reply.expect(200)["you"], "host");
    }
}

#[tokio::test]
async fn c_a_token_is_taken_nowhere_but_in_its_header() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let host = &table.host;

    for query in ["token", "access_token", "authorization", "bearer"] {
        server.get(&table.path(&format!("?{query}={host}")), None).await.refuses(400, "malformed");
        let path = table.path(&format!("/fire?{query}={host}"));
        server.post(&path, None, &json!({"shots": ["A1"]})).await.refuses(401, "unauthorized");
    }
    for body in [json!({"shots": ["A1"], "token": host}), json!({"shots": ["A1"], "access_token": host})] {
        server.post(&table.path("/fire"), None, &body).await.refuses(401, "unauthorized");
    }
    for header in ["cookie", "x-token", "x-authorization", "proxy-authorization", "token"] {
        for value in [host.clone(), format!("token={host}"), format!("Bearer {host}")] {
            let fire = server.request(Method::POST, &table.path("/fire")).json(&json!({"shots": ["A1"]}));
            send(fire.header(header, &value)).await.refuses(401, "unauthorized");
            let look = send(server.request(Method::GET, &table.path("")).header(header, &value)).await;
            assert_eq!(look.expect(200)["you"], Value::Null);
        }
    }
    server.get(&format!("/v1/games/{}:{host}", table.id), None).await.refuses(404, "game_not_found");
    assert_eq!(table.see(&server, None).await["version"], 4);
}

#[tokio::test]
async fn c_credentials_in_a_cookie_beside_a_token_change_nothing() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    let request = server.request(Method::GET, &table.path("")).bearer_auth(&table.guest);
    let reply = send(request.header(COOKIE, format!("token={}", table.host))).await;

    assert_eq!(reply.expect(200)["you"], "guest");
}

#[tokio::test]
async fn c_routes_without_a_game_ignore_the_header() {
    let server = Server::shared().await;
    for value in ["nonsense", "Bearer nonsense", "Basic eDp5", ""] {
        for path in ["/v1/rules", "/healthz", "/readyz", "/openapi.json", "/docs/"] {
            let reply = send(server.request(Method::GET, path).header(AUTHORIZATION, value)).await;
            assert_eq!(reply.status, 200, "{path}");
        }
        let request = server.request(Method::POST, "/v1/games").json(&json!({}));
        send(request.header(AUTHORIZATION, value).header(AUTHORIZATION, value)).await.expect(201);
        send(server.request(Method::GET, "/v1/nowhere").header(AUTHORIZATION, value))
            .await
            .refuses(404, "route_not_found");
    }
}

#[tokio::test]
async fn c_whoever_has_the_link_watches() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    let look = table.look(&server, None).await;

    assert_eq!(look.expect(200)["you"], Value::Null);
    assert_eq!(server.get(&table.path("/events"), None).await.status, 200);
}

#[tokio::test]
async fn c_looking_never_writes() {
    let server = Server::shared().await;
    let table = Table::create(&server, &json!({})).await;
    let before = table.look(&server, None).await;

    for _ in 0..3 {
        for below in ["", "/events"] {
            for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
                send(server.request(method.clone(), &table.path(below))).await;
                send(server.request(method, &table.path(below)).bearer_auth(&table.host)).await;
            }
        }
        send(server.request(Method::GET, &table.path("/join"))).await.refuses(405, "method_not_allowed");
        send(server.request(Method::HEAD, &table.path("/join"))).await;
    }

    assert_same_reply(&table.look(&server, None).await, &before);
}

#[tokio::test]
async fn c_raw_control_bytes_in_the_header_open_nothing() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for byte in ["\0", "\x01", "\x7f", "\r"] {
        let request = format!(
            "GET {} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}{byte}\r\n\r\n",
            table.path(""),
            table.host
        );

        let reply = raw(&server, request.as_bytes()).await;

        assert!(!reply.contains(r#""you":"host""#), "{byte:?}: {reply}");
        assert!(reply.starts_with("HTTP/1.1 40"), "{byte:?}: {reply}");
    }
}
