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

impl Packed {
    /// What was found of a game; nothing where another session holds its timer.
    fn add(
        &mut self,
        game: Uuid,
        version: Option<i32>,
        (packed, not_whole, idle): (Option<bool>, Option<bool>, Option<bool>),
        failures: Option<i16>,
    ) {
        self.logs += usize::from(packed == Some(true));
        if not_whole == Some(true) {
            let failures = failures.and_then(|failures| u16::try_from(failures).ok()).unwrap_or(u16::MAX);
            self.not_whole.push((game, failures));
        }
        if let Some(version) = version.and_then(|version| u32::try_from(version).ok()).filter(|_| idle == Some(true)) {
            self.idle.push((game, version));
        }
    }
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
                           select game_id from timers
                            where kind = 1 and check_at <= statement_timestamp()
                            order by check_at limit $1 for update skip locked)
                       select d.game_id as "game!", p.version, p.packed, p.not_whole, p.idle, p.failures,
                              (select count(*) > 0 from pg_stat_activity
                                where datname = current_database() and state = 'active'
                                  and backend_type = 'client backend' and application_name <> $3) as "has_company!"
                         from due d cross join lateral pack(d.game_id, $2) p"#,
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
            found.has_company |= row.has_company;
            found.add(row.game, row.version, (row.packed, row.not_whole, row.idle), row.failures);
        }
        Ok(found)
    }

    /// The same with one game, which may be over.
    pub(crate) async fn pack_one(&mut self, game: Uuid, idle: Duration) -> Result<Packed, Failure> {
        let row = self
            .write(async |connection| {
                sqlx::query!(
                    "select version, packed, not_whole, idle, failures from pack($1, $2)",
                    game,
                    idle.as_secs_f64()
                )
                .fetch_one(connection)
                .await
            })
            .await?;
        let mut found = Packed { looked_at: 1, ..Packed::default() };
        found.add(game, row.version, (row.packed, row.not_whole, row.idle), row.failures);
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
