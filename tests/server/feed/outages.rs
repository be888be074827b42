//! Streams while Postgres restarts, and while what wakes them hangs.

use std::time::{Duration, Instant};

use futures_util::future::{join_all, join3};
use rustix::process::{Pid, Signal, kill_process};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::feed::cuts::{cut_everywhere, insist};
use crate::feed::games::{SHORT, log_of, seqs, short_game, shots, unlimited};
use ground::cluster::{Cluster, Database};
use ground::stream::{EventStream, PATIENCE};
use testing::model::Seat;

use Seat::Host;

#[tokio::test]
async fn c_streams_live_through_a_restart_of_postgres_and_cut_ones_are_resumed() {
    let mut cluster = Cluster::start();
    let database = cluster.database().await;
    let [server, other] = &[&[][..], &[]].map(|more| unlimited(&database, more));
    let (there, back) = ([server, other], [other, server]);
    let tables = join_all((0..4).map(|_| short_game(server))).await;
    let shots = shots();
    let (before, after) = shots.split_at(8);
    join_all(tables.iter().map(|table| insist(&there, table, before))).await;
    let mut whole = Vec::new();
    for table in &tables {
        for server in [server, other] {
            let mut stream = EventStream::of(server, &table.path("/events"), None).await;
            let told = stream.upto(12).await;
            whole.push((told, stream));
        }
    }

    // While Postgres is away some come, and moves are tried.
    let mut cluster = spawn_blocking(move || {
        cluster.stop();
        cluster
    })
    .await
    .unwrap();
    let returning = spawn_blocking(move || {
        std::thread::sleep(Duration::from_millis(500));
        cluster.start_again();
        cluster
    });
    let playing = join_all(tables.iter().map(|table| insist(&there, table, after)));
    let paths: Vec<_> = tables.iter().map(|table| table.path("/events")).collect();
    let cut = join_all(paths.iter().map(|path| cut_everywhere(&back, path)));
    let (returned, _, cut) = join3(returning, playing, cut).await;

    // Those who had come before were not even cut.
    let mut whole = whole.into_iter();
    for (table, cut) in tables.iter().zip(cut) {
        let log = log_of(server, table).await;
        assert_eq!(seqs(&log), (1..=SHORT).collect::<Vec<_>>());
        assert_eq!(cut, log);
        for (mut told, stream) in whole.by_ref().take(2) {
            told.extend(stream.rest().await);
            assert_eq!(told, log);
        }
    }
    // The servers let go of Postgres before it ends.
    drop(returned.unwrap());
}

#[tokio::test]
async fn c_an_event_comes_also_where_every_connection_for_wake_ups_hangs() {
    let cluster = Cluster::start();
    let database = cluster.database().await;
    let [server, other] = &[&[][..], &[]].map(|more| unlimited(&database, more));
    let table = short_game(server).await;
    let mut streams = Vec::new();
    for server in [server, other] {
        streams.push(EventStream::of(server, &table.path("/events"), Some(4)).await);
    }
    table.fire(server, Host, &shots()[0]).await.expect(200);
    for stream in &mut streams {
        assert_eq!(stream.next().await.unwrap().seq, 5);
    }

    // Each server listens on one connection; it tells and looks on one or two others.
    let _hanging = Frozen::freeze(&database, 4).await;
    // A move needs none of them, nor does a stream where the move was made.
    table.fire(server, Host, &shots()[1]).await.expect(200);

    for stream in &mut streams {
        let event = timeout(Duration::from_secs(15), stream.next()).await;
        assert_eq!(event.expect("it comes").unwrap().seq, 6);
    }
}

/// Sessions of Postgres that do nothing more, as if the network to them were gone; they go on
/// when dropped.
struct Frozen(Vec<Pid>);

impl Frozen {
    /// Freezes all that hear, tell or look, once there are so many.
    async fn freeze(database: &Database, least: usize) -> Self {
        let mut connection = database.connect().await;
        let began = Instant::now();
        loop {
            let ids: Vec<i32> = sqlx::query_scalar(
                "select pid from pg_stat_activity where datname = current_database()
                    and (query like 'LISTEN%' or query like 'select pg_notify%'
                         or query like 'select game_id, version,%rematches%')",
            )
            .fetch_all(&mut connection)
            .await
            .unwrap();
            if ids.len() >= least {
                let frozen = Self(ids.into_iter().map(|id| Pid::from_raw(id).unwrap()).collect());
                for id in &frozen.0 {
                    kill_process(*id, Signal::STOP).unwrap();
                }
                return frozen;
            }
            assert!(began.elapsed() < PATIENCE, "they look");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        for id in &self.0 {
            // It may have been given up meanwhile.
            let _ = kill_process(*id, Signal::CONT);
        }
    }
}
