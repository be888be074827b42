use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use super::Entry;
use crate::proof::Hash;
use engine::{
    BySeat, Coordinate, Direction, Event, FirstShot, Fleet, Given, Grid, Layout, Level, Mark, Options, Outcome, Seat,
    Ship, Shot, Volley,
};

/// An event that was read back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// Its place in the log, from 1.
    pub seq: u32,
    /// When.
    pub at: DateTime<Utc>,
    /// What happened.
    pub happened: Happened,
}

/// What happened, as the log holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields are those of Entry")]
pub enum Happened {
    Created { game: Uuid, seat: Seat, options: Options, name: Option<String>, rematch_of: Option<Uuid> },
    Joined { seat: Seat, first: Seat, name: Option<String>, bot: Option<Level> },
    Placed { seat: Seat, commitment: Hash },
    Fired { seat: Seat, shots: Volley, owed: Option<u8> },
    Revealed { seat: Seat, cells: Given },
    Resigned { seat: Seat },
    TimedOut { seat: Option<Seat> },
    Expired,
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
pub fn read(body: &str) -> Result<Recorded, Unreadable> {
    let body: Body = serde_json::from_str(body).map_err(|_| Unreadable)?;
    body.recorded().ok_or(Unreadable)
}

impl Happened {
    /// As it is written down.
    pub fn entry(&self) -> Entry<'_> {
        match *self {
            Self::Created { game, seat, ref options, ref name, rematch_of } => {
                Entry::Created { game, seat, options, name: name.as_deref(), rematch_of }
            }
            Self::Joined { seat, first, ref name, bot } => Entry::Joined { seat, first, name: name.as_deref(), bot },
            Self::Placed { seat, commitment } => Entry::Placed { seat, commitment },
            Self::Fired { seat, ref shots, owed } => Entry::Fired { seat, shots, owed },
            Self::Revealed { seat, ref cells } => Entry::Revealed { seat, cells },
            Self::Resigned { seat } => Entry::Resigned { seat },
            Self::TimedOut { seat } => Entry::TimedOut { seat },
            Self::Expired => Entry::Expired,
        }
    }

    /// As the rules know it, with the layouts that the log does not hold; none for the creation,
    /// with which a game begins, and where a layout is missing.
    pub fn event(&self, layouts: &BySeat<Option<Layout>>) -> Option<Event> {
        Some(match *self {
            Self::Created { .. } => return None,
            Self::Joined { seat, first, .. } => Event::Joined { seat, first },
            Self::Placed { seat, .. } => Event::Placed { seat, layout: (*layouts.of(seat))? },
            Self::Fired { seat, ref shots, owed } => Event::Fired { seat, shots: shots.clone(), owed },
            Self::Revealed { seat, ref cells } => Event::Revealed { seat, cells: cells.clone() },
            Self::Resigned { seat } => Event::Resigned { seat },
            Self::TimedOut { seat } => Event::TimedOut { seat },
            Self::Expired => Event::Expired,
        })
    }
}

/// The form of all events; which fields an event has hangs on its type.
#[derive(Deserialize)]
struct Body {
    seq: u32,
    at: DateTime<Utc>,
    r#type: String,
    seat: Option<String>,
    game: Option<Uuid>,
    options: Option<BodyOptions>,
    name: Option<String>,
    rematch_of: Option<Uuid>,
    first: Option<String>,
    bot: Option<String>,
    commitment: Option<String>,
    shots: Option<Vec<BodyShot>>,
    owed: Option<u8>,
    cells: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct BodyOptions {
    grid: u8,
    fleet: String,
    mines: bool,
    salvo: bool,
    shoot_again: bool,
    first: String,
    turn_seconds: Option<u32>,
}

#[derive(Deserialize)]
struct BodyShot {
    cell: String,
    outcome: String,
    ship: Option<BodyShip>,
}

#[derive(Deserialize)]
struct BodyShip {
    start: String,
    length: u8,
    direction: String,
}

impl Body {
    fn recorded(self) -> Option<Recorded> {
        let (seq, at) = (self.seq, self.at);
        Some(Recorded { seq, at, happened: self.happened()? })
    }

    fn happened(self) -> Option<Happened> {
        let seat = match &self.seat {
            Some(word) => Some(Seat::from_word(word)?),
            None => None,
        };
        Some(match self.r#type.as_str() {
            "created" => Happened::Created {
                game: self.game?,
                seat: seat?,
                options: self.options?.read()?,
                name: self.name,
                rematch_of: self.rematch_of,
            },
            "joined" => Happened::Joined {
                seat: seat?,
                first: Seat::from_word(&self.first?)?,
                name: self.name,
                bot: match &self.bot {
                    Some(word) => Some(Level::from_word(word)?),
                    None => None,
                },
            },
            "placed" => {
                let mut commitment = Hash::default();
                hex::decode_to_slice(self.commitment?, &mut commitment).ok()?;
                Happened::Placed { seat: seat?, commitment }
            }
            "fired" => {
                let shots: Vec<Shot> = self.shots?.iter().map(BodyShot::read).collect::<Option<_>>()?;
                Happened::Fired { seat: seat?, shots: Volley::try_from(shots.as_slice()).ok()?, owed: self.owed }
            }
            "revealed" => {
                let cells: Vec<Coordinate> = self.cells?.iter().map(|cell| cell_of(cell)).collect::<Option<_>>()?;
                Happened::Revealed { seat: seat?, cells: Given::try_from(cells.as_slice()).ok()? }
            }
            "resigned" => Happened::Resigned { seat: seat? },
            "timed_out" => Happened::TimedOut { seat },
            "expired" => Happened::Expired,
            _ => return None,
        })
    }
}

impl BodyOptions {
    fn read(self) -> Option<Options> {
        Some(Options {
            grid: Grid::with_side(self.grid)?,
            fleet: Fleet::from_word(&self.fleet)?,
            mines: self.mines,
            salvo: self.salvo,
            shoot_again: self.shoot_again,
            first: FirstShot::from_word(&self.first)?,
            turn_seconds: self.turn_seconds,
        })
    }
}

impl BodyShot {
    fn read(&self) -> Option<Shot> {
        let outcome = match (Mark::from_word(&self.outcome)?, &self.ship) {
            (Mark::Miss, None) => Outcome::Miss,
            (Mark::Hit, None) => Outcome::Hit,
            (Mark::Mine, None) => Outcome::Mine,
            (Mark::Sunk, Some(ship)) => {
                Outcome::Sunk(Ship::new(cell_of(&ship.start)?, ship.length, Direction::from_word(&ship.direction)?)?)
            }
            (Mark::Miss | Mark::Hit | Mark::Mine, Some(_)) | (Mark::Sunk, None) => return None,
        };
        Some(Shot { cell: cell_of(&self.cell)?, outcome })
    }
}

fn cell_of(text: &str) -> Option<Coordinate> {
    Coordinate::parse(text).ok()
}
