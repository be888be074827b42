use arrayvec::ArrayVec;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Failure, Session};
use engine::{Action, Awaiting, Game, Seat, Status};
use record::Entry;
use record::proof::{self, Hash};

/// How many events of a log are read with one statement.
const AT_A_TIME: u16 = 1_000;

/// Where a game stands after an event: derived, kept beside the log, outside the hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameStatus {
    /// The phase in one word.
    pub status: Status,
    /// Who owes what.
    pub awaiting: ArrayVec<Awaiting, 2>,
    /// Until when.
    pub until: Option<DateTime<Utc>>,
}

/// One event of a log as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// Its place in the log, from 1.
    pub seq: u32,
    /// The very bytes that were hashed: a JSON object without derived fields.
    pub body: String,
    /// The chain's head after it.
    pub head: Hash,
    /// Where the game stood after it.
    pub standing: GameStatus,
}

impl Logged {
    /// Writes down what happened, `game` being the game after it.
    ///
    /// # Errors
    ///
    /// [`Failure::Program`] if it cannot be written as JSON.
    pub fn write(
        seq: u32,
        before: &Hash,
        at: DateTime<Utc>,
        entry: &Entry<'_>,
        game: &Game,
        until: Option<DateTime<Utc>>,
    ) -> Result<Self, Failure> {
        let body = record::write(seq, at, entry, game.ending())
            .map_err(|_| Failure::Program("an event could not be written"))?;
        Ok(Self { seq, head: proof::head(before, &body), body, standing: GameStatus::of(game, until) })
    }
}

impl GameStatus {
    /// Where a game stands.
    pub fn of(game: &Game, until: Option<DateTime<Utc>>) -> Self {
        Self { status: game.status(), awaiting: game.awaiting().collect(), until }
    }

    /// The status's number.
    pub(super) fn status_number(&self) -> i16 {
        status_number(self.status)
    }

    /// Seats in two bits (host 1, guest 2), the action in two, the count in eight.
    pub(super) fn awaits_number(&self) -> i16 {
        self.awaiting.iter().fold(0, |number, awaited| {
            number | seat_bit(awaited.seat) | (action_number(awaited.action) << 2) | (i16::from(awaited.count) << 4)
        })
    }

    /// Reads back what [`GameStatus::status_number`] and [`GameStatus::awaits_number`] gave.
    fn read(status: i16, awaits: i16, until: Option<DateTime<Utc>>) -> Option<Self> {
        const STATUSES: [Status; 5] =
            [Status::Waiting, Status::Placing, Status::Battle, Status::Finished, Status::Aborted];
        const ACTIONS: [Action; 4] = [Action::Join, Action::Place, Action::Fire, Action::Reveal];
        let status = STATUSES.into_iter().find(|known| status_number(*known) == status)?;
        let action = ACTIONS.into_iter().find(|known| action_number(*known) == (awaits >> 2) & 3)?;
        let count = u8::try_from(awaits >> 4).ok()?;
        let awaiting = Seat::BOTH
            .into_iter()
            .filter(|seat| awaits & seat_bit(*seat) != 0)
            .map(|seat| Awaiting { seat, action, count })
            .collect();
        Some(Self { status, awaiting, until })
    }
}

fn status_number(status: Status) -> i16 {
    match status {
        Status::Waiting => 0,
        Status::Placing => 1,
        Status::Battle => 2,
        Status::Finished => 3,
        Status::Aborted => 4,
    }
}

fn action_number(action: Action) -> i16 {
    match action {
        Action::Join => 0,
        Action::Place => 1,
        Action::Fire => 2,
        Action::Reveal => 3,
    }
}

fn seat_bit(seat: Seat) -> i16 {
    match seat {
        Seat::Host => 1,
        Seat::Guest => 2,
    }
}

impl Session {
    /// Reads a stretch of a log: at most `limit` events after `after`.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer or a row makes no sense.
    pub async fn list_events(&mut self, game: Uuid, after: u32, limit: u16) -> Result<Vec<Logged>, Failure> {
        // No log is longer than the largest seq, so cutting there loses nothing.
        let after = i32::try_from(after).unwrap_or(i32::MAX);
        let rows = self
            .run(async |connection| {
                sqlx::query!(
                    r#"select seq as "seq!", status as "status!", awaits as "awaits!", due_at, head as "head!",
                              body as "body!"
                         from logs where game_id = $1 and seq > $2 order by seq limit $3"#,
                    game,
                    after,
                    i64::from(limit)
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        let inconsistent = |column| move || Failure::Inconsistent { table: "events", column, game };
        rows.into_iter()
            .map(|row| {
                Ok(Logged {
                    seq: u32::try_from(row.seq).map_err(|_| inconsistent("seq")())?,
                    body: row.body,
                    head: Hash::try_from(row.head).map_err(|_| inconsistent("head")())?,
                    standing: GameStatus::read(row.status, row.awaits, row.due_at)
                        .ok_or_else(inconsistent("status"))?,
                })
            })
            .collect()
    }

    /// Reads a log from its beginning up to an event.
    ///
    /// # Errors
    ///
    /// As for [`Session::list_events`].
    pub async fn list_log(&mut self, game: Uuid, upto: u32) -> Result<Vec<Logged>, Failure> {
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
