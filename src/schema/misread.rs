use std::fmt;

use crate::text::{Language, Message};

/// Something in a request that is not what its operation takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misread {
    /// Where it stands, such as `ships[1].start`; none for the request as a whole.
    pub place: Option<String>,
    /// What is wrong with it, or what is expected there.
    pub message: Message,
}

impl Misread {
    /// Something at this place.
    pub fn at(place: impl Into<String>, message: Message) -> Self {
        Self { place: Some(place.into()), message }
    }

    /// The same, below this place.
    #[must_use]
    pub fn below(self, place: &str) -> Self {
        let place = self.place.map_or_else(|| place.to_owned(), |inner| format!("{place}.{inner}"));
        Self { place: Some(place), message: self.message }
    }
}

/// A value with a spelling of its own.
///
/// An error of serde's is a text and nothing else: what was expected is known again by its sentence.
#[derive(Clone, Copy)]
pub(super) enum Spelling {
    /// A cell (R29).
    Cell,
    /// The side of a grid.
    Grid,
    /// A player's name.
    Name,
}

impl Spelling {
    const ALL: [Self; 3] = [Self::Cell, Self::Grid, Self::Name];

    fn message(self) -> Message {
        match self {
            Self::Cell => Message::IsCell,
            Self::Grid => Message::IsGrid,
            Self::Name => Message::IsName { most: super::options::LONGEST_NAME },
        }
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&Language::English.say(&self.message()))
    }
}

/// The message of an error that one of these values gave to serde.
pub(super) fn spelling(sentence: &str) -> Option<Message> {
    Spelling::ALL.into_iter().find(|spelling| spelling.to_string() == sentence).map(Spelling::message)
}
