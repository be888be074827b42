//! Answers that are lost on their way: the client sends the same request again, and it counts once.

use std::time::Duration;

use naval_battle_client::{Choice, Client, Code, Create, Error, EventKind, FirstShot, Retries};

use crate::client::seats::{cells, in_battle, layout};
use ground::cluster::Cluster;
use ground::held::Held;
use ground::proxy::{Break, Proxy};
use ground::server::Server;
use ground::table::{Table, usual};

const PLACES: [Break; 3] = [Break::Before, Break::Amid, Break::After];

#[tokio::test]
async fn a_call_whose_answer_is_lost_between_client_and_server_has_one_effect() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let proxy = Proxy::to(&server);
    let api = Client::new(proxy.url()).unwrap();

    for (place, round) in PLACES.into_iter().zip(1..) {
        let breaks = |path: &str| proxy.break_at(place, &format!("{path} HTTP/1.1"));
        breaks("POST /v1/games");
        let options = Choice { first: Some(FirstShot::Host), ..Choice::default() };
        let (host, _) = api.create(&Create { options, ..Create::default() }).await.unwrap();
        breaks("/join");
        let (guest, _) = api.table(host.id()).join(None).await.unwrap();
        breaks("/place");
        let placed = host.place(&layout(&usual())).await.unwrap();
        guest.place(&layout(&usual())).await.unwrap();
        breaks("/fire");
        let fired = host.fire(&cells("J10")).await.unwrap();
        breaks("/reveal");
        host.reveal(&cells("A1")).await.unwrap();
        breaks("/resign");
        guest.resign().await.unwrap();
        breaks(&format!("GET /v1/games/{}", host.id()));
        let game = host.look().await.unwrap();

        let kinds: Vec<_> = host.log().await.unwrap().into_iter().map(|event| event.kind).collect();
        assert_eq!(
            kinds,
            [
                EventKind::Created,
                EventKind::Joined,
                EventKind::Placed,
                EventKind::Placed,
                EventKind::Fired,
                EventKind::Revealed,
                EventKind::Resigned
            ],
            "{place:?}"
        );
        assert_eq!((placed.version, fired.version, game.version), (3, 5, 7));
        assert_eq!(game.boards.host.salt, placed.salt);
        assert_eq!(proxy.broken(), round * 7, "each call broke its wire once");
        let mut direct = database.connect().await;
        let games: i64 = sqlx::query_scalar("select count(*) from games").fetch_one(&mut direct).await.unwrap();
        assert_eq!(usize::try_from(games).unwrap(), round, "each game was created once");
    }
}

#[tokio::test]
async fn a_call_whose_answer_is_lost_between_server_and_database_has_one_effect() {
    let database = Cluster::shared().database().await;
    let proxy = Proxy::start(&database);
    let server = Server::start_with(&database, &[("DATABASE_URL", proxy.url())]);
    let (host, guest) = in_battle(&Client::new(&server.base).unwrap()).await;
    let turns = [(&host, "J9"), (&guest, "J9"), (&host, "J8"), (&guest, "J8")];

    for (place, (table, shot)) in PLACES.into_iter().cycle().zip(turns) {
        proxy.break_at(place, "\"type\":\"fired\"");
        let progress = table.fire(&cells(shot)).await.unwrap();
        assert_eq!(progress.events[0].shots[0].cell.to_string(), shot);
    }

    assert_eq!(proxy.broken(), turns.len());
    assert_eq!(host.look().await.unwrap().version, 4 + 4);
}

#[tokio::test]
async fn without_retries_a_lost_answer_is_told() {
    let server = Server::shared().await;
    let proxy = Proxy::to(&server);
    let api = Client::new(proxy.url()).unwrap().retrying(Retries::NEVER);
    proxy.break_at(Break::After, "/v1/games");

    let lost = api.create(&Create::default()).await;

    assert!(matches!(lost, Err(Error::NoAnswer(_))), "{lost:?}");
    let gone = Client::new("http://127.0.0.1:1").unwrap();
    let quick = Retries { most: 2, first_pause: Duration::from_millis(1), ..Retries::default() };
    let refused = gone.retrying(quick).rules().await;
    assert!(matches!(refused, Err(Error::NoAnswer(_))), "{refused:?}");
}

#[tokio::test]
async fn equal_calls_are_two_requests() {
    let server = Server::shared().await;
    let (host, guest) = in_battle(&Client::new(&server.base).unwrap()).await;
    host.fire(&cells("J9")).await.unwrap();
    guest.fire(&cells("J9")).await.unwrap();

    let again = host.fire(&cells("J9")).await.unwrap_err();

    assert_eq!(again.code(), Some(Code::AlreadyFired));
}

#[tokio::test]
async fn a_shot_that_came_second_is_sent_again_only_where_it_names_its_version() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let (host, _) = in_battle(&Client::new(&server.base).unwrap()).await;
    let table = Table { id: host.id().to_owned(), host: String::new(), guest: String::new() };
    let held = Held::take(&database, &table).await;

    let refused = host.fire(&cells("J9")).await.unwrap_err();
    let insisting = host.at(4);
    let shot = cells("J9");
    let insists = tokio::spawn(async move { insisting.fire(&shot).await });
    // The first of its tries has been refused before this is let go.
    let seen = host.fire(&cells("J8")).await.unwrap_err();
    held.release().await;

    assert_eq!((refused.code(), seen.code()), (Some(Code::InFlight), Some(Code::InFlight)));
    assert_eq!(insists.await.unwrap().unwrap().version, 5);
}
