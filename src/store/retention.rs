//! The end of games that were kept for as long as they are to be kept.

use std::time::Duration;

use uuid::Uuid;

use super::{Failure, Session};

/// What came of looking at games that were kept long enough.
#[derive(Clone, Copy, Default)]
pub(crate) struct Deleted {
    /// How many there were.
    pub looked_at: i64,
    /// How many of them are gone; the others are held by another session, and put off.
    pub deleted: i64,
}

impl Session {
    /// Deletes games that were kept for their time since their end, and all rows of them, oldest first
    /// and at most `most`: the aborted ones, or those that were finished. No game points to a deleted
    /// one as its rematch any more. Rows that another session holds are passed over.
    pub(crate) async fn delete_kept(&mut self, aborted: bool, keep: Duration, most: u16) -> Result<Deleted, Failure> {
        self.write(async |connection| {
            sqlx::query_as!(
                Deleted,
                r#"with due as materialized (
                       select game_id from archives
                        where aborted = $1 and kept_since <= statement_timestamp() - make_interval(secs => $2)
                        order by kept_since limit $3 for update skip locked),
                   free as materialized (
                       select g.game_id, g.rematch_of from due d join games g on g.game_id = d.game_id
                          for update of g skip locked),
                   unlinked as (
                       update games g set next_game_id = null from free f
                        where g.game_id = f.rematch_of and g.next_game_id = f.game_id
                          and not exists (select from free other where other.game_id = g.game_id)),
                   of_archives as (delete from archives a using free f where a.game_id = f.game_id),
                   of_events as (delete from events e using free f where e.game_id = f.game_id),
                   of_layouts as (delete from layouts l using free f where l.game_id = f.game_id),
                   of_timers as (delete from timers t using free f where t.game_id = f.game_id),
                   of_lobby as (delete from lobby l using free f where l.game_id = f.game_id),
                   of_requests as (
                       delete from rematch_requests where (game_id, request) in (
                           select r.game_id, r.request from free f join rematch_requests r on r.game_id = f.game_id
                            union
                           select r.game_id, r.request from free f
                             join rematch_requests r on r.next_game_id = f.game_id)),
                   of_creations as (delete from creations c using free f where c.game_id = f.game_id),
                   of_games as (delete from games g using free f where g.game_id = f.game_id),
                   later as (
                       update archives a
                          set kept_since = statement_timestamp() - make_interval(secs => $2)
                                           + make_interval(secs => least(power(2, a.failures), 86400)),
                              failures = least(a.failures + 1, 30)
                         from due d
                        where a.game_id = d.game_id and not exists (select from free f where f.game_id = d.game_id))
                   select (select count(*) from due) as "looked_at!", (select count(*) from free) as "deleted!""#,
                aborted,
                keep.as_secs_f64(),
                i64::from(most)
            )
            .fetch_one(connection)
            .await
        })
        .await
    }

    /// Puts the deletion of the game off that stands first, for twice as long each time, and tells
    /// which one it is.
    pub(crate) async fn put_deletion_off(&mut self, aborted: bool, keep: Duration) -> Result<Option<Uuid>, Failure> {
        self.write(async |connection| {
            sqlx::query_scalar!(
                "update archives a
                    set kept_since = statement_timestamp() - make_interval(secs => $2)
                                     + make_interval(secs => least(60 * power(2, a.failures), 86400)),
                        failures = least(a.failures + 1, 30)
                  where game_id = (
                      select game_id from archives
                       where aborted = $1 and kept_since <= statement_timestamp() - make_interval(secs => $2)
                       order by kept_since limit 1 for update skip locked)
                 returning game_id",
                aborted,
                keep.as_secs_f64()
            )
            .fetch_optional(connection)
            .await
        })
        .await
    }

    /// Notes of games that an earlier release packed how and when they ended; tells of how many. Where
    /// `by_time` is not said, or no time stands in the log's last event, their time counts from now on.
    pub(crate) async fn note_ends(&mut self, most: u16, by_time: bool) -> Result<u64, Failure> {
        self.write(async |connection| {
            sqlx::query!(
                r#"with noted as materialized (
                       select game_id from archives where aborted is null order by kept_since limit $1
                          for update skip locked)
                   update archives a
                      set aborted = coalesce(a.statuses[cardinality(a.statuses)] = 4, false),
                          kept_since = case
                              when $2 then coalesce((a.bodies[cardinality(a.bodies)]::jsonb ->> 'at')::timestamptz,
                                                    statement_timestamp())
                              else statement_timestamp() end
                     from noted n where a.game_id = n.game_id"#,
                i64::from(most),
                by_time
            )
            .execute(connection)
            .await
        })
        .await
        .map(|noted| noted.rows_affected())
    }

    /// Forgets creations of more than a day ago, oldest first; tells how many.
    pub(crate) async fn forget_creations(&mut self, most: u16) -> Result<u64, Failure> {
        self.write(async |connection| {
            sqlx::query!(
                "delete from creations c
                  using (select key, created_at from creations order by game_id limit $1) as oldest
                  where c.key = oldest.key and oldest.created_at < statement_timestamp() - interval '24 hours'",
                i64::from(most)
            )
            .execute(connection)
            .await
        })
        .await
        .map(|forgotten| forgotten.rows_affected())
    }
}
