use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::distributed::Spread;
use super::event_row::{game_status, number};
use super::{Failure, Session};
use engine::Seat;
use record::Logged;
use record::proof::Hash;

/// How many events of a log are read with one statement.
const AT_A_TIME: u16 = 1_000;

impl Session {
    /// Whether this seat has acted after one version and up to another.
    pub(crate) async fn has_acted(&mut self, game: Uuid, since: u32, until: u32, seat: Seat) -> Result<bool, Failure> {
        let inconsistent = |_| Failure::Inconsistent { table: "events", column: "body", game };
        let mut last = since;
        loop {
            let events = self.list_events(game, last, AT_A_TIME).await?;
            for event in events.iter().take_while(|event| event.seq <= until) {
                last = event.seq;
                if record::read(&event.body).map_err(inconsistent)?.happened.seat() == Some(seat) {
                    return Ok(true);
                }
            }
            if events.last().is_none_or(|event| event.seq >= until) {
                return Ok(false);
            }
        }
    }

    /// Reads a stretch of a log: at most `limit` events after `after`. Of a packed one nothing else is
    /// taken out of its row.
    pub(crate) async fn list_events(&mut self, game: Uuid, after: u32, limit: u16) -> Result<Vec<Logged>, Failure> {
        // No log is longer than the largest seq: after it there is nothing.
        let Ok(after) = number(after) else { return Ok(Vec::new()) };
        let rows = self
            .run(async |connection| {
                sqlx::query!(
                    r#"(select seq as "seq!", status, awaits, due_at, head, body
                          from events where game_id = $1 and seq > $2 order by seq limit $3)
                        union all
                       (select $2 + e.place::int4, e.status, e.awaits, e.due_at, e.head, e.body
                          from archives a,
                               unnest(a.statuses[$4:$5], a.awaits[$4:$5], a.dues[$4:$5], a.heads[$4:$5],
                                      a.bodies[$4:$5]) with ordinality
                                   as e (status, awaits, due_at, head, body, place)
                         where a.game_id = $1)
                        order by 1"#,
                    game,
                    after,
                    i64::from(limit),
                    after.saturating_add(1),
                    after.saturating_add(i32::from(limit))
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        rows.into_iter()
            .map(|row| logged(game, row.seq, row.status.zip(row.awaits), row.due_at, row.head, row.body))
            .collect()
    }

    /// Reads stretches of many logs with one statement: of each, none of them named twice, at most `limit` events after
    /// its `seq`. Games without any are left out.
    pub(crate) async fn list_events_of(
        &mut self,
        after: &[(Uuid, u32)],
        limit: u16,
    ) -> Result<HashMap<Uuid, Vec<Logged>>, Failure> {
        if self.pool.spread() == Spread::Nodes {
            let mut logs = HashMap::new();
            for (game, after) in after {
                let events = self.list_events(*game, *after, limit).await?;
                if !events.is_empty() {
                    logs.insert(*game, events);
                }
            }
            return Ok(logs);
        }
        // No log is longer than the largest seq: after it there is nothing.
        let (games, after): (Vec<Uuid>, Vec<i32>) = after
            .iter()
            .filter_map(|(game, after)| {
                Some((*game, number(after.saturating_add(u32::from(limit))).ok().and(number(*after).ok())?))
            })
            .unzip();
        let rows = self
            .run(async |connection| {
                sqlx::query!(
                    r#"select w.game as "game!", e.seq as "seq!", e.status, e.awaits, e.due_at, e.head, e.body
                         from unnest($1::uuid[], $2::int4[]) as w (game, after),
                              lateral (
                                  (select seq, status, awaits, due_at, head, body
                                     from events where game_id = w.game and seq > w.after order by seq limit $3::int4)
                                   union all
                                  (select w.after + e.place::int4, e.status, e.awaits, e.due_at, e.head, e.body
                                     from archives a,
                                          unnest(a.statuses[w.after + 1:w.after + $3::int4],
                                                 a.awaits[w.after + 1:w.after + $3::int4],
                                                 a.dues[w.after + 1:w.after + $3::int4],
                                                 a.heads[w.after + 1:w.after + $3::int4],
                                                 a.bodies[w.after + 1:w.after + $3::int4]) with ordinality
                                              as e (status, awaits, due_at, head, body, place)
                                    where a.game_id = w.game)) e
                        order by e.seq"#,
                    &games,
                    &after,
                    i32::from(limit)
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        let mut logs: HashMap<Uuid, Vec<Logged>> = HashMap::new();
        for row in rows {
            let event = logged(row.game, row.seq, row.status.zip(row.awaits), row.due_at, row.head, row.body)?;
            logs.entry(row.game).or_default().push(event);
        }
        Ok(logs)
    }

    /// Reads a log from its beginning up to an event.
    pub(crate) async fn list_log(&mut self, game: Uuid, upto: u32) -> Result<Vec<Logged>, Failure> {
        let mut log: Vec<Logged> = Vec::new();
        loop {
            let last = log.last().map_or(0, |event| event.seq);
            let more = self.list_events(game, last, AT_A_TIME).await?;
            let all = more.len() < usize::from(AT_A_TIME);
            log.extend(more.into_iter().filter(|event| event.seq <= upto));
            if all || log.last().is_some_and(|event| event.seq >= upto) {
                return Ok(log);
            }
        }
    }
}

/// An event as it was read.
fn logged(
    game: Uuid,
    seq: i32,
    standing: Option<(i16, i16)>,
    due_at: Option<DateTime<Utc>>,
    head: Option<Vec<u8>>,
    body: Option<String>,
) -> Result<Logged, Failure> {
    let inconsistent = |column| move || Failure::Inconsistent { table: "events", column, game };
    let standing = standing.and_then(|(status, awaits)| game_status(status, awaits, due_at));
    Ok(Logged {
        seq: u32::try_from(seq).map_err(|_| inconsistent("seq")())?,
        body: body.filter(|body| body.ends_with('}')).ok_or_else(inconsistent("body"))?,
        head: head.and_then(|head| Hash::try_from(head).ok()).ok_or_else(inconsistent("head"))?,
        standing: standing.ok_or_else(inconsistent("status"))?,
    })
}
