use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::proof::Hash;
use engine::{Cells, Coordinate, Fleet, Grid};

/// A cell in the one spelling of R29, such as `B7`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell(pub Coordinate);

impl Cell {
    /// The cells of a set, row by row.
    pub fn list(cells: Cells) -> Vec<Self> {
        cells.iter().map(Self).collect()
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(Text("a cell such as B7", |text: &str| Coordinate::parse(text).ok().map(Self)))
    }
}

/// How many columns and rows a grid has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridSize(pub Grid);

impl Serialize for GridSize {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u8(self.0.side())
    }
}

impl<'de> Deserialize<'de> for GridSize {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let side = u8::deserialize(from)?;
        let wrong = || serde::de::Error::invalid_value(Unexpected::Unsigned(side.into()), &"the side of a grid");
        Grid::with_side(side).map(Self).ok_or_else(wrong)
    }
}

/// The length of a ship in cells.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ShipLength, minimum = 1, maximum = 5))]
pub struct Length(u8);

impl Length {
    /// The lengths of a fleet, longest first.
    pub fn of_fleet(fleet: Fleet) -> Vec<Self> {
        fleet.ships().iter().copied().map(Self).collect()
    }
}

/// A player's name: 1 to 32 characters, none of them a control character. It comes back as it
/// was sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Name(pub String);

impl Name {
    /// The longest name, in Unicode scalar values.
    pub const LONGEST: usize = 32;

    /// The name, if the text is one.
    pub fn parse(text: String) -> Option<Self> {
        let is_name = (1..=Self::LONGEST).contains(&text.chars().count()) && !text.chars().any(char::is_control);
        is_name.then_some(Self(text))
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(Text("a name without control characters", |text: &str| Self::parse(text.to_owned())))
    }
}

/// A moment by the database's clock, in UTC with microseconds (RFC 3339).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "openapi",
    schema(as = UtcTime, value_type = String, format = DateTime, examples("2026-11-29T21:19:17.123456Z"))
)]
pub struct Time(pub DateTime<Utc>);

/// A time as it is written everywhere: RFC 3339 in UTC with microseconds.
pub fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&time(self.0))
    }
}

/// There is one way to write a moment: whoever wrote it in another one did not copy it.
impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = |text: &str| text.parse().ok().filter(|at| time(*at) == text).map(Self);
        from.deserialize_str(Text("a time such as 2026-11-29T21:19:17.123456Z", read))
    }
}

/// Thirty-two bytes as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hex(pub Hash);

impl Hex {
    /// The bytes, if the text is so many hex digits, in the one spelling.
    pub fn parse(text: &str) -> Option<Self> {
        let mut hash = Hash::default();
        if text.bytes().any(|digit| digit.is_ascii_uppercase()) {
            return None;
        }
        hex::decode_to_slice(text, &mut hash).ok()?;
        Some(Self(hash))
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&hex::encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(Text("64 hex digits", Self::parse))
    }
}

/// Reads a text that has to be something: what that is, and how it is read.
struct Text<F>(&'static str, F);

impl<T, F: Fn(&str) -> Option<T>> Visitor<'_> for Text<F> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(feature = "openapi")]
mod schemas {
    use std::borrow::Cow;

    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use super::{Cell, GridSize, Name};
    use engine::Grid;

    impl PartialSchema for Cell {
        fn schema() -> RefOr<Schema> {
            ObjectBuilder::new()
                .schema_type(SchemaType::Type(Type::String))
                .pattern(Some("^[A-O]([1-9]|1[0-5])$"))
                .description(Some(
                    "A cell: column A to O from the left, then row 1 to 15 from the top, in this one spelling.",
                ))
                .examples(["B7"])
                .into()
        }
    }

    impl PartialSchema for GridSize {
        fn schema() -> RefOr<Schema> {
            ObjectBuilder::new()
                .schema_type(SchemaType::Type(Type::Integer))
                .description(Some("How many columns, and as many rows."))
                .enum_values(Some(Grid::ALL.map(Grid::side)))
                .into()
        }
    }

    impl PartialSchema for Name {
        fn schema() -> RefOr<Schema> {
            ObjectBuilder::new()
                .schema_type(SchemaType::Type(Type::String))
                .description(Some("A player's name, without control characters."))
                .min_length(Some(1))
                .max_length(Some(Name::LONGEST))
                .pattern(Some(r"^[^\u0000-\u001f\u007f-\u009f]*$"))
                .examples(["Anna"])
                .into()
        }
    }

    impl ToSchema for Cell {}

    impl ToSchema for GridSize {}

    impl ToSchema for Name {
        fn name() -> Cow<'static, str> {
            "PlayerName".into()
        }
    }
}
