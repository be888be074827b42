//! Streams outlive a server that is away, and begin behind what came.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use naval_battle_client::{Client, Code, Retries};

use crate::made::{GAME, Made, OVER, event, problem, reply, stream};

const OTHER: &str = "01890a5d-ac96-774b-bcce-b302099a8058";

fn impatient(base: &str) -> Client {
    let quick = Retries { most: 0, first_pause: Duration::from_nanos(1), longest_pause: Duration::ZERO };
    Client::new(base).unwrap().retrying(quick)
}

fn resumed_behind(asked: &[String]) -> Vec<&str> {
    asked.iter().map(|request| request.lines().find_map(|line| line.strip_prefix("last-event-id: ")).unwrap()).collect()
}

#[tokio::test]
async fn a_stream_goes_on_for_as_long_as_the_server_is_away() {
    let away = [
        String::new(),
        problem(503, "unavailable"),
        reply("502 Bad Gateway", "text/html", "", "<html>"),
        problem(500, "internal"),
        reply("429 Too Many Requests", "application/problem+json", "retry-after: 0\r\n", "{}"),
        stream("data: {\n\n"),
    ];
    let mut replies = vec![stream(&(event(1, "") + ":\n\n"))];
    replies.extend(away.iter().cycle().take(24).cloned());
    replies.push(stream(&(event(1, "") + &event(3, ""))));
    replies.push(stream(&(event(2, "") + &event(3, OVER) + &event(4, ""))));
    let server = Made::giving(replies).await;
    let count = Arc::new(AtomicUsize::new(0));
    let heard = Arc::clone(&count);
    let feed = impatient(&server.base).table(GAME).follow(0);
    let mut feed = feed.heard(move || {
        heard.fetch_add(1, Ordering::Relaxed);
    });

    let mut seqs = Vec::new();
    while let Some(event) = feed.next().await.unwrap() {
        seqs.push(event.seq);
    }

    assert_eq!(seqs, [1, 2, 3]);
    let asked = server.asked();
    assert_eq!(asked.len(), 27);
    assert_eq!(resumed_behind(&asked)[0], "0");
    assert!(resumed_behind(&asked)[1..].iter().all(|last| *last == "1"));
    // The replies themselves, the comment, the event that is none, and those that were.
    assert!(count.load(Ordering::Relaxed) >= 3 + 2 + 4 * 2, "{count:?}");
}

#[tokio::test]
async fn a_stream_that_is_refused_for_good_says_why() {
    for (status, code, expected) in
        [(404, "game_not_found", Code::GameNotFound), (401, "unauthorized", Code::Unauthorized)]
    {
        let server = Made::giving(vec![String::new(), problem(status, code)]).await;

        let refused = impatient(&server.base).table(GAME).follow(0).next().await.unwrap_err();

        assert_eq!(refused.code(), Some(expected));
    }
}

#[tokio::test]
async fn many_games_are_followed_by_one_stream_each_behind_what_came_of_it() {
    let of = |game: &str, seq, more: &str| event(seq, &format!(",\"game\":\"{game}\"{more}"));
    let first = of(GAME, 8, "") + &of(OTHER, 1, "") + &of(OTHER, 1, "") + &of(GAME, 9, OVER) + &of(OTHER, 3, "");
    let server = Made::giving(vec![stream(&first), stream(&(of(OTHER, 2, "") + &of(OTHER, 3, OVER)))]).await;
    let mut feed = impatient(&server.base).feed(&[(GAME, 7), (OTHER, 0)]);

    let mut seen = Vec::new();
    while let Some(event) = feed.next().await.unwrap() {
        seen.push((event.game.unwrap(), event.seq));
    }

    let expected = [(GAME, 8), (OTHER, 1), (GAME, 9), (OTHER, 2), (OTHER, 3)];
    assert_eq!(seen, expected.map(|(game, seq)| (game.to_owned(), seq)));
    let asked = server.asked();
    assert_eq!(resumed_behind(&asked), ["7.0", "9.1"]);
    assert!(asked[0].starts_with(&format!("GET /v1/feed?games={GAME}%2C{OTHER} HTTP/1.1\r\n")), "{}", asked[0]);
    assert!(impatient(&server.base).feed(&[]).next().await.unwrap().is_none());
}

#[tokio::test]
async fn games_that_have_all_ended_bring_nothing() {
    let server = Made::giving(vec!["HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".to_owned()]).await;

    assert!(impatient(&server.base).feed(&[(GAME, 4)]).next().await.unwrap().is_none());
    assert!(impatient(&server.base).table(GAME).follow(4).next().await.unwrap().is_none());
}
