//! Many who follow: limits, slow readers, and what is left of those who have gone.

use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use reqwest::{Client, Method};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

use crate::feed::games::{SHORT, grow, log_of, pair, play_out, seqs, short_game, unlimited};
use ground::cluster::{Cluster, Database};
use ground::server::{Server, send};
use ground::stream::{EventStream, PATIENCE, stream_of, within};
use ground::table::{FLEET, Table, layout};
use ground::wire::{Line, get};
use testing::model::Seat;

use Seat::Host;

/// How many logs one address may follow at a time.
const PER_ADDRESS: usize = 50;

/// How many requests with a seat's token may follow a game at a time.
const PER_SEAT: usize = 16;

/// No game has this path.
const UNKNOWN: &str = "/v1/games/0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";

/// Whoever left without a word is missed by the second comment at the latest.
const MISSED: Duration = Duration::from_secs(45);

/// It takes two seconds at most, and a slow machine is no fault; a comment comes after fifteen.
const NOTICED: Duration = Duration::from_secs(10);

#[tokio::test]
async fn c_one_address_follows_fifty_logs_at_a_time_and_a_newer_stream_pushes_out_its_oldest() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let table = Table::joined(&server, &json!({})).await;
    let path = table.path("/events");
    let mut streams = VecDeque::new();
    for _ in 0..PER_ADDRESS {
        streams.push_back(EventStream::of(&server, &path, None).await);
    }
    for stream in &mut streams {
        assert_eq!(stream.upto(2).await.len(), 2);
    }

    // Who reads, looks, or asks for a game that is not there pushes nobody out.
    server.get(&path, None).await.expect(200);
    server.get(&format!("{path}?wait=20"), None).await.expect(200);
    server.get(&format!("{UNKNOWN}/events?wait=1"), None).await.expect(404);
    send(stream_of(&server, &format!("{UNKNOWN}/events"), None)).await.expect(404);
    send(server.request(Method::HEAD, &path).header("accept", "text/event-stream")).await.expect(200);
    assert_eq!(open_streams(&server).await, PER_ADDRESS);
    // Another address has places of its own.
    let mut there = EventStream::of(&elsewhere(&server, 2), &path, None).await;
    assert_eq!(there.upto(2).await.len(), 2);
    // One more of this address ends its oldest, in order, whichever way it follows.
    let mut newer = EventStream::of(&server, &path, None).await;
    assert_eq!(newer.upto(2).await.len(), 2);
    assert_eq!(streams.pop_front().unwrap().rest().await, []);
    let ahead = format!("{path}?after=2&wait=25");
    let waiting = server.get(&ahead, None);
    let ended = streams.pop_front().unwrap().rest();
    let placed = async {
        assert_eq!(ended.await, []);
        table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
    };
    let (waited, ()) = within(join(waiting, placed)).await;

    assert_eq!(waited.expect(200)["version"], 3);
    table.resign(&server, Host).await.expect(200);
    for stream in streams.into_iter().chain([newer, there]) {
        assert_eq!(stream.rest().await.last().unwrap().seq, 4);
    }
}

#[tokio::test]
async fn c_who_waits_is_not_pushed_out_and_one_more_is_told_to_come_later() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let table = Table::joined(&server, &json!({})).await;
    let path = table.path("/events");
    let waiting = get(&server, &format!("{path}?after=2&wait=25"), None);
    let mut lines = join_all((0..PER_ADDRESS).map(|_| Line::for_request(&waiting))).await;
    for line in &mut lines {
        line.send(&waiting).await;
    }

    // The first that is refused tells that all of them wait.
    let began = Instant::now();
    while send(stream_of(&server, &path, Some(2))).await.status != 429 {
        assert!(began.elapsed() < PATIENCE);
    }
    for request in [
        stream_of(&server, &path, None),
        server.request(Method::GET, &format!("{path}?after=2&wait=1")),
        stream_of(&server, &format!("{UNKNOWN}/events"), None),
    ] {
        let reply = within(send(request)).await;
        reply.refuses(429, "rate_limited");
        let seconds: u64 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&seconds), "{seconds}");
    }
    table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);

    for line in &mut lines {
        assert_eq!(line.reply().await.unwrap().expect(200)["version"], 3);
    }
    assert_eq!(EventStream::of(&server, &path, None).await.upto(3).await.len(), 3);
}

#[tokio::test]
async fn c_five_hundred_spectators_leave_the_players_their_places() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let table = Table::joined(&server, &json!({})).await;
    let path = table.path("/events");
    let mut crowd = Vec::new();
    for address in 2..=11 {
        let there = elsewhere(&server, address);
        crowd.extend(join_all((0..PER_ADDRESS).map(|_| EventStream::of(&there, &path, Some(2)))).await);
    }

    for request in [stream_of(&server, &path, None), server.request(Method::GET, &format!("{path}?after=2&wait=1"))] {
        send(request).await.refuses(429, "rate_limited");
    }
    let mut host = EventStream::open(stream_of(&server, &path, None).bearer_auth(&table.host)).await.expect("a place");
    assert_eq!(host.upto(2).await.len(), 2);
    let waiting = format!("{path}?after=2&wait=25");
    let guest = server.get(&waiting, Some(&table.guest));
    let place = async { table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200).clone() };
    let (waited, _) = within(join(guest, place)).await;

    assert_eq!(waited.expect(200)["version"], 3);
    assert_eq!(host.next().await.unwrap().seq, 3);
    // A seat that follows too often ends its own oldest alone.
    let there = elsewhere(&server, 12);
    for _ in 0..PER_SEAT {
        let next = stream_of(&there, &path, Some(2)).bearer_auth(&table.host);
        crowd.push(EventStream::open(next).await.expect("a place"));
    }
    assert_eq!(host.rest().await, []);
    table.resign(&server, Host).await.expect(200);
    for stream in crowd {
        assert_eq!(stream.rest().await.last().unwrap().seq, 4);
    }
}

/// However a client leaves, nothing is kept for it, long before a comment would have found out.
#[tokio::test]
async fn c_the_place_of_a_stream_is_free_as_soon_as_its_client_has_left() {
    let server = Server::on_new_database().await;
    let table = Table::joined(&server, &json!({})).await;
    let stream = get(&server, &table.path("/events?after=2"), None).with("Accept", "text/event-stream");
    let healthy = get(&server, "/healthz", None);
    let waiting = get(&server, &table.path("/events?after=2&wait=25"), None);
    let leave: [fn(Line) -> Option<Line>; 3] = [
        |line| {
            drop(line);
            None
        },
        |line| {
            line.reset();
            None
        },
        |line| Some(line.half_close()),
    ];

    for (number, leave) in leave.into_iter().enumerate() {
        for kept in [false, true] {
            let mut line = Line::for_request(&stream).await;
            if kept {
                line.send(&healthy).await;
                line.reply().await.unwrap().expect(200);
            }
            line.send(&stream).await;
            while open_streams(&server).await == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let began = Instant::now();
            let _half = leave(line);
            while open_streams(&server).await > 0 {
                assert!(began.elapsed() < NOTICED, "way {number}, kept: {kept}");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }
    // Whoever closes only their own end and waits is answered with what there is.
    let mut line = Line::for_request(&waiting).await;
    line.send(&waiting).await;
    let mut line = line.half_close();
    let began = Instant::now();
    let reply = line.reply().await.expect("an answer");
    assert_eq!(reply.expect(200), &json!({"events": [], "version": 2}));
    assert!(began.elapsed() < NOTICED);
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
    // The connection by which the games were created may have ended.
    assert!(server.open_files() >= files + 499);
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
              where datname = current_database() and query like 'select game_id, version,%rematches%'",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap()
    };
    // Other statements on the same connection hide it after a moment.
    let mut seen = BTreeSet::new();
    let until = Instant::now() + Duration::from_secs(6);
    while seen.len() < 2 && Instant::now() < until {
        seen.extend(last().await);
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    seen.len() > 1
}

/// The same server, asked from another address of this machine.
fn elsewhere(server: &Server, number: u8) -> Server {
    let address = IpAddr::V4(Ipv4Addr::new(127, 0, 0, number));
    let mut there = server.afresh();
    there.client = Client::builder().local_address(address).build().unwrap();
    there
}

/// How many streams the server has open.
async fn open_streams(server: &Server) -> usize {
    let page = server.get("/metrics", None).await.text;
    let line = page.lines().find_map(|line| line.strip_prefix("naval_battle_streams ")).expect("it is counted");
    line.parse().expect("a number")
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
