use std::time::Duration;

use uuid::Uuid;

use super::game_row::repeated;
use super::start::CHORES;
use super::{Failure, Session, Snapshot};

/// What came of looking at games that may be over.
#[derive(Default)]
pub(crate) struct Packed {
    /// How many timers were looked at.
    pub looked_at: usize,
    /// How many logs were packed.
    pub logs: usize,
    /// The games whose logs lack an event or have one too many, and stay as they are; and how often
    /// that was found of each.
    pub not_whole: Vec<(Uuid, u16)>,
    /// The running games in which nothing has happened for so long that they end, with their versions.
    pub idle: Vec<(Uuid, u32)>,
    /// Whether anybody who does no chore was at work in the database at that moment.
    pub has_company: bool,
}

impl Session {
    /// Looks at games that may be over, oldest timers first and at most `most`, and packs the logs of
    /// those that are, each into one row, in one statement: who holds a game's timer packs it, and
    /// nothing is deleted unless the whole log is archived. A log that is not whole is put off, for
    /// longer each time. Timers that another session holds are passed over, so servers share them.
    ///
    /// A game that is not over is looked at again when it is twice as old, or when nothing will have
    /// happened in it for as long as `idle`.
    pub(crate) async fn pack(&mut self, most: u16, idle: Duration) -> Result<Packed, Failure> {
        let rows = self
            .write(async |connection| {
                sqlx::query!(
                    r#"with due as materialized (
                           select game_id, failures from timers
                            where kind = 1 and check_at <= statement_timestamp()
                            order by check_at limit $1 for update skip locked),
                       seen as materialized (
                           select d.game_id, d.failures, g.version, g.created_at, g.due_at, last.status, last.at,
                                  g.game_id is null as missing,
                                  last.seq is not distinct from g.version as has_last,
                                  all_of.count = g.version and all_of.first = 1 and a.game_id is null as is_whole
                             from due d left join games g on g.game_id = d.game_id
                             left join archives a on a.game_id = d.game_id
                             left join lateral (
                                 select e.seq, e.status, (e.body::jsonb ->> 'at')::timestamptz as at
                                   from events e where e.game_id = d.game_id order by e.seq desc limit 1) last on true
                             left join lateral (
                                 select count(*) as count, min(e.seq) as first
                                   from events e where e.game_id = d.game_id and last.status in (3, 4)) all_of on true),
                       judged as materialized (
                           select s.*, coalesce(has_last and is_whole and status in (3, 4), false) as packed,
                                  not missing and due_at is null
                                      and (not has_last or (status in (3, 4) and not is_whole)) as not_whole,
                                  not missing and due_at is null and has_last and status in (0, 1, 2)
                                      and at <= statement_timestamp() - make_interval(secs => $2) as idle
                             from seen s),
                       taken as (
                           delete from events e using judged j where e.game_id = j.game_id and j.packed
                           returning e.game_id, e.seq, e.span, e.status, e.awaits, e.due_at, e.request, e.print,
                                     e.head, e.body, j.status = 4 as aborted, j.at),
                       kept as (
                           insert into archives (game_id, spans, statuses, awaits, dues, requests, prints, heads, bodies,
                                                 aborted, kept_since)
                           select game_id, array_agg(span), array_agg(status), array_agg(awaits), array_agg(due_at),
                                  array_agg(request), array_agg(print), array_agg(head), array_agg(body), aborted, at
                             from (select * from taken order by game_id, aborted, at, seq) as t
                            group by game_id, aborted, at),
                       gone as (
                           delete from timers t using judged j
                            where t.game_id = j.game_id and (j.missing or j.packed)),
                       later as (
                           update timers t
                              set kind = case when j.due_at is null then 1 else 0 end,
                                  failures = case when j.not_whole then least(j.failures + 1, 30) else 0 end,
                                  check_at = case
                                      when j.due_at is not null then j.due_at
                                      when j.not_whole then statement_timestamp()
                                           + make_interval(secs => least(60 * power(2, j.failures), 86400))
                                      when j.idle then statement_timestamp() + interval '1 minute'
                                      else least(statement_timestamp()
                                                 + greatest(statement_timestamp() - j.created_at, interval '1 second'),
                                                 j.at + make_interval(secs => $2)) end
                             from judged j where t.game_id = j.game_id and not (j.missing or j.packed))
                       select game_id as "game!", version as "version?", packed as "packed!", not_whole as "not_whole!",
                              coalesce(idle, false) as "idle!", failures as "failures!",
                              (select count(*) > 0 from pg_stat_activity
                                where datname = current_database() and state = 'active'
                                  and backend_type = 'client backend' and application_name <> $3) as "has_company!"
                         from judged"#,
                    i64::from(most),
                    idle.as_secs_f64(),
                    CHORES
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        let mut found = Packed { looked_at: rows.len(), ..Packed::default() };
        for row in rows {
            found.logs += usize::from(row.packed);
            found.has_company |= row.has_company;
            if row.not_whole {
                found.not_whole.push((row.game, u16::try_from(row.failures).unwrap_or(u16::MAX)));
            }
            if let Some(version) = row.version.and_then(|version| u32::try_from(version).ok()).filter(|_| row.idle) {
                found.idle.push((row.game, version));
            }
        }
        Ok(found)
    }

    /// The game whose timer stands first in packing; none where none has gone off.
    pub(crate) async fn first_to_pack(&mut self) -> Result<Option<Uuid>, Failure> {
        self.run(async |connection| {
            sqlx::query_scalar!(
                "select game_id from timers where kind = 1 and check_at <= statement_timestamp()
                  order by check_at limit 1"
            )
            .fetch_optional(connection)
            .await
        })
        .await
    }

    /// Reads a game as [`Session::find_game`] does, and finds a request in a packed log too.
    pub(super) async fn find_game_wherever(
        &mut self,
        id: Uuid,
        request: Option<&[u8]>,
    ) -> Result<Option<Snapshot>, Failure> {
        let mut found = self.find_game(id, request).await?;
        self.recall(found.as_mut(), request).await?;
        Ok(found)
    }

    /// Looks for a request where the log of an ended game may lie packed; running games are read
    /// without the archive.
    pub(super) async fn recall(&mut self, found: Option<&mut Snapshot>, request: Option<&[u8]>) -> Result<(), Failure> {
        let (Some(stored), Some(request)) = (found, request) else { return Ok(()) };
        if stored.repeated.is_some() || stored.game.ending().is_none() {
            return Ok(());
        }
        let game = stored.id;
        let row = self
            .run(async |connection| {
                sqlx::query!(
                    r#"select seq as "seq!", a.spans[seq] as "span?", a.prints[seq] as "fingerprint?"
                         from archives a, array_position(a.requests, $2) as seq
                        where a.game_id = $1 and seq is not null"#,
                    game,
                    request
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        if let Some(row) = row {
            stored.repeated = repeated(game, Some(row.seq), row.span, row.fingerprint)?;
        }
        Ok(())
    }
}
