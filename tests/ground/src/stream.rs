//! A log as a client follows it: a stream of server-sent events, read byte by byte.

use std::time::Duration;

use reqwest::header::ACCEPT;
use reqwest::{Method, RequestBuilder, Response};
use tokio::time::timeout;

use crate::server::{Reply, Server};

/// How long anything is waited for that must come; a stream that hangs ends the test.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A stream that is open.
pub struct EventStream {
    /// With the headers that came before any event.
    pub response: Response,
    unread: Vec<u8>,
}

/// An event as the stream told it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// What stood behind `id: `.
    pub seq: u64,
    /// What stood behind `data: `.
    pub data: String,
}

/// A request for a stream of a path, after the event that `Last-Event-ID` names.
pub fn stream_of(server: &Server, path: &str, last: Option<u64>) -> RequestBuilder {
    let request = server.request(Method::GET, path).header(ACCEPT, "text/event-stream");
    match last {
        Some(last) => request.header("last-event-id", last.to_string()),
        None => request,
    }
}

impl EventStream {
    /// Opens a stream of a path, after the event that `Last-Event-ID` names.
    pub async fn of(server: &Server, path: &str, last: Option<u64>) -> Self {
        match Self::open(stream_of(server, path, last)).await {
            Ok(stream) => stream,
            Err(reply) => panic!("no stream but {} {}", reply.status, reply.text),
        }
    }

    /// Opens a stream.
    ///
    /// # Errors
    ///
    /// The reply, where it is no stream.
    pub async fn open(request: RequestBuilder) -> Result<Self, Box<Reply>> {
        let response = within(request.send()).await.expect("the server answers");
        if response.status() == 200 {
            return Ok(Self { response, unread: Vec::new() });
        }
        Err(Box::new(Reply::read(response).await))
    }

    /// The next lines up to an empty one, as they came; none when the stream has ended in order.
    pub async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.unread.windows(2).position(|two| two == b"\n\n") {
                let block = self.unread.drain(..end + 2).collect();
                return Some(String::from_utf8(block).expect("the stream is UTF-8"));
            }
            match within(self.response.chunk()).await.expect("the stream is not torn") {
                Some(bytes) => self.unread.extend(bytes),
                None if self.unread.is_empty() => return None,
                None => panic!("the stream ended within an event: {}", String::from_utf8_lossy(&self.unread)),
            }
        }
    }

    /// The next event, comments left out; none when the stream has ended in order.
    pub async fn next(&mut self) -> Option<Told> {
        let next = async {
            loop {
                let block = self.block().await?;
                if !is_comment(&block) {
                    return Some(Told::read(&block));
                }
            }
        };
        within(next).await
    }

    /// All events up to this one.
    pub async fn upto(&mut self, seq: u64) -> Vec<Told> {
        let mut told = Vec::new();
        while told.last().is_none_or(|last: &Told| last.seq < seq) {
            told.push(self.next().await.expect("the stream goes on"));
        }
        told
    }

    /// All events up to the end of the stream.
    pub async fn rest(mut self) -> Vec<Told> {
        let mut told = Vec::new();
        while let Some(event) = self.next().await {
            told.push(event);
        }
        told
    }

    /// Whether nothing comes for so long, neither an event nor the end.
    pub async fn is_silent_for(&mut self, time: Duration) -> bool {
        timeout(time, self.block()).await.is_err()
    }
}

impl Told {
    /// Reads a block of exactly this form: a line of `id`, a line of `data`, an empty line.
    fn read(block: &str) -> Self {
        let told = || {
            let (id, data) = block.strip_prefix("id: ")?.strip_suffix("\n\n")?.split_once("\ndata: ")?;
            Some(Self { seq: id.parse().ok()?, data: data.to_owned() })
        };
        let told = told().unwrap_or_else(|| panic!("not an event: {block:?}"));
        assert_eq!(block, format!("id: {}\ndata: {}\n\n", told.seq, told.data));
        assert!(!told.data.contains(['\n', '\r']), "more than one line of data: {block:?}");
        told
    }
}

/// Whether a block has only lines that a reader leaves out.
pub fn is_comment(block: &str) -> bool {
    let lines = block.strip_suffix("\n\n").expect("a block ends with an empty line");
    lines.split('\n').all(|line| line.starts_with(':'))
}

/// Waits for something that must come.
pub async fn within<T>(something: impl Future<Output = T>) -> T {
    timeout(PATIENCE, something).await.expect("what must come comes in time")
}
