//! Connections that are kept between requests: for how long, and for whom they are given up.

use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use ground::cluster::Cluster;
use ground::server::{Server, program};
use ground::stream::PATIENCE;
use ground::table::Table;
use ground::wire::{Line, bare, get};

/// How many connections an address may have, and how many of them may be idle.
const PER_ADDRESS: usize = 256;
const IDLE_PER_ADDRESS: usize = 128;

const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

/// A connection from an address of this machine.
async fn connect(server: &Server, number: u8) -> TcpStream {
    let address: SocketAddr = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::from(([127, 0, 0, number], 0))).unwrap();
    timeout(PATIENCE, socket.connect(address)).await.expect("there is room to wait").unwrap()
}

/// Whether a request is answered, and not the connection closed.
async fn is_served(connection: &mut TcpStream) -> bool {
    // Where it is closed the request may not even be taken.
    drop(connection.write_all(REQUEST).await);
    let mut answer = Vec::new();
    while !answer.ends_with(b"\"status\":\"ok\"}") && !answer.ends_with(b"}") {
        let mut some = [0; 4096];
        match timeout(PATIENCE, connection.read(&mut some)).await.expect("it is answered or closed") {
            Ok(count @ 1..) => answer.extend_from_slice(&some[..count]),
            Ok(_) | Err(_) => return false,
        }
    }
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    true
}

/// Whether the server has closed a connection on which nothing is to come.
async fn is_closed(connection: &mut TcpStream) -> bool {
    let mut none = [0; 1];
    match timeout(Duration::from_millis(20), connection.read(&mut none)).await {
        Ok(Ok(count)) => count == 0,
        Ok(Err(_)) => true,
        Err(_) => false,
    }
}

#[tokio::test]
async fn a_kept_connection_is_kept_for_a_minute_and_a_quarter_as_each_reply_says() {
    let server = Server::shared().await;
    let table = Table::create(&server, &json!({})).await;
    let next = get(&server, "/healthz", None);
    let mut lines = Vec::new();
    for first in [next.clone(), get(&server, &table.path(""), Some("nonsense")), get(&server, "/nowhere", None)] {
        let mut line = Line::for_request(&first).await;
        line.send(&first).await;
        assert_eq!(line.reply().await.unwrap().header("keep-alive"), Some("timeout=75"));
        lines.push(line);
    }
    let began = Instant::now();

    let mut used = lines.pop().unwrap();
    tokio::time::sleep(Duration::from_secs(70)).await;
    used.send(&next).await;
    used.reply().await.expect("it was kept").expect(200);

    for mut line in lines {
        assert!(line.ends_within(PATIENCE).await, "nobody keeps it for ever");
        assert!(began.elapsed() >= Duration::from_secs(75), "{:?}", began.elapsed());
    }
    used.send(&next).await;
    used.reply().await.expect("it counts from the last reply").expect(200);
}

#[tokio::test]
async fn a_connection_that_ends_does_not_say_that_it_is_kept() {
    let server = Server::shared().await;
    for request in [
        get(&server, "/healthz", None).with("Connection", "close"),
        bare(&server, "POST", "/v1/games", None).with("Content-Length", "100000"),
    ] {
        let mut line = Line::for_request(&request).await;
        line.send(&request).await;
        let reply = line.reply().await.unwrap();
        assert_eq!((reply.header("keep-alive"), reply.header("connection")), (None, Some("close")), "{}", reply.status);
        assert!(line.ends_within(PATIENCE).await);
    }
}

#[tokio::test]
async fn the_next_head_has_ten_seconds_from_its_first_byte_on() {
    let server = Server::shared().await;
    let first = get(&server, "/healthz", None);
    let mut lines = Vec::new();
    for sent in [&b"G"[..], b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: "] {
        let mut line = Line::for_request(&first).await;
        line.send(&first).await;
        line.reply().await.unwrap().expect(200);
        lines.push((line, sent));
    }
    // It comes ahead of the reply before it.
    let mut ahead = Line::for_request(&first).await;
    ahead.send_bytes(&[REQUEST, b"GET /healthz HTTP/1.1\r\nHost"].concat()).await.unwrap();
    ahead.reply().await.unwrap().expect(200);
    tokio::time::sleep(Duration::from_secs(3)).await;

    let began = Instant::now();
    for (line, sent) in &mut lines {
        line.send_bytes(sent).await.unwrap();
    }
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        for (line, _) in &mut lines[1..] {
            line.send_bytes(b"x").await.unwrap();
        }
    }

    for line in lines.into_iter().map(|(line, _)| line).chain([ahead]).rev() {
        let mut line = line;
        assert!(line.ends_within(Duration::from_secs(40)).await, "the server ends the connection");
    }
    let passed = began.elapsed();
    assert!((Duration::from_secs(9)..Duration::from_secs(40)).contains(&passed), "{passed:?}");
}

#[tokio::test]
async fn an_idle_connection_is_given_up_for_a_newcomer_of_its_address() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let mut kept = Vec::new();
    for number in 0..IDLE_PER_ADDRESS {
        let mut connection = connect(&server, 2).await;
        assert!(is_served(&mut connection).await);
        kept.push(connection);
        if number < 3 {
            // The server sees that one is idle a moment after its reply has come.
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
    // No more may be idle, so the oldest makes room.
    let mut next = connect(&server, 2).await;
    assert!(is_served(&mut next).await);
    let began = Instant::now();
    while !is_closed(&mut kept[0]).await {
        assert!(began.elapsed() < PATIENCE, "it is given up");
    }
    kept.remove(0);
    assert!(is_served(&mut kept[0]).await, "the others are kept");
    // And the share of the address is for those that ask.
    let mut asking = Vec::new();
    for _ in IDLE_PER_ADDRESS..PER_ADDRESS {
        asking.push(connect(&server, 2).await);
    }
    let mut newcomer = connect(&server, 2).await;
    assert!(is_served(&mut newcomer).await);
    let began = Instant::now();
    while !is_closed(&mut kept[1]).await {
        assert!(began.elapsed() < PATIENCE, "the one that was idle for longest is given up");
    }
    assert!(is_served(&mut kept[0]).await, "which has asked since");
}

#[tokio::test]
async fn an_idle_connection_of_a_full_server_is_given_up_for_a_newcomer() {
    let database = Cluster::shared().database().await;
    let program = program();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -Sn 400; ulimit -Hn 400; exec \"$0\""]).arg(program.get_program());
    command.env("DATABASE_URL", database.url()).env("NAVAL_BATTLE_LIMITS", "on");
    let server = Server::spawn(command);
    let (mut kept, mut number) = (Vec::new(), 3);
    // All places are taken by connections that were answered once.
    let full = loop {
        let mut connection = connect(&server, number).await;
        assert!(is_served(&mut connection).await, "there is always a place for who asks");
        kept.push(connection);
        if kept.len().is_multiple_of(100) {
            number += 1;
            if is_closed(&mut kept[0]).await {
                break kept.len();
            }
        }
        assert!(kept.len() < 1_000);
    };

    assert!(full >= 200 && server.open_files() < 400, "{full}");
    assert!(is_served(kept.last_mut().unwrap()).await);
    server.get("/readyz", None).await.expect(200);
}
