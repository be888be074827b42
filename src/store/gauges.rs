use std::time::Duration;

use super::distributed::Spread;
use super::{Failure, Session};
use crate::metrics::{OldestDue, TABLES, TableSize};

impl Session {
    /// For how many seconds the oldest timer of each kind has been due; zero where none is.
    pub(crate) async fn oldest_due(
        &mut self,
        keep_aborted: Duration,
        keep_finished: Option<Duration>,
    ) -> Result<OldestDue, Failure> {
        self.run(async |connection| {
            sqlx::query_as!(
                OldestDue,
                r#"select greatest(0, extract(epoch from statement_timestamp() - (
                              select check_at from timers where kind = 0 order by check_at limit 1))::float8)
                              as "clocks!",
                          greatest(0, extract(epoch from statement_timestamp() - (
                              select check_at from timers where kind = 1 order by check_at limit 1))::float8)
                              as "packing!",
                          greatest(0,
                              extract(epoch from statement_timestamp() - (
                                  select kept_since from archives where aborted order by kept_since limit 1))::float8
                                  - $1::float8,
                              extract(epoch from statement_timestamp() - (
                                  select kept_since from archives where not aborted order by kept_since limit 1))::float8
                                  - $2::float8) as "deleting!""#,
                keep_aborted.as_secs_f64(),
                keep_finished.map(|keep| keep.as_secs_f64())
            )
            .fetch_one(connection)
            .await
        })
        .await
    }

    /// How many bytes each table has, with its indexes and what lies beside its rows.
    pub(crate) async fn sizes(&mut self) -> Result<Vec<TableSize>, Failure> {
        if self.pool.spread() == Spread::Nodes {
            let all = "select t, citus_total_relation_size(to_regclass(t)) from unnest($1::text[]) t";
            let sizes: Vec<(String, i64)> = self
                .run(async |connection| {
                    sqlx::query_as(all).bind(TABLES.map(str::to_owned).to_vec()).fetch_all(connection).await
                })
                .await?;
            return Ok(sizes.into_iter().map(|(table, bytes)| TableSize { table, bytes }).collect());
        }
        let names: Vec<String> = TABLES.iter().map(|table| (*table).to_owned()).collect();
        self.run(async |connection| {
            sqlx::query_as!(
                TableSize,
                r#"select name as "table!", coalesce(pg_total_relation_size(to_regclass(name)), 0) as "bytes!"
                     from unnest($1::text[]) as name"#,
                &names
            )
            .fetch_all(connection)
            .await
        })
        .await
    }
}
