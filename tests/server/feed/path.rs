//! The stream at a path of its own, whatever is accepted.

use reqwest::Method;

use crate::feed::games::{log_of, pair, play_out, short_game};
use ground::server::{authorized, send};
use ground::stream::{EventStream, within};
use ground::table::Table;
use testing::model::Seat;

use Seat::Host;

#[tokio::test]
async fn c_the_path_of_the_stream_gives_the_stream_whatever_is_accepted() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    play_out(&[&server], &table).await;
    let log = log_of(&server, &table).await;
    let path = table.path("/stream");

    for accept in [None, Some("*/*"), Some("application/json"), Some("text/event-stream;q=0"), Some("image/png")] {
        let request = server.request(Method::GET, &path);
        let request =
            accept.map_or_else(|| server.request(Method::GET, &path), |accept| request.header("accept", accept));
        let stream = EventStream::open(request).await.expect("a stream");
        let headers = stream.response.headers();
        assert_eq!(headers["content-type"], "text/event-stream", "{accept:?}");
        assert_eq!(headers["cache-control"], "private, no-cache, no-transform");
        assert_eq!(stream.rest().await, log, "{accept:?}");
    }
    // It is the stream that `events` gives, with a token too.
    let same = authorized(server.request(Method::GET, &path), Some(&table.host));
    let there = EventStream::of(&server, &table.path("/events"), None).await.rest().await;
    assert_eq!(EventStream::open(same).await.expect("a stream").rest().await, there);
}

#[tokio::test]
async fn c_the_path_of_the_stream_resumes_and_ends_as_the_stream_does() {
    let [server, other] = pair().await;
    let table = short_game(&server).await;
    let mut stream = EventStream::of(&server, &table.path("/stream?after=4"), None).await;
    play_out(&[&other], &table).await;
    let log = log_of(&server, &table).await;

    assert_eq!(stream.next().await.as_ref(), log.get(4));
    assert_eq!(stream.rest().await, log[5..]);
    for (query, last, first) in
        [("?lastEventId=19", None, 20), ("?after=3", Some(19), 20), ("?lastEventId=3&after=19", None, 4), ("", None, 1)]
    {
        let mut stream = EventStream::of(&server, &table.path(&format!("/stream{query}")), last).await;
        assert_eq!(stream.next().await.unwrap().seq, first, "{query} {last:?}");
    }
    for query in ["?after=21", "?lastEventId=21", "?after=500"] {
        let reply = within(server.get(&table.path(&format!("/stream{query}")), None)).await;
        assert_eq!((reply.status, reply.text.as_str()), (204, ""), "{query}");
        let head = within(send(server.request(Method::HEAD, &table.path(&format!("/stream{query}"))))).await;
        assert_eq!(head.status, 204, "{query}");
    }
}

#[tokio::test]
async fn c_the_path_of_the_stream_knows_neither_limit_nor_wait() {
    let [server, _] = pair().await;
    let table = short_game(&server).await;
    for query in ["limit=5", "wait=0", "wait=1", "after=x", "after=1&after=1", "lastEventId=", "as=host"] {
        let reply = within(server.get(&table.path(&format!("/stream?{query}")), None)).await;
        reply.refuses(400, "malformed");
    }
    let twice = server.request(Method::GET, &table.path("/stream"));
    let twice = twice.header("last-event-id", "1").header("last-event-id", "1");
    within(send(twice)).await.refuses(400, "malformed");

    // Game and token come first, and `HEAD` is answered at once.
    within(server.get(&table.path("/stream?limit=5"), Some("nonsense"))).await.refuses(401, "unauthorized");
    let nobody = Table { id: "0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b".to_owned(), ..table.clone() };
    within(server.get(&nobody.path("/stream?limit=5"), None)).await.refuses(404, "game_not_found");
    let head = within(send(server.request(Method::HEAD, &table.path("/stream")))).await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    let post = within(server.post(&table.path("/stream"), None, &serde_json::json!({}))).await;
    post.refuses(405, "method_not_allowed");
    assert_eq!(post.header("allow"), Some("GET, HEAD, OPTIONS"));
    table.resign(&server, Host).await.expect(200);
}
