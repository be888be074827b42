//! What a client may rely on, whatever stands in between.

use std::io::Write as _;
use std::time::Duration;

use flate2::write::GzDecoder;
use futures_util::TryStreamExt as _;
use futures_util::future::join_all;
use naval_battle_client::{Cell, Choice, Client, Create, FirstShot, Layout, Status, Table as Seat};
use reqwest::Method;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, IF_MATCH, IF_NONE_MATCH};
use serde_json::json;

use ground::server::{Reply, Server, authorized, send};
use ground::stream::{EventStream, stream_of, within};
use ground::table::{Table, cells_of, usual};
use testing::model::Seat::{Guest, Host};

/// How many games are created; a connection that ends unsaid loses some of so many.
const CREATED: usize = 400;

/// Insists on all of it, through a proxy.
pub(crate) async fn is_as_promised(direct: &Server, through: &Server) {
    every_create_is_answered(through).await;
    a_game_is_played_and_followed_by_a_client(through).await;
    tags_name_the_state(through).await;
    events_come_one_by_one(direct, through).await;
    a_wait_is_answered_by_the_move(direct, through).await;
    an_offer_to_upgrade_is_ignored(through).await;
    the_pages_are_there(through).await;
}

/// A proxy that compresses leaves games as they come from the server, which packs public logs alone.
pub(crate) async fn games_come_as_they_are(direct: &Server, through: &Server) {
    let table = Table::in_battle(through).await;
    let told = async |server: &Server, path: &str, token: Option<&str>| {
        let request = authorized(server.request(Method::GET, path), token).header(ACCEPT_ENCODING, "gzip, br");
        let reply = request.send().await.unwrap();
        assert_eq!(reply.status(), 200, "{path}");
        [CONTENT_ENCODING, ETAG].map(|name| reply.headers().get(name).cloned())
    };
    for (path, token, is_packed) in [
        ("", None, false),
        ("", Some(table.token(Host)), false),
        ("/events", None, true),
        ("/events", Some(table.token(Host)), true),
    ] {
        let [coding, tag] = told(through, &table.path(path), token).await;
        assert_eq!(coding.is_some(), is_packed, "{path}: {coding:?}");
        assert_eq!([coding, tag], told(direct, &table.path(path), token).await);
    }
    assert!(told(through, "/docs/rules", None).await[0].is_some());
}

async fn every_create_is_answered(through: &Server) {
    let several = (0..8).map(async |_| {
        for _ in 0..CREATED / 8 {
            let created = through.post("/v1/games", None, &json!({})).await;
            let path = format!("/v1/games/{}", created.expect(201)["game"]["id"].as_str().unwrap());
            through.get(&path, None).await.expect(200);
        }
    });
    join_all(several).await;
}

async fn a_game_is_played_and_followed_by_a_client(through: &Server) {
    let api = Client::new(&through.base).unwrap();
    let options = Choice { first: Some(FirstShot::Host), shoot_again: Some(true), ..Choice::default() };
    let (host, _) = api.create(&Create { options, ..Create::by("Ada") }).await.unwrap();
    let followed = tokio::spawn(api.table(host.id()).follow(0).into_stream().try_collect::<Vec<_>>());
    let (guest, _) = api.table(host.id()).join(Some("Ben")).await.unwrap();
    let layout: Layout = serde_json::from_value(usual().to_json()).unwrap();
    for seat in [&host, &guest] {
        seat.place(&layout).await.unwrap();
    }
    let cell = |name: &str| name.parse::<Cell>().unwrap();
    let fire = async |seat: &Seat, name: &str| seat.fire(&[cell(name)]).await.unwrap();

    fire(&host, "J10").await;
    host.reveal(&[cell("A1")]).await.unwrap();
    fire(&guest, "J9").await;
    for name in cells_of(&usual().ships) {
        fire(&host, &name).await;
    }

    let followed = within(followed).await.unwrap().expect("the stream comes to its end");
    assert_eq!(followed, host.log().await.unwrap());
    assert_eq!(host.look().await.unwrap().status, Status::Finished);
    assert!(guest.verify().await.unwrap().ok);
    let (again, _) = host.rematch().await.unwrap();
    again.look().await.unwrap();
}

/// As a browser asks, which takes what is compressed and sends back the tag that it got.
async fn ask(through: &Server, table: &Table, token: Option<&str>, known: Option<&str>) -> (u16, String) {
    let request = authorized(through.request(Method::GET, &table.path("")), token).header(ACCEPT_ENCODING, "gzip, br");
    let request = if let Some(known) = known { request.header(IF_NONE_MATCH, known) } else { request };
    let reply = request.send().await.unwrap();
    let tag = reply.headers()["etag"].to_str().unwrap().to_owned();
    (reply.status().as_u16(), tag)
}

async fn tags_name_the_state(through: &Server) {
    let table = Table::in_battle(through).await;
    for token in [None, Some(table.token(Host)), Some(table.token(Guest))] {
        let (status, tag) = ask(through, &table, token, None).await;
        assert_eq!(status, 200);
        assert_eq!(ask(through, &table, token, Some(&tag)).await.0, 304, "{tag}");
    }
    let fire_if = async |tag: &str, cell: &str| -> Reply {
        let request = authorized(through.request(Method::POST, &table.path("/fire")), Some(table.token(Host)));
        send(request.header(IF_MATCH, tag).json(&json!({"shots": [cell]}))).await
    };

    let (_, tag) = ask(through, &table, Some(table.token(Host)), None).await;
    fire_if(&tag, "H1").await.expect(200);

    assert_eq!(ask(through, &table, Some(table.token(Host)), Some(&tag)).await.0, 200, "{tag}");
    assert_eq!(fire_if(&tag, "I1").await.refuses(412, "stale_version")["version"], 5);
    table.fire(through, Guest, "H1").await.expect(200);
    let (_, tag) = ask(through, &table, Some(table.token(Host)), None).await;
    fire_if(&tag, "I1").await.expect(200);
}

/// Each event is there before the next move is made.
async fn events_come_one_by_one(direct: &Server, through: &Server) {
    let table = Table::in_battle(direct).await;
    let mut plain = EventStream::of(through, &table.path("/events"), Some(4)).await;
    let mut packed = PackedStream::of(through, &table.path("/events?after=4")).await;
    for (number, seat, cell) in [(5, Host, "G1"), (6, Guest, "G1"), (7, Host, "H1"), (8, Guest, "H1")] {
        table.fire(direct, seat, cell).await.expect(200);
        assert_eq!(plain.next().await.expect("the stream goes on").seq, number);
        packed.upto(number).await;
    }
    table.resign(direct, Host).await.expect(200);
    assert_eq!(plain.rest().await.len(), 1);
}

/// A stream for a client that takes it compressed, as every browser does.
struct PackedStream {
    response: reqwest::Response,
    /// None where the proxy leaves it as it is.
    decoder: Option<GzDecoder<Vec<u8>>>,
    text: Vec<u8>,
}

impl PackedStream {
    async fn of(through: &Server, path: &str) -> Self {
        let request = through.request(Method::GET, path).header(ACCEPT, "text/event-stream");
        let response = within(request.header(ACCEPT_ENCODING, "gzip").send()).await.unwrap();
        assert_eq!(response.status(), 200);
        let packed = response.headers().get(CONTENT_ENCODING).is_some_and(|coding| coding == "gzip");
        Self { response, decoder: packed.then(|| GzDecoder::new(Vec::new())), text: Vec::new() }
    }

    /// Reads until this event is there, whole.
    async fn upto(&mut self, seq: u64) {
        let is_there = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            text.split_once(&format!("id: {seq}\n")).is_some_and(|(_, rest)| rest.contains("\n\n"))
        };
        loop {
            if is_there(self.decoder.as_ref().map_or(&self.text, |decoder| decoder.get_ref())) {
                return;
            }
            let bytes = within(self.response.chunk()).await.unwrap().expect("the stream goes on");
            if let Some(decoder) = &mut self.decoder {
                decoder.write_all(&bytes).unwrap();
                decoder.flush().unwrap();
            } else {
                self.text.extend(bytes);
            }
        }
    }
}

async fn a_wait_is_answered_by_the_move(direct: &Server, through: &Server) {
    let table = Table::in_battle(direct).await;
    let waiting = tokio::spawn({
        let (through, path) = (through.afresh(), table.path("/events?after=4&wait=25"));
        async move { through.get(&path, None).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;

    table.fire(direct, Host, "G1").await.expect(200);

    let told = within(waiting).await.unwrap();
    assert_eq!(told.expect(200)["events"][0]["seq"], 5);
}

/// Where nothing comes the proxy does not give up before the server answers.
pub(crate) async fn the_longest_wait_is_answered(through: &Server) {
    let table = Table::in_battle(through).await;
    let nothing = through.get(&table.path("/events?after=4&wait=25"), None).await;
    assert_eq!(nothing.expect(200)["events"], json!([]));
}

async fn an_offer_to_upgrade_is_ignored(through: &Server) {
    for (protocol, connection) in [("websocket", "Upgrade"), ("h2c", "Upgrade, HTTP2-Settings")] {
        for _ in 0..20 {
            let offering = |request: reqwest::RequestBuilder| {
                let request = request.header("connection", connection).header("upgrade", protocol);
                let request = request.header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
                request.header("http2-settings", "AAMAAABkAAQAoAAAAAIAAAAA")
            };
            let created = send(offering(through.request(Method::POST, "/v1/games")).json(&json!({}))).await;
            let path = format!("/v1/games/{}", created.expect(201)["game"]["id"].as_str().unwrap());
            send(offering(through.request(Method::GET, &path))).await.expect(200);
            send(through.request(Method::GET, &path)).await.expect(200);
        }
    }
}

async fn the_pages_are_there(through: &Server) {
    for path in ["/openapi.json", "/docs/", "/docs/swagger-ui.css", "/docs/rules", "/v1/rules", "/problems/game_full"] {
        for coding in ["identity", "gzip"] {
            let reply = through.request(Method::GET, path).header(ACCEPT_ENCODING, coding).send().await.unwrap();
            assert_eq!(reply.status(), 200, "{path} {coding}");
            assert!(!reply.bytes().await.unwrap().is_empty(), "{path} {coding}");
        }
    }
    let missing = within(send(stream_of(through, "/v1/games/x/events", None))).await;
    missing.refuses(404, "game_not_found");
}
