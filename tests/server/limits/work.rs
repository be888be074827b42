use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use ground::cluster::Cluster;
use ground::proxy::Proxy;
use ground::server::{Server, send};
use ground::table::Table;

/// More requests than a server takes on at a time.
const MANY: usize = 1_200;

#[tokio::test]
async fn beyond_what_a_server_takes_on_it_says_so_at_once_and_then_goes_on() {
    let database = Cluster::shared().database().await;
    let proxy = Proxy::start(&database);
    let mut command = ground::server::program();
    command.env("DATABASE_URL", proxy.url());
    let server = Server::spawn(command);
    let table = Table::in_battle(&server).await;

    proxy.delay(Duration::from_secs(1));
    let replies = join_all((0..MANY).map(|_| send(server.request(Method::GET, &table.path(""))))).await;
    proxy.delay(Duration::ZERO);

    let refused: Vec<_> = replies.iter().filter(|reply| reply.status != 200).collect();
    for reply in &refused {
        reply.refuses(503, "unavailable");
        assert_eq!(reply.header("retry-after"), Some("1"));
    }
    let log = server.whole_log().await;
    assert!(log.contains("too many requests are under way"), "{} were refused", refused.len());
    table.look(&server, None).await.expect(200);
}

#[tokio::test]
async fn a_head_that_never_comes_whole_ends_the_connection() {
    let server = Server::shared().await;
    let address = server.base.trim_start_matches("http://").to_owned();
    let mut connection = TcpStream::connect(address).await.unwrap();

    connection.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ").await.unwrap();
    let mut answer = Vec::new();
    let end = tokio::time::timeout(Duration::from_mins(1), connection.read_to_end(&mut answer)).await;

    end.expect("the server ends the connection").unwrap();
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
}
