#![expect(clippy::as_conversions, reason = "how a statement is told that an array may hold nulls")]

use std::collections::HashSet;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::batch::BatchOutcome;
use super::event_row::{EventColumns, EventRow, number};
use super::game_row::seat_number;
use super::seal::{Seals, Secret};
use super::{Failure, Session, Snapshot, Store};
use engine::{Game, Layout, Phase, Seat};
use record::Logged;
use record::proof::{Hash, Salt};

/// One step of a game: from the position that was read to the one after the events.
pub(crate) struct Change<'a> {
    /// What was read.
    pub from: &'a Snapshot,
    /// The game after the events.
    pub game: &'a Game,
    /// Until when what is then awaited is awaited.
    pub due_at: Option<DateTime<Utc>>,
    /// The events, in order, the first right after `from.version`.
    pub events: &'a [Logged],
    /// Under which name the request is kept, so that a repeat finds its reply.
    pub stamp: Option<IdempotencyKey>,
}

/// The request behind an event, blinded by the seat's token.
#[derive(Clone, Copy, Default)]
pub(crate) struct IdempotencyKey {
    /// Under which name it is kept; none where the seat's token itself is the name.
    pub request: Option<[u8; 16]>,
    /// What a repeat must be equal in.
    pub fingerprint: [u8; 16],
}

/// A layout on its way into its own table.
#[derive(Clone, Copy)]
pub(crate) struct NewLayout<'a> {
    /// The seat that hides it.
    pub seat: Seat,
    /// Where the ships and mines lie.
    pub layout: &'a Layout,
    /// What blinds the commitment.
    pub salt: &'a Salt,
    /// The commitment to it, as the log has it.
    pub commitment: &'a Hash,
}

/// A player on their way to the free seat.
pub(crate) struct Joining<'a> {
    /// The seat that is taken.
    pub seat: Seat,
    /// Their token; its hash alone is kept.
    pub token: &'a [u8],
    /// The name of the player, if given.
    pub name: Option<&'a str>,
    /// After how long it is looked whether the game is over, where no clock begins.
    pub look_after: Duration,
}

/// The event by which the second seat was taken.
pub(crate) struct Joined {
    /// Its place in the log.
    pub seq: u32,
    /// What a repeat must be equal in; none where the request had no key.
    pub fingerprint: Option<Vec<u8>>,
}

/// The columns of the game that every move writes, and its events.
pub(super) struct MoveRow {
    pub game: Uuid,
    pub was: i32,
    pub version: i32,
    pub due_at: Option<DateTime<Utc>>,
    pub head: Vec<u8>,
    pub state: Vec<u8>,
    pub events: Vec<EventRow>,
}

/// Calls a function that raises a game's version and adds events: with what all of these are given, and what this one
/// is given besides.
macro_rules! append {
    ($session:ident, $written:ident, $call:literal, $($more:expr),+) => {{
        let events: EventColumns = $written.events.into_iter().collect();
        $session
            .write(async |connection| {
                sqlx::query_scalar!(
                    $call,
                    $written.game,
                    $written.was,
                    $written.due_at,
                    $written.state,
                    &events.spans,
                    &events.statuses,
                    &events.awaits,
                    &events.dues as &[Option<DateTime<Utc>>],
                    &events.heads,
                    &events.bodies,
                    &events.requests as &[Option<Vec<u8>>],
                    &events.fingerprints as &[Option<Vec<u8>>],
                    $($more),+
                )
                .fetch_one(connection)
                .await
            })
            .await
    }};
}

impl Store {
    /// Writes a move; `false` when the version was taken by another one, and nothing was written.
    ///
    /// A move that was read with others is written with others, if it needs no more than every
    /// move does; whatever comes in between, it then is written by itself.
    ///
    /// # Errors
    ///
    /// [`Failure`]; only [`Failure::Unavailable`] and [`Failure::Away`] may have taken effect all the same.
    pub(crate) async fn append(&self, session: &mut Session, step: &Change<'_>) -> Result<bool, Failure> {
        let [waits, waited] = [step.game, &step.from.game].map(|game| matches!(game.phase(), Phase::Waiting { .. }));
        let unlists = waited && !waits;
        let mut may_be_written = false;
        if session.shares && !unlists {
            match self.batches.write(session, MoveRow::new(step, self.pool.seals())?).await {
                BatchOutcome::Answered(()) => return Ok(true),
                BatchOutcome::LeftOut => {}
                BatchOutcome::Unknown => may_be_written = true,
            }
        }
        let written = MoveRow::new(step, self.pool.seals())?;
        let answer =
            if unlists { session.append_events(written, true).await } else { session.append_move(written).await };
        if may_be_written {
            self.settle_again(session, answer, step).await
        } else {
            self.settle(session, answer, step).await
        }
    }

    /// Writes a move that places a layout; `false` as for [`Store::append`].
    pub(crate) async fn append_layout(
        &self,
        session: &mut Session,
        step: &Change<'_>,
        laid: &NewLayout<'_>,
    ) -> Result<bool, Failure> {
        let written = MoveRow::new(step, self.pool.seals())?;
        let answer = session.append_layout(step, written, laid).await;
        self.settle(session, answer, step).await
    }

    /// Writes the move that takes the free seat; `false` as for [`Store::append`].
    pub(crate) async fn append_player(
        &self,
        session: &mut Session,
        step: &Change<'_>,
        joining: &Joining<'_>,
    ) -> Result<bool, Failure> {
        let written = MoveRow::new(step, self.pool.seals())?;
        let answer = session.append_player(written, joining).await;
        self.settle(session, answer, step).await
    }

    /// Writes what time brings to different games, one event to each, with one statement, and tells to
    /// which: a game that another session holds or has moved in is left out.
    ///
    /// # Errors
    ///
    /// [`Failure`]; only [`Failure::Unavailable`] and [`Failure::Away`] may have taken effect all the same.
    pub(crate) async fn append_ends(
        &self,
        session: &mut Session,
        ends: &[Change<'_>],
    ) -> Result<HashSet<Uuid>, Failure> {
        let rows: Result<_, _> = ends.iter().map(|end| MoveRow::new(end, self.pool.seals())).collect();
        session.append_ends(rows?).await
    }

    /// Finds out whether a move counts whose answer was lost on the way from the database: it
    /// does when the log holds our event with our head.
    async fn settle(
        &self,
        session: &mut Session,
        answer: Result<bool, Failure>,
        step: &Change<'_>,
    ) -> Result<bool, Failure> {
        match answer {
            // Without such an event it may still be on its way.
            Err(failure) if failure.is_unsure() => self.counts(session, step).await?.ok_or(failure),
            answered => answered,
        }
    }

    /// The same for a move that was written by itself after the answer to the first attempt was
    /// lost: what took its place, or holds its row, may be that first attempt.
    async fn settle_again(
        &self,
        session: &mut Session,
        answer: Result<bool, Failure>,
        step: &Change<'_>,
    ) -> Result<bool, Failure> {
        match answer {
            Ok(true) => Ok(true),
            Ok(false) => Ok(self.counts(session, step).await?.unwrap_or(false)),
            Err(_) => self.counts(session, step).await?.ok_or(Failure::Unavailable("the answer to a move was lost")),
        }
    }

    /// Whether a move is what came after the version that it was made from; none while nothing did.
    async fn counts(&self, session: &mut Session, step: &Change<'_>) -> Result<Option<bool>, Failure> {
        // Whoever held one connection while waiting for another would wait for its like.
        session.close();
        let (game, version) = (step.from.id, step.from.version);
        let next = move |mut session: Session| async move {
            let found = session.list_events(game, version, 1).await;
            (session, found)
        };
        let (_, found) = self.read(next).await?;
        Ok(found.first().map(|event| step.events.first().is_some_and(|ours| ours.head == event.head)))
    }
}

impl Session {
    /// Finds the event by which the second seat was taken, and what a repeat of the request behind it must be equal in.
    pub(crate) async fn find_joining(&mut self, game: Uuid) -> Result<Option<Joined>, Failure> {
        let found = self
            .run(async |connection| {
                sqlx::query!(
                    r#"select joined.seq as "seq!", asked.print as fingerprint
                         from (select seq from logs where game_id = $1 and status <> 0 order by seq limit 1) joined,
                              lateral (select print from logs
                                        where game_id = $1 and seq <= joined.seq and span > 0
                                        order by seq desc limit 1) asked"#,
                    game
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        let inconsistent = |_| Failure::Inconsistent { table: "events", column: "seq", game };
        found
            .map(|row| Ok(Joined { seq: u32::try_from(row.seq).map_err(inconsistent)?, fingerprint: row.fingerprint }))
            .transpose()
    }

    async fn append_move(&mut self, written: MoveRow) -> Result<bool, Failure> {
        match &*written.events {
            [event] => self.append_event(&written, event).await,
            _ => self.append_events(written, false).await,
        }
    }

    /// A move of one event, as most are: without lists it costs Postgres less.
    async fn append_event(&mut self, written: &MoveRow, event: &EventRow) -> Result<bool, Failure> {
        self.write(async |connection| {
            sqlx::query_scalar!(
                r#"select append_event($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as "moved!""#,
                written.game,
                written.was,
                written.due_at,
                event.head,
                written.state,
                event.span,
                event.status,
                event.awaits,
                event.due_at,
                event.body,
                event.request.as_deref(),
                event.fingerprint.as_deref()
            )
            .fetch_one(connection)
            .await
        })
        .await
    }

    /// A move of several events, or one by which the game leaves the lobby.
    async fn append_events(&mut self, written: MoveRow, unlists: bool) -> Result<bool, Failure> {
        append!(
            self,
            written,
            r#"select append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) as "moved!""#,
            unlists
        )
    }

    async fn append_layout(
        &mut self,
        step: &Change<'_>,
        written: MoveRow,
        laid: &NewLayout<'_>,
    ) -> Result<bool, Failure> {
        let (seals, game) = (self.pool.seals(), step.from.id);
        let salt = seals.seal(game, Secret::Salt(laid.seat), laid.salt.bytes())?;
        let cells = seals.seal(game, Secret::Cells(laid.seat), &laid.layout.pack(step.game.options().grid))?;
        append!(
            self,
            written,
            r#"select append_layout($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
                       as "moved!""#,
            seat_number(laid.seat),
            salt,
            cells,
            laid.commitment
        )
    }

    async fn append_player(&mut self, written: MoveRow, joining: &Joining<'_>) -> Result<bool, Failure> {
        let token_hash = Sha256::digest(joining.token);
        append!(
            self,
            written,
            r#"select append_player($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
                       as "moved!""#,
            seat_number(joining.seat),
            token_hash.as_slice(),
            joining.name,
            joining.look_after.as_secs_f64()
        )
    }
}

impl MoveRow {
    fn new(step: &Change<'_>, seals: &Seals) -> Result<Self, Failure> {
        let last = step.events.last().ok_or(Failure::Program("a move without events"))?;
        Ok(Self {
            game: step.from.id,
            due_at: step.due_at,
            was: number(step.from.version)?,
            version: number(last.seq)?,
            head: last.head.to_vec(),
            state: seals.seal(step.from.id, Secret::State, &step.game.pack())?,
            events: EventRow::rows(step.events, step.stamp)?,
        })
    }
}
