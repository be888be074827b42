//! The form of a stream: headers, lines, comments; who may open one.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::feed::games::{log_of, pair, play_out, short_game};
use ground::server::{authorized, send};
use ground::stream::{EventStream, is_comment, stream_of, within};
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn c_an_event_is_a_line_of_id_and_a_line_of_data_with_the_bytes_of_the_log() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;

    let mut stream = EventStream::of(&server, &table.path("/events"), None).await;
    let mut blocks = Vec::new();
    while let Some(block) = stream.block().await {
        blocks.push(block);
    }

    let events = log_of(&server, &table).await;
    let expected: Vec<_> = events.iter().map(|event| format!("id: {}\ndata: {}\n\n", event.seq, event.data)).collect();
    assert_eq!(blocks, expected);
    // And the log is nothing but these bytes with commas between them.
    let list: Vec<_> = events.iter().map(|event| event.data.as_str()).collect();
    let whole = server.get(&table.path("/events"), None).await.text;
    assert_eq!(whole, format!("{{\"events\":[{}],\"version\":21}}", list.join(",")));
}

#[tokio::test]
async fn c_a_stream_says_what_it_is_and_that_nobody_may_keep_it() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;

    let stream = EventStream::of(&server, &table.path("/events"), None).await;

    let headers = stream.response.headers();
    let all = |name: &str| headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(all("content-type"), ["text/event-stream"]);
    assert_eq!(all("cache-control"), ["private, no-cache, no-transform"]);
    assert_eq!(all("vary"), ["Authorization"]);
    assert_eq!(all("access-control-allow-origin"), ["*"]);
    assert_eq!(all("content-length"), [""; 0]);
    assert_eq!(all("etag"), [""; 0]);
}

#[tokio::test]
async fn c_a_stream_begins_before_there_is_anything_to_tell() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;

    // That this returns is the point: the headers have come.
    let mut stream = EventStream::of(&server, &table.path("/events"), Some(4)).await;
    assert!(stream.is_silent_for(Duration::from_millis(200)).await);
    let reply = table.fire(&server, Host, "A1").await;

    let event = stream.next().await.unwrap();
    assert_eq!(event.seq, 5);
    assert_eq!(serde_json::from_str::<Value>(&event.data).unwrap(), reply.expect(200)["events"][0]);
}

#[tokio::test]
async fn c_a_stream_is_for_those_who_like_it_better_than_json() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    for (accept, expected) in [
        ("text/event-stream", "text/event-stream"),
        ("TEXT/EVENT-STREAM", "text/event-stream"),
        ("text/event-stream, */*;q=0.1", "text/event-stream"),
        ("application/json;q=0.9, text/event-stream", "text/event-stream"),
        ("text/event-stream, application/json;q=0.9", "text/event-stream"),
        ("text/*", "text/event-stream"),
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("", "application/json"),
        ("application/json, text/event-stream, application/problem+json", "application/json"),
        ("text/event-stream, application/json", "application/json"),
        ("application/json, text/plain, */*", "application/json"),
        ("application/json, */*;q=0.1", "application/json"),
        ("application/json, text/event-stream;q=0.5", "application/json"),
        ("text/event-stream;q=0, application/json", "application/json"),
    ] {
        let request = server.request(Method::GET, &table.path("/events")).header("accept", accept);

        let reply = within(send(request)).await;

        assert_eq!((reply.status, reply.header("content-type")), (200, Some(expected)), "{accept}");
    }
    let without = server.request(Method::GET, &table.path("/events")).build().unwrap();
    let without = within(server.client.execute(without)).await.unwrap();
    assert_eq!(without.headers()["content-type"], "application/json");
}

#[tokio::test]
async fn c_where_no_header_can_be_sent_the_query_says_where_a_stream_goes_on() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    for (query, last, first) in [
        ("?lastEventId=19", None, 20),
        ("?after=3&lastEventId=19", None, 20),
        ("?lastEventId=3&after=19", None, 4),
        ("?lastEventId=3", Some(19), 20),
        ("?lastEventId=0", None, 1),
    ] {
        let mut stream = EventStream::of(&server, &table.path(&format!("/events{query}")), last).await;
        assert_eq!(stream.next().await.unwrap().seq, first, "{query} {last:?}");
    }
    let ended = within(send(stream_of(&server, &table.path("/events?lastEventId=21"), None))).await;
    assert_eq!(ended.status, 204);
    for query in ["lastEventId=", "lastEventId=x", "lastEventId=-1", "lastEventId=1&lastEventId=1", "lasteventid=1"] {
        let path = table.path(&format!("/events?{query}"));
        for accept in ["text/event-stream", "application/json"] {
            let reply = within(send(server.request(Method::GET, &path).header("accept", accept))).await;
            reply.refuses(400, "malformed");
        }
    }
    // Read in pages the log goes on after `after`, as it does whatever the header says.
    let page = server.get(&table.path("/events?lastEventId=19&after=20"), None).await;
    assert_eq!(page.expect(200)["events"][0]["seq"], 21);
}

#[tokio::test]
async fn c_a_stream_needs_no_token_and_is_the_same_with_one() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    let path = table.path("/events");
    let read = async |token| within(send(authorized(stream_of(&server, &path, None), token))).await;

    let spectator = read(None).await;

    assert_eq!(spectator.status, 200);
    for seat in [Host, Guest] {
        let reply = read(Some(table.token(seat))).await;
        assert_eq!((reply.status, reply.text), (200, spectator.text.clone()));
    }
}

#[tokio::test]
async fn c_a_wrong_token_and_an_unknown_game_are_refused_before_anything_is_streamed() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let other = Table::create(&server, &json!({})).await;
    let nobody = "0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";
    for (path, token, status, code) in [
        (table.path("/events"), Some(other.token(Host)), 401, "unauthorized"),
        (table.path("/events"), Some("nonsense"), 401, "unauthorized"),
        (table.path("/events?after=x"), Some("nonsense"), 401, "unauthorized"),
        (format!("/v1/games/{nobody}/events"), None, 404, "game_not_found"),
        (format!("/v1/games/{nobody}/events?after=x"), Some("nonsense"), 404, "game_not_found"),
        (format!("/v1/games/{}/events", table.id.to_uppercase()), None, 404, "game_not_found"),
    ] {
        let reply = within(send(authorized(stream_of(&server, &path, None), token))).await;

        reply.refuses(status, code);
        assert_eq!(reply.header("cache-control"), Some("private, no-cache, no-transform"), "{path}");
    }
}

#[tokio::test]
async fn c_head_is_answered_at_once_and_neither_streams_nor_waits() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let ended = short_game(&server).await;
    play_out(&[&server], &ended).await;
    let head = async |path: String, accept: &str, last: Option<&str>| {
        let mut request = server.request(Method::HEAD, &path).header("accept", accept);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let reply = within(send(request)).await;
        assert_eq!(reply.text, "", "{path}");
        assert_eq!(reply.header("cache-control"), Some("private, no-cache, no-transform"), "{path}");
        let vary = match (reply.status, accept) {
            (400.., _) => "Authorization, Accept-Language",
            (_, "application/json") => "Authorization, Accept-Encoding",
            _ => "Authorization",
        };
        assert_eq!(reply.header("vary"), Some(vary), "{path}");
        (reply.status, reply.header("content-type").map(str::to_owned))
    };
    let type_of = |text: &str| Some(text.to_owned());
    let stream = "text/event-stream";

    assert_eq!(head(table.path("/events"), stream, None).await, (200, type_of(stream)));
    assert_eq!(head(table.path("/events?after=4"), stream, None).await, (200, type_of(stream)));
    assert_eq!(head(table.path("/events"), stream, Some("4")).await, (200, type_of(stream)));
    assert_eq!(head(ended.path("/events"), stream, Some("21")).await, (204, None));
    assert_eq!(head(table.path("/events"), stream, Some("x")).await, (400, type_of("application/problem+json")));
    let began = Instant::now();
    let waiting = head(table.path("/events?after=4&wait=25"), "application/json", None).await;
    assert_eq!(waiting, (200, type_of("application/json")));
    assert!(began.elapsed() < Duration::from_secs(20), "it waited: {:?}", began.elapsed());
}

#[tokio::test]
async fn c_where_nothing_happens_a_comment_comes_every_15_seconds() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    let mut streams = Vec::new();
    for last in [0, 4] {
        streams.push(EventStream::of(&server, &table.path("/events"), Some(last)).await);
    }
    assert_eq!(streams[0].upto(4).await.len(), 4);
    let began = Instant::now();

    let blocks = join_all(streams.iter_mut().map(EventStream::block)).await;

    let passed = began.elapsed();
    for block in blocks {
        assert!(is_comment(block.as_ref().unwrap()), "{block:?}");
    }
    assert!((Duration::from_secs(14)..Duration::from_secs(25)).contains(&passed), "{passed:?}");
    // The streams go on after it.
    table.fire(&server, Host, "A1").await.expect(200);
    for stream in &mut streams {
        assert_eq!(stream.next().await.unwrap().seq, 5);
    }
}
