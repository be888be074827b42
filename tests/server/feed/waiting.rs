//! Long polling: a reply that is held back while there is nothing.

use std::time::{Duration, Instant};

use futures_util::future::join;
use serde_json::Value;
use tokio::time::timeout;

use crate::feed::games::{SHORT, pair, play_out, short_game};
use ground::server::{Reply, Server};
use ground::stream::within;
use ground::table::Table;
use testing::model::Seat;

use Seat::Host;

/// Well before the 25 seconds that are asked for: who has the answer by then was not made to wait
/// them out.
const WELL_BEFORE: Duration = Duration::from_secs(20);

/// For how long a reply is seen to be held back.
const A_WHILE: Duration = Duration::from_millis(400);

#[tokio::test]
async fn c_what_is_there_already_comes_at_once() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let began = Instant::now();

    let reply = poll(&server, &table, "after=2&wait=25").await;

    assert_eq!(told(&reply), (vec![3, 4], 4));
    assert!(began.elapsed() < WELL_BEFORE);
    let limited = poll(&server, &table, "after=1&limit=1&wait=25").await;
    assert_eq!(told(&limited), (vec![2], 4));
}

#[tokio::test]
async fn c_a_reply_is_held_until_the_event_comes_on_this_server_and_on_another() {
    let [server, other] = pair().await;
    for asked in [&server, &other] {
        let table = short_game(&server).await;
        let began = Instant::now();
        let mut held = Box::pin(poll(asked, &table, "after=4&wait=25"));
        assert!(timeout(A_WHILE, &mut held).await.is_err(), "it is held");

        let fired = table.fire(&server, Host, "A1").await;

        let reply = within(held).await;
        assert_eq!(told(&reply), (vec![5], 5));
        assert_eq!(reply.json["events"], fired.expect(200)["events"]);
        assert!(began.elapsed() < WELL_BEFORE, "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn c_when_the_wait_has_passed_the_reply_is_empty() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    for query in ["after=4&wait=1", "after=5&wait=1", "after=2147483647&wait=1"] {
        let began = Instant::now();

        let reply = poll(&server, &table, query).await;

        assert_eq!(told(&reply), (vec![], 4), "{query}");
        assert!(began.elapsed() >= Duration::from_secs(1), "{query}: {:?}", began.elapsed());
    }
}

#[tokio::test]
async fn c_when_the_game_has_ended_nothing_is_waited_for() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    let began = Instant::now();

    for query in ["after=21&wait=25", "after=500&wait=25"] {
        assert_eq!(told(&poll(&server, &table, query).await), (vec![], SHORT), "{query}");
    }

    assert!(began.elapsed() < WELL_BEFORE);
}

#[tokio::test]
async fn c_when_the_game_ends_while_somebody_waits_beyond_its_end_the_reply_is_empty_at_once() {
    let [server, other] = pair().await;
    for asked in [&server, &other] {
        let table = short_game(&server).await;
        let began = Instant::now();
        let mut held = Box::pin(poll(asked, &table, "after=100&wait=25"));
        assert!(timeout(A_WHILE, &mut held).await.is_err(), "it is held");

        table.resign(&server, Host).await.expect(200);

        assert_eq!(told(&within(held).await), (vec![], 5));
        assert!(began.elapsed() < WELL_BEFORE, "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn c_who_waits_from_beyond_the_log_is_told_what_they_asked_for_and_nothing_before() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let mut held = Box::pin(poll(&server, &table, "after=5&wait=25"));
    assert!(timeout(A_WHILE, &mut held).await.is_err(), "it is held");

    table.fire(&server, Host, "A1").await.expect(200);
    assert!(timeout(A_WHILE, &mut held).await.is_err(), "it is still held");
    table.fire(&server, Host, "B1").await.expect(200);

    assert_eq!(told(&within(held).await), (vec![6], 6));
}

#[tokio::test]
async fn c_many_can_wait_for_the_same_event() {
    let [server, other] = pair().await;
    let table = short_game(&server).await;
    let held = futures_util::future::join_all(
        (0..40).map(|index| poll(if index % 2 == 0 { &server } else { &other }, &table, "after=4&wait=25")),
    );
    let fired = async {
        tokio::time::sleep(A_WHILE).await;
        table.fire(&server, Host, "A1").await.expect(200);
    };

    let (replies, ()) = within(join(held, fired)).await;

    for reply in replies {
        assert_eq!(told(&reply), (vec![5], 5));
    }
}

#[tokio::test]
async fn c_a_wait_that_is_none_is_malformed() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    for query in ["wait=26", "wait=-1", "wait=", "wait=x", "wait=1.0", "wait=1&wait=1", "wait=1&after=x"] {
        let reply = poll(&server, &table, query).await;

        assert_eq!((reply.status, reply.code()), (400, "malformed"), "{query}");
    }
    let reply = server.get(&table.path("/events?after=4&wait=25"), Some("nonsense")).await;
    reply.refuses(401, "unauthorized");
}

async fn poll(server: &Server, table: &Table, query: &str) -> Reply {
    within(server.get(&table.path(&format!("/events?{query}")), None)).await
}

/// The `seq` of each event of a reply, and the game's version.
#[track_caller]
fn told(reply: &Reply) -> (Vec<u64>, u64) {
    let body = reply.expect(200);
    assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
    let seq = |event: &Value| event["seq"].as_u64().unwrap();
    (body["events"].as_array().unwrap().iter().map(seq).collect(), body["version"].as_u64().unwrap())
}
