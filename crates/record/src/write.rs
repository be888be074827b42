use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};
use uuid::Uuid;

use crate::proof::{self, CanonicalOptions};
use engine::{Coordinate, Ending, Level, Options, Outcome, Seat, Ship, Shot};

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
        /// How well it plays, where it is a bot.
        bot: Option<Level>,
    },
    /// A layout was placed.
    Placed {
        /// Whose.
        seat: Seat,
        /// The commitment to it.
        commitment: proof::Hash,
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

impl Entry<'_> {
    /// The word for what happened.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Created { .. } => "created",
            Self::Joined { .. } => "joined",
            Self::Placed { .. } => "placed",
            Self::Fired { .. } => "fired",
            Self::Revealed { .. } => "revealed",
            Self::Resigned { .. } => "resigned",
            Self::TimedOut { .. } => "timed_out",
            Self::Expired => "expired",
        }
    }
}

/// Writes an event down; `ending` is that of the game after it.
///
/// # Errors
///
/// Those of the writer of JSON, which has no reason to give one here.
pub fn write(
    seq: u32,
    at: DateTime<Utc>,
    entry: &Entry<'_>,
    ending: Option<Ending>,
) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Body::new(seq, &time(at), entry, ending))
}

/// A time as it is written everywhere: RFC 3339 in UTC with microseconds.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// The stored form of an event: keys in the order of RFC 8785, what does not apply left out.
#[derive(Serialize, Default)]
struct Body<'a> {
    at: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bot: Option<&'static str>,
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
        let common = Self { at, result, seq, r#type: entry.kind(), ..Self::default() };
        let by = |seat: Seat| Some(seat.word());
        match *entry {
            Entry::Created { game, seat, options, name, rematch_of } => Self {
                seat: by(seat),
                game: Some(game),
                rules: Some(proof::RULES),
                options: Some(options.into()),
                name,
                rematch_of,
                ..common
            },
            Entry::Joined { seat, first, name, bot } => {
                Self { seat: by(seat), first: Some(first.word()), name, bot: bot.map(Level::word), ..common }
            }

            Entry::Placed { seat, commitment } => {
                Self { seat: by(seat), commitment: Some(hex::encode(commitment)), ..common }
            }
            Entry::Fired { seat, shots, owed } => Self { seat: by(seat), shots: Some(List(shots)), owed, ..common },
            Entry::Revealed { seat, cells } => Self { seat: by(seat), cells: Some(List(cells)), ..common },
            Entry::Resigned { seat } => Self { seat: by(seat), ..common },
            Entry::TimedOut { seat } => Self { seat: seat.map(Seat::word), ..common },
            Entry::Expired => common,
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
