//! Pages of the log for those who take them packed.

use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::Method;
use serde_json::json;

use crate::feed::games::{pair, play_out, short_game};
use ground::server::Server;
use ground::stream::within;
use ground::table::Table;

/// A reply to somebody who takes this encoding: what is said of it, and its bytes as they came.
async fn read(
    server: &Server,
    method: Method,
    path: &str,
    encoding: Option<&str>,
) -> (Option<String>, String, Vec<u8>) {
    let mut request = server.request(method, path);
    if let Some(encoding) = encoding {
        request = request.header("accept-encoding", encoding);
    }
    let reply = within(request.send()).await.unwrap();
    assert_eq!(reply.status(), 200, "{path}");
    let of = |name: &str| reply.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let (encoded, vary) = (of("content-encoding"), of("vary").unwrap_or_default());
    (encoded, vary, within(reply.bytes()).await.unwrap().to_vec())
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).expect("it is packed");
    plain
}

#[tokio::test]
async fn c_a_page_of_the_log_comes_packed_to_those_who_take_it() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    let feed = format!("/v1/feed?games={}&after=0", table.id);
    for (path, vary) in [(table.path("/events"), "Authorization, Accept-Encoding"), (feed.clone(), "Accept-Encoding")] {
        let (encoding, told, plain) = read(&server, Method::GET, &path, None).await;
        assert_eq!((encoding, told.as_str()), (None, vary));
        assert!(serde_json::from_slice::<serde_json::Value>(&plain).unwrap()["events"].is_array());
        for accept in ["gzip", "gzip, deflate, br, zstd", "*"] {
            let (encoding, told, packed) = read(&server, Method::GET, &path, Some(accept)).await;
            assert_eq!((encoding.as_deref(), told.as_str()), (Some("gzip"), vary), "{accept}");
            assert!(packed.len() * 3 < plain.len(), "{} of {}", packed.len(), plain.len());
            assert_eq!(unpacked(&packed), plain, "{accept}");
        }
        for accept in ["br", "identity", "gzip;q=0"] {
            assert_eq!(read(&server, Method::GET, &path, Some(accept)).await, (None, vary.to_owned(), plain.clone()));
        }
        let (encoding, told, none) = read(&server, Method::HEAD, &path, Some("gzip")).await;
        assert_eq!((encoding.as_deref(), told.as_str(), none.len()), (Some("gzip"), vary, 0));
    }
}

#[tokio::test]
async fn c_nothing_else_of_a_game_is_packed() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    let small = Table::create(&server, &json!({})).await;
    for path in [
        table.path(""),
        table.path("/replay"),
        table.path("/verify"),
        table.path("/stream"),
        format!("/v1/feed?games={}", table.id),
        // It fits into a packet.
        small.path("/events"),
        table.path("/events?after=20"),
    ] {
        let (encoding, _, _) = read(&server, Method::GET, &path, Some("gzip")).await;
        assert_eq!(encoding, None, "{path}");
    }
    let stream = server.request(Method::GET, &table.path("/events")).header("accept", "text/event-stream");
    let stream = within(stream.header("accept-encoding", "gzip").send()).await.unwrap();
    assert_eq!(stream.headers().get("content-encoding"), None);
    let created =
        server.request(Method::POST, "/v1/games").header("accept-encoding", "gzip").json(&json!({"bot": "easy"}));
    let created = within(created.send()).await.unwrap();
    assert_eq!((created.status().as_u16(), created.headers().get("content-encoding")), (201, None));
}
