//! One way to read JSON, stricter than serde's own where that lets two meanings pass.
//!
//! A doubled key is an error, an object is never read from an array, and a number is the integer
//! that it equals, however it is written (`10.0` is `10`, as JSON Schema has it).

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, Visitor,
};

use super::Misread;
use super::misread::spelling;
use crate::text::{Language, Message};

/// Reads a whole body as one value.
///
/// # Errors
///
/// [`Misread`] that says what is wrong and where.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Misread> {
    let json: Json = serde_json::from_slice(text).map_err(|error| no_json(&error))?;
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = error.path().to_string();
        Misread { place: Some(path).filter(|path| path != "."), message: error.into_inner().0 }
    })
}

/// What is told of a key that stands twice.
const TWICE: &str = "a key stands twice";

/// What is told of a number that is too large, by `serde_json` as well.
const TOO_LARGE: &str = "number out of range";

fn no_json(error: &serde_json::Error) -> Misread {
    let (line, column, reason) = (error.line(), error.column(), error.to_string());
    let message = if reason.starts_with(TWICE) {
        Message::KeyTwice { line, column }
    } else if reason.starts_with(TOO_LARGE) {
        Message::NumberTooLarge { line, column }
    } else if error.is_eof() {
        Message::JsonEndsEarly { line, column }
    } else {
        Message::NotJson { line, column }
    };
    Misread { place: None, message }
}

/// JSON that is not what was to be read: serde's reasons as messages.
#[derive(Debug)]
struct ReadError(Message);

impl std::error::Error for ReadError {}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&Language::English.say(&self.0))
    }
}

impl serde::de::Error for ReadError {
    fn custom<T: fmt::Display>(sentence: T) -> Self {
        Self(spelling(&sentence.to_string()).unwrap_or(Message::SomethingElseExpected))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match (unexpected, kind(&expected.to_string())) {
            // A whole number all the same, and too large for one.
            (Unexpected::Float(value), Message::IsWholeNumber) if value.fract() == 0.0 => {
                Self(Message::NumberOutOfRange)
            }
            (_, kind) => Self(kind),
        }
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let kind = kind(&expected.to_string());
        Self(if kind == Message::IsWholeNumber { Message::NumberOutOfRange } else { kind })
    }

    fn unknown_variant(_: &str, words: &'static [&'static str]) -> Self {
        Self(if words.is_empty() { Message::NullAlone } else { Message::OneOfWords { words: words.join(", ") } })
    }

    fn unknown_field(_: &str, known: &'static [&'static str]) -> Self {
        Self(if known.is_empty() { Message::NoFields } else { Message::UnknownField { known: known.join(", ") } })
    }

    fn missing_field(field: &'static str) -> Self {
        Self(Message::MissingField { field: field.to_owned() })
    }
}

/// What serde expects, in its own words.
fn kind(expected: &str) -> Message {
    match expected {
        "a string" => Message::IsText,
        "a boolean" => Message::IsTrueOrFalse,
        "a sequence" => Message::IsList,
        "u8" | "u16" | "u32" | "u64" | "usize" | "i64" => Message::IsWholeNumber,
        object if object.starts_with("struct ") => Message::IsObject,
        _ => Message::SomethingElseExpected,
    }
}

/// A JSON value with all its keys.
enum Json {
    Null,
    Bool(bool),
    Integer(i64),
    Fraction(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// 2^53: up to here a floating-point number without fraction is one integer and no other.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Json {
    fn number(value: f64) -> Self {
        if value.fract() == 0.0 && value.abs() <= EXACT {
            // Such a number is written without exponent or fraction.
            format!("{value:.0}").parse().map_or(Self::Fraction(value), Self::Integer)
        } else {
            Self::Fraction(value)
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Integer(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Json, E> {
        i64::try_from(value).map(Json::Integer).map_err(|_| E::custom(TOO_LARGE))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = from.next_element()? {
            list.push(value);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut object: Vec<(String, Json)> = Vec::new();
        while let Some((key, value)) = from.next_entry::<String, Json>()? {
            object.push((key, value));
        }
        let mut keys: Vec<_> = object.iter().map(|(key, _)| key).collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| matches!(pair, [one, other] if one == other)) {
            return Err(A::Error::custom(TWICE));
        }
        Ok(Json::Object(object))
    }
}

impl IntoDeserializer<'_, ReadError> for Json {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Json {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Integer(value) => visitor.visit_i64(value),
            Self::Fraction(value) => visitor.visit_f64(value),
            Self::Text(value) => visitor.visit_string(value),
            Self::List(list) => visitor.visit_seq(SeqDeserializer::new(list.into_iter())),
            Self::Object(object) => visitor.visit_map(MapDeserializer::new(object.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if matches!(self, Self::Null) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        if matches!(self, Self::List(_)) { Err(ReadError(Message::IsObject)) } else { self.deserialize_any(visitor) }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self {
            Self::Text(word) => visitor.visit_enum(word.into_deserializer()),
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Fraction(_) | Self::List(_) | Self::Object(_) => {
                Err(ReadError::unknown_variant("", words))
            }
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Point {
        x: u8,
        y: Option<u8>,
    }

    #[test]
    fn an_object_is_read_by_its_keys() {
        assert_eq!(read(br#"{"x": 3, "y": 4}"#), Ok(Point { x: 3, y: Some(4) }));
        assert_eq!(read(br#"{"x": 3, "y": null}"#), Ok(Point { x: 3, y: None }));
        assert_eq!(read(br#"{"x": 3}"#), Ok(Point { x: 3, y: None }));
    }

    #[test]
    fn a_number_is_the_integer_that_it_equals() {
        for text in ["10.0", "1e1", "10", "100e-1", "1.0E+1"] {
            assert_eq!(read(format!(r#"{{"x": {text}}}"#).as_bytes()), Ok(Point { x: 10, y: None }), "{text}");
        }
        assert_eq!(read(br#"{"x": -0.0}"#), Ok(Point { x: 0, y: None }));
    }

    #[test]
    fn what_has_two_meanings_or_none_is_refused() {
        let deep = "[".repeat(100_000);
        for text in [
            r"[3, 4]",
            r#"{"x": 1, "x": 1}"#,
            r#"{"x": 1, "z": 1}"#,
            r#"{"x": 1.5}"#,
            r#"{"x": 256}"#,
            r#"{"x": -1}"#,
            r#"{"x": 1e400}"#,
            r#"{"x": 99999999999999999999999}"#,
            r#"{"x": "1"}"#,
            r#"{"x": true}"#,
            r#"{"x": null}"#,
            r#"{"x": [1]}"#,
            r#"{"x": {"x": 1}}"#,
            r#"{"x": 1} {}"#,
            "\u{feff}{\"x\": 1}",
            r#"{"x": 1,}"#,
            r"{'x': 1}",
            "",
            " ",
            "null",
            "NaN",
            deep.as_str(),
        ] {
            assert!(read::<Point>(text.as_bytes()).is_err(), "{text:.40}");
        }
        assert!(read::<Point>(b"{\"x\": 1, \"\xff\": 1}").is_err());
        assert!(read::<String>(br#""\ud800""#).is_err());
    }
}
