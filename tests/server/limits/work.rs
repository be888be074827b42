use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::{join, join_all};
use reqwest::{Client, Method};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use ground::cluster::Cluster;
use ground::proxy::Proxy;
use ground::server::{Server, send};
use ground::table::{Table, usual};
use ground::wire::{Line, post};

/// More requests than a server takes on at a time.
const MANY: usize = 1_200;

/// How many places at the database one address may have.
const SHARE: usize = 64;

/// As many as there may be connections of one address.
const MOST: usize = 250;

/// How many requests may work at one game or wait for their turn at it.
const WAITING: usize = 68;

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

/// The server, asked from another address of this machine.
fn elsewhere(server: &Server) -> Server {
    let mut there = server.afresh();
    there.client = Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))).build().unwrap();
    there
}

#[tokio::test]
async fn an_address_has_a_share_of_the_places_and_others_go_on() {
    let database = Cluster::shared().database().await;
    let proxy = Proxy::start(&database);
    let mut command = ground::server::program();
    command.env("DATABASE_URL", proxy.url()).env("NAVAL_BATTLE_LIMITS", "on");
    let server = Server::spawn(command);
    let table = Table::in_battle(&server).await;
    let other = elsewhere(&server);

    proxy.delay(Duration::from_millis(100));
    let many = join_all((0..MOST).map(|_| send(server.request(Method::GET, &table.path("")))));
    let one = async {
        while other.count("naval_battle_database_places").await < SHARE {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let places = other.count("naval_battle_database_places").await;
        (places, send(other.request(Method::GET, &table.path(""))).await)
    };
    let (replies, (places, honest)) = join(many, one).await;
    proxy.delay(Duration::ZERO);

    assert!(places <= SHARE, "{places}");
    honest.expect(200);
    assert!(replies.iter().any(|reply| reply.status == 200));
    let refused: Vec<_> = replies.iter().filter(|reply| reply.status != 200).collect();
    for reply in &refused {
        reply.refuses(503, "unavailable");
        assert_eq!(reply.header("retry-after"), Some("1"));
    }
    assert!(refused.iter().any(|reply| reply.json["detail"].as_str().unwrap().contains("your address")));
    assert!(other.count("naval_battle_refused_total{share=\"places\"}").await > 0);
}

#[tokio::test]
async fn nobody_keeps_a_place_while_they_wait_for_a_deadline_or_a_turn() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let options = json!({"first": "host", "turn_seconds": 10});
    let table = Table::in_battle_with(&server, &options, &usual(), &usual()).await;
    let fire = post(&server, &table.path("/fire"), Some(&table.host), &json!({"shots": ["A1"]}));
    let until: DateTime<Utc> =
        table.see(&server, None).await["awaiting"][0]["until"].as_str().unwrap().parse().unwrap();
    #[expect(clippy::disallowed_methods, reason = "the test stands outside of the server")]
    let rest = (until - Utc::now()).to_std().unwrap_or_default();
    tokio::time::sleep(rest + Duration::from_millis(50)).await;
    let mut lines = join_all((0..WAITING + 40).map(|_| Line::for_request(&fire))).await;

    for line in &mut lines {
        line.send(&fire).await;
    }
    let replies = join_all(lines.iter_mut().map(Line::reply));
    let other = elsewhere(&server);
    let fewest = async {
        let mut fewest = usize::MAX;
        while server.get(&table.path(""), None).await.expect(200)["status"] == "battle" {
            fewest = fewest.min(other.count("naval_battle_database_places").await);
        }
        fewest
    };
    let (replies, fewest) = join(replies, fewest).await;

    // Some may be about to look at the game, or to write its end.
    assert!(fewest <= 4, "{fewest} who wait have places");
    let codes: Vec<_> = replies.iter().map(|reply| reply.as_ref().expect("an answer").code()).collect();
    assert!(codes.iter().all(|code| ["game_over", "in_flight", "unavailable"].contains(code)), "{codes:?}");
    assert!(codes.iter().filter(|code| **code == "game_over").count() >= 4, "{codes:?}");
    assert!(codes.contains(&"in_flight"), "so many may not wait for one game: {codes:?}");
    assert!(other.count("naval_battle_refused_total{share=\"turns\"}").await > 0);
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
