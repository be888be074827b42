//! From one server to another: told, or found by looking.

use std::time::{Duration, Instant};

use sqlx::postgres::PgListener;

use crate::feed::games::{log_of, pair, short_game, shots, unlimited};
use ground::cluster::{Cluster, Database};
use ground::server::Server;
use ground::stream::{EventStream, PATIENCE, within};
use testing::model::Seat;

use Seat::{Guest, Host};

/// Until then an event is on every server, however it got there.
const SOON: Duration = Duration::from_secs(3);

#[tokio::test]
async fn c_where_servers_notify_each_other_events_come_in_well_under_a_second() {
    let servers = pair().await;
    let table = short_game(&servers[0]).await;
    let mut stream = EventStream::of(&servers[1], &table.path("/events"), Some(4)).await;
    let shots = shots();
    let began = Instant::now();

    // By looking alone each would take the second until the next look.
    for (seq, shot) in (5..).zip(&shots) {
        table.fire(&servers[0], Host, shot).await.expect(200);
        assert_eq!(stream.next().await.unwrap().seq, seq);
    }

    let each = began.elapsed() / u32::try_from(shots.len()).unwrap();
    assert!(each < Duration::from_millis(500), "{each:?} for each");
}

#[tokio::test]
async fn c_the_others_are_told_of_a_move_by_its_game_and_version_alone() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let table = short_game(&server).await;
    let mut ear = PgListener::connect(&database.url()).await.unwrap();
    ear.listen("naval_battle").await.unwrap();

    table.fire(&server, Host, "A1").await.expect(200);

    // What was told of the game before may still be on its way.
    let game = table.id.replace('-', "");
    let told = within(async {
        loop {
            let told = ear.recv().await.unwrap().payload().to_owned();
            if told != format!("{game}:4") {
                return told;
            }
        }
    });
    assert_eq!(told.await, format!("{game}:5"));
}

#[tokio::test]
async fn c_where_servers_do_not_notify_events_are_found_by_looking() {
    let database = Cluster::shared().database().await;
    let off = [("NAVAL_BATTLE_NOTIFY", "off")];
    let servers = [unlimited(&database, &off), unlimited(&database, &off)];

    follow_from_the_other(&servers).await;

    assert_eq!(listeners(&database).await, 0, "nobody listens");
}

#[tokio::test]
async fn c_where_every_notification_is_lost_events_are_found_by_looking() {
    let database = Cluster::shared().database().await;
    // The first server notifies nobody; the second relies on being told, and looks once a second.
    let servers = [unlimited(&database, &[("NAVAL_BATTLE_NOTIFY", "off")]), unlimited(&database, &[])];
    wait_for_listeners(&database, 1).await;

    follow_from_the_other(&servers).await;
}

#[tokio::test]
async fn c_an_event_comes_though_the_connection_that_listens_broke_just_before() {
    let database = Cluster::shared().database().await;
    let servers = [&[][..], &[]].map(|more| unlimited(&database, more));
    let table = short_game(&servers[0]).await;
    let mut stream = EventStream::of(&servers[1], &table.path("/events"), Some(4)).await;

    for (seq, shot) in (5..).zip(&shots()[..4]) {
        wait_for_listeners(&database, 2).await;
        let broken = break_listeners(&database).await;
        table.fire(&servers[0], Host, shot).await.expect(200);
        let began = Instant::now();

        let event = stream.next().await.unwrap();

        assert_eq!((event.seq, broken), (seq, 2));
        assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    }
    // They listen again.
    wait_for_listeners(&database, 2).await;
}

/// Follows a game on the second server while it is played on the first.
async fn follow_from_the_other([server, other]: &[Server; 2]) {
    let table = short_game(server).await;
    let mut stream = EventStream::of(other, &table.path("/events"), None).await;
    let mut told = stream.upto(4).await;

    for shot in &shots()[..4] {
        table.fire(server, Host, shot).await.expect(200);
        let began = Instant::now();
        told.push(stream.next().await.unwrap());
        assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    }
    table.resign(server, Guest).await.expect(200);

    told.extend(stream.rest().await);
    assert_eq!(told, log_of(other, &table).await);
    assert_eq!(told.len(), 9);
}

async fn listeners(database: &Database) -> i64 {
    sqlx::query_scalar(
        "select count(*) from pg_stat_activity where datname = current_database() and query like 'LISTEN%'",
    )
    .fetch_one(&mut database.connect().await)
    .await
    .unwrap()
}

async fn wait_for_listeners(database: &Database, count: i64) {
    let began = Instant::now();
    while listeners(database).await != count {
        assert!(began.elapsed() < PATIENCE, "they listen again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn break_listeners(database: &Database) -> i64 {
    sqlx::query_scalar(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity
          where datname = current_database() and query like 'LISTEN%'",
    )
    .fetch_one(&mut database.connect().await)
    .await
    .unwrap()
}
