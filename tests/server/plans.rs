//! Whatever a request asks of Postgres is found by keys, from the first game on: a plan that reads
//! whole tables while they are small would be kept while they grow.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use ground::cluster::{Cluster, Database};
use ground::server::Server;
use ground::table::Table;
use testing::model::Seat;

/// Games played at once, far more than it takes for Postgres to settle for a plan.
const GAMES: usize = 12;

#[tokio::test]
async fn nothing_reads_a_table_whole_however_small_it_is() {
    for batch in ["off", "on", "always"] {
        let database = Cluster::shared().database().await;
        // Migrating reads them.
        stop(Server::start(&database), &database).await;
        let before = scans(&database).await;
        let server = Server::start_with(&database, &[("NAVAL_BATTLE_BATCH", batch)]);

        join_all((0..GAMES).map(|_| play(&server))).await;

        stop(server, &database).await;
        let after = scans(&database).await;
        for table in ["games", "events", "layouts", "lobby", "timers"] {
            let of = |count: fn(&Scans) -> i64| count(&after[table]) - count(&before[table]);
            let (whole, by_key) = (of(|scans| scans.whole), of(|scans| scans.by_key));
            assert_eq!(whole, 0, "{table}, {batch}: {by_key} times by key");
            assert!(by_key > 0, "{table}, {batch}");
        }
    }
}

/// Plays a game for a while, with looks at it and at its log.
async fn play(server: &Server) {
    let table = Table::in_battle(server).await;
    for row in 1..=10 {
        for seat in [Seat::Host, Seat::Guest] {
            // A mine struck or a shot out of turn is a request as well.
            let fired = table.fire(server, seat, &format!("J{row}")).await;
            assert!([200, 409].contains(&fired.status), "{}", fired.text);
        }
        table.look(server, Some(Seat::Host)).await.expect(200);
        table.log(server).await;
    }
    table.resign(server, Seat::Host).await.expect(200);
    table.see(server, None).await;
}

/// How often a table was read whole, and how often by a key.
struct Scans {
    whole: i64,
    by_key: i64,
}

async fn scans(database: &Database) -> BTreeMap<String, Scans> {
    let rows: Vec<(String, i64, i64)> =
        sqlx::query_as("select relname::text, coalesce(seq_scan, 0), coalesce(idx_scan, 0) from pg_stat_user_tables")
            .fetch_all(&mut database.connect().await)
            .await
            .unwrap();
    rows.into_iter().map(|(table, whole, by_key)| (table, Scans { whole, by_key })).collect()
}

/// Stops a server and waits until its connections have ended, and with that have told their counts.
async fn stop(mut server: Server, database: &Database) {
    server.terminate();
    assert_eq!(server.wait(), Some(0));
    let mut connection = database.connect().await;
    let others = "select count(*) from pg_stat_activity
                   where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()";
    while sqlx::query_scalar::<_, i64>(others).fetch_one(&mut connection).await.unwrap() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
