//! Followers below HTTP, where a test can say what happens between which steps.

use std::sync::Arc;
use std::time::Duration;

use naval_battle::live::{Live, Tasks, Wakeups};
use naval_battle::service::{Caller, Credential, FollowItem, Follower, Games, Keep, Origin};
use naval_battle::store::{Sharing, Store};
use sqlx::postgres::PgConnectOptions;
use uuid::Uuid;

use crate::feed::games::{short_game, unlimited};
use ground::cluster::{Cluster, Database};
use ground::stream::within;
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

/// A reader may be so many events behind.
const MOST_BEHIND: usize = 64;

#[tokio::test]
async fn an_event_that_comes_while_a_follower_takes_its_place_is_not_lost() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let table = short_game(&server).await;
    let here = Here::start(&database).await;
    let mut first = here.follow(&table, 4).await;

    // Between looking at the game and watching it the game ends, and this process knows already.
    let game = here.games.enter(&caller(&table)).await.unwrap();
    table.resign(&server, Host).await.expect(200);
    assert_eq!(next(&mut first).await, Some(5));
    let mut second = game.follow(4).unwrap();

    assert_eq!(next(&mut second).await, Some(5));
    assert_eq!(next(&mut second).await, None);
}

#[tokio::test]
async fn an_end_that_comes_while_a_follower_takes_its_place_beyond_it_is_not_missed() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let table = short_game(&server).await;
    let here = Here::start(&database).await;
    let mut first = here.follow(&table, 4).await;

    let game = here.games.enter(&caller(&table)).await.unwrap();
    table.resign(&server, Host).await.expect(200);
    assert_eq!(next(&mut first).await, Some(5));
    let mut second = game.follow(100).unwrap();

    assert_eq!(next(&mut second).await, None);
}

#[tokio::test]
async fn c_a_follower_more_than_64_events_behind_is_dropped_and_resumes() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let table = Table::in_battle(&server).await;
    let here = Here::start(&database).await;
    let mut reading = here.follow(&table, 4).await;
    let mut late = here.follow(&table, 4).await;
    let mut too_late = here.follow(&table, 4).await;
    let mut moves = Moves::new();
    moves.make(&server, &table, 1).await;
    for follower in [&mut reading, &mut late, &mut too_late] {
        assert_eq!(next(follower).await, Some(5));
    }

    // One takes the first event of those that come now, the other none.
    for seq in (6..).take(MOST_BEHIND + 1) {
        moves.make(&server, &table, 1).await;
        assert_eq!(next(&mut reading).await, Some(seq));
        if seq == 6 {
            assert_eq!(next(&mut late).await, Some(seq));
        }
    }

    assert_eq!(next(&mut too_late).await, None);
    for seq in (7..).take(MOST_BEHIND) {
        assert_eq!(next(&mut late).await, Some(seq));
    }
    let mut resumed = here.follow(&table, 5).await;
    for seq in (6..).take(MOST_BEHIND + 1) {
        assert_eq!(next(&mut resumed).await, Some(seq));
    }
}

/// A server without HTTP, in this process.
struct Here {
    games: Games,
    _tasks: Tasks,
}

impl Here {
    async fn start(database: &Database) -> Self {
        let options: PgConnectOptions = database.url().parse().unwrap();
        let store = Store::start(options, 4, Sharing::UnderLoad, &Arc::default()).await.unwrap();
        let (live, tasks) = Live::start(store.clone(), Wakeups::Notified);
        let day = Duration::from_hours(24);
        let keep = Keep { aborted: day, finished: None, idle: day, unpacked: day };
        Self { games: Games::new(store, live, Arc::default(), day, keep), _tasks: tasks }
    }

    async fn follow(&self, table: &Table, after: u32) -> Follower {
        self.games.enter(&caller(table)).await.unwrap().follow(after).unwrap()
    }
}

/// A spectator of the game.
fn caller(table: &Table) -> Caller {
    Caller { origin: Origin::default(), game: Uuid::try_parse(&table.id).ok(), token: Credential::Nothing, key: None }
}

/// The `seq` of the next event; none at the end.
async fn next(follower: &mut Follower) -> Option<u32> {
    match within(follower.next()).await? {
        FollowItem::Event(event) => Some(event.seq),
        FollowItem::Silence => panic!("nothing came for so long that silence was told"),
    }
}

/// Shots of both seats by turns that hit nothing twice and end nothing.
struct Moves(Box<dyn Iterator<Item = (Seat, String)>>);

impl Moves {
    fn new() -> Self {
        // Column by column from the right, where both have water, and J10 with their mines left out.
        let cells =
            ['J', 'I', 'H', 'G'].into_iter().flat_map(|column| (1..=9).map(move |row| format!("{column}{row}")));
        Self(Box::new(cells.flat_map(|cell| [(Host, cell.clone()), (Guest, cell)])))
    }

    async fn make(&mut self, server: &ground::server::Server, table: &Table, count: usize) {
        for (seat, cell) in self.0.by_ref().take(count) {
            table.fire(server, seat, &cell).await.expect(200);
        }
    }
}
