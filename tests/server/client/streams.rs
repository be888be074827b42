//! Streams: where they begin and end, and when they are given up.

use std::time::Duration;

use naval_battle_client::{Client, Code, Error, EventKind, Retries};
use rustix::process::Signal;

use crate::client::seats::{cells, in_battle};
use ground::cluster::Cluster;
use ground::server::Server;
use ground::signals;
use ground::stream::within;

#[tokio::test]
async fn a_stream_begins_where_one_says_and_ends_with_the_game() {
    let server = Server::shared().await;
    let api = Client::new(&server.base).unwrap();
    let (host, guest) = in_battle(&api).await;
    let mut from_the_third = guest.follow(2);
    let mut as_a_spectator = api.table(host.id()).follow(0);

    host.fire(&cells("A9")).await.unwrap();
    guest.resign().await.unwrap();

    let mut kinds = Vec::new();
    while let Some(event) = within(from_the_third.next()).await.unwrap() {
        kinds.push(event.kind);
    }
    assert_eq!(kinds, [EventKind::Placed, EventKind::Placed, EventKind::Fired, EventKind::Resigned]);
    for seq in 1..=6 {
        assert_eq!(within(as_a_spectator.next()).await.unwrap().map(|event| event.seq), Some(seq));
    }
    assert_eq!(within(as_a_spectator.next()).await.unwrap(), None);
    assert_eq!(within(host.follow(6).next()).await.unwrap(), None);
    assert_eq!(within(host.follow(100).next()).await.unwrap(), None);
}

#[tokio::test]
async fn a_stream_that_is_refused_says_why_at_once() {
    let server = Server::shared().await;
    let api = Client::new(&server.base).unwrap();

    let refused = within(api.table("01890a5d-ac96-774b-bcce-b302099a8057").follow(0).next()).await.unwrap_err();

    assert_eq!(refused.code(), Some(Code::GameNotFound));
}

#[tokio::test]
async fn a_stream_of_a_server_that_is_gone_is_given_up_and_goes_on_when_asked_again() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let quick = Retries { most: 3, first_pause: Duration::from_millis(1), ..Retries::default() };
    let (host, _) = in_battle(&Client::new(&server.base).unwrap()).await;
    let mut feed = Client::new(&server.base).unwrap().retrying(quick).table(host.id()).follow(3);
    assert_eq!(within(feed.next()).await.unwrap().map(|event| event.seq), Some(4));

    signals::send(server.id(), Signal::TERM);
    let gone = within(feed.next()).await;

    assert!(matches!(gone, Err(Error::NoAnswer(_) | Error::Torn)), "{gone:?}");
    let again = within(feed.next()).await;
    assert!(matches!(again, Err(Error::NoAnswer(_))), "{again:?}");
}
