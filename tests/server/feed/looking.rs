//! Looking at a game once it is in another state than the one that is known.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use reqwest::Method;
use serde_json::json;
use tokio::time::timeout;

use crate::feed::games::{pair, short_game, unlimited};
use ground::cluster::Cluster;
use ground::server::{Reply, Server, authorized, send};
use ground::stream::within;
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

/// Well before the 25 seconds that are asked for.
const WELL_BEFORE: Duration = Duration::from_secs(20);

/// For how long a reply is seen to be held back.
const A_WHILE: Duration = Duration::from_millis(400);

/// Looks at a game, through these eyes.
async fn look(server: &Server, table: &Table, eyes: Option<Seat>, query: &str, known: Option<&str>) -> Reply {
    look_by(Method::GET, server, table, eyes, query, known).await
}

async fn look_by(
    method: Method,
    server: &Server,
    table: &Table,
    eyes: Option<Seat>,
    query: &str,
    known: Option<&str>,
) -> Reply {
    let mut request = server.request(method, &table.path(query));
    if let Some(known) = known {
        request = request.header("if-none-match", known);
    }
    within(send(authorized(request, eyes.map(|seat| table.token(seat))))).await
}

#[tokio::test]
async fn c_what_is_not_known_comes_at_once() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let began = Instant::now();

    let plain = table.look(&server, Some(Host)).await;
    for known in [None, Some("\"3-host\""), Some("\"4-guest\""), Some("\"4-host-next\"")] {
        let reply = look(&server, &table, Some(Host), "?wait=25", known).await;
        assert_eq!((reply.expect(200), reply.header("etag")), (&plain.json, Some("\"4-host\"")));
    }
    for (query, known) in [("", "\"4-host\""), ("?wait=0", "\"4-host\""), ("?wait=0", "*")] {
        assert_eq!(look(&server, &table, Some(Host), query, Some(known)).await.status, 304, "{query} {known}");
    }
    // Whoever asks for headers alone never waits.
    for known in ["\"4-host\"", "*"] {
        let head = look_by(Method::HEAD, &server, &table, Some(Host), "?wait=25", Some(known)).await;
        assert_eq!((head.status, head.header("etag")), (304, Some("\"4-host\"")));
    }
    assert_eq!(look_by(Method::HEAD, &server, &table, None, "?wait=25", None).await.status, 200);
    assert!(began.elapsed() < WELL_BEFORE);
}

#[tokio::test]
async fn c_a_look_is_held_until_the_game_moves_on_on_this_server_and_on_another() {
    let [server, other] = pair().await;
    for asked in [&server, &other] {
        let table = short_game(&server).await;
        let began = Instant::now();
        let states =
            [(Some(Host), "\"4-host\""), (Some(Guest), "W/\"4-guest-gzip\""), (None, "*"), (None, "\"4-spectator\"")];
        let mut held =
            Box::pin(join_all(states.iter().map(|(eyes, known)| look(asked, &table, *eyes, "?wait=25", Some(*known)))));
        assert!(timeout(A_WHILE, &mut held).await.is_err(), "they are held");

        table.fire(&server, Host, "A1").await.expect(200);

        for ((eyes, _), reply) in states.iter().zip(within(held).await) {
            let now = table.look(&server, *eyes).await;
            assert_eq!((reply.expect(200), reply.header("etag")), (&now.json, now.header("etag")));
            assert_eq!(reply.json["version"], 5);
            assert_eq!(reply.header("cache-control"), now.header("cache-control"));
        }
        assert!(began.elapsed() < WELL_BEFORE, "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn c_whoever_has_the_next_state_too_waits_for_the_one_after_it() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let mut held = Box::pin(look(&server, &table, Some(Host), "?wait=25", Some("\"4-host\", \"5-host\"")));
    assert!(timeout(A_WHILE, &mut held).await.is_err(), "it is held");

    table.fire(&server, Host, "A1").await.expect(200);
    assert!(timeout(A_WHILE, &mut held).await.is_err(), "it is still held");
    table.fire(&server, Host, "B1").await.expect(200);

    assert_eq!(within(held).await.expect(200)["version"], 6);
}

#[tokio::test]
async fn c_when_the_wait_has_passed_nothing_has_changed() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let mut waiting = Table::create(&server, &json!({})).await;
    for (table, known) in [(&table, "\"4-spectator\""), (&table, "*"), (&waiting, "\"1-spectator\"")] {
        let began = Instant::now();

        let reply = look(&server, table, None, "?wait=1", Some(known)).await;

        assert_eq!((reply.status, reply.text.as_str()), (304, ""), "{known}");
        assert!(began.elapsed() >= Duration::from_secs(1), "{known}: {:?}", began.elapsed());
    }
    // It works at any status.
    let waiting_look = waiting.clone();
    let mut held = Box::pin(look(&server, &waiting_look, None, "?wait=25", Some("*")));
    assert!(timeout(A_WHILE, &mut held).await.is_err(), "it is held");
    waiting.join(&server).await;
    assert_eq!(within(held).await.expect(200)["status"], "placing");
}

#[tokio::test]
async fn c_the_rematch_of_an_ended_game_is_seen_in_time_on_any_server() {
    let database = Cluster::shared().database().await;
    let [server, other, polled] =
        [&[][..], &[], &[("NAVAL_BATTLE_NOTIFY", "off")]].map(|more| unlimited(&database, more));
    let table = Table::in_battle(&server).await;
    table.resign(&server, Guest).await.expect(200);
    let mut tag = "\"5-host\"".to_owned();
    for round in 1..=3 {
        let began = Instant::now();
        let mut held = Box::pin(join_all(
            [&server, &other, &polled].map(|asked| look(asked, &table, Some(Host), "?wait=25", Some(&tag))),
        ));
        assert!(timeout(A_WHILE, &mut held).await.is_err(), "they are held");

        let seat = if round == 2 { Host } else { Guest };
        let rematch = server.post(&table.path("/rematch"), Some(table.token(seat)), &json!({})).await;

        let now = table.look(&server, Some(Host)).await;
        assert_eq!(now.expect(200)["next"], rematch.expect(201)["game"]["id"]);
        for reply in within(held).await {
            assert_eq!((reply.expect(200), reply.header("etag")), (&now.json, now.header("etag")));
        }
        assert!(began.elapsed() < WELL_BEFORE, "{:?}", began.elapsed());
        now.header("etag").unwrap().clone_into(&mut tag);
        let end = if round == 1 { "\"5-host-next\"".to_owned() } else { format!("\"5-host-next{round}\"") };
        assert_eq!(tag, end);
        // The rematch comes to nothing, and somebody asks anew.
        let path = format!("/v1/games/{}/resign", rematch.json["game"]["id"].as_str().unwrap());
        server.post(&path, rematch.json["token"].as_str(), &json!({})).await.expect(200);
    }
}

#[tokio::test]
async fn c_a_look_with_a_wait_that_is_none_is_malformed() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    for query in ["?wait=26", "?wait=-1", "?wait=", "?wait=x", "?wait=1.0", "?wait=1&wait=1", "?wait=1&after=1"] {
        look(&server, &table, None, query, Some("*")).await.refuses(400, "malformed");
        look(&server, &table, None, query, None).await.refuses(400, "malformed");
    }
    look(&server, &table, None, "?wait=1", Some("4-spectator")).await.refuses(400, "malformed");
    server.get(&table.path("?wait=25"), Some("nonsense")).await.refuses(401, "unauthorized");
    server.get("/v1/games/x?wait=25", None).await.refuses(404, "game_not_found");
}

#[tokio::test]
async fn whoever_waits_to_look_counts_as_one_who_follows() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let table = Table::in_battle(&server).await;
    // Fifty may follow from one address: ten of these are refused, and then all others wait.
    let mut looks: FuturesUnordered<_> = (0..60).map(|_| look(&server, &table, None, "?wait=25", Some("*"))).collect();
    for _ in 0..10 {
        looks.next().await.unwrap().refuses(429, "rate_limited");
    }
    assert!(timeout(A_WHILE, looks.next()).await.is_err(), "they are held");
    assert_eq!(look(&server, &table, None, "", Some("*")).await.status, 304, "whoever does not wait has a look");

    table.fire(&server, Host, "A1").await.expect(200);

    let seen: Vec<_> = looks.collect().await;
    assert!(seen.len() == 50 && seen.iter().all(|reply| reply.expect(200)["version"] == 5));
}
