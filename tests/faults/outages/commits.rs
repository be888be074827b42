//! Commits that wait for a standby that is away.

use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};
use tokio::time::sleep;

use crate::outages::ground::fire;
use ground::cluster::Database;
use ground::handmade::Handmade;
use ground::ledger;
use ground::server::Server;
use ground::table::{Table, usual};
use ground::wire::{Line, ask, get, post};
use testing::model::Seat::{Guest, Host};

/// Those that requests share; for beats and looks two, for clocks one, for chores three; one that listens, and one that
/// looks which sessions are over.
const MOST: i64 = 12 + 2 + 1 + 3 + 1 + 1;

#[tokio::test]
async fn commits_that_hang_leave_reads_alone_and_cost_no_more_than_twelve_sessions() {
    for weakened in ["off", "local", "remote_write"] {
        let handmade = Handmade::trusting(&["max_connections=40"]);
        let database = handmade.database();
        let mut direct = database.connect().await;
        // What is asked for is more than that.
        let weaken = format!("alter database postgres set synchronous_commit = {weakened}");
        direct.execute(AssertSqlSafe(weaken)).await.unwrap();
        let server = Server::start(&database);
        let table = Table::in_battle(&server).await;
        let other = Table::in_battle(&server).await;

        set_standbys(&mut direct, "*").await;
        let shot = fire(&server, &table, Host, "A1").with("Idempotency-Key", "the-shot-that-hangs");
        ask(&shot).await.unwrap().refuses(503, "unavailable");
        let began = Instant::now();
        let writing = async {
            let create = post(&server, "/v1/games", None, &json!({}));
            while began.elapsed() < Duration::from_secs(8) {
                // Some wait, and others hang up.
                let (replies, ()) = join(join_all((0..6).map(|_| ask(&create))), vanish(&create)).await;
                for reply in replies {
                    reply.unwrap().refuses(503, "unavailable");
                }
            }
        };
        let reading = async {
            let mut most = 0;
            while began.elapsed() < Duration::from_secs(8) {
                let looked = Instant::now();
                table.look(&server, Some(Host)).await.expect(200);
                assert_eq!(table.log(&server).await.len(), 4);
                // Far from the time after which it would be refused.
                assert!(looked.elapsed() < Duration::from_millis(1_500), "{:?}", looked.elapsed());
                most = most.max(sessions(&database).await);
                sleep(Duration::from_millis(50)).await;
            }
            most
        };
        let ((), most) = join(writing, reading).await;

        assert!(most <= MOST, "{most} sessions");
        let hanging = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";
        let hanging: i64 = sqlx::query_scalar(hanging).fetch_one(&mut direct).await.unwrap();
        assert!((1..=12).contains(&hanging), "{weakened}: {hanging} hang");
        // None of them was told not to wait: what nobody has kept is seen by nobody.
        let games: i64 = sqlx::query_scalar("select count(*) from games").fetch_one(&mut direct).await.unwrap();
        assert_eq!(games, 2);

        set_standbys(&mut direct, "").await;
        let mut patience = 0;
        while server.post("/v1/games", None, &json!({})).await.status != 201 {
            patience += 1;
            assert!(patience < 10, "the server does not heal");
        }
        ask(&shot).await.unwrap().expect(200);
        assert_eq!(table.log(&server).await.len(), 5);
        other.fire(&server, Host, "A1").await.expect(200);
        other.fire(&server, Guest, "A1").await.expect(200);
        for table in [&table, &other] {
            ledger::check(&server, table, &usual(), &usual()).await;
        }
    }
}

/// Sends a request from several clients that hang up at once.
async fn vanish(request: &ground::wire::Written) {
    for _ in 0..4 {
        let mut line = Line::for_request(request).await;
        line.send(request).await;
        sleep(Duration::from_millis(20)).await;
        line.reset();
    }
}

async fn set_standbys(direct: &mut PgConnection, names: &str) {
    let set = format!("alter system set synchronous_standby_names = '{names}'");
    // As that is done it must not wait for them itself.
    direct.execute("set synchronous_commit = local").await.unwrap();
    direct.execute(AssertSqlSafe(set)).await.unwrap();
    direct.execute("select pg_reload_conf()").await.unwrap();
    let shown = "select setting from pg_settings where name = 'synchronous_standby_names'";
    while sqlx::query_scalar::<_, String>(shown).fetch_one(&mut *direct).await.unwrap() != names {
        sleep(Duration::from_millis(5)).await;
    }
    // Other processes hear of it a moment later.
    sleep(Duration::from_millis(200)).await;
}

/// How many sessions the server has.
async fn sessions(database: &Database) -> i64 {
    let sessions = "select count(*) from pg_stat_activity
                     where datname = current_database() and application_name = 'naval-battle'";
    sqlx::query_scalar(sessions).fetch_one(&mut database.connect().await).await.unwrap()
}

#[tokio::test]
async fn a_server_whose_commits_hang_ends_when_it_is_told_to() {
    let handmade = Handmade::trusting(&[]);
    let database = handmade.database();
    let server = Server::start(&database);
    let table = Table::in_battle(&server).await;
    set_standbys(&mut database.connect().await, "*").await;
    ask(&fire(&server, &table, Host, "A1")).await.unwrap().refuses(503, "unavailable");
    ask(&get(&server, "/readyz", None)).await.unwrap().expect(200);

    server.terminate();

    assert_eq!(server.ends_within(crate::outages::ground::ENDED), Some(0));
}
