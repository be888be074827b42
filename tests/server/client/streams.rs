//! Streams: where they begin and end, and when they are given up.

use std::time::Duration;

use naval_battle_client::{Client, Code, EventKind, Retries};
use rustix::process::Signal;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

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
async fn a_stream_waits_for_a_server_that_is_gone_and_goes_on_where_it_was() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let (base, way) = way_to(server.base.clone()).await;
    let quick = Retries { most: 3, first_pause: Duration::from_millis(1), ..Retries::default() };
    let api = Client::new(&base).unwrap();
    let (host, _) = in_battle(&api).await;
    let mut feed = api.retrying(quick).table(host.id()).follow(3);
    assert_eq!(within(feed.next()).await.unwrap().map(|event| event.seq), Some(4));
    let following = tokio::spawn(async move { feed.next().await });

    way.send_replace(None);
    signals::send(server.id(), Signal::TERM);
    // Longer than any request is tried for with these retries.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let back = Server::start(&database);
    way.send_replace(Some(back.base.clone()));
    host.resign().await.unwrap();

    let resigned = within(following).await.unwrap().unwrap().expect("it goes on");
    assert_eq!((resigned.seq, resigned.kind), (5, EventKind::Resigned));
}

/// An address that leads wherever one says, and nowhere while one says so.
async fn way_to(base: String) -> (String, watch::Sender<Option<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (say, said) = watch::channel(Some(base));
    tokio::spawn(async move {
        loop {
            let (mut asking, _) = listener.accept().await.unwrap();
            let there = said.borrow().as_ref().map(|base| base.replace("http://", ""));
            let Some(there) = there else { continue };
            tokio::spawn(async move {
                // Either side may go at any time.
                let Ok(mut answering) = TcpStream::connect(there).await else { return };
                drop(copy_bidirectional(&mut asking, &mut answering).await);
            });
        }
    });
    (address, say)
}
