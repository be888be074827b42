use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

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
    /// Whether another server has beaten since this one did.
    pub has_company: bool,
}

/// A part of the database that is out of reach by itself: all of one Postgres, or a node of several.
pub(crate) type Part = Uuid;

/// All of one Postgres.
pub(crate) const ONLY_PART: Part = Uuid::nil();

impl Store {
    /// Says that this server reaches a part of the database, and keeps the gap that has just ended where there is one.
    ///
    /// `reached` is when this server last did so: a row that somebody else holds makes no gap. A beat is as durable as a
    /// move, so a database that cannot keep moves has no beats either. `by_any` takes one of the connections that requests
    /// share, where that for beats may hang alone.
    pub(crate) async fn beat(&self, part: Part, reached: Option<DateTime<Utc>>, by_any: bool) -> Result<Beat, Failure> {
        let beat = async |connection: &mut PgConnection| {
            sqlx::query!(
                r#"select now as "now!", lost as "lost!", ahead, others from beat($1, $2, $3)"#,
                part,
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
            has_company: row.others > reached,
        })
    }
}

impl Session {
    /// Lists the gaps of a part that ended after a moment, oldest first, with the one that has not ended yet.
    pub(crate) async fn list_gaps(
        &mut self,
        part: Part,
        since: DateTime<Utc>,
        reached: Option<DateTime<Utc>>,
    ) -> Result<Vec<Gap>, Failure> {
        self.run(async |connection| {
            sqlx::query_as!(
                Gap,
                r#"select started_at as "from!", least(ended_at, statement_timestamp()) as "to!" from gaps
                    where place = $4 and ended_at > $1 and started_at < statement_timestamp()
                    union all
                   select greatest(beaten_at, $2), statement_timestamp() from heartbeat
                    where place = $4 and greatest(beaten_at, $2) < statement_timestamp() - make_interval(secs => $3)
                    order by 1"#,
                since,
                reached,
                GAP.as_secs_f64(),
                part
            )
            .fetch_all(connection)
            .await
        })
        .await
    }
}
