#![expect(clippy::as_conversions, reason = "how a statement is told that an array may hold nulls")]

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::stored::seat_number;
use super::{Failure, Logged, Session, Store, Stored};
use crate::engine::{Game, Layout, Phase, Seat};
use crate::proof::{Hash, Salt};

/// One step of a game: from the position that was read to the one after the events.
pub struct Move<'a> {
    /// What was read.
    pub from: &'a Stored,
    /// The game after the events.
    pub game: &'a Game,
    /// Until when what is then awaited is awaited.
    pub due_at: Option<DateTime<Utc>>,
    /// The events, in order, the first right after `from.version`.
    pub events: &'a [Logged],
    /// Under which name the request is kept, so that a repeat finds its reply.
    pub stamp: Option<Stamp>,
}

/// The request behind an event, blinded by the seat's token.
#[derive(Clone, Copy, Default)]
pub struct Stamp {
    /// Under which name it is kept; none where the seat's token itself is the name.
    pub request: Option<[u8; 16]>,
    /// What a repeat must be equal in.
    pub print: [u8; 16],
}

/// A layout on its way into its own table.
pub struct Laid<'a> {
    /// Whose.
    pub seat: Seat,
    /// Where the ships and mines lie.
    pub layout: &'a Layout,
    /// What blinds the commitment.
    pub salt: &'a Salt,
    /// The commitment.
    pub commitment: &'a Hash,
}

/// A player on their way to the free seat.
pub struct Joining<'a> {
    /// Their token; its hash alone is kept.
    pub token: &'a [u8],
    /// Their name.
    pub name: Option<&'a str>,
}

/// The columns of the events and of the game that a move writes.
struct Columns {
    was: i32,
    version: i32,
    head: Vec<u8>,
    state: Vec<u8>,
    seqs: Vec<i32>,
    spans: Vec<i16>,
    statuses: Vec<i16>,
    awaits: Vec<i16>,
    dues: Vec<Option<DateTime<Utc>>>,
    heads: Vec<Vec<u8>>,
    bodies: Vec<String>,
    requests: Vec<Option<Vec<u8>>>,
    prints: Vec<Option<Vec<u8>>>,
}

impl Store {
    /// Writes a move; `false` when the version was taken by another one, and nothing was written.
    ///
    /// # Errors
    ///
    /// [`Failure`]; only [`Failure::Unavailable`] may have taken effect all the same.
    pub async fn append(&self, session: &mut Session, step: &Move<'_>) -> Result<bool, Failure> {
        let columns = Columns::new(step)?;
        let answer = match step.from.game.phase() {
            Phase::Waiting { .. } => session.append_and_unlist(step, &columns).await,
            Phase::Placing { .. } | Phase::Battle(_) | Phase::Over { .. } => session.append_move(step, &columns).await,
        };
        self.settle(answer, step).await
    }

    /// Writes a move that places a layout; `false` as for [`Store::append`].
    ///
    /// # Errors
    ///
    /// As for [`Store::append`].
    pub async fn append_layout(
        &self,
        session: &mut Session,
        step: &Move<'_>,
        laid: &Laid<'_>,
    ) -> Result<bool, Failure> {
        let columns = Columns::new(step)?;
        let answer = session.append_layout(step, &columns, laid).await;
        self.settle(answer, step).await
    }

    /// Writes the move that takes the guest's seat; `false` as for [`Store::append`].
    ///
    /// # Errors
    ///
    /// As for [`Store::append`].
    pub async fn append_guest(
        &self,
        session: &mut Session,
        step: &Move<'_>,
        joining: &Joining<'_>,
    ) -> Result<bool, Failure> {
        let columns = Columns::new(step)?;
        let answer = session.append_guest(step, &columns, joining).await;
        self.settle(answer, step).await
    }

    /// Finds out whether a move counts whose answer was lost on the way from the database: it
    /// does when the log holds our event with our head.
    async fn settle(&self, answer: Result<bool, Failure>, step: &Move<'_>) -> Result<bool, Failure> {
        match answer {
            Err(Failure::Unavailable(reason)) => {
                let Some(first) = step.events.first() else { return Err(Failure::Unavailable(reason)) };
                let (game, version) = (step.from.id, step.from.version);
                let next = move |mut session: Session| async move {
                    let found = session.list_events(game, version, 1).await;
                    (session, found)
                };
                let (_, found) = self.read(next).await?;
                match found.first() {
                    Some(event) if event.head == first.head => Ok(true),
                    Some(_) => Ok(false),
                    // It may still be on its way.
                    None => Err(Failure::Unavailable(reason)),
                }
            }
            answered => answered,
        }
    }
}

impl Session {
    /// Whether this seat has acted after one version and up to another.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub async fn has_acted(&mut self, game: Uuid, since: u32, until: u32, seat: Seat) -> Result<bool, Failure> {
        let [since, until] = [since, until].map(|version| i32::try_from(version).unwrap_or(i32::MAX));
        self.run(async |connection| {
            sqlx::query_scalar!(
                r#"select exists (select from events
                    where game_id = $1 and seq > $2 and seq <= $3 and body::json ->> 'seat' = $4) as "acted!""#,
                game,
                since,
                until,
                seat.word()
            )
            .fetch_one(connection)
            .await
        })
        .await
    }

    /// Reads what a repeat of the request behind an event must be equal in.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub async fn find_print(&mut self, game: Uuid, seq: u32) -> Result<Option<Vec<u8>>, Failure> {
        let seq = i32::try_from(seq).unwrap_or(i32::MAX);
        let found = self
            .run(async |connection| {
                sqlx::query_scalar!("select print from events where game_id = $1 and seq = $2", game, seq)
                    .fetch_optional(connection)
                    .await
            })
            .await?;
        Ok(found.flatten())
    }

    async fn append_move(&mut self, step: &Move<'_>, columns: &Columns) -> Result<bool, Failure> {
        let written = self
            .run(async |connection| {
                sqlx::query!(
                    "with moved as (
                         update games set version = $3, due_at = $4, head = $5, state = $6
                          where game_id = $1 and version = $2 returning game_id)
                     insert into events (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                     select moved.game_id, e.*
                       from moved, unnest($7::int4[], $8::int2[], $9::int2[], $10::int2[], $11::timestamptz[],
                                          $12::bytea[], $13::text[], $14::bytea[], $15::bytea[]) as e",
                    step.from.id,
                    columns.was,
                    columns.version,
                    step.due_at,
                    columns.head,
                    columns.state,
                    &columns.seqs,
                    &columns.spans,
                    &columns.statuses,
                    &columns.awaits,
                    &columns.dues as &[Option<DateTime<Utc>>],
                    &columns.heads,
                    &columns.bodies,
                    &columns.requests as &[Option<Vec<u8>>],
                    &columns.prints as &[Option<Vec<u8>>]
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(written.rows_affected() > 0)
    }

    /// The end of a game that nobody has joined: it leaves the lobby in the same statement.
    async fn append_and_unlist(&mut self, step: &Move<'_>, columns: &Columns) -> Result<bool, Failure> {
        let written = self
            .run(async |connection| {
                sqlx::query!(
                    "with moved as (
                         update games set version = $3, due_at = $4, head = $5, state = $6
                          where game_id = $1 and version = $2 returning game_id),
                     unlisted as (delete from lobby where game_id = $1 and exists (select from moved))
                     insert into events (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                     select moved.game_id, e.*
                       from moved, unnest($7::int4[], $8::int2[], $9::int2[], $10::int2[], $11::timestamptz[],
                                          $12::bytea[], $13::text[], $14::bytea[], $15::bytea[]) as e",
                    step.from.id,
                    columns.was,
                    columns.version,
                    step.due_at,
                    columns.head,
                    columns.state,
                    &columns.seqs,
                    &columns.spans,
                    &columns.statuses,
                    &columns.awaits,
                    &columns.dues as &[Option<DateTime<Utc>>],
                    &columns.heads,
                    &columns.bodies,
                    &columns.requests as &[Option<Vec<u8>>],
                    &columns.prints as &[Option<Vec<u8>>]
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(written.rows_affected() > 0)
    }

    async fn append_layout(&mut self, step: &Move<'_>, columns: &Columns, laid: &Laid<'_>) -> Result<bool, Failure> {
        let cells = laid.layout.pack(step.game.options().grid);
        let written = self
            .run(async |connection| {
                sqlx::query!(
                    "with moved as (
                         update games
                            set version = $3, due_at = $4, head = $5, state = $6,
                                host_commitment = case when $14 = 0::int2 then $17 else host_commitment end,
                                guest_commitment = case when $14 = 1::int2 then $17 else guest_commitment end
                          where game_id = $1 and version = $2 returning game_id),
                     laid as (
                         insert into layouts (game_id, seat, salt, cells) select game_id, $14, $15, $16 from moved)
                     insert into events (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                     select moved.game_id, e.*
                       from moved, unnest($7::int4[], $8::int2[], $9::int2[], $10::int2[], $11::timestamptz[],
                                          $12::bytea[], $13::text[], $18::bytea[], $19::bytea[]) as e",
                    step.from.id,
                    columns.was,
                    columns.version,
                    step.due_at,
                    columns.head,
                    columns.state,
                    &columns.seqs,
                    &columns.spans,
                    &columns.statuses,
                    &columns.awaits,
                    &columns.dues as &[Option<DateTime<Utc>>],
                    &columns.heads,
                    &columns.bodies,
                    seat_number(laid.seat),
                    laid.salt.bytes(),
                    cells.as_slice(),
                    laid.commitment,
                    &columns.requests as &[Option<Vec<u8>>],
                    &columns.prints as &[Option<Vec<u8>>]
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(written.rows_affected() > 0)
    }

    /// A clock that begins with the joining replaces the date at which the game would expire.
    async fn append_guest(
        &mut self,
        step: &Move<'_>,
        columns: &Columns,
        joining: &Joining<'_>,
    ) -> Result<bool, Failure> {
        let token_hash = Sha256::digest(joining.token);
        let written = self
            .run(async |connection| {
                sqlx::query!(
                    "with seated as (
                         update games
                            set version = $3, due_at = $4, head = $5, state = $6, guest_token = $14, guest_name = $15
                          where game_id = $1 and version = $2 and guest_token is null returning game_id),
                     unlisted as (delete from lobby where game_id = $1 and exists (select from seated)),
                     timed as (
                         update timers set check_at = $4
                          where game_id = $1 and $4::timestamptz is not null and exists (select from seated))
                     insert into events (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                     select seated.game_id, e.*
                       from seated, unnest($7::int4[], $8::int2[], $9::int2[], $10::int2[], $11::timestamptz[],
                                           $12::bytea[], $13::text[], $16::bytea[], $17::bytea[]) as e",
                    step.from.id,
                    columns.was,
                    columns.version,
                    step.due_at,
                    columns.head,
                    columns.state,
                    &columns.seqs,
                    &columns.spans,
                    &columns.statuses,
                    &columns.awaits,
                    &columns.dues as &[Option<DateTime<Utc>>],
                    &columns.heads,
                    &columns.bodies,
                    token_hash.as_slice(),
                    joining.name,
                    &columns.requests as &[Option<Vec<u8>>],
                    &columns.prints as &[Option<Vec<u8>>]
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(written.rows_affected() > 0)
    }
}

impl Columns {
    fn new(step: &Move<'_>) -> Result<Self, Failure> {
        let too_long = |_| Failure::Program("a log is longer than its numbers");
        let last = step.events.last().ok_or(Failure::Program("a move without events"))?;
        let number = |seq: u32| i32::try_from(seq).map_err(too_long);
        Ok(Self {
            was: number(step.from.version)?,
            version: number(last.seq)?,
            head: last.head.to_vec(),
            state: step.game.pack().to_vec(),
            seqs: step.events.iter().map(|event| number(event.seq)).collect::<Result<_, _>>()?,
            spans: spans(step.events)?,
            statuses: step.events.iter().map(|event| event.standing.status_number()).collect(),
            awaits: step.events.iter().map(|event| event.standing.awaits_number()).collect(),
            dues: step.events.iter().map(|event| event.standing.until).collect(),
            heads: step.events.iter().map(|event| event.head.to_vec()).collect(),
            bodies: step.events.iter().map(|event| event.body.clone()).collect(),
            requests: stamps(step, |stamp| stamp.request),
            prints: stamps(step, |stamp| Some(stamp.print)),
        })
    }
}

/// The first event of a request tells how many there are; the others are its company.
fn spans(events: &[Logged]) -> Result<Vec<i16>, Failure> {
    let span = i16::try_from(events.len()).map_err(|_| Failure::Program("a move with too many events"))?;
    Ok(std::iter::once(span).chain(std::iter::repeat(0)).take(events.len()).collect())
}

/// What the request left on its first event; nothing on the others.
fn stamps(step: &Move<'_>, part: impl Fn(&Stamp) -> Option<[u8; 16]>) -> Vec<Option<Vec<u8>>> {
    let first = step.stamp.as_ref().and_then(part).map(|print| print.to_vec());
    std::iter::once(first).chain(std::iter::repeat(None)).take(step.events.len()).collect()
}
