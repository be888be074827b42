//! What a connection may cost, and how many of them one address may have.

use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use ground::cluster::Cluster;
use ground::server::{Server, program};
use ground::stream::PATIENCE;
use ground::table::Table;
use ground::wire::{Line, get};

/// How many connections an address may have.
const PER_ADDRESS: usize = 256;

async fn limited(environment: &[(&str, &str)]) -> Server {
    let database = Cluster::shared().database().await;
    Server::start_with(&database, &[&[("NAVAL_BATTLE_LIMITS", "on")], environment].concat())
}

/// A connection from an address of this machine.
async fn connect(server: &Server, number: u8) -> TcpStream {
    let address: SocketAddr = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, number], 0))).unwrap();
    timeout(PATIENCE, socket.connect(address)).await.expect("there is room to wait").unwrap()
}

async fn connect_often(server: &Server, number: u8, count: usize) -> Vec<TcpStream> {
    let mut connections = Vec::new();
    for _ in 0..count {
        connections.push(connect(server, number).await);
    }
    connections
}

/// Whether a request on a connection is answered, and not the connection closed.
async fn is_served(connection: &mut TcpStream) -> bool {
    // Where it is closed the request may not even be taken.
    drop(connection.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await);
    let mut answer = [0; 12];
    match timeout(PATIENCE, connection.read_exact(&mut answer)).await.expect("it is answered or closed") {
        Ok(_) => {
            assert_eq!(&answer, b"HTTP/1.1 200");
            true
        }
        Err(_) => false,
    }
}

/// Whether a connection is served, which then begins a request: so it is not idle, and keeps its place for a while.
async fn is_served_and_asks_on(connection: &mut TcpStream) -> bool {
    is_served(connection).await && connection.write_all(b"G").await.is_ok()
}

#[tokio::test]
async fn an_address_has_so_many_connections_and_those_of_others_go_on() {
    let server = limited(&[]).await;
    let open = async || server.count("naval_battle_client_connections").await;
    let before = open().await;
    // They have asked nothing yet, so none of them is idle.
    let all = connect_often(&server, 2, PER_ADDRESS).await;
    let began = Instant::now();
    while open().await < before + PER_ADDRESS {
        assert!(began.elapsed() < PATIENCE, "the server comes to all of them");
    }

    for _ in 0..5 {
        assert!(!is_served(&mut connect(&server, 2).await).await, "it is one too many");
    }
    assert!(is_served(&mut connect(&server, 3).await).await);
    drop(all);

    let began = Instant::now();
    while !is_served(&mut connect(&server, 2).await).await {
        assert!(began.elapsed() < PATIENCE, "places come back");
    }
}

#[tokio::test]
async fn behind_a_trusted_proxy_all_connections_are_the_proxys() {
    let server = limited(&[("NAVAL_BATTLE_TRUSTED_PROXIES", "1")]).await;

    let mut all = connect_often(&server, 2, PER_ADDRESS + 50).await;

    for connection in &mut all {
        assert!(is_served(connection).await);
    }
}

/// A server for whom the shell has set limits of descriptors, soft and hard.
async fn with_descriptors(soft: u32, hard: u32) -> Server {
    let database = Cluster::shared().database().await;
    let program = program();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -Sn {soft}; ulimit -Hn {hard}; exec \"$0\"")]).arg(program.get_program());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("DATABASE_URL", database.url()).env("NAVAL_BATTLE_LIMITS", "on");
    Server::spawn(command)
}

#[tokio::test]
async fn the_limit_of_descriptors_is_raised_to_what_the_system_lets() {
    let server = with_descriptors(100, 2_000).await;

    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();

    let files = limits.lines().find(|line| line.starts_with("Max open files")).expect("it is told");
    assert_eq!(files.split_whitespace().skip(3).take(2).collect::<Vec<_>>(), ["2000", "2000"]);
}

#[tokio::test]
async fn connections_leave_the_server_the_descriptors_that_it_needs() {
    let server = with_descriptors(400, 400).await;
    let mut crowd = Vec::new();
    for number in 3..=6 {
        crowd.extend(connect_often(&server, number, 200).await);
    }
    let mut count = 0;
    for connection in &mut crowd {
        count += usize::from(is_served_and_asks_on(connection).await);
    }

    assert!((200..400).contains(&count), "{count}");
    assert!(server.open_files() < 400);
    // One of them leaves, and whoever comes in its place is answered from the database.
    drop(crowd.swap_remove(0));
    let mut next = connect(&server, 2).await;
    while !is_served(&mut next).await {
        next = connect(&server, 2).await;
    }
    next.write_all(
        b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    )
    .await
    .unwrap();
    let mut answer = Vec::new();
    while !String::from_utf8_lossy(&answer).contains("HTTP/1.1 201 ") {
        assert!(timeout(PATIENCE, next.read_buf(&mut answer)).await.expect("an answer").unwrap() > 0);
    }
}

#[tokio::test]
async fn a_thousand_may_wait_to_be_taken_on() {
    let server = limited(&[]).await;
    let process = i32::try_from(server.id()).ok().and_then(rustix::process::Pid::from_raw).unwrap();

    rustix::process::kill_process(process, rustix::process::Signal::STOP).unwrap();
    let waiting = join_all((0..1_000).map(|number| connect(&server, u8::try_from(2 + number / 200).unwrap()))).await;
    rustix::process::kill_process(process, rustix::process::Signal::CONT).unwrap();

    for mut connection in waiting {
        assert!(is_served(&mut connection).await);
    }
}

#[tokio::test]
async fn whoever_sends_far_ahead_of_the_replies_costs_no_core_and_is_cut_off() {
    let server = Server::on_new_database().await;
    let table = Table::create(&server, &json!({})).await;
    let small = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(4_000);
    let long = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(900)).into_bytes().repeat(400);

    for first in [
        get(&server, &table.path("/events"), None).with("Accept", "text/event-stream"),
        get(&server, &table.path("/events?after=1&wait=25"), None),
    ] {
        for ahead in [&small, &long] {
            let mut line = Line::for_request(&first).await;
            line.send(&first).await;
            let before = server.seconds_of_a_core();

            // Where it is cut off not all is taken.
            drop(timeout(Duration::from_secs(2), line.send_bytes(ahead)).await);
            let ended = line.ends_within(PATIENCE).await;

            assert!(ended, "it is cut off");
            let used = server.seconds_of_a_core() - before;
            assert!(used < 1.0, "{used} seconds of a core");
        }
    }
    server.get("/healthz", None).await.expect(200);
}

#[tokio::test]
async fn requests_that_are_sent_ahead_in_measure_are_answered_in_order() {
    let server = Server::on_new_database().await;
    let waiting = get(&server, "/healthz", None);
    let mut line = Line::for_request(&waiting).await;
    let ahead = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500);

    line.send_bytes(&ahead).await.unwrap();

    for number in 0..500 {
        let reply = line.reply().await.unwrap_or_else(|| panic!("no reply {number}"));
        reply.expect(200);
    }
}

#[tokio::test]
async fn a_kept_connection_is_not_kept_for_half_a_head() {
    let server = Server::shared().await;
    let first = get(&server, "/healthz", None);
    let mut line = Line::for_request(&first).await;
    line.send(&first).await;
    line.reply().await.unwrap().expect(200);

    line.send_bytes(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").await.unwrap();

    assert!(line.ends_within(Duration::from_mins(1)).await, "the server ends the connection");
}

#[tokio::test]
async fn a_connection_on_which_somebody_waited_for_long_is_kept_as_long_as_any_other() {
    let server = Server::shared().await;
    let table = Table::create(&server, &json!({})).await;
    let waiting = get(&server, &table.path("/events?after=1&wait=22"), None);
    let next = get(&server, "/healthz", None);
    let mut line = Line::for_request(&waiting).await;

    line.send(&waiting).await;
    line.reply().await.unwrap().expect(200);
    tokio::time::sleep(Duration::from_millis(100)).await;
    line.send(&next).await;

    line.reply().await.expect("the connection is kept").expect(200);
}
