use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Client;
use serde_json::{Value, json};

use ground::cluster::Cluster;
use ground::server::{Reply, Server};
use ground::stream::PATIENCE;
use ground::table::Table;
use testing::model::Seat::Host;

/// How many open listed games an address may have.
const MOST: usize = 20;

fn limited(database: &ground::cluster::Database, more: &[(&str, &str)]) -> Server {
    Server::start_with(database, &[&[("NAVAL_BATTLE_LIMITS", "on")], more].concat())
}

async fn offer(server: &Server) -> Reply {
    server.post("/v1/games", None, &json!({"listed": true})).await
}

fn refuses(reply: &Reply) {
    let problem = reply.refuses(429, "rate_limited");
    assert!(problem["detail"].as_str().unwrap().contains("20 listed games"), "{problem}");
    let seconds: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn c_an_address_has_twenty_open_listed_games_and_one_that_is_joined_or_over_counts_no_more() {
    let server = limited(&Cluster::shared().database().await, &[]);
    let mut tables = Vec::new();
    for _ in 0..MOST {
        tables.push(Table::of(offer(&server).await.expect(201)));
    }

    refuses(&offer(&server).await);
    refuses(&offer(&server).await);
    // What is not listed is not counted, and another address has a share of its own.
    for body in [json!({}), json!({"listed": false}), json!({"listed": true, "bot": "easy"})] {
        server.post("/v1/games", None, &body).await.expect(201);
    }
    let mut there = server.afresh();
    there.client = Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))).build().unwrap();
    offer(&there).await.expect(201);
    // Each that is taken or called off makes room for one.
    tables[3].join(&server).await;
    let next = Table::of(offer(&server).await.expect(201));
    refuses(&offer(&server).await);
    tables[0].resign(&server, Host).await.expect(200);
    offer(&server).await.expect(201);
    refuses(&offer(&server).await);
    next.resign(&server, Host).await.expect(200);
    offer(&server).await.expect(201);
    refuses(&offer(&server).await);
    let listed = server.get("/v1/games?limit=100", None).await;
    assert_eq!(listed.expect(200)["games"].as_array().unwrap().len(), MOST + 1);
}

#[tokio::test]
async fn c_of_many_listed_games_at_once_twenty_are_created() {
    let server = limited(&Cluster::shared().database().await, &[]);

    let replies = join_all((0..60).map(|_| offer(&server))).await;

    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), MOST);
    replies.iter().filter(|reply| reply.status != 201).for_each(refuses);
}

#[tokio::test]
async fn c_a_repeat_of_a_listed_game_is_no_other_one_and_what_is_refused_leaves_its_key_free() {
    let server = limited(&Cluster::shared().database().await, &[]);
    let (first, late) = ("first-0123456789abcdef0123456789abcdef", "late-0123456789abcdef0123456789abcdef");
    let listed = json!({"listed": true});
    let keyed = async |key: &str, body: &Value| server.post_with_key("/v1/games", None, key, body).await;
    let created = keyed(first, &listed).await.expect(201).clone();
    for _ in 0..MOST {
        assert_eq!(keyed(first, &listed).await.expect(201), &created);
    }
    for _ in 1..MOST {
        offer(&server).await.expect(201);
    }

    refuses(&keyed(late, &listed).await);
    assert_eq!(keyed(first, &listed).await.expect(201), &created);
    keyed(late, &json!({"listed": false})).await.expect(201);
    keyed(late, &listed).await.refuses(422, "idempotency_mismatch");
}

#[tokio::test]
async fn c_a_listed_game_that_expires_counts_no_more() {
    let server = limited(&Cluster::shared().database().await, &[("NAVAL_BATTLE_EXPIRE_AFTER", "3")]);
    for number in 0..3 * MOST {
        let began = Instant::now();
        loop {
            let reply = offer(&server).await;
            if reply.status != 429 {
                reply.expect(201);
                break;
            }
            assert!(number >= MOST && began.elapsed() < PATIENCE, "{number}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test]
async fn c_behind_a_trusted_proxy_each_forwarded_address_has_its_share() {
    let server = limited(&Cluster::shared().database().await, &[("NAVAL_BATTLE_TRUSTED_PROXIES", "1")]);
    let from = async |address: &str| {
        let request = server.request(reqwest::Method::POST, "/v1/games").header("x-forwarded-for", address);
        ground::server::send(request.json(&json!({"listed": true}))).await
    };
    for _ in 0..MOST {
        from("192.0.2.1").await.expect(201);
    }

    refuses(&from("192.0.2.1").await);
    refuses(&from("198.51.100.7, 192.0.2.1").await);
    from("192.0.2.2").await.expect(201);
}
