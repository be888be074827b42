use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::{Failure, Session, Store};
use crate::deadlines::GAP;

/// A time in which nobody could act: no server reached the database, or its clock jumped over it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gap {
    /// When it began.
    pub from: DateTime<Utc>,
    /// When it was over.
    pub to: DateTime<Utc>,
}

/// What a beat found.
pub(crate) struct Beat {
    /// The database's clock.
    pub now: DateTime<Utc>,
    /// How much time of that since this server last reached the database lay in gaps.
    pub lost: Duration,
    /// How far the database's clock lies behind where it was at the beat before.
    pub set_back: Option<TimeDelta>,
}

impl Store {
    /// Says that this server reaches the database, and keeps the gap that has just ended where there is one.
    ///
    /// `reached` is when this server last did so: a row that somebody else holds makes no gap. A beat is as durable as a
    /// move, so a database that cannot keep moves has no beats either. `by_any` takes one of the connections that requests
    /// share, where that for beats may hang alone.
    pub(crate) async fn beat(&self, reached: Option<DateTime<Utc>>, by_any: bool) -> Result<Beat, Failure> {
        let beat = async |connection: &mut PgConnection| {
            sqlx::query!(
                r#"with last as materialized (
                       select beaten_at from heartbeat where one for no key update skip locked),
                   beaten as (
                       update heartbeat set beaten_at = statement_timestamp()
                        where one and exists (select from last)),
                   begun as (
                       insert into heartbeat (beaten_at)
                       select statement_timestamp() where not exists (select from heartbeat where one)
                           on conflict do nothing),
                   gap as materialized (
                       select greatest(beaten_at, $1) as started_at from last
                        where greatest(beaten_at, $1) < statement_timestamp() - make_interval(secs => $2)),
                   longer as (
                       update gaps set ended_at = statement_timestamp()
                        where ended_at = (select started_at from gap) returning ended_at),
                   kept as (
                       insert into gaps (started_at, ended_at)
                       select started_at, statement_timestamp() from gap where not exists (select from longer)),
                   outlived as (
                       delete from gaps
                        where ended_at < statement_timestamp() - interval '400 days' and exists (select from gap)),
                   -- Of a time that is still to come nobody can say that it was a gap.
                   cut as (
                       update gaps set ended_at = greatest(started_at, statement_timestamp())
                        where ended_at > statement_timestamp())
                   select statement_timestamp() as "now!",
                          coalesce((select extract(epoch from statement_timestamp() - started_at) from gap), 0)::float8
                          + coalesce((select sum(extract(epoch from least(ended_at, statement_timestamp())
                                                                    - greatest(started_at, $1)))
                                        from gaps where ended_at > $1), 0)::float8 as "lost!",
                          (select beaten_at from last where beaten_at > statement_timestamp()) as ahead"#,
                reached,
                GAP.as_secs_f64()
            )
            .fetch_one(connection)
            .await
        };
        let mut session = if by_any { self.session().await? } else { self.side_session().await? };
        let row = session.write(beat).await?;
        Ok(Beat {
            now: row.now,
            lost: Duration::try_from_secs_f64(row.lost).unwrap_or_default(),
            set_back: row.ahead.map(|ahead| ahead - row.now),
        })
    }
}

impl Session {
    /// Lists the gaps that ended after a moment, oldest first, with the one that has not ended yet.
    pub(crate) async fn list_gaps(
        &mut self,
        since: DateTime<Utc>,
        reached: Option<DateTime<Utc>>,
    ) -> Result<Vec<Gap>, Failure> {
        self.run(async |connection| {
            sqlx::query_as!(
                Gap,
                r#"select started_at as "from!", least(ended_at, statement_timestamp()) as "to!" from gaps
                    where ended_at > $1 and started_at < statement_timestamp()
                    union all
                   select greatest(beaten_at, $2), statement_timestamp() from heartbeat
                    where one and greatest(beaten_at, $2) < statement_timestamp() - make_interval(secs => $3)
                    order by 1"#,
                since,
                reached,
                GAP.as_secs_f64()
            )
            .fetch_all(connection)
            .await
        })
        .await
    }
}
