use std::borrow::Cow;

use arrayvec::ArrayVec;
use chrono::{DateTime, Utc};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

use crate::canonical::{Canonical, InOrder, canonical};
use crate::proof::{Hash, RULES};
use crate::{Cell, DirectionWord, Hex, LevelWord, MarkWord, RecordedOptions, RecordedResult, SeatWord, Time};
use engine::{
    BySeat, Ending, Event, Given, Layout, Level, MOST_GIVEN, MOST_SHOTS, Mark, Options, Outcome, Seat, Ship, Shot,
    Volley,
};

/// An event as it is recorded: what is written for the log, and what is read back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedEvent<'a> {
    /// Its place in the log, from 1.
    pub seq: u32,
    /// When, by the database's clock.
    pub at: DateTime<Utc>,
    /// What happened, as far as both players know it.
    pub happened: Happened<'a>,
    /// How the game ended; on its last event alone.
    pub result: Option<Ending>,
}

/// Something that happened in a game. It is public: it holds only what both players know.
///
/// Fields that do not apply are left out. `status`, `awaiting` and `head` are derived; the
/// rest, in canonical JSON (RFC 8785), is what the chain hashes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), serde(tag = "type", rename_all = "snake_case"))]
pub enum Happened<'a> {
    /// The game was created.
    Created {
        /// Who created it.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatWord))]
        seat: Seat,
        /// The game's id.
        game: Uuid,
        /// The version of the rules and of the byte forms.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1))]
        rules: u8,
        /// Every option, defaults filled in.
        #[cfg_attr(feature = "openapi", schema(value_type = RecordedOptions))]
        options: Options,
        /// The creator's name, if given.
        #[cfg_attr(feature = "openapi", schema(nullable = false, min_length = 1, max_length = 32))]
        name: Option<Cow<'a, str>>,
        /// The game of which this is the rematch.
        #[cfg_attr(feature = "openapi", schema(nullable = false))]
        rematch_of: Option<Uuid>,
    },
    /// The free seat was taken.
    Joined {
        /// Which seat.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatWord))]
        seat: Seat,
        /// Who shoots first.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatWord))]
        first: Seat,
        /// The player's name, if given.
        #[cfg_attr(feature = "openapi", schema(nullable = false, min_length = 1, max_length = 32))]
        name: Option<Cow<'a, str>>,
        /// How well it plays, if it is a bot.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<LevelWord>, nullable = false))]
        bot: Option<Level>,
    },
    /// Ships and mines were placed.
    Placed {
        /// Who placed.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatWord))]
        seat: Seat,
        /// The commitment to the layout: SHA-256 in hex.
        #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9a-f]{64}$"))]
        commitment: Hash,
    },
    /// A shot or volley was fired.
    Fired {
        /// Who fired.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatWord))]
        seat: Seat,
        /// What each shot found, in the order sent.
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<RecordedShot>, min_items = 1, max_items = 10))]
        shots: Cow<'a, Volley>,
        /// How many cells the shooter now owes; whenever a mine was struck.
        #[cfg_attr(feature = "openapi", schema(nullable = false, minimum = 0, maximum = 3))]
        owed: Option<u8>,
    },
    /// Cells were given away.
    Revealed {
        /// Who gave.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatWord))]
        seat: Seat,
        /// Which cells, in the order sent.
        #[cfg_attr(feature = "openapi", schema(value_type = Vec<Cell>, min_items = 1, max_items = 3))]
        cells: Given,
    },
    /// A player resigned.
    Resigned {
        /// Who.
        #[cfg_attr(feature = "openapi", schema(value_type = SeatWord))]
        seat: Seat,
    },
    /// The turn clock ran out.
    TimedOut {
        /// Who let it run out; left out where both owed a layout.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<SeatWord>, nullable = false))]
        seat: Option<Seat>,
    },
    /// Nobody joined in time.
    Expired,
    /// The time for what is awaited goes on: for a part of it nobody could act, since no server reached the database
    /// or its clock jumped.
    Extended {
        /// By how many seconds `until` is later than it was.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 2_147_483_647))]
        seconds: u32,
    },
}

/// What is recorded of an event beside what the rules know of it.
#[derive(Clone, Copy, Debug)]
pub enum Details<'a> {
    /// Nothing: of all but a joining and a placing.
    None,
    /// The player who joined.
    Player {
        /// Their name, if given.
        name: Option<&'a str>,
        /// How well it plays, where it is a bot.
        bot: Option<Level>,
    },
    /// The commitment to the layout that was placed.
    Commitment(Hash),
}

/// The text is no event of this version of the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is no event in the form of version 1")]
pub struct Unreadable;

/// Reads an event's body back.
///
/// # Errors
///
/// [`Unreadable`] for anything that this form does not have.
pub fn read(body: &str) -> Result<RecordedEvent<'_>, Unreadable> {
    let form: Form<'_> = serde_json::from_str(body).map_err(|_| Unreadable)?;
    form.event().ok_or(Unreadable)
}

impl RecordedEvent<'_> {
    /// Writes it down: the bytes that are hashed.
    #[expect(clippy::expect_used, reason = "an event has texts for keys and is written into memory")]
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("an event can be written")
    }
}

/// The keys come in the order of RFC 8785; what does not apply is left out.
impl Serialize for RecordedEvent<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut event = out.serialize_struct("Event", MOST_FIELDS)?;
        event.serialize_field("at", &Time(self.at))?;
        match self.happened {
            Happened::Created { game, ref options, ref name, rematch_of, .. } => {
                event.serialize_field("game", &game)?;
                optional(&mut event, "name", name.as_ref())?;
                event.serialize_field("options", &InOrder(RecordedOptions::from(options)))?;
                optional(&mut event, "rematch_of", rematch_of)?;
            }
            Happened::Joined { first, ref name, bot, .. } => {
                optional(&mut event, "bot", bot.map(LevelWord::from))?;
                event.serialize_field("first", &SeatWord::from(first))?;
                optional(&mut event, "name", name.as_ref())?;
            }
            Happened::Placed { commitment, .. } => event.serialize_field("commitment", &Hex(commitment))?,
            Happened::Fired { owed, .. } => optional(&mut event, "owed", owed)?,
            Happened::Revealed { ref cells, .. } => {
                let cells: ArrayVec<Cell, MOST_GIVEN> = cells.iter().copied().map(Cell).collect();
                event.serialize_field("cells", &cells)?;
            }
            Happened::Resigned { .. } | Happened::TimedOut { .. } | Happened::Expired | Happened::Extended { .. } => {}
        }
        optional(&mut event, "result", self.result.map(|ending| InOrder(RecordedResult::from(ending))))?;
        if let Happened::Created { rules, .. } = self.happened {
            event.serialize_field("rules", &rules)?;
        }
        optional(&mut event, "seat", self.happened.seat().map(SeatWord::from))?;
        if let Happened::Extended { seconds } = self.happened {
            event.serialize_field("seconds", &seconds)?;
        }
        event.serialize_field("seq", &self.seq)?;
        if let Happened::Fired { ref shots, .. } = self.happened {
            event.serialize_field("shots", &Shots(shots))?;
        }
        event.serialize_field("type", self.happened.kind())?;
        event.end()
    }
}

/// The most fields that an event has.
const MOST_FIELDS: usize = 10;

fn optional<S: SerializeStruct>(out: &mut S, key: &'static str, value: Option<impl Serialize>) -> Result<(), S::Error> {
    value.map_or(Ok(()), |value| out.serialize_field(key, &value))
}

/// Shots as they are recorded.
struct Shots<'a>(&'a [Shot]);

impl Serialize for Shots<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(RecordedShot::from))
    }
}

impl<'a> Happened<'a> {
    /// What is recorded of an event; none where the details are not those of such an event.
    pub fn new(event: &'a Event, details: Details<'a>) -> Option<Self> {
        Some(match (event, details) {
            (&Event::Joined { seat, first }, Details::Player { name, bot }) => {
                Self::Joined { seat, first, name: name.map(Cow::Borrowed), bot }
            }
            (&Event::Placed { seat, layout: _ }, Details::Commitment(commitment)) => Self::Placed { seat, commitment },
            (&Event::Fired { seat, ref shots, owed }, Details::None) => {
                Self::Fired { seat, shots: Cow::Borrowed(shots), owed }
            }
            (&Event::Revealed { seat, ref cells }, Details::None) => Self::Revealed { seat, cells: cells.clone() },
            (&Event::Resigned { seat }, Details::None) => Self::Resigned { seat },
            (&Event::TimedOut { seat }, Details::None) => Self::TimedOut { seat },
            (Event::Expired, Details::None) => Self::Expired,
            (&Event::Extended { seconds }, Details::None) => Self::Extended { seconds },
            (_, Details::None | Details::Player { .. } | Details::Commitment(_)) => return None,
        })
    }

    /// As the rules know it, with the layouts that the log does not hold; none for the creation,
    /// with which a game begins, and where a layout is missing.
    pub fn event(&self, layouts: &BySeat<Option<Layout>>) -> Option<Event> {
        Some(match *self {
            Self::Created { .. } => return None,
            Self::Joined { seat, first, .. } => Event::Joined { seat, first },
            Self::Placed { seat, .. } => Event::Placed { seat, layout: (*layouts.of(seat))? },
            Self::Fired { seat, ref shots, owed } => Event::Fired { seat, shots: Volley::clone(shots), owed },
            Self::Revealed { seat, ref cells } => Event::Revealed { seat, cells: cells.clone() },
            Self::Resigned { seat } => Event::Resigned { seat },
            Self::TimedOut { seat } => Event::TimedOut { seat },
            Self::Expired => Event::Expired,
            Self::Extended { seconds } => Event::Extended { seconds },
        })
    }

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
            Self::Extended { .. } => "extended",
        }
    }

    /// Who acted; none where nobody did.
    pub fn seat(&self) -> Option<Seat> {
        match *self {
            Self::Created { seat, .. }
            | Self::Joined { seat, .. }
            | Self::Placed { seat, .. }
            | Self::Fired { seat, .. }
            | Self::Revealed { seat, .. }
            | Self::Resigned { seat } => Some(seat),
            Self::TimedOut { seat } => seat,
            Self::Expired | Self::Extended { .. } => None,
        }
    }
}

/// A shot and what it found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Shot))]
pub struct RecordedShot {
    /// Where.
    pub cell: Cell,
    /// What was there.
    pub outcome: MarkWord,
    /// The ship, with `sunk` alone.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "Canonical::write")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub ship: Option<RecordedShip>,
}

/// A ship: its leftmost or topmost cell, how many cells it has and which way it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Ship))]
pub struct RecordedShip {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 5))]
    pub length: u8,
    /// Which way it lies; a ship of one cell always `across`.
    pub direction: DirectionWord,
}

canonical!(RecordedShip { direction, length, start });

impl From<Ship> for RecordedShip {
    fn from(ship: Ship) -> Self {
        Self { start: Cell(ship.start()), length: ship.length(), direction: ship.direction().into() }
    }
}

impl From<&Shot> for RecordedShot {
    fn from(shot: &Shot) -> Self {
        let ship = match shot.outcome {
            Outcome::Sunk(ship) => Some(ship.into()),
            Outcome::Miss | Outcome::Hit | Outcome::Mine => None,
        };
        Self { cell: Cell(shot.cell), outcome: shot.outcome.mark().into(), ship }
    }
}

impl RecordedShot {
    fn shot(self) -> Option<Shot> {
        let outcome = match (self.outcome.0, self.ship) {
            (Mark::Miss, None) => Outcome::Miss,
            (Mark::Hit, None) => Outcome::Hit,
            (Mark::Mine, None) => Outcome::Mine,
            (Mark::Sunk, Some(ship)) => Outcome::Sunk(Ship::new(ship.start.0, ship.length, ship.direction.0)?),
            (Mark::Miss | Mark::Hit | Mark::Mine, Some(_)) | (Mark::Sunk, None) => return None,
        };
        Some(Shot { cell: self.cell.0, outcome })
    }
}

/// All fields that an event can have; which of them it has hangs on its type.
#[derive(Deserialize)]
struct Form<'a> {
    at: Time,
    bot: Option<LevelWord>,
    cells: Option<ArrayVec<Cell, MOST_GIVEN>>,
    commitment: Option<Hex>,
    first: Option<SeatWord>,
    game: Option<Uuid>,
    name: Option<Cow<'a, str>>,
    options: Option<RecordedOptions>,
    owed: Option<u8>,
    rematch_of: Option<Uuid>,
    result: Option<RecordedResult>,
    rules: Option<u8>,
    seat: Option<SeatWord>,
    seconds: Option<u32>,
    seq: u32,
    shots: Option<ArrayVec<RecordedShot, MOST_SHOTS>>,
    #[serde(borrow)]
    r#type: &'a str,
}

impl<'a> Form<'a> {
    fn event(self) -> Option<RecordedEvent<'a>> {
        let result = match self.result {
            Some(result) => Some(result.ending()?),
            None => None,
        };
        let seat = self.seat.map(|seat| seat.0);
        let happened = match self.r#type {
            "created" => Happened::Created {
                seat: seat?,
                game: self.game?,
                rules: self.rules.filter(|rules| *rules == RULES)?,
                options: Options::from(&self.options?),
                name: self.name,
                rematch_of: self.rematch_of,
            },
            "joined" => Happened::Joined {
                seat: seat?,
                first: self.first?.0,
                name: self.name,
                bot: self.bot.map(|level| level.0),
            },
            "placed" => Happened::Placed { seat: seat?, commitment: self.commitment?.0 },
            "fired" => Happened::Fired {
                seat: seat?,
                shots: Cow::Owned(self.shots?.into_iter().map(RecordedShot::shot).collect::<Option<_>>()?),
                owed: self.owed,
            },
            "revealed" => {
                Happened::Revealed { seat: seat?, cells: self.cells?.into_iter().map(|cell| cell.0).collect() }
            }
            "resigned" => Happened::Resigned { seat: seat? },
            "timed_out" => Happened::TimedOut { seat },
            "expired" => Happened::Expired,
            "extended" => Happened::Extended { seconds: self.seconds.filter(|seconds| *seconds > 0)? },
            _ => return None,
        };
        Some(RecordedEvent { seq: self.seq, at: self.at.0, happened, result })
    }
}
