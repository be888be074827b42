//! How many streams a server holds in how much memory, and how soon an event is on a stream:
//! `cargo bench --bench live`.
//!
//! It starts a Postgres and servers of its own, which go with it; it takes about two minutes. The
//! clients run in the same machine and share its cores, so the delays are upper bounds.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ground::cluster::{Cluster, Database};
use ground::server::Server;
use ground::stream::within;
use ground::table::{FLEET, Table, layout};
use naval_battle_client::{Cell, Choice, Client, Create, FirstShot, Seat};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::task::JoinHandle;

/// How many streams are open at a time.
const STREAMS: [usize; 3] = [0, 1_000, 5_000];

/// Over so many games they are spread.
const GAMES: usize = 50;

/// How many moves a delay is measured over.
const MOVES: usize = 300;

/// More than the time after which a silent stream has had a comment.
const A_COMMENT: Duration = Duration::from_secs(17);

fn main() {
    let files = raise_file_limit();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let cluster = Cluster::start();
        let build = if cfg!(debug_assertions) { "debug" } else { "release" };
        let cores = std::thread::available_parallelism().expect("the machine tells its cores");
        println!("{build} build, {cores} cores shared by clients, servers and Postgres\n");
        memory(&cluster.database().await, files).await;
        delays(&cluster.database().await).await;
    });
}

/// Lets this process and the servers that it starts open as many files as the system allows.
fn raise_file_limit() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(1 << 20);
    let raised = Rlimit { current: Some(most), maximum: limit.maximum };
    let most = if setrlimit(Resource::Nofile, raised).is_ok() { Some(most) } else { limit.current };
    most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX)
}

/// Opens more and more streams on one server and looks at its memory.
async fn memory(database: &Database, files: usize) {
    let server = Server::start_with(database, &[("NAVAL_BATTLE_LIMITS", "off"), ("RUST_LOG", "warn")]);
    let mut paths = Vec::new();
    for _ in 0..GAMES {
        paths.push(Table::joined(&server, &json!({})).await.path("/events"));
    }
    println!("{:>30}  {:>8}  {:>12}", format!("idle streams over {GAMES} games"), "RSS, MB", "kB a stream");
    let mut open = Vec::new();
    let mut before = 0.0;
    for count in STREAMS {
        if count + 100 > files {
            println!("{count:>30}  only {files} files may be open");
            continue;
        }
        for path in paths.iter().cycle().skip(open.len()).take(count - open.len()) {
            open.push(open_idle(&server, path));
        }
        sleep(Duration::from_secs(2));
        before = if count == 0 { resident(&server) } else { before };
        tell(&server, &count.to_string(), before, open.len());
    }
    sleep(A_COMMENT);
    tell(&server, "after a comment each", before, open.len());
    let count = open.len();
    drop(open);
    // Whoever hung up is missed at the second thing sent.
    sleep(A_COMMENT + A_COMMENT);
    tell(&server, "after they hung up", before, 0);
    let again: Vec<_> = paths.iter().cycle().take(count).map(|path| open_idle(&server, path)).collect();
    sleep(Duration::from_secs(2));
    tell(&server, "as many once more", before, again.len());
    println!();
}

fn tell(server: &Server, what: &str, before: f64, streams: usize) {
    let now = resident(server);
    let each = u32::try_from(streams)
        .ok()
        .filter(|streams| *streams > 0)
        .map_or_else(String::new, |streams| format!("{:.1}", (now - before) / f64::from(streams) * 1024.0));
    println!("{what:>30}  {now:>8.1}  {each:>12}");
}

/// The server's memory in MB.
fn resident(server: &Server) -> f64 {
    u32::try_from(server.resident() / 1024).map_or(f64::NAN, |kilobytes| f64::from(kilobytes) / 1024.0)
}

/// A stream that has told both events of a game that somebody has just joined.
fn open_idle(server: &Server, path: &str) -> TcpStream {
    let address = server.base.strip_prefix("http://").expect("a base over http");
    let address: SocketAddr = address.parse().expect("an address with a port");
    let mut stream = TcpStream::connect(address).expect("the server takes a connection");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time-out can be set");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut told = String::new();
    let mut chunk = [0; 4_096];
    while !told.contains("\nid: 2\n") {
        let count = stream.read(&mut chunk).expect("the server writes");
        assert!(count > 0, "the server hung up: {told}");
        told.push_str(&String::from_utf8_lossy(chunk.get(..count).unwrap_or_default()));
    }
    stream
}

/// When each event came, in order.
type Arrivals = JoinHandle<Vec<Instant>>;

/// Measures how long after the reply to a move its event is on a stream.
async fn delays(database: &Database) {
    let start = |notify| {
        let environment = [("NAVAL_BATTLE_LIMITS", "off"), ("NAVAL_BATTLE_NOTIFY", notify), ("RUST_LOG", "warn")];
        Server::start_with(database, &environment)
    };
    let servers = [start("on"), start("on"), start("off")];
    let names = ["the same server", "another server", "another, which only looks"];
    println!("{:>30}  {:>8}  {:>8}  {:>8}", "ms from the reply to the line", "p50", "p99", "max");
    for (pace, pause) in [("one move in 50 ms", Some(Duration::from_millis(50))), ("one move after another", None)] {
        let (replies, arrivals) = play(&servers, pause).await;
        println!("{pace:>30}");
        for (name, arrived) in names.iter().zip(arrivals) {
            let mut late: Vec<f64> =
                replies.iter().zip(&arrived).map(|(reply, line)| milliseconds(*reply, *line)).collect();
            late.sort_by(f64::total_cmp);
            let at = |percent: usize| late.get((late.len() - 1) * percent / 100).copied().unwrap_or(f64::NAN);
            println!("{name:>30}  {:>8.1}  {:>8.1}  {:>8.1}", at(50), at(99), at(100));
        }
    }
    println!("\n{MOVES} moves each; less than 0 is before the reply; notifications are gathered for 25 ms");
}

/// Plays a game on the first server and tells when each reply came, and each line on each server.
async fn play(servers: &[Server; 3], pause: Option<Duration>) -> (Vec<Instant>, Vec<Vec<Instant>>) {
    let [server, ..] = servers;
    let api = Client::new(&server.base).expect("a server has an address");
    let options = Choice { grid: Some(15), mines: Some(false), first: Some(FirstShot::Host), ..Choice::default() };
    let (host, _) = api.create(&Create { options, ..Create::default() }).await.expect("a game is created");
    let (guest, _) = api.table(host.id()).join(None).await.expect("a seat is free");
    let fleet = serde_json::from_value(layout(FLEET, "").to_json()).expect("a layout is one for the client");
    for table in [&host, &guest] {
        table.place(&fleet).await.expect("the layout is legal");
    }
    let mut followed: Vec<Arrivals> = Vec::new();
    for server in servers {
        let api = Client::new(&server.base).expect("a server has an address");
        // The last event before the first move shows that the stream is open.
        let mut feed = api.table(host.id()).follow(3);
        within(feed.next()).await.expect("the server answers");
        followed.push(tokio::spawn(async move {
            let mut arrivals = Vec::new();
            while arrivals.len() < MOVES {
                feed.next().await.expect("the stream is not torn").expect("the game goes on");
                arrivals.push(Instant::now());
            }
            arrivals
        }));
    }
    // Columns G to O are water on both boards.
    let cells = ('G'..='O').flat_map(|column| (1..=15).map(move |row| format!("{column}{row}")));
    let turns = cells.flat_map(|cell| [(Seat::Host, cell.clone()), (Seat::Guest, cell)]);
    let mut replies = Vec::new();
    for (seat, cell) in turns.chain(more_water()).take(MOVES) {
        let table = if seat == Seat::Host { &host } else { &guest };
        let shot: Cell = cell.parse().expect("a cell");
        let reply = table.fire(&[shot]).await;
        replies.push(Instant::now());
        reply.expect("the shot is legal");
        if let Some(pause) = pause {
            tokio::time::sleep(pause).await;
        }
    }
    let mut arrivals = Vec::new();
    for follower in followed {
        arrivals.push(within(follower).await.expect("a follower does not fail"));
    }
    (replies, arrivals)
}

/// Rows 9 to 15 of the other columns are water too.
fn more_water() -> impl Iterator<Item = (Seat, String)> {
    let cells = ('A'..='F').flat_map(|column| (9..=15).map(move |row| format!("{column}{row}")));
    cells.flat_map(|cell| [(Seat::Host, cell.clone()), (Seat::Guest, cell)])
}

/// How long after `from` something was; less than 0 if it was before.
fn milliseconds(from: Instant, to: Instant) -> f64 {
    let late = to.saturating_duration_since(from).as_secs_f64() - from.saturating_duration_since(to).as_secs_f64();
    late * 1_000.0
}
