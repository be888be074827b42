//! Where a stream begins, goes on and ends.

use std::time::Duration;

use serde_json::json;

use crate::feed::games::{SHORT, log_of, pair, play_out, seqs, short_game, shots, unlimited};
use ground::cluster::Cluster;
use ground::server::{Server, send};
use ground::stream::{EventStream, stream_of, within};
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn c_a_stream_begins_with_created_follows_the_game_and_ends_with_its_last_event() {
    let [server, _] = pair().await;
    let mut table = Table::create(&server, &json!({"options": {"first": "host"}})).await;
    let mut stream = EventStream::of(&server, &table.path("/events"), None).await;
    assert_eq!(stream.next().await.unwrap().seq, 1);

    table.join(&server).await;
    assert_eq!(stream.next().await.unwrap().seq, 2);
    let board = ground::table::layout(ground::table::FLEET, "J10");
    for (seq, seat) in [(3, Host), (4, Guest)] {
        table.place(&server, seat, &board).await.expect(200);
        assert_eq!(stream.next().await.unwrap().seq, seq);
    }
    table.fire(&server, Host, "J10").await.expect(200);
    table.reveal(&server, Host, "A1").await.expect(200);
    table.resign(&server, Guest).await.expect(200);

    // `rest` returns when the server has closed the stream.
    let log = log_of(&server, &table).await;
    assert_eq!(stream.rest().await, log[4..]);
    assert_eq!(log.len(), 7);
}

#[tokio::test]
async fn c_the_stream_of_a_game_that_is_won_ends_after_the_shot_that_won_it() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let stream = EventStream::of(&server, &table.path("/events"), Some(3)).await;

    play_out(&[&server], &table).await;

    let told = stream.rest().await;
    assert_eq!(seqs(&told), (4..=SHORT).collect::<Vec<_>>());
    assert_eq!(told, log_of(&server, &table).await[3..]);
    assert!(told.last().unwrap().data.contains(r#""reason":"fleet_sunk""#));
}

#[tokio::test]
async fn c_the_stream_of_an_aborted_game_ends_with_the_abort() {
    let [server, _] = pair().await;
    let table = Table::joined(&server, &json!({})).await;
    let stream = EventStream::of(&server, &table.path("/events"), None).await;

    table.resign(&server, Guest).await.expect(200);

    let told = stream.rest().await;
    assert_eq!(told, log_of(&server, &table).await);
    assert_eq!(told.len(), 3);
    assert!(told[2].data.contains(r#""status":"aborted""#));
}

#[tokio::test]
async fn c_the_stream_of_a_game_that_nobody_joins_ends_with_its_expiry() {
    let server = unlimited(&Cluster::shared().database().await, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let table = Table::create(&server, &json!({})).await;
    let stream = EventStream::of(&server, &table.path("/events"), None).await;

    let told = stream.rest().await;

    assert_eq!(told, log_of(&server, &table).await);
    assert_eq!(told.len(), 2);
    assert!(told[1].data.contains(r#""type":"expired""#));
}

#[tokio::test]
async fn c_a_stream_goes_on_after_last_event_id_else_after_after() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    for (query, last, first) in [
        ("", None, 1),
        ("?after=0", None, 1),
        ("?after=7", None, 8),
        ("?after=20", None, 21),
        ("", Some(7), 8),
        ("", Some(0), 1),
        ("?after=3", Some(7), 8),
        ("?after=9", Some(7), 8),
        ("?after=9", Some(0), 1),
        ("?after=2147483647", Some(20), 21),
        // A stream has no length and waits anyway.
        ("?limit=1&wait=25", Some(7), 8),
        ("?limit=1&after=7", None, 8),
    ] {
        let told = EventStream::of(&server, &table.path(&format!("/events{query}")), last).await.rest().await;

        assert_eq!(seqs(&told), (first..=SHORT).collect::<Vec<_>>(), "{query} {last:?}");
    }
}

#[tokio::test]
async fn c_a_place_in_the_log_that_is_none_is_malformed() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    for last in ["", "x", "-1", "+1", "1.0", "1e1", "0x1", "1,2", "1 2", "\"1\"", "2147483648", "99999999999999999999"]
    {
        let request = stream_of(&server, &table.path("/events"), None).header("last-event-id", last);
        refused(request, last).await;
    }
    let doubled = stream_of(&server, &table.path("/events"), Some(1)).header("last-event-id", "1");
    refused(doubled, "doubled").await;
    for query in ["after=x", "after=-1", "after=", "after=1&after=1", "since=1", "after=2147483648"] {
        refused(stream_of(&server, &table.path(&format!("/events?{query}")), None), query).await;
    }
}

async fn refused(request: reqwest::RequestBuilder, what: &str) {
    let reply = within(send(request)).await;
    assert_eq!((reply.status, reply.code()), (400, "malformed"), "{what}");
    reply.refuses(400, "malformed");
}

#[tokio::test]
async fn c_a_resume_with_nothing_left_to_come_is_204() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    for (query, last) in [("", Some(SHORT)), ("?after=21", None), ("", Some(2_147_483_647)), ("?after=3", Some(22))] {
        let path = table.path(&format!("/events{query}"));

        let reply = within(send(stream_of(&server, &path, last))).await;

        assert_eq!((reply.status, reply.text.as_str()), (204, ""), "{query} {last:?}");
        assert_eq!(reply.header("cache-control"), Some("private, no-cache, no-transform"));
    }
}

#[tokio::test]
async fn c_a_stream_from_beyond_the_log_waits_until_the_log_gets_there() {
    let [server, other] = pair().await;
    let table = short_game(&server).await;
    let mut streams = Vec::new();
    for server in [&server, &other] {
        streams.push(EventStream::of(server, &table.path("/events"), Some(6)).await);
    }

    // The fifth and the sixth event are not told, the seventh is.
    for shot in &shots()[..2] {
        table.fire(&server, Host, shot).await.expect(200);
    }
    for stream in &mut streams {
        assert!(stream.is_silent_for(Duration::from_millis(500)).await);
    }
    table.fire(&server, Host, &shots()[2]).await.expect(200);

    for stream in &mut streams {
        assert_eq!(stream.next().await.unwrap().seq, 7);
    }
}

#[tokio::test]
async fn c_a_stream_from_beyond_the_log_ends_when_the_game_does() {
    let [server, other] = pair().await;
    let table = short_game(&server).await;
    let mut streams = Vec::new();
    for server in [&server, &other] {
        streams.push(EventStream::of(server, &table.path("/events"), Some(1_000)).await);
    }

    table.resign(&server, Host).await.expect(200);

    for stream in streams {
        assert_eq!(stream.rest().await, []);
    }
}

/// Every event of a long game comes, page by page, also to a reader that begins in the middle.
#[tokio::test]
async fn c_a_long_log_comes_whole() {
    let [server, _] = pair().await;
    let table = Table::in_battle(&server).await;
    let last = fire_at_water(&server, &table).await;
    assert_eq!(last, 200, "with the end it is three pages");
    table.resign(&server, Host).await.expect(200);
    let log = log_of(&server, &table).await;

    for after in [0, 1, 100, 101, 150, 200, last] {
        let told = EventStream::of(&server, &table.path("/events"), Some(after)).await.rest().await;

        assert_eq!(told, log[usize::try_from(after).unwrap()..], "{after}");
    }
}

/// Both seats fire at all that the other has but the last cell; tells how many events there are.
async fn fire_at_water(server: &Server, table: &Table) -> u64 {
    for row in 1..=10 {
        for column in 'A'..='J' {
            let cell = format!("{column}{row}");
            if cell == "F7" || cell == "J10" {
                continue;
            }
            for seat in [Host, Guest] {
                table.fire(server, seat, &cell).await.expect(200);
            }
        }
    }
    table.look(server, None).await.expect(200)["version"].as_u64().unwrap()
}
