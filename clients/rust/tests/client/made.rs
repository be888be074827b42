//! A server made for a test: it gives whole replies in turn, and keeps what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

pub(crate) const GAME: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

pub(crate) struct Made {
    pub(crate) base: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Made {
    /// One that gives these replies, each on a connection of its own; where one is empty the connection breaks. The
    /// last one is given to all that come after.
    pub(crate) async fn giving(replies: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut replies = replies.into_iter().peekable();
            let mut last = String::new();
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                last = replies.next().unwrap_or(last);
                let request = request_on(&mut stream).await;
                kept.lock().unwrap().push(request);
                // Whoever asked may have left.
                drop(stream.write_all(last.as_bytes()).await);
                drop(stream.shutdown().await);
            }
        });
        Self { base, asked }
    }

    /// The requests so far: line, headers and body, header names in lower case.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// A whole request.
async fn request_on(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut bytes = [0; 4096];
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        match stream.read(&mut bytes).await {
            // The first byte of a handshake of TLS, of which nothing here makes more.
            Ok(_) if bytes[0] == 0x16 => return "handshake".to_owned(),
            Ok(count @ 1..) => text.push_str(std::str::from_utf8(&bytes[..count]).unwrap()),
            Ok(_) | Err(_) => return text,
        }
    }
}

/// A reply with a body.
pub(crate) fn reply(status: &str, kind: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n{more}\r\n{body}"
    )
}

pub(crate) fn json(body: &str) -> String {
    reply("200 OK", "application/json", "", body)
}

pub(crate) fn problem(status: u16, code: &str) -> String {
    let body = format!(r#"{{"type":"","title":"","status":{status},"detail":"","code":"{code}"}}"#);
    reply(&format!("{status} X"), "application/problem+json", "", &body)
}

/// A stream that says this and breaks off.
pub(crate) fn stream(text: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{text}")
}

/// An event as a stream tells it.
pub(crate) fn event(seq: u32, more: &str) -> String {
    format!(
        "id: {seq}\ndata: {{\"seq\":{seq},\"at\":\"\",\"type\":\"expired\",\"status\":\"aborted\",\"awaiting\":[],\
         \"head\":\"\"{more}}}\n\n"
    )
}

pub(crate) const OVER: &str = r#","result":{"winner":null,"reason":"expired"}"#;
