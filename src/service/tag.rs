use std::fmt;

use crate::store::Snapshot;
use engine::Seat;

/// The state of a game through somebody's eyes, as an entity tag: `"9-host"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The `seq` of the last event.
    pub version: u32,
    /// Whose eyes; none for a spectator.
    pub seat: Option<Seat>,
    /// How many rematches the ended game has had.
    pub rematches: u16,
}

/// What `If-Match` or `If-None-Match` named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Precondition {
    /// `*`: any state.
    Any,
    /// These entity tags as they were given, in their quotes.
    OneOf(Vec<String>),
}

impl Tag {
    /// The tag of a game for the one who looks.
    pub(crate) fn of(stored: &Snapshot, seat: Option<Seat>) -> Self {
        Self { version: stored.version, seat, rematches: stored.rematches }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = self.seat.map_or("spectator", Seat::word);
        write!(out, "\"{}-{seat}", self.version)?;
        match self.rematches {
            0 => write!(out, "\""),
            1 => write!(out, "-next\""),
            more => write!(out, "-next{more}\""),
        }
    }
}

impl Precondition {
    /// Whether it names this tag.
    pub fn holds(&self, tag: &Tag) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(tags) => {
                let tag = tag.to_string();
                tags.contains(&tag)
            }
        }
    }
}
