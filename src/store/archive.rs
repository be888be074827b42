use uuid::Uuid;

use super::event_row::number;
use super::game_row::repeated;
use super::{Failure, Session, Snapshot, Timer};

/// What became of a log that was to be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packed {
    /// It lies in the archive.
    Now,
    /// Another server took the timer first.
    Elsewhere,
    /// It lacks an event, or has one too many, and stays as it is.
    NotWhole,
}

impl Session {
    /// Packs the log of an ended game into one row and takes its timer away, in one statement: who
    /// takes the timer packs, and nothing is deleted unless the whole log is archived.
    pub(crate) async fn pack(&mut self, timer: &Timer, ended: &Snapshot) -> Result<Packed, Failure> {
        let version = number(ended.version)?;
        let packed = self
            .run(async |connection| {
                sqlx::query!(
                    r#"with taken as (
                           delete from timers where game_id = $1 and check_at = $2 returning game_id),
                       whole as (
                           select from events where game_id = $1
                           having count(*) = $3 and min(seq) = 1 and max(seq) = $3),
                       gone as (
                           delete from events
                            where game_id = $1 and exists (select from taken) and exists (select from whole)
                           returning game_id, seq, span, status, awaits, due_at, request, print, head, body),
                       kept as (
                           insert into archives (game_id, spans, statuses, awaits, dues, requests, prints, heads, bodies)
                           select game_id, array_agg(span order by seq), array_agg(status order by seq),
                                  array_agg(awaits order by seq), array_agg(due_at order by seq),
                                  array_agg(request order by seq), array_agg(print order by seq),
                                  array_agg(head order by seq), array_agg(body order by seq)
                             from gone group by game_id returning game_id)
                       select exists (select from taken) as "taken!", exists (select from kept) as "kept!""#,
                    timer.game,
                    timer.check_at,
                    i64::from(version)
                )
                .fetch_one(connection)
                .await
            })
            .await?;
        Ok(match (packed.taken, packed.kept) {
            (_, true) => Packed::Now,
            (false, false) => Packed::Elsewhere,
            (true, false) => Packed::NotWhole,
        })
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
                    "select seq, span, print as fingerprint from logs where game_id = $1 and request = $2",
                    game,
                    request
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        if let Some(row) = row {
            stored.repeated = repeated(game, row.seq, row.span, row.fingerprint)?;
        }
        Ok(())
    }
}
