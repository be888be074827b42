//! What comes to an open port and is no request.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use ground::cluster::Cluster;
use ground::server::Server;

/// What scanners, browsers that mistake the port and broken clients send.
const GARBAGE: [&[u8]; 10] = [
    // The first bytes of TLS 1.2 and 1.3, of SSH and of others.
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\xaa\xbb",
    b"SSH-2.0-Go\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x03\x00\x00\x13\x0e\xe0\x00\x00",
    b"*1\r\n$4\r\nPING\r\n",
    b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/3.0\r\nHost: x\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nName with spaces: y\r\n\r\n",
];

async fn send(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.base.strip_prefix("http://").unwrap()).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut reply = Vec::new();
    // A reset is an end as good as any.
    drop(stream.read_to_end(&mut reply).await);
    reply
}

#[tokio::test]
async fn what_is_no_request_is_a_line_for_those_who_debug_and_no_error() {
    let database = Cluster::shared().database().await;
    let [quiet, telling] = ["info", "debug"].map(|level| Server::start_with(&database, &[("RUST_LOG", level)]));
    for server in [&quiet, &telling] {
        for _ in 0..20 {
            for garbage in GARBAGE {
                let reply = send(server, garbage).await;
                assert!(reply.is_empty() || reply.starts_with(b"HTTP/1.1 400 "), "{}", String::from_utf8_lossy(&reply));
            }
        }
        let counts = server.get("/metrics", None).await.text;
        assert!(counts.lines().any(|line| line == "naval_battle_unreadable_requests_total 200"), "{counts}");
    }

    let [quiet, telling] = [quiet.whole_log().await, telling.whole_log().await];

    for log in [&quiet, &telling] {
        assert!(!log.contains("ERROR") && !log.contains("WARN"), "{log}");
    }
    assert!(!quiet.contains("no request"), "{quiet}");
    assert_eq!(telling.matches("what came is no request, and was refused").count(), 200, "{telling}");
}

#[tokio::test]
async fn a_connection_that_breaks_off_is_no_error() {
    let server = Server::on_new_database().await;
    for begun in ["", "GET / HT", "POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"] {
        for _ in 0..20 {
            let mut stream = TcpStream::connect(server.base.strip_prefix("http://").unwrap()).await.unwrap();
            stream.write_all(begun.as_bytes()).await.unwrap();
            stream.set_zero_linger().unwrap();
        }
    }
    server.get("/healthz", None).await.expect(200);

    let log = server.whole_log().await;

    assert!(!log.contains("ERROR") && !log.contains("WARN"), "{log}");
}
