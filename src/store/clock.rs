use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Failure, Session, Store};
use crate::deadlines;

/// A timer that went off and was taken: no other server takes it for a while.
pub(crate) struct Taken {
    /// The game whose clock it is.
    pub game: Uuid,
    /// Whether the game's deadline has passed; else the timer was set to when it is to be looked at.
    pub due: bool,
}

impl Store {
    /// Checks a connection out and reads the database's clock with it.
    pub(crate) async fn now(&self) -> Result<(Session, DateTime<Utc>), Failure> {
        let ask = |mut session: Session| async move {
            let now = session.now().await;
            (session, now)
        };
        self.read(ask).await
    }
}

impl Session {
    async fn now(&mut self) -> Result<DateTime<Utc>, Failure> {
        self.run(async |connection| {
            sqlx::query_scalar!(r#"select statement_timestamp() as "now!""#).fetch_one(connection).await
        })
        .await
    }

    /// Takes clocks that went off more than a second ago, by when every action that was in time has
    /// been written: so many of the oldest and so many of the newest. So no backlog, of whatever it
    /// is, stands before a clock that goes off now.
    ///
    /// The timer of a game whose deadline lies ahead is set to it, and one without a deadline is
    /// handed to packing. Those that are due come back after `lease`, unless their end is written
    /// before: so servers share them, and those of a server that dies are not lost. Timers that
    /// another session holds are passed over.
    pub(crate) async fn take_clocks(&mut self, most: u16, lease: Duration) -> Result<Vec<Taken>, Failure> {
        self.write(async |connection| {
            sqlx::query_as!(
                Taken,
                r#"with oldest as materialized (
                       select game_id from timers
                        where kind = 0 and check_at <= statement_timestamp() - interval '1 second'
                        order by check_at limit $1 for update skip locked),
                   newest as materialized (
                       select game_id from timers
                        where kind = 0 and check_at <= statement_timestamp() - interval '1 second'
                        order by check_at desc limit $1 for update skip locked),
                   seen as materialized (
                       select t.game_id, g.game_id is null as missing, g.due_at,
                              coalesce(g.due_at <= statement_timestamp() - interval '1 second', false) as due
                         from (select game_id from oldest union select game_id from newest) as t
                         left join games g on g.game_id = t.game_id),
                   gone as (
                       delete from timers t using seen s where t.game_id = s.game_id and s.missing),
                   later as (
                       update timers t
                          set kind = case when s.due_at is null then 1 else 0 end,
                              check_at = case when s.due then statement_timestamp() + make_interval(secs => $2)
                                              else coalesce(s.due_at, statement_timestamp()) end,
                              failures = case when s.due then t.failures else 0 end
                         from seen s where t.game_id = s.game_id and not s.missing)
                   select game_id as "game!", due as "due!" from seen"#,
                i64::from(most),
                // A timer counts as gone off a second after its time.
                (lease.saturating_sub(deadlines::GRACE)).as_secs_f64()
            )
            .fetch_all(connection)
            .await
        })
        .await
    }

    /// Has clocks looked at again soon, since their games are held by another session or were moved
    /// in: after half a second, and after two at most.
    pub(crate) async fn look_again(&mut self, games: &[Uuid]) -> Result<(), Failure> {
        self.write(async |connection| {
            sqlx::query!(
                "update timers t
                    set check_at = statement_timestamp() - interval '1 second'
                                   + interval '0.5 seconds' * power(2, least(t.failures, 2)),
                        failures = greatest(t.failures, least(t.failures + 1, 2))
                  where kind = 0 and game_id in (
                      select game_id from timers where game_id = any($1) for update skip locked)",
                games
            )
            .execute(connection)
            .await
        })
        .await?;
        Ok(())
    }

    /// Puts timers off that failed, for twice as long each time, from `first` to a day; tells how
    /// often each has failed by now.
    pub(crate) async fn put_off(&mut self, games: &[Uuid], first: Duration) -> Result<HashMap<Uuid, u16>, Failure> {
        let rows = self
            .write(async |connection| {
                sqlx::query!(
                    "update timers t
                        set check_at = statement_timestamp()
                                       + make_interval(secs => least($2 * power(2, t.failures), 86400)),
                            failures = least(t.failures + 1, 30)
                      where game_id in (select game_id from timers where game_id = any($1) for update skip locked)
                     returning game_id, failures",
                    games,
                    first.as_secs_f64()
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        Ok(rows.into_iter().map(|row| (row.game_id, u16::try_from(row.failures).unwrap_or(u16::MAX))).collect())
    }

    /// Puts the timer of one game off, as [`Session::put_off`] does.
    pub(crate) async fn put_off_one(&mut self, game: Uuid, first: Duration) -> Result<(), Failure> {
        self.write(async |connection| {
            sqlx::query!("select put_off($1, $2)", game, first.as_secs_f64()).execute(connection).await
        })
        .await
        .map(drop)
    }

    /// Has one game be looked at at its deadline, or where it has none to be packed after so many seconds.
    pub(crate) async fn set_timer(
        &mut self,
        game: Uuid,
        due_at: Option<DateTime<Utc>>,
        seconds: f64,
    ) -> Result<(), Failure> {
        self.write(async |connection| {
            sqlx::query!(
                "select set_timer($1, $2, coalesce($2, statement_timestamp() + make_interval(secs => $3)))",
                game,
                due_at,
                seconds
            )
            .execute(connection)
            .await
        })
        .await
        .map(drop)
    }

    /// Hands the timers of games that are over to packing, each after so many seconds or as soon as it
    /// would have gone off there; those that have gone off come there by themselves, and those that
    /// packing has put off stay where they are.
    pub(crate) async fn set_aside(&mut self, games: &[Uuid], seconds: &[f64]) -> Result<(), Failure> {
        self.write(async |connection| {
            sqlx::query!(
                "with ended as materialized (
                     select t.game_id, w.after
                       from unnest($1::uuid[], $2::float8[]) as w (id, after)
                       join timers t on t.game_id = w.id for update of t skip locked)
                 update timers t
                    set kind = 1, failures = 0,
                        check_at = case when t.kind = 0 then statement_timestamp() + make_interval(secs => e.after)
                                        else least(t.check_at, statement_timestamp() + make_interval(secs => e.after))
                                   end
                   from ended e
                  where t.game_id = e.game_id and t.check_at > statement_timestamp()
                    and (t.kind = 0 or t.failures = 0)",
                games,
                seconds
            )
            .execute(connection)
            .await
        })
        .await?;
        Ok(())
    }
}
