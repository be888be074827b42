//! Many who follow: limits, slow readers, and what is left of those who have gone.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use reqwest::Client;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use crate::feed::games::{SHORT, grow, log_of, pair, play_out, seqs, short_game, unlimited};
use ground::cluster::{Cluster, Database};
use ground::server::{Server, send};
use ground::stream::{EventStream, PATIENCE, stream_of, within};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

/// How many logs one address may follow at a time.
const PER_ADDRESS: usize = 50;

/// Whoever left without a word is missed by the second comment at the latest.
const MISSED: Duration = Duration::from_secs(45);

#[tokio::test]
async fn c_one_address_follows_fifty_logs_at_a_time_and_its_places_come_back() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let table = Table::joined(&server, &json!({})).await;
    let path = table.path("/events");
    let mut streams = Vec::new();
    for _ in 0..PER_ADDRESS {
        streams.push(EventStream::of(&server, &path, None).await);
    }
    for stream in &mut streams {
        assert_eq!(stream.upto(2).await.len(), 2);
    }

    // One more is too many, whichever way it follows.
    let nobody = "/v1/games/0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b/events";
    for request in [
        stream_of(&server, &path, None),
        stream_of(&server, &path, Some(2)),
        stream_of(&server, nobody, None),
        server.request(reqwest::Method::GET, &format!("{path}?after=2&wait=1")),
        server.request(reqwest::Method::GET, &format!("{nobody}?wait=1")),
    ] {
        let reply = within(send(request)).await;
        reply.refuses(429, "rate_limited");
        let seconds: u64 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&seconds), "{seconds}");
    }
    // Who does not wait needs no place, and another address has places of its own.
    server.get(&path, None).await.expect(200);
    server.get(&format!("{path}?wait=0"), None).await.expect(200);
    let elsewhere = Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))).build().unwrap();
    let mut there = server.afresh();
    there.client = elsewhere;
    assert_eq!(EventStream::of(&there, &path, None).await.upto(2).await.len(), 2);

    // One hangs up; two events later at the latest it is missed.
    drop(streams.pop());
    table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
    table.place(&server, Guest, &layout(FLEET, "J10")).await.expect(200);
    streams.push(place_again(&server, &path).await);
    // A game that ends sends everybody home.
    table.resign(&server, Host).await.expect(200);
    for stream in streams {
        assert_eq!(stream.rest().await.last().unwrap().seq, 5);
    }
    let other = Table::joined(&server, &json!({})).await;
    assert_eq!(place_again(&server, &other.path("/events")).await.upto(2).await.len(), 2);
}

#[tokio::test]
async fn c_without_limits_three_hundred_follow_one_game_and_get_it_all() {
    let [server, other] = pair().await;
    let table = short_game(&server).await;
    let path = table.path("/events");
    let mut streams = Vec::new();
    for index in 0..300 {
        streams.push(EventStream::of(if index % 2 == 0 { &server } else { &other }, &path, Some(index % 5)).await);
    }

    let told = join_all(streams.into_iter().map(EventStream::rest));
    let (told, ()) = join(told, play_out(&[&server, &other], &table)).await;

    let log = log_of(&server, &table).await;
    assert_eq!(seqs(&log), (1..=SHORT).collect::<Vec<_>>());
    for (index, told) in told.into_iter().enumerate() {
        assert_eq!(told, log[index % 5..], "{index}");
    }
}

#[tokio::test]
async fn c_events_that_come_by_the_hundred_drop_no_reader_that_reads() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let table = short_game(&server).await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(EventStream::of(&server, &table.path("/events"), Some(4)).await);
    }

    for (count, last) in [(5, 9), (33, 42), (64, 106), (65, 171), (250, 421), (1, 422)] {
        grow(&database, &table, count, 10).await;

        for told in join_all(streams.iter_mut().map(|stream| stream.upto(last))).await {
            let first = last - u64::try_from(count).unwrap() + 1;
            assert_eq!(seqs(&told), (first..=last).collect::<Vec<_>>());
        }
    }
}

/// How large an event is made, so that some hundred of them fill every buffer on the way.
const LARGE: i32 = 16 * 1024;

#[tokio::test]
async fn c_readers_that_do_not_read_harm_nobody_and_are_not_buffered_for() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let table = short_game(&server).await;
    grow(&database, &table, 496, LARGE).await;
    let path = table.path("/events");
    let before = server.resident();
    let mut reader = EventStream::of(&server, &path, None).await;

    // Eight million bytes are waiting for each of them.
    let mut idle = Vec::new();
    for _ in 0..40 {
        idle.push(stuck(&server, &path).await);
    }
    assert_eq!(reader.upto(500).await.len(), 500);
    for last in [530, 560, 590] {
        grow(&database, &table, 30, LARGE).await;
        assert_eq!(reader.upto(last).await.len(), 30);
    }

    let grown = server.resident().saturating_sub(before);
    assert!(grown < 150 * 1024 * 1024, "40 × 9.4 MB are not kept: {grown}");
    let began = Instant::now();
    table.fire(&server, Host, "A1").await.expect(200);
    assert_eq!(reader.next().await.unwrap().seq, 591);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

/// They leave while nothing happens, so the server learns of it only by its comments.
#[tokio::test]
async fn c_nothing_is_kept_of_those_who_left_without_a_word() {
    let (crowded, limited) = (Cluster::shared().database().await, Cluster::shared().database().await);
    let server = unlimited(&crowded, &[]);
    let strict = Server::start_with(&limited, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let mut paths = Vec::new();
    for _ in 0..100 {
        paths.push(Table::create(&server, &json!({})).await.path("/events"));
    }
    let strict_path = Table::create(&strict, &json!({})).await.path("/events");
    let files = server.open_files();
    let memory = server.resident();
    let (crowd, audience) = (server.afresh(), strict.afresh());
    let mut streams = Vec::new();
    for path in paths.iter().cycle().take(500) {
        let mut stream = EventStream::of(&crowd, path, None).await;
        assert_eq!(stream.next().await.unwrap().seq, 1);
        streams.push(stream);
    }
    let mut places = Vec::new();
    for _ in 0..PER_ADDRESS {
        places.push(EventStream::of(&audience, &strict_path, None).await);
    }
    assert!(server.open_files() >= files + 500);
    assert!(looks(&crowded).await, "somebody watches");

    drop((streams, crowd, places, audience));

    let began = Instant::now();
    let mut place = None;
    while server.open_files() > files + 20 || place.is_none() || looks(&crowded).await {
        assert!(began.elapsed() < MISSED, "{} open files, {} before", server.open_files(), files);
        place = place.or(EventStream::open(stream_of(&strict, &strict_path, None)).await.ok());
    }
    let grown = server.resident().saturating_sub(memory);
    assert!(grown < 60 * 1024 * 1024, "{grown} bytes are left of 500 streams");
}

/// Whether a server on this database looks at the versions of games that somebody watches.
async fn looks(database: &Database) -> bool {
    let mut connection = database.connect().await;
    let mut last = async || -> Option<chrono::DateTime<chrono::Utc>> {
        sqlx::query_scalar(
            "select max(query_start) from pg_stat_activity
              where datname = current_database() and query like 'select game_id, version from games%'",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap()
    };
    let before = last().await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    last().await != before
}

/// Opens a stream where there was no place a moment ago.
async fn place_again(server: &Server, path: &str) -> EventStream {
    let began = Instant::now();
    loop {
        match EventStream::open(stream_of(server, path, None)).await {
            Ok(stream) => return stream,
            Err(reply) => assert_eq!(reply.status, 429, "{}", reply.text),
        }
        assert!(began.elapsed() < PATIENCE, "a place is free again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Asks for a stream, with little room to receive it, and never reads.
pub(crate) async fn stuck(server: &Server, path: &str) -> TcpStream {
    let address: SocketAddr = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut connection = socket.connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n");
    connection.write_all(request.as_bytes()).await.unwrap();
    connection
}
