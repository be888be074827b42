//! Requests with something odd about them.

use futures_util::StreamExt;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Body, Method, RequestBuilder};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use ground::server::{Reply, Server, authorized, send};

/// How many games are played side by side, so that a busy machine has still time for each.
const SIDE_BY_SIDE: usize = 8;

/// A method and a path.
pub(crate) type Route = (Method, String);

/// A `POST` of a body as it is, with a token and a content type where there are any.
pub(crate) fn posting(
    server: &Server,
    path: &str,
    token: Option<&str>,
    content_type: Option<&str>,
    body: impl Into<Body>,
) -> RequestBuilder {
    let request = authorized(server.request(Method::POST, path), token).body(body);
    match content_type {
        Some(content_type) => request.header(CONTENT_TYPE, content_type),
        None => request,
    }
}

/// Sends a `POST` of a text that says that it is JSON.
pub(crate) async fn post_text(server: &Server, path: &str, token: Option<&str>, body: impl Into<Body>) -> Reply {
    send(posting(server, path, token, Some("application/json"), body)).await
}

/// Does all of these, some at a time.
pub(crate) async fn side_by_side<T>(all: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    futures_util::stream::iter(all).buffered(SIDE_BY_SIDE).collect().await
}

/// Every operation that the served document lists, on this game.
pub(crate) async fn operations(server: &Server, game: &str) -> Vec<Route> {
    let document = server.get("/openapi.json", None).await;
    let mut operations = Vec::new();
    for (path, item) in document.expect(200)["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            operations.push((method, path.replace("{game_id}", game)));
        }
    }
    operations
}

/// The operations of a game alone, with what lies below the game instead of the whole path.
pub(crate) async fn operations_of_a_game(server: &Server) -> Vec<Route> {
    let below = |(method, path): Route| Some((method, path.strip_prefix("/v1/games/GAME")?.to_owned()));
    let operations: Vec<Route> = operations(server, "GAME").await.into_iter().filter_map(below).collect();
    assert!(operations.len() >= 7, "{operations:?}");
    operations
}

/// Whether two replies are the same but for what differs from request to request.
#[track_caller]
pub(crate) fn assert_same_reply(one: &Reply, other: &Reply) {
    assert_eq!(one.status, other.status, "{} {}", one.text, other.text);
    assert_eq!(one.text, other.text);
    assert_eq!(headers(one), headers(other));
}

/// The headers that do not differ from request to request, sorted.
pub(crate) fn headers(reply: &Reply) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = Vec::new();
    for (name, value) in &reply.headers {
        if !["date", "x-request-id"].contains(&name.as_str()) {
            headers.push((name.to_string(), value.to_str().unwrap().to_owned()));
        }
    }
    headers.sort();
    headers
}

/// Sends bytes over a connection of their own and reads until the server closes it.
pub(crate) async fn raw(server: &Server, bytes: &[u8]) -> String {
    let address = server.base.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.unwrap();
    String::from_utf8(reply).unwrap()
}

/// The body of a reply read by [`raw`].
pub(crate) fn raw_body(reply: &str) -> Value {
    let (_, body) = reply.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap_or(Value::Null)
}
