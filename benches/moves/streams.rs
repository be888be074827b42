//! Streams of events that somebody reads.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::course::{BEFORE_BATTLE, Course};

/// How long the last events may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many are opened at a time.
const AT_ONCE: usize = 50;

/// What stands before each event.
const MARK: &[u8] = b"\nid: ";

/// Streams that are open until this is dropped.
pub(crate) struct Streams {
    /// On which games.
    games: Vec<String>,
    told: Arc<AtomicUsize>,
    readers: JoinSet<()>,
}

impl Streams {
    /// Opens so many, spread over the games of a course, and waits until each has told its game.
    pub(crate) async fn open(course: &Course, count: usize) -> Self {
        let games: Vec<String> = course.stock.iter().map(|game| game.id.clone()).cycle().take(count).collect();
        let mut streams = Self { games, told: Arc::default(), readers: JoinSet::new() };
        for (opened, game) in (1..).zip(streams.games.clone()) {
            let stream = TcpStream::connect(course.address()).await.expect("the server takes a connection");
            streams.readers.spawn(read(stream, course.address().to_owned(), game, Arc::clone(&streams.told)));
            // Whoever opens all at once is turned away.
            if opened % AT_ONCE == 0 || opened == count {
                streams.await_count(opened * usize::try_from(BEFORE_BATTLE).expect("few")).await;
            }
        }
        streams
    }

    /// Waits until every stream has told every event of its game, and tells how many these were.
    pub(crate) async fn await_all(self, course: &Course) -> usize {
        let games = course.stock.iter().chain(&course.over);
        let versions: HashMap<&str, u32> = games.map(|game| (game.id.as_str(), game.version())).collect();
        let due: u32 = self.games.iter().map(|game| versions[game.as_str()]).sum();
        let due = usize::try_from(due).expect("a count");
        self.await_count(due).await;
        due
    }

    async fn await_count(&self, count: usize) {
        let come = async {
            while self.told.load(Ordering::Relaxed) < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let told = || self.told.load(Ordering::Relaxed);
        tokio::time::timeout(PATIENCE, come).await.unwrap_or_else(|_| panic!("{} of {count} events came", told()));
        assert_eq!(told(), count, "no event comes twice");
    }
}

/// Reads a stream and counts its events.
async fn read(mut stream: TcpStream, address: String, game: String, told: Arc<AtomicUsize>) {
    let request =
        format!("GET /v1/games/{game}/events HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("the server reads");
    let mut come = Vec::new();
    while stream.read_buf(&mut come).await.expect("the server writes") > 0 {
        told.fetch_add(come.windows(MARK.len()).filter(|window| *window == MARK).count(), Ordering::Relaxed);
        // What may be the beginning of a mark stays.
        come.drain(..come.len().saturating_sub(MARK.len() - 1));
    }
}
