//! Those who speak HTTP/1.0 alone.

use crate::api::asking::raw;
use crate::api::games::play_on;
use ground::server::Server;
use ground::table::Table;

#[tokio::test]
async fn c_a_stream_for_http_1_0_has_no_chunks_and_ends_with_its_connection() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    play_on(&server, &table, "host resigns").await;
    for kept in ["", "Connection: keep-alive\r\n", "Connection: close\r\n"] {
        let request = format!("GET {} HTTP/1.0\r\nAccept: text/event-stream\r\n{kept}\r\n", table.path("/events"));

        // It is read until the connection ends.
        let reply = raw(&server, request.as_bytes()).await;

        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.0 200 "), "{head}");
        for absent in ["transfer-encoding", "content-length", "keep-alive"] {
            assert!(!head.to_lowercase().contains(absent), "{absent} in {head}");
        }
        assert!(body.starts_with("id: 1\ndata: {"), "{body}");
        assert!(body.ends_with("}\n\n"), "{body}");
        assert_eq!(body.matches("\ndata: ").count(), 5, "{body}");
    }
}

#[tokio::test]
async fn c_what_is_compressed_for_http_1_0_has_no_chunks_either() {
    let server = Server::shared().await;
    let address = server.base.strip_prefix("http://").unwrap();
    let request = "GET /v1/rules HTTP/1.0\r\nAccept-Encoding: gzip\r\nConnection: keep-alive\r\n\r\n";
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let mut reply = Vec::new();

    tokio::io::AsyncWriteExt::write_all(&mut stream, request.as_bytes()).await.unwrap();
    tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut reply).await.unwrap();

    let end = reply.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&reply[..end]).to_lowercase();
    assert!(head.contains("content-encoding: gzip"), "{head}");
    assert!(!head.contains("transfer-encoding") && !head.contains("keep-alive"), "{head}");
    assert_eq!(reply[end + 4..end + 6], [0x1f, 0x8b], "gzip begins at once");
}

#[tokio::test]
async fn c_a_reply_of_known_length_keeps_a_connection_of_http_1_0_where_that_is_asked_for() {
    let server = Server::shared().await;
    let kept = "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    let last = "GET /healthz HTTP/1.0\r\n\r\n";

    let replies = raw(&server, format!("{kept}{last}").as_bytes()).await;

    assert_eq!(replies.matches("HTTP/1.0 200 ").count(), 2, "{replies}");
}
