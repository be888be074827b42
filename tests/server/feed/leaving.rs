//! A server that is told to stop while people follow and wait.

use std::time::{Duration, Instant};

use futures_util::future::{join_all, join3};
use reqwest::Method;
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::feed::crowd::stuck;
use crate::feed::games::{play_out, seqs, short_game, unlimited};
use ground::cluster::Cluster;
use ground::server::send;
use ground::stream::{EventStream, within};

/// Until then a server is gone.
const GONE: Duration = Duration::from_secs(10);

#[tokio::test]
async fn c_streams_and_waits_end_in_order_when_the_server_is_told_to_stop() {
    let database = Cluster::shared().database().await;
    let [mut server, other] = [&[][..], &[]].map(|more| unlimited(&database, more));
    let table = short_game(&server).await;
    let quiet = short_game(&server).await;
    let mut streams = Vec::new();
    for (table, last) in [(&table, 0), (&table, 4), (&quiet, 0), (&quiet, 500)] {
        streams.push(EventStream::of(&server, &table.path("/events"), Some(last)).await);
    }
    assert_eq!(streams[0].upto(4).await.len(), 4);
    assert_eq!(streams[2].upto(4).await.len(), 4);
    // One who never reads keeps nobody.
    let _stuck = stuck(&server, &table.path("/events")).await;
    let path = table.path("/events?after=4&wait=25");
    let polls = join_all((0..5).map(|_| server.get(&path, None)));
    let look = server.request(Method::GET, &table.path("?wait=25")).header("if-none-match", "*");
    let stop = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.terminate();
        Instant::now()
    };

    let (replies, look, told_to_stop) = within(join3(polls, send(look), stop)).await;

    assert_eq!((look.status, look.header("etag")), (304, Some("\"4-spectator\"")));
    for reply in replies {
        assert_eq!(reply.expect(200), &json!({"events": [], "version": 4}));
    }
    for stream in streams {
        // The end of the stream is not torn, or reading on would fail.
        assert_eq!(stream.rest().await, []);
    }
    let code = spawn_blocking(move || server.wait()).await.unwrap();
    assert!(told_to_stop.elapsed() < GONE, "{:?}", told_to_stop.elapsed());
    assert_eq!(code, Some(0));

    // Whoever followed goes on at another server.
    let stream = EventStream::of(&other, &table.path("/events"), Some(4)).await;
    play_out(&[&other], &table).await;
    assert_eq!(seqs(&stream.rest().await), (5..=21).collect::<Vec<_>>());
}
