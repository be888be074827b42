//! Files that are the same for everybody: what they cost, and what may be kept of them.

use std::net::SocketAddr;

use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};

use ground::cluster::Cluster;
use ground::server::{Reply, Server, send};

const FILES: [&str; 6] =
    ["/docs/swagger-ui-bundle.js", "/docs/", "/docs/swagger-ui.css", "/docs/rules", "/docs/contract", "/openapi.json"];

fn asking(server: &Server, path: &str) -> RequestBuilder {
    server.request(Method::GET, path).header("accept-encoding", "gzip")
}

/// A reply whose body need not be text.
async fn bytes_of(request: RequestBuilder) -> (u16, reqwest::header::HeaderMap, Vec<u8>) {
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.headers().clone(), response.bytes().await.unwrap().to_vec())
}

#[tokio::test]
async fn a_file_is_sent_again_only_where_it_has_changed() {
    let server = Server::shared().await;

    for path in FILES {
        let (status, headers, packed) = bytes_of(asking(&server, path)).await;
        let plain = server.get(path, None).await;
        let head = send(server.request(Method::HEAD, path).header("accept-encoding", "gzip")).await;

        assert_eq!((status, plain.status, head.status), (200, 200, 200), "{path}");
        assert_eq!(headers["cache-control"], "public, no-cache", "{path}");
        assert_eq!(headers["vary"], "Accept-Encoding", "{path}");
        assert_eq!(head.header("content-length"), Some(packed.len().to_string().as_str()), "{path}");
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        if headers.contains_key("content-encoding") {
            assert!(packed.starts_with(&[0x1f, 0x8b]) && packed.len() * 3 < plain.text.len() * 2, "{path}");
        }
        let tag = |reply: &Reply| reply.header("etag").unwrap().to_owned();
        for known in [tag(&plain), tag(&head), format!("W/{}", tag(&head))] {
            let same = send(asking(&server, path).header("if-none-match", &known)).await;
            assert_eq!((same.status, same.text.as_str()), (304, ""), "{path} {known}");
            assert!(same.headers.contains_key("etag") && same.headers.contains_key("cache-control"), "{path}");
        }
        send(asking(&server, path).header("if-none-match", "\"other\"")).await.expect(200);
    }
}

#[tokio::test]
async fn what_the_page_of_the_document_names_is_kept_until_it_changes() {
    let server = Server::shared().await;
    let page = server.get("/docs/", None).await.text;

    let named: Vec<&str> = page.split('"').filter(|part| part.contains(".js") || part.contains(".css")).collect();

    assert_eq!(named.len(), 5, "{page}");
    for name in named {
        let reply = server.get(&format!("/docs/{}", name.trim_start_matches("./")), None).await;
        assert_eq!(reply.header("cache-control"), Some("public, max-age=31536000, immutable"), "{name}");
    }
}

#[tokio::test]
async fn a_script_costs_no_more_than_sending_it() {
    let server = Server::on_new_database().await;
    bytes_of(asking(&server, FILES[0])).await;
    let before = server.seconds_of_a_core();

    let replies = join_all((0..600).map(|_| bytes_of(asking(&server, FILES[0])))).await;

    assert!(replies.iter().all(|(status, _, packed)| *status == 200 && packed.len() > 200_000));
    let used = server.seconds_of_a_core() - before;
    // To pack it each time took 15 ms with all optimisations.
    assert!(used < 600.0 * 0.005, "{used} seconds of a core");
}

/// Asks for a file, with little room to receive it, and never reads.
async fn stuck(server: &Server, path: &str) -> TcpStream {
    let address: SocketAddr = server.base.strip_prefix("http://").unwrap().parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut connection = socket.connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    connection.write_all(request.as_bytes()).await.unwrap();
    connection
}

#[tokio::test]
async fn readers_that_never_read_cost_little() {
    const READERS: u64 = 200;
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    server.get(FILES[0], None).await.expect(200);
    let before = server.resident();

    let mut readers = Vec::new();
    for _ in 0..READERS {
        readers.push(stuck(&server, FILES[0]).await);
    }
    server.get(FILES[0], None).await.expect(200);

    let grown = server.resident().saturating_sub(before);
    assert!(grown < READERS * 128 * 1024, "{grown} bytes for scripts of 1.5 MB");
}
