//! Streams that break off and are resumed: every event once, in order.

use std::time::Duration;

use futures_util::future::{join, join_all, join3};

use crate::feed::games::{SHORT, log_of, pair, play_out, seqs, short_game, shots};
use ground::server::Server;
use ground::stream::{EventStream, Told, stream_of};
use ground::table::Table;
use testing::model::Seat;

use Seat::Host;

#[tokio::test]
async fn c_a_stream_cut_at_every_event_goes_on_at_another_server() {
    let [server, other] = pair().await;
    let table = short_game(&server).await;
    let mut told = EventStream::of(&server, &table.path("/events"), None).await.upto(4).await;

    // Each move is made on the one server and followed on the other, by turns.
    let (mut moved_on, mut followed_on) = (&server, &other);
    for shot in shots() {
        let mut stream = EventStream::of(followed_on, &table.path("/events"), told.last().map(|last| last.seq)).await;
        table.fire(moved_on, Host, &shot).await.expect(200);
        told.push(stream.next().await.unwrap());
        std::mem::swap(&mut moved_on, &mut followed_on);
    }

    assert_eq!(told, log_of(&server, &table).await);
    assert_eq!(seqs(&told), (1..=SHORT).collect::<Vec<_>>());
}

#[tokio::test]
async fn c_fifty_games_at_once_each_with_a_stream_that_is_cut_at_every_event_and_two_that_are_not() {
    let [server, other] = pair().await;
    let (server, other) = (&server, &other);
    let (forth, back) = ([server, other], [other, server]);
    let games = (0..50).map(async |_| {
        let table = short_game(server).await;
        let path = table.path("/events");
        let playing = play_out(&forth, &table);
        let cut = cut_everywhere(&back, &path);
        let whole =
            join_all([server, other].map(async |server| EventStream::of(server, &path, None).await.rest().await));

        let ((), cut, whole) = join3(playing, cut, whole).await;

        let log = log_of(server, &table).await;
        assert_eq!(seqs(&log), (1..=SHORT).collect::<Vec<_>>());
        assert_eq!(cut, log);
        assert_eq!(whole, [log.clone(), log]);
    });

    join_all(games).await;
}

#[tokio::test]
async fn a_reader_that_starts_during_play_sees_every_event_once() {
    let [server, other] = pair().await;
    let table = short_game(&server).await;
    let path = table.path("/events");
    let readers = (0_u64..120).map(async |index| {
        tokio::time::sleep(Duration::from_millis(index * 5)).await;
        let server = if index % 2 == 0 { &server } else { &other };
        // Some have seen the beginning already.
        let after = index % 5;
        (after, EventStream::of(server, &path, Some(after)).await.rest().await)
    });
    let playing = async {
        for shot in shots() {
            table.fire(&server, Host, &shot).await.expect(200);
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    };

    let (read, ()) = join(join_all(readers), playing).await;

    let log = log_of(&server, &table).await;
    assert_eq!(seqs(&log), (1..=SHORT).collect::<Vec<_>>());
    for (after, told) in read {
        assert_eq!(told, log[usize::try_from(after).unwrap()..]);
    }
}

/// Follows a game to its end, hangs up after every event and goes on at the next server. Waits
/// where a server cannot answer at the moment.
pub(crate) async fn cut_everywhere(servers: &[&Server], path: &str) -> Vec<Told> {
    let mut told: Vec<Told> = Vec::new();
    for server in servers.iter().cycle() {
        let last = told.last().map(|last| last.seq);
        match EventStream::open(stream_of(server, path, last)).await {
            Ok(mut stream) => told.push(stream.next().await.expect("a stream does not end before the game")),
            Err(reply) if reply.status == 204 => break,
            Err(reply) if reply.status == 503 => tokio::time::sleep(Duration::from_millis(100)).await,
            Err(reply) => panic!("{} {}", reply.status, reply.text),
        }
    }
    told
}

/// Makes the shots of a short game by turns through these servers, each as often as it takes.
pub(crate) async fn insist(servers: &[&Server], table: &Table, shots: &[String]) {
    for (shot, server) in shots.iter().zip(servers.iter().cycle()) {
        loop {
            let reply = table.fire(server, Host, shot).await;
            match (reply.status, reply.code()) {
                // The answer to an earlier try was lost, its effect was not.
                (200, _) | (409, "already_fired" | "game_over") => break,
                (503, _) | (409, "in_flight") => tokio::time::sleep(Duration::from_millis(100)).await,
                _ => panic!("{} {}", reply.status, reply.text),
            }
        }
    }
}
