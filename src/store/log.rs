use arrayvec::ArrayVec;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use uuid::Uuid;

use super::{Failure, Session};
use crate::engine::{Action, Awaited, Coordinate, Ending, Game, Options, Outcome, Seat, Ship, Shot, Status};
use crate::proof::{self, CanonicalOptions, Hash};

/// What the log holds of one thing that happened: only what both players know.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// The game was created.
    Created {
        /// Its id.
        game: Uuid,
        /// Who created it.
        seat: Seat,
        /// Every option, defaults filled in.
        options: &'a Options,
        /// The creator's name, if given.
        name: Option<&'a str>,
        /// The game of which it is the rematch.
        rematch_of: Option<Uuid>,
    },
    /// The free seat was taken.
    Joined {
        /// Which seat.
        seat: Seat,
        /// Who shoots first.
        first: Seat,
        /// The player's name, if given.
        name: Option<&'a str>,
    },
    /// A layout was placed.
    Placed {
        /// Whose.
        seat: Seat,
        /// The commitment to it.
        commitment: Hash,
    },
    /// A shot or volley was fired.
    Fired {
        /// Who fired.
        seat: Seat,
        /// What was found.
        shots: &'a [Shot],
        /// What is owed now, when a mine was struck.
        owed: Option<u8>,
    },
    /// Cells were given away.
    Revealed {
        /// Who gave.
        seat: Seat,
        /// Which cells.
        cells: &'a [Coordinate],
    },
    /// A player gave up.
    Resigned {
        /// Who.
        seat: Seat,
    },
    /// The turn clock ran out.
    TimedOut {
        /// Who let it; none where both owed a layout.
        seat: Option<Seat>,
    },
    /// Nobody joined in time.
    Expired,
}

/// Where a game stands after an event: derived, kept beside the log, outside the hash.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The phase in one word.
    pub status: Status,
    /// Who owes what.
    pub awaiting: ArrayVec<Awaited, 2>,
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
    pub standing: Standing,
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
        let at = at.to_rfc3339_opts(SecondsFormat::Micros, true);
        let body = serde_json::to_string(&Body::new(seq, &at, entry, game.ending()))
            .map_err(|_| Failure::Program("an event could not be written"))?;
        Ok(Self { seq, head: proof::head(before, &body), body, standing: Standing::of(game, until) })
    }
}

impl Standing {
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

    /// Reads back what [`Standing::status_number`] and [`Standing::awaits_number`] gave.
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
            .map(|seat| Awaited { seat, action, count })
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
                    "select seq, status, awaits, due_at, head, body from events
                      where game_id = $1 and seq > $2 order by seq limit $3",
                    game,
                    after,
                    i64::from(limit)
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        let nonsense = |column| move || Failure::Nonsense { table: "events", column, game };
        rows.into_iter()
            .map(|row| {
                Ok(Logged {
                    seq: u32::try_from(row.seq).map_err(|_| nonsense("seq")())?,
                    body: row.body,
                    head: Hash::try_from(row.head).map_err(|_| nonsense("head")())?,
                    standing: Standing::read(row.status, row.awaits, row.due_at).ok_or_else(nonsense("status"))?,
                })
            })
            .collect()
    }
}

/// The stored form of an event: keys in the order of RFC 8785, what does not apply left out.
#[derive(Serialize, Default)]
struct Body<'a> {
    at: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<List<'a, Coordinate>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commitment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<CanonicalOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owed: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch_of: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<BodyResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<&'static str>,
    seq: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    shots: Option<List<'a, Shot>>,
    r#type: &'static str,
}

#[derive(Serialize)]
struct BodyResult {
    reason: &'static str,
    winner: Option<&'static str>,
}

#[derive(Serialize)]
struct BodyShot {
    cell: Text,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ship: Option<BodyShip>,
}

#[derive(Serialize)]
struct BodyShip {
    direction: &'static str,
    length: u8,
    start: Text,
}

impl<'a> Body<'a> {
    fn new(seq: u32, at: &'a str, entry: &Entry<'a>, ending: Option<Ending>) -> Self {
        let result =
            ending.map(|ending| BodyResult { reason: ending.reason(), winner: ending.winner().map(Seat::word) });
        let common = Self { at, result, seq, ..Self::default() };
        let by = |seat: Seat| Some(seat.word());
        match *entry {
            Entry::Created { game, seat, options, name, rematch_of } => Self {
                r#type: "created",
                seat: by(seat),
                game: Some(game),
                rules: Some(proof::RULES),
                options: Some(options.into()),
                name,
                rematch_of,
                ..common
            },
            Entry::Joined { seat, first, name } => {
                Self { r#type: "joined", seat: by(seat), first: Some(first.word()), name, ..common }
            }
            Entry::Placed { seat, commitment } => {
                Self { r#type: "placed", seat: by(seat), commitment: Some(hex::encode(commitment)), ..common }
            }
            Entry::Fired { seat, shots, owed } => {
                Self { r#type: "fired", seat: by(seat), shots: Some(List(shots)), owed, ..common }
            }
            Entry::Revealed { seat, cells } => {
                Self { r#type: "revealed", seat: by(seat), cells: Some(List(cells)), ..common }
            }
            Entry::Resigned { seat } => Self { r#type: "resigned", seat: by(seat), ..common },
            Entry::TimedOut { seat } => Self { r#type: "timed_out", seat: seat.map(Seat::word), ..common },
            Entry::Expired => Self { r#type: "expired", ..common },
        }
    }
}

impl From<&Shot> for BodyShot {
    fn from(shot: &Shot) -> Self {
        let ship = match shot.outcome {
            Outcome::Sunk(ship) => Some(BodyShip::from(ship)),
            Outcome::Miss | Outcome::Hit | Outcome::Mine => None,
        };
        Self { cell: Text(shot.cell), outcome: shot.outcome.word(), ship }
    }
}

impl From<Ship> for BodyShip {
    fn from(ship: Ship) -> Self {
        Self { direction: ship.direction().word(), length: ship.length(), start: Text(ship.start()) }
    }
}

/// A cell by its name.
struct Text(Coordinate);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&self.0)
    }
}

/// A list in which every element has a stored form.
struct List<'a, T>(&'a [T]);

impl Serialize for List<'_, Coordinate> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(|cell| Text(*cell)))
    }
}

impl Serialize for List<'_, Shot> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(BodyShot::from))
    }
}
