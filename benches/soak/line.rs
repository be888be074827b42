//! A connection that is kept, and the bytes of requests and replies.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection to the server, made anew where it broke.
pub(crate) struct Line {
    address: String,
    stream: Option<TcpStream>,
    come: Vec<u8>,
    used: Instant,
}

/// For how long a connection may lie idle: the server closes those that lie longer.
const IDLE: Duration = Duration::from_secs(2);

/// A reply: its status, and where its body begins.
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
}

impl Line {
    pub(crate) fn new(address: &str) -> Self {
        Self { address: address.to_owned(), stream: None, come: Vec::with_capacity(1 << 13), used: Instant::now() }
    }

    /// Sends a body and reads the reply; none where the connection broke.
    pub(crate) async fn post(&mut self, path: &str, token: Option<&str>, body: &str) -> Option<Answer<'_>> {
        let authorization = token.map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\n{authorization}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let Some((status, start)) = self.exchange(request.as_bytes()).await else {
            self.stream = None;
            return None;
        };
        Some(Answer { status, body: &self.come[start..] })
    }

    async fn exchange(&mut self, request: &[u8]) -> Option<(u16, usize)> {
        if self.used.elapsed() > IDLE {
            self.stream = None;
        }
        self.used = Instant::now();
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none @ None => {
                let stream = TcpStream::connect(&self.address).await.ok()?;
                stream.set_nodelay(true).ok()?;
                none.insert(stream)
            }
        };
        stream.write_all(request).await.ok()?;
        self.come.clear();
        loop {
            if let Some((start, length)) = head(&self.come)
                && self.come.len() >= start + length
            {
                return Some((status(&self.come)?, start));
            }
            if stream.read_buf(&mut self.come).await.ok()? == 0 {
                return None;
            }
        }
    }
}

/// The status of a reply.
pub(crate) fn status(reply: &[u8]) -> Option<u16> {
    std::str::from_utf8(reply.get(9..12)?).ok()?.parse().ok()
}

/// Where the body of a reply begins, and how long it is.
fn head(reply: &[u8]) -> Option<(usize, usize)> {
    let start = reply.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&reply[..start]).ok()?;
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    Some((start, length.unwrap_or(0)))
}

/// The text behind `"name":"` in a body, the first there is.
pub(crate) fn text_of(body: &[u8], name: &str) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let (_, rest) = text.split_once(&format!("\"{name}\":\""))?;
    rest.split_once('"').map(|(value, _)| value.to_owned())
}
