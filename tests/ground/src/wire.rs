//! Requests written out before they are sent, for when many must start at once or one must break off.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::server::{Reply, Server};

/// Longer than any answer takes: a test that waits in vain fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request, written out.
#[derive(Clone)]
pub struct Written {
    address: String,
    head: String,
    body: String,
}

/// A connection to a server.
pub struct Line {
    stream: TcpStream,
    received: Vec<u8>,
}

/// Writes a `GET` out.
pub fn get(server: &Server, path: &str, token: Option<&str>) -> Written {
    Written::new(server, "GET", path, token)
}

/// Writes a request without a body out.
pub fn bare(server: &Server, method: &str, path: &str, token: Option<&str>) -> Written {
    Written::new(server, method, path, token)
}

/// Writes a `POST` of JSON out.
pub fn post(server: &Server, path: &str, token: Option<&str>, body: &Value) -> Written {
    bare(server, "POST", path, token).carrying(body)
}

/// Writes a request out whose body never comes.
pub fn without_its_body(server: &Server, method: &str, path: &str, token: Option<&str>) -> Written {
    Written::new(server, method, path, token).with("Content-Type", "application/json").with("Content-Length", "2")
}

/// Sends requests at once, each over a connection of its own that is open before the first is
/// sent: between the first byte of the first and the last byte of the last no time is spent but
/// the kernel's.
pub async fn at_once(requests: &[Written]) -> Vec<Reply> {
    let mut lines = join_all(requests.iter().map(Line::for_request)).await;
    for (line, request) in lines.iter_mut().zip(requests) {
        line.send(request).await;
    }
    join_all(lines.iter_mut().map(async |line| line.reply().await.expect("a request that was sent is answered"))).await
}

/// Sends a request over a connection of its own; `None` where the server is gone before its
/// answer is whole.
pub async fn ask(request: &Written) -> Option<Reply> {
    let mut line = Line::open(request).await.ok()?;
    line.stream.write_all(&request.bytes()).await.ok()?;
    line.reply().await
}

/// How long something takes.
pub async fn timed<T>(what: impl Future<Output = T>) -> (T, Duration) {
    let began = Instant::now();
    let outcome = what.await;
    (outcome, began.elapsed())
}

impl Written {
    fn new(server: &Server, method: &str, path: &str, token: Option<&str>) -> Self {
        let address = server.base.trim_start_matches("http://").to_owned();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n");
        let written = Self { address, head, body: String::new() };
        match token {
            Some(token) => written.with("Authorization", &format!("Bearer {token}")),
            None => written,
        }
    }

    /// The same request for another server.
    pub fn to(&self, server: &Server) -> Self {
        let address = server.base.trim_start_matches("http://").to_owned();
        Self { head: self.head.replace(&self.address, &address), address, body: self.body.clone() }
    }

    /// Adds a header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        for part in [name, ": ", value, "\r\n"] {
            self.head.push_str(part);
        }
        self
    }

    /// Puts a body of JSON behind it, with its length and type.
    pub fn carrying(self, body: &Value) -> Self {
        let body = body.to_string();
        let length = body.len().to_string();
        Self { body, ..self.with("Content-Type", "application/json").with("Content-Length", &length) }
    }

    fn bytes(&self) -> Vec<u8> {
        format!("{}\r\n{}", self.head, self.body).into_bytes()
    }
}

impl Line {
    /// A connection to the server that a request is for.
    pub async fn for_request(request: &Written) -> Self {
        Self::open(request).await.expect("the server takes connections")
    }

    async fn open(request: &Written) -> std::io::Result<Self> {
        let stream = TcpStream::connect(&request.address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, received: Vec::new() })
    }

    /// Sends a request whole.
    pub async fn send(&mut self, request: &Written) {
        self.stream.write_all(&request.bytes()).await.expect("the server reads");
    }

    /// Sends a request but for its last byte.
    pub async fn send_most_of(&mut self, request: &Written) {
        let bytes = request.bytes();
        let most = bytes.len() - 1;
        self.stream.write_all(&bytes[..most]).await.expect("the server reads");
    }

    /// The next reply; `None` where the connection ends before it is whole.
    pub async fn reply(&mut self) -> Option<Reply> {
        loop {
            if let Some((reply, length)) = parse(&self.received) {
                self.received.drain(..length);
                return Some(reply);
            }
            let read = tokio::time::timeout(PATIENCE, self.stream.read_buf(&mut self.received)).await;
            match read.expect("the server answers") {
                Ok(1..) => {}
                Ok(0) | Err(_) => return None,
            }
        }
    }

    /// Sends nothing more, and goes on reading.
    pub fn half_close(self) -> Self {
        rustix::net::shutdown(&self.stream, rustix::net::Shutdown::Write).expect("the connection is open");
        self
    }

    /// Sends bytes as they are, as far as the server takes them.
    pub async fn send_bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Waits until the server ends the connection; false where it does not do so in this time.
    pub async fn ends_within(&mut self, patience: Duration) -> bool {
        let mut rest = Vec::new();
        // Whichever way it ends.
        tokio::time::timeout(patience, self.stream.read_to_end(&mut rest)).await.is_ok()
    }

    /// Breaks the connection off, as a client does whose machine has lost it.
    pub fn reset(self) {
        self.stream.set_zero_linger().expect("a connection may be told not to linger");
    }
}

/// Reads a reply that is whole, and how many bytes it has.
fn parse(bytes: &[u8]) -> Option<(Reply, usize)> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).expect("a head is text");
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let status = status.expect("a reply begins with its status");
    let headers: HeaderMap = lines
        .map(|line| {
            let (name, value) = line.split_once(": ").expect("a header has a name and a value");
            let name: HeaderName = name.parse().expect("a header's name is one");
            (name, HeaderValue::from_str(value).expect("a header's value is one"))
        })
        .collect();
    let length = headers
        .get("content-length")
        .map_or(0, |length| length.to_str().ok().and_then(|length| length.parse().ok()).expect("a length is a number"));
    let body = bytes.get(end + 4..end + 4 + length)?;
    let text = String::from_utf8_lossy(body).into_owned();
    let json = serde_json::from_str(&text).unwrap_or(Value::Null);
    Some((Reply { status, headers, text, json }, end + 4 + length))
}
