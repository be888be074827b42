//! Whole games with mines, followed over a wire that breaks again and again.

use std::fmt::Debug;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use futures_util::future::join_all;
use naval_battle_client::{
    Bot, Choice, Client, Create, Event, Eyes, FirstShot, Fleet, Game, Lobby, Log, Mark, Moment, Offer, Page, Reason,
    Retries, Rules, Seat, Seating, Status, Table, ToCheck, Verification, Wanted,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::client::seats::{cells, in_battle, joined, play};
use ground::proxy::Proxy;
use ground::server::Server;
use ground::stream::within;
use testing::model::Options;

/// Wires break after so many bytes of answers: a head and an event at least, and mostly within one.
const TORN_AFTER: usize = 2_500;

/// Games that between them have every option, each with a seed.
const GAMES: [(Options, u64); 3] = [
    (Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false }, 1),
    (Options { grid: 8, russian: true, mines: true, salvo: false, shoot_again: true }, 2),
    (Options { grid: 15, russian: false, mines: true, salvo: true, shoot_again: true }, 3),
];

#[tokio::test]
async fn whole_games_are_played_and_followed_to_the_end_over_a_wire_that_breaks_again_and_again() {
    let server = Server::shared().await;
    let proxy = Proxy::to(&server);
    proxy.limit_answers(TORN_AFTER);
    let direct = Client::new(&server.base).unwrap();
    let patient = Retries { first_pause: Duration::from_millis(5), ..Retries::default() };
    let torn = Client::new(proxy.url()).unwrap().retrying(patient);

    let logs = join_all(GAMES.map(async |(options, seed)| {
        let (host, guest, model) = joined(&direct, options).await;
        let followed = tokio::spawn(torn.table(host.id()).follow(0).into_stream().try_collect::<Vec<_>>());

        play(&host, &guest, model, seed).await;

        let followed = within(followed).await.unwrap().expect("the stream is resumed");
        let log = host.log().await.unwrap();
        assert_eq!(followed, log);
        has_ended(&host, &guest, &log).await;
        log
    }))
    .await;

    for log in &logs {
        let struck = log.iter().flat_map(|event| &event.shots).filter(|shot| shot.outcome == Mark::Mine).count();
        let given: usize = log.iter().map(|event| event.cells.len()).sum();
        assert!(struck > 0 && given > 0, "{struck} mines were struck and {given} cells given away");
        assert!(log.iter().map(|event| event.seq).eq(1..=u32::try_from(log.len()).unwrap()));
    }
    assert!(proxy.broken() > 10 * GAMES.len(), "only {} wires broke", proxy.broken());
}

/// Insists that a game has ended by its rules, in the eyes of everybody.
async fn has_ended(host: &Table, guest: &Table, log: &[Event]) {
    let games = [host.look().await.unwrap(), guest.look().await.unwrap()];
    for (game, table) in games.iter().zip([host, guest]) {
        assert_eq!((game.status, game.you), (Status::Finished, table.seat()));
        assert_eq!(game.result.map(|result| result.reason), Some(Reason::FleetSunk));
        assert_eq!(game.result, log.last().unwrap().result);
        assert_eq!(game.boards, games[0].boards);
    }
    let verification = guest.verify().await.unwrap();
    assert!(verification.ok && verification.complete, "{verification:?}");
    let replayed = host.replay(Moment { upto: None, eyes: Some(Eyes::All) }).await.unwrap();
    assert_eq!(replayed.boards, games[0].boards);
    let first = host.replay(Moment { upto: Some(1), eyes: None }).await.unwrap();
    assert_eq!((first.version, first.status), (1, Status::Waiting));
}

#[tokio::test]
async fn games_are_offered_joined_and_played_again() {
    let server = Server::on_new_database().await;
    let api = Client::new(&server.base).unwrap();
    for name in ["Ada", "Eve"] {
        api.create(&Create { listed: Some(true), ..Create::by(name) }).await.unwrap();
    }
    let page = Page { limit: Some(1), after: None };
    let newest = api.list(&page).await.unwrap();
    let older = api.list(&Page { after: newest.next, ..page }).await.unwrap();
    let (guest, _) = api.table(&older.games[0].id).join(None).await.unwrap();
    let left = api.list(&Page::default()).await.unwrap();
    guest.resign().await.unwrap();

    let (again, seating) = guest.rematch().await.unwrap();

    let names = |games: &[Offer]| games.iter().map(|game| game.host.name.clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(
        (names(&newest.games), names(&older.games), names(&left.games)),
        (vec!["Eve".to_owned()], vec!["Ada".to_owned()], vec!["Eve".to_owned()],)
    );
    assert_eq!((again.seat(), seating.seat), (guest.seat(), Seat::Guest));
    assert_eq!(guest.look().await.unwrap().next.as_deref(), Some(again.id()));
    is_read_whole::<Lobby>(server.get("/v1/games", None).await.expect(200));
    is_read_whole::<Game>(server.get(&format!("/v1/games/{}", again.id()), None).await.expect(200));
}

#[tokio::test]
async fn every_answer_is_read_whole() {
    let server = Server::shared().await;
    let api = Client::new(&server.base).unwrap();
    let (host, guest) = in_battle(&api).await;

    let progress = host.fire(&cells("J10")).await.unwrap();

    assert_eq!((progress.events[0].shots[0].outcome, progress.events[0].owed), (Mark::Mine, Some(1)));
    assert_eq!(host.look().await.unwrap().revealable.map(|cells| cells.len()), Some(17));
    assert_eq!(guest.look().await.unwrap().revealable, None);
    assert_eq!(api.rules().await.unwrap().grids.len(), 4);
    let game = format!("/v1/games/{}", host.id());
    let read = async |path: &str| server.get(path, None).await.expect(200).clone();
    is_read_whole::<Game>(&read(&game).await);
    is_read_whole::<Rules>(&read("/v1/rules").await);
    is_read_whole::<Verification>(&read(&format!("{game}/verify")).await);
    is_read_whole::<Log>(&read(&format!("{game}/events")).await);
    is_read_whole::<Seating>(server.post("/v1/games", None, &json!({"name": "Ada"})).await.expect(201));
}

/// Insists that nothing is lost where an answer is read and written again.
fn is_read_whole<T: DeserializeOwned + Serialize + Debug>(answer: &Value) {
    let read: T = serde_json::from_value(answer.clone()).unwrap_or_else(|error| panic!("{error}: {answer}"));
    assert_eq!(&serde_json::to_value(&read).unwrap(), answer);
}

#[tokio::test]
async fn a_layout_that_was_drawn_is_legal_and_placed_against_a_bot() {
    let server = Server::shared().await;
    let client = Client::new(&server.base).unwrap();
    let wanted = Wanted { grid: Some(12), fleet: Some(Fleet::Russian), seed: Some(7), ..Wanted::default() };
    let drawn = client.random_layout(&wanted).await.unwrap();
    assert_eq!(client.random_layout(&wanted).await.unwrap(), drawn);
    let options = Choice { grid: wanted.grid, fleet: wanted.fleet, first: Some(FirstShot::Guest), ..Choice::default() };

    let checked = client.check_layout(&ToCheck { options, layout: drawn.layout.clone() }).await.unwrap();
    let empty = client.check_layout(&ToCheck::default()).await.unwrap();
    let (table, seating) = client.create(&Create { options, bot: Some(Bot::Hard), ..Create::default() }).await.unwrap();
    let progress = table.place(&drawn.layout).await.unwrap();

    assert!(checked.legal && checked.faults.is_empty());
    assert!(!empty.legal && empty.faults.len() == 6 && empty.free_mine_cells.len() == 100, "{empty:?}");
    assert_eq!(seating.game.version, 3);
    assert!(progress.events.len() >= 2, "the bot answers: {progress:?}");
}
