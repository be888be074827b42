//! What Postgres counts, keeps and writes.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use naval_battle::entropy;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use uuid::Uuid;

use ground::cluster::Database;

/// A connection past all servers.
pub(crate) struct Postgres {
    connection: PgConnection,
    /// Which database.
    pub(crate) database: Database,
}

/// What Postgres counted until a moment.
#[derive(Clone)]
pub(crate) struct Reading {
    /// Where the log of changes ends on the disk, from which it is read.
    pub(crate) lsn: String,
    /// Updates of games, and those of them that no index had to hear of.
    pub(crate) updates: i64,
    pub(crate) hot: i64,
}

/// A table with its bytes.
pub(crate) struct Size {
    pub(crate) table: String,
    pub(crate) heap: i64,
    pub(crate) indexes: i64,
}

/// When copies are said to have been created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Age {
    /// Just now.
    New,
    /// In the year before.
    Old,
}

/// An event as it is kept.
pub(crate) struct Event {
    pub(crate) body: String,
    /// In hex.
    pub(crate) head: String,
    pub(crate) awaits: i16,
}

/// A kind of record in the log of changes.
pub(crate) struct Records {
    /// As `pg_waldump` names it.
    pub(crate) kind: String,
    /// Bytes without images of whole pages.
    pub(crate) bytes: f64,
}

impl Postgres {
    /// A connection to a database.
    pub(crate) async fn new(database: &Database) -> Self {
        Self { connection: database.connect().await, database: database.clone() }
    }

    /// What is counted until now.
    pub(crate) async fn read(&mut self) -> Reading {
        let row = sqlx::query(
            "select pg_current_wal_flush_lsn()::text as lsn, n_tup_upd as updates, n_tup_hot_upd as hot
               from pg_stat_user_tables where relname = 'games'",
        )
        .fetch_one(&mut self.connection)
        .await
        .expect("Postgres counts");
        Reading { lsn: row.get("lsn"), updates: row.get("updates"), hot: row.get("hot") }
    }

    /// The bytes of all tables of the games.
    pub(crate) async fn sizes(&mut self) -> Vec<Size> {
        let rows = sqlx::query(
            "select relname::text as name, pg_table_size(relid) as heap, pg_indexes_size(relid) as indexes
               from pg_stat_user_tables where relname not like '\\_%' and relname not like 'limit\\_%' order by relname",
        )
        .fetch_all(&mut self.connection)
        .await
        .expect("Postgres tells sizes");
        rows.iter()
            .map(|row| Size { table: row.get("name"), heap: row.get("heap"), indexes: row.get("indexes") })
            .collect()
    }

    /// Has the servers pack the logs of all games, which are over, as after a long time; tells where
    /// the log of changes began and ended.
    pub(crate) async fn pack(&mut self) -> [Reading; 2] {
        self.run("update timers set kind = 1, check_at = statement_timestamp() - interval '1 minute'").await;
        let before = self.read().await;
        while self.number("select count(*) from timers").await > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let after = self.read().await;
        self.run("vacuum").await;
        [before, after]
    }

    /// Runs a statement of this benchmark's own and tells how many rows it touched.
    pub(crate) async fn run(&mut self, statement: &str) -> u64 {
        let done = sqlx::query(AssertSqlSafe(statement)).execute(&mut self.connection).await;
        done.unwrap_or_else(|error| panic!("{statement}: {error}")).rows_affected()
    }

    /// A number that a statement gives.
    pub(crate) async fn number(&mut self, statement: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_one(&mut self.connection)
            .await
            .unwrap_or_else(|error| panic!("{statement}: {error}"))
    }

    /// For each game how many events it has, and the last `seq`.
    pub(crate) async fn logs(&mut self, games: &[Uuid]) -> Vec<(Uuid, i64, i32)> {
        sqlx::query_as("select game_id, count(*), max(seq) from logs where game_id = any($1) group by game_id")
            .bind(games)
            .fetch_all(&mut self.connection)
            .await
            .expect("the logs can be counted")
    }

    /// What is kept of an event.
    pub(crate) async fn event(&mut self, game: Uuid, seq: i32) -> Event {
        let row =
            sqlx::query("select body, encode(head, 'hex') as head, awaits from events where game_id = $1 and seq = $2")
                .bind(game)
                .bind(seq)
                .fetch_one(&mut self.connection)
                .await
                .expect("the event is there");
        Event { body: row.get("body"), head: row.get("head"), awaits: row.get("awaits") }
    }

    /// So many copies of a game, with all its rows and under ids as the server gave or gives them.
    pub(crate) async fn copy(&mut self, game: Uuid, count: u32, age: Age) -> Vec<Uuid> {
        let now = sqlx::query_scalar("select statement_timestamp()").fetch_one(&mut self.connection).await;
        let now: DateTime<Utc> = now.expect("Postgres has a clock");
        let step = match age {
            Age::New => TimeDelta::zero(),
            Age::Old => TimeDelta::days(365) / i32::try_from(count.max(1)).expect("not so many"),
        };
        let times = std::iter::successors(Some(now), |time| Some(*time - step)).skip(1);
        let times = times.take(usize::try_from(count).expect("not so many"));
        let mut copies: Vec<_> = times.map(|time| entropy::game_id(time).expect("there is randomness")).collect();
        copies.sort_unstable();
        for table in ["games", "events", "layouts", "timers"] {
            let columns: String = sqlx::query_scalar(
                "select string_agg('t.' || column_name, ', ' order by ordinal_position) from information_schema.columns
                  where table_schema = 'public' and table_name = $1 and column_name <> 'game_id'",
            )
            .bind(table)
            .fetch_one(&mut self.connection)
            .await
            .expect("the table is known");
            let names = columns.replace("t.", "");
            let statement = format!(
                "insert into {table} (game_id, {names})
                 select copy.id, {columns} from {table} t, unnest($2::uuid[]) as copy (id) where t.game_id = $1"
            );
            sqlx::query(AssertSqlSafe(statement))
                .bind(game)
                .bind(&copies)
                .execute(&mut self.connection)
                .await
                .unwrap_or_else(|error| panic!("{table} is not copied: {error}"));
        }
        copies
    }

    /// Gives the connection back.
    pub(crate) async fn close(self) {
        self.connection.close().await.expect("the connection closes");
    }
}

/// What was written into the log of changes between two places, by kind, as `pg_waldump` counts it.
pub(crate) fn written(binaries: &Path, data: &Path, between: [&Reading; 2]) -> Vec<Records> {
    let [from, to] = between.map(|reading| reading.lsn.as_str());
    let output = Command::new(binaries.join("pg_waldump"))
        .arg("--path")
        .arg(data.join("cluster/pg_wal"))
        .args(["--stats=record", "--start", from, "--end", to])
        .output()
        .expect("pg_waldump lies beside postgres");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    // Type, N, (%), Record size, (%), FPI size, (%), Combined size, (%)
    let records = |line: &str| {
        let (kind, figures) = line.split_once("  ")?;
        let figures: Vec<&str> = figures.split_whitespace().filter(|figure| !figure.contains(['(', ')'])).collect();
        Some(Records { kind: kind.to_owned(), bytes: figures.get(1)?.parse().ok()? })
    };
    text.lines().filter(|line| line.contains('/') && line.contains('(')).filter_map(records).collect()
}

/// Where the programs of the running Postgres lie.
pub(crate) fn binaries(postmaster: u32) -> std::path::PathBuf {
    let program = std::fs::read_link(format!("/proc/{postmaster}/exe")).expect("the postmaster runs");
    program.parent().expect("a program lies in a folder").to_owned()
}
