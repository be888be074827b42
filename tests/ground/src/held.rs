//! A game's row in the hands of a session that is none of the servers'.

use std::time::Duration;

use sqlx::{Connection as _, PgConnection};

use crate::cluster::Database;
use crate::table::Table;

/// A game whose row nobody else can change until this is released.
pub struct Held {
    holder: PgConnection,
    watcher: PgConnection,
}

impl Held {
    /// Takes hold of a game's row.
    pub async fn take(database: &Database, table: &Table) -> Self {
        let mut holder = database.connect().await;
        sqlx::query("begin").execute(&mut holder).await.expect("a transaction begins");
        let row = sqlx::query("select from games where game_id = $1::text::uuid for update").bind(&table.id);
        row.fetch_one(&mut holder).await.expect("the game is there to be held");
        Self { holder, watcher: database.connect().await }
    }

    /// Waits until so many sessions of the servers wait for a lock, a moment at most: on a slow
    /// machine the first may have given up before the last begins. Tells whether they did.
    pub async fn is_awaited_by(&mut self, sessions: i64) -> bool {
        let waiting = "select count(*) from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock'";
        for _ in 0..100 {
            let count: i64 = sqlx::query_scalar(waiting).fetch_one(&mut self.watcher).await.expect("Postgres answers");
            if count >= sessions {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        false
    }

    /// Lets go.
    pub async fn release(self) {
        self.holder.close().await.expect("a connection closes");
        self.watcher.close().await.expect("a connection closes");
    }
}
