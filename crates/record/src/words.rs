use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, EnumAccess, VariantAccess as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::tree::Content;
use crate::verify::{FlawCode, Seal};
use engine::{Action, Direction, FirstShot, Fleet, Level, Mark, Reason, Seat, Status, Viewer, Words};

/// A value that is written as its one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<T>(pub T);

impl<T> From<T> for Word<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Words> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(self.0.word())
    }
}

impl<'de, T: Words> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_enum("", T::WORDS, OneOf(PhantomData))
    }
}

/// Reads one of the words of a type.
struct OneOf<T>(PhantomData<T>);

impl<'de, T: Words> DeserializeSeed<'de> for OneOf<T> {
    type Value = Word<T>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Word<T>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl<'de, T: Words> Visitor<'de> for OneOf<T> {
    type Value = Word<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "one of {}", T::WORDS.join(", "))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Word<T>, A::Error> {
        let (word, variant) = from.variant_seed(self)?;
        variant.unit_variant()?;
        Ok(word)
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Word<T>, E> {
        T::from_word(word).map(Word).ok_or_else(|| E::unknown_variant(word, T::WORDS))
    }
}

/// A word as the name of a type: `timed_out` is `TimedOut`.
#[cfg(feature = "openapi")]
pub fn type_name(word: &str) -> String {
    let parts = word.split('_').map(|part| {
        let (first, rest) = part.split_at_checked(1).unwrap_or((part, ""));
        first.to_ascii_uppercase() + rest
    });
    parts.collect()
}

/// What the document says of a type's words.
#[cfg(feature = "openapi")]
pub trait Described: Words {
    /// What it is called there.
    const NAME: &'static str;

    /// What its words tell.
    const DESCRIPTION: &'static str;
}

#[cfg(feature = "openapi")]
impl<T: Described> utoipa::PartialSchema for Word<T> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .description(Some(T::DESCRIPTION.trim_start()))
            .enum_values(Some(T::WORDS.iter().copied()))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl<T: Described> utoipa::ToSchema for Word<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        T::NAME.into()
    }
}

macro_rules! words {
    ($(#[doc = $doc:literal] $alias:ident $name:literal = $type:ty;)+) => {$(
        #[doc = $doc]
        pub type $alias = Word<$type>;

        #[cfg(feature = "openapi")]
        impl Described for $type {
            const NAME: &'static str = $name;
            const DESCRIPTION: &'static str = $doc;
        }
    )+};
}

words! {
    /// One of the two places at the table.
    SeatWord "Seat" = Seat;
    /// The ships of each side: `classic` 5, 4, 3, 3, 2 or `russian` 4, 3, 3, 2, 2, 2, 1, 1, 1, 1.
    FleetWord "Fleet" = Fleet;
    /// Who shoots first; the coin for `random` is thrown when the guest joins.
    FirstShotWord "FirstShot" = FirstShot;
    /// Which way a ship lies: `across` to the right of its start, or `down` from it.
    DirectionWord "Direction" = Direction;
    /// What a cell fired at is: water, a ship cell, a cell of a sunk ship, a mine.
    MarkWord "Mark" = Mark;
    /// How far the game has come.
    StatusWord "GameStatus" = Status;
    /// How well a bot plays.
    LevelWord "BotLevel" = Level;
    /// What a seat owes the game.
    ActionWord "DueAction" = Action;
    /// How the game ended.
    ReasonWord "Reason" = Reason;
    /// Through whose eyes a game is looked at.
    ViewerWord "Eyes" = Viewer;
    /// A commitment is sealed until layout and salt are shown.
    SealWord "Seal" = Seal;
    /// What a cell holds: neither ship nor mine, a cell of a ship, a mine.
    ContentWord "Content" = Content;
    /// What can be wrong with a log.
    FlawWord "FlawCode" = FlawCode;
}
