//! What Postgres keeps, and what it costs.

use std::collections::HashMap;

use sqlx::{PgConnection, Row};
use uuid::Uuid;

use ground::cluster::Database;

/// A connection past the server.
pub(crate) struct Kept {
    connection: PgConnection,
}

/// A table at a moment.
pub(crate) struct Table {
    pub(crate) name: String,
    /// Bytes of the table and of its indexes.
    pub(crate) heap: i64,
    pub(crate) indexes: i64,
    pub(crate) live: i64,
    pub(crate) dead: i64,
}

impl Kept {
    pub(crate) async fn of(database: &Database) -> Self {
        Self { connection: database.connect().await }
    }

    /// Bytes of the log of changes so far.
    pub(crate) async fn wal(&mut self) -> i64 {
        sqlx::query_scalar("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::int8")
            .fetch_one(&mut self.connection)
            .await
            .expect("Postgres tells where it writes")
    }

    /// The tables of the games.
    pub(crate) async fn tables(&mut self) -> Vec<Table> {
        let rows = sqlx::query(
            "select relname::text as name, pg_table_size(relid) as heap, pg_indexes_size(relid) as indexes,
                    n_live_tup as live, n_dead_tup as dead
               from pg_stat_user_tables where relname not like '\\_%' order by relname",
        )
        .fetch_all(&mut self.connection)
        .await
        .expect("Postgres tells sizes");
        let table = |row: &sqlx::postgres::PgRow| Table {
            name: row.get("name"),
            heap: row.get("heap"),
            indexes: row.get("indexes"),
            live: row.get("live"),
            dead: row.get("dead"),
        };
        rows.iter().map(table).collect()
    }

    /// For how many seconds the oldest ended game waits to be packed; none where none does.
    pub(crate) async fn packing_lag(&mut self) -> Option<f64> {
        sqlx::query_scalar(
            "select extract(epoch from statement_timestamp() - min((body::json ->> 'at')::timestamptz))::float8
               from events where status in (3, 4)",
        )
        .fetch_one(&mut self.connection)
        .await
        .expect("the logs can be read")
    }

    /// For each of these games how many events it has, and the last `seq`.
    pub(crate) async fn logs(&mut self, games: &[Uuid]) -> HashMap<Uuid, (i64, i32)> {
        let rows: Vec<(Uuid, i64, i32)> =
            sqlx::query_as("select game_id, count(*), max(seq) from logs where game_id = any($1) group by game_id")
                .bind(games)
                .fetch_all(&mut self.connection)
                .await
                .expect("the logs can be counted");
        rows.into_iter().map(|(id, count, last)| (id, (count, last))).collect()
    }
}
