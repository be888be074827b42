//! The bytes on the wire, and reading as fast as a client can that does next to nothing.

use std::time::{Duration, Instant};

use naval_battle_client::Retries;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinSet, spawn_blocking};

use crate::course::{Course, client};
use crate::figures::number;
use crate::machine::Spent;

/// How many moves the bytes are counted over.
const COUNTED: usize = 200;

/// Bytes of each move on the wire: there, and back.
pub(crate) struct Bytes {
    pub(crate) there: f64,
    pub(crate) back: f64,
}

/// What reading came to.
pub(crate) struct Reads {
    pub(crate) count: f64,
    pub(crate) spent: Spent,
}

/// Counts the bytes of moves on connections that are kept.
pub(crate) async fn count(course: &mut Course, keys: bool) -> Bytes {
    course.stock_up(8).await;
    let address = course.address().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let base = format!("http://{}", listener.local_addr().expect("a listener has an address"));
    let counted = tokio::spawn(async move {
        let (mut near, _) = listener.accept().await.expect("somebody connects");
        let mut far = TcpStream::connect(address).await.expect("the server takes a connection");
        copy_bidirectional(&mut near, &mut far).await.expect("the wire holds")
    });
    let api = client(&base);
    let api = if keys { api } else { api.retrying(Retries::NEVER) };
    let mut moves = 0;
    while moves < COUNTED {
        let mut game = course.stock.pop_front().expect("games enough were set up");
        let seats = game.seats(&api);
        while moves < COUNTED && !game.is_over() {
            game.step(&seats).await;
            moves += 1;
        }
        if game.is_over() { course.over.push(game) } else { course.stock.push_back(game) }
    }
    // What the pool of the client keeps ends with the client.
    drop(api);
    let (there, back) = counted.await.expect("the bytes are counted");
    let each = |bytes: u64| number(usize::try_from(bytes).expect("few bytes")) / number(COUNTED);
    Bytes { there: each(there), back: each(back) }
}

/// Reads games as a spectator for so long, one request after the other on each connection; `known`
/// is whether the tag of the state is sent along, to which the answer is 304.
pub(crate) async fn read(course: &mut Course, connections: usize, known: bool, time: Duration) -> Reads {
    course.stock_up(connections).await;
    let address = course.address().to_owned();
    let processes = course.processes().clone();
    let until = Instant::now() + time;
    let before = {
        let processes = processes.clone();
        spawn_blocking(move || processes.usage()).await.expect("/proc can be read")
    };
    let mut readers = JoinSet::new();
    for game in course.stock.iter().take(connections) {
        let tag = format!("If-None-Match: \"{}-spectator\"\r\n", game.version());
        let (tag, status) = if known { (tag.as_str(), 304) } else { ("", 200) };
        let request = format!("GET /v1/games/{} HTTP/1.1\r\nHost: {address}\r\n{tag}\r\n", game.id);
        readers.spawn(reader(address.clone(), request, status, until));
    }
    let count = readers.join_all().await.into_iter().sum();
    let after = spawn_blocking(move || processes.usage()).await.expect("/proc can be read");
    Reads { count: number(count), spent: after.since(&before) }
}

async fn reader(address: String, request: String, status: u16, until: Instant) -> usize {
    let mut stream = TcpStream::connect(address).await.expect("the server takes a connection");
    stream.set_nodelay(true).expect("a socket can be told");
    let status_line = format!("HTTP/1.1 {status} ");
    let (mut count, mut answer) = (0, Vec::with_capacity(1 << 14));
    while Instant::now() < until {
        stream.write_all(request.as_bytes()).await.expect("the server reads");
        answer.clear();
        while !is_whole(&answer) {
            assert!(stream.read_buf(&mut answer).await.expect("the server answers") > 0, "the server hung up");
        }
        assert!(answer.starts_with(status_line.as_bytes()), "{}", String::from_utf8_lossy(&answer));
        count += 1;
    }
    count
}

/// Whether an answer is there with its whole body.
fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length.map_or(0, |length| length.trim().parse().expect("a number of bytes"));
    answer.len() >= end + 4 + length
}
