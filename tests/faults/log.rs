//! Nobody reads what the server writes.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use ground::cleanup;
use ground::cluster::Cluster;
use ground::server::{connections, program};

use crate::startup::run::ENDED;

/// A server whose output goes where a test says.
struct Writing {
    child: Child,
    base: String,
    client: reqwest::Client,
}

impl Writing {
    async fn start(out: impl Into<Stdio>, err: impl Into<Stdio>) -> Self {
        let database = Cluster::shared().database().await;
        // The welcome may come to nobody, so the port is chosen here.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = program();
        command
            .env("DATABASE_URL", database.url())
            .env("NAVAL_BATTLE_BIND", address.to_string())
            .env("NAVAL_BATTLE_LIMITS", "off")
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err);
        let child = command.spawn().unwrap();
        cleanup::kill(child.id());
        let server = Self { child, base: format!("http://{address}"), client: connections().build().unwrap() };
        let began = Instant::now();
        while server.client.get(format!("{}/readyz", server.base)).send().await.is_err() {
            assert!(began.elapsed() < ENDED, "the server does not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        server
    }

    async fn get(&self, path: &str) -> String {
        let reply = self.client.get(format!("{}{path}", self.base)).send().await.unwrap();
        assert_eq!(reply.status(), 200, "{path}");
        reply.text().await.unwrap()
    }

    /// How many lines were dropped, as the server counts them.
    async fn dropped(&self) -> usize {
        let page = self.get("/metrics").await;
        let count = page.lines().find_map(|line| line.strip_prefix("naval_battle_dropped_log_lines_total "));
        count.expect("it is counted").parse().unwrap()
    }

    /// Tells it to end, and insists that it does so in order and in time.
    fn end(&mut self) {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(id, Signal::TERM).unwrap();
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0));
                return;
            }
            assert!(began.elapsed() < ENDED, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A stream that takes nothing more, and the end at which nobody reads.
fn full() -> (OwnedFd, UnixStream) {
    let (mut written, read) = UnixStream::pair().unwrap();
    written.set_nonblocking(true).unwrap();
    loop {
        match written.write(&[b'\n'; 1024]) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    written.set_nonblocking(false).unwrap();
    (written.into(), read)
}

#[tokio::test]
async fn a_log_that_nobody_reads_stops_neither_the_server_nor_its_end() {
    let mut server = Writing::start(Stdio::null(), Stdio::piped()).await;

    // More than the pipe holds, and more than the server keeps.
    let asked = 6000;
    for _ in 0..asked {
        server.get("/healthz").await;
    }
    let dropped = server.dropped().await;

    assert!((1..asked).contains(&dropped), "{dropped} of {asked} were dropped");
    server.end();
}

#[tokio::test]
async fn once_a_log_is_read_again_it_tells_how_many_lines_are_not_in_it() {
    let mut server = Writing::start(Stdio::null(), Stdio::piped()).await;
    for _ in 0..6000 {
        server.get("/healthz").await;
    }
    let dropped = server.dropped().await;
    let mut lines = BufReader::new(server.child.stderr.take().unwrap()).lines();
    let is_told = |line: &String| line.contains(" lines of the log were dropped");

    let told = lines.by_ref().map(Result::unwrap).find(is_told).expect("it is told");

    let count = told.split("] ").nth(1).and_then(|said| said.split(' ').next()).unwrap();
    // The line of the question itself may have been dropped too.
    assert!([dropped, dropped + 1].map(|count| count.to_string()).contains(&count.to_owned()), "{told}, not {dropped}");
    assert!(told.contains(" WARN "), "{told}");
    server.get("/healthz").await;
    let reader = std::thread::spawn(move || lines.map(Result::unwrap).collect::<Vec<_>>());
    server.end();
    let rest = reader.join().unwrap();
    assert!(rest.iter().any(|line| line.contains("stopping: requests")), "the last lines are there");
    assert!(!rest.iter().any(is_told), "it is told once");
}

#[tokio::test]
async fn a_log_whose_reader_is_gone_stops_neither_the_server_nor_its_end() {
    let mut server = Writing::start(Stdio::null(), Stdio::piped()).await;
    drop(server.child.stderr.take());

    for _ in 0..500 {
        server.get("/healthz").await;
    }

    assert!(server.dropped().await >= 400);
    server.end();
}

#[tokio::test]
async fn a_disk_that_is_full_stops_neither_the_server_nor_its_end() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut server = Writing::start(full(), full()).await;

    for _ in 0..500 {
        server.get("/healthz").await;
    }

    assert!(server.dropped().await >= 400);
    server.end();
}

#[tokio::test]
async fn streams_that_take_nothing_from_the_start_stop_neither_the_server_nor_its_end() {
    let ((out, _unread), (err, _unread_either)) = (full(), full());

    let mut server = Writing::start(out, err).await;

    server.get("/v1/rules").await;
    server.end();
}

#[tokio::test]
async fn in_an_ordinary_end_no_line_is_lost() {
    let mut server = Writing::start(Stdio::null(), Stdio::piped()).await;
    let mut err = server.child.stderr.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut log = String::new();
        err.read_to_string(&mut log).unwrap();
        log
    });
    for _ in 0..1000 {
        server.get("/healthz").await;
    }

    server.end();

    let log = reader.join().unwrap();
    assert_eq!(log.matches(" route=/healthz ").count(), 1000);
    assert!(log.contains("stopping: requests under way are answered"));
    assert!(!log.contains("were dropped"));
}

#[tokio::test]
async fn an_error_of_the_start_is_told_and_does_not_wait_for_whoever_reads_it() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    for (err, _unread) in [full(), full()] {
        let mut command = program();
        command.env("NAVAL_BATTLE_BIND", taken.local_addr().unwrap().to_string());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(err).spawn().unwrap();
        cleanup::kill(child.id());
        let began = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < ENDED, "the program does not end");
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        assert_eq!(status.code(), Some(1));
    }
}
