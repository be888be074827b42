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
    /// Whether the ended game has a rematch.
    pub has_next: bool,
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
        Self { version: stored.version, seat, has_next: stored.next.is_some() }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = self.seat.map_or("spectator", Seat::word);
        let next = if self.has_next { "-next" } else { "" };
        write!(out, "\"{}-{seat}{next}\"", self.version)
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
