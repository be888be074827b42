//! One way to read JSON, stricter than serde's own where that lets two meanings pass.
//!
//! A doubled key is an error, an object is never read from an array, and a number is the integer
//! that it equals, however it is written (`10.0` is `10`, as JSON Schema has it).

use std::cell::Cell;
use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};

use super::Misread;
use crate::text::{Language, Message};

/// Reads a whole body as one value.
///
/// # Errors
///
/// [`Misread`] that says what is wrong and where.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Misread> {
    let json = parse(text)?;
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = error.path().to_string();
        Misread { place: Some(path).filter(|path| path != "."), message: error.into_inner().0 }
    })
}

fn parse(text: &[u8]) -> Result<Json, Misread> {
    let refused = Cell::new(None);
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = AnyJson { refused: &refused }.deserialize(&mut reader).and_then(|json| reader.end().map(|()| json));
    read.map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = match refused.get() {
            Some(Refused::KeyTwice) => Message::KeyTwice { line, column },
            Some(Refused::NumberTooLarge) => Message::NumberTooLarge { line, column },
            None if is_too_large(text, line, column) => Message::NumberTooLarge { line, column },
            None if error.is_eof() => Message::JsonEndsEarly { line, column },
            None => Message::NotJson { line, column },
        };
        Misread { place: None, message }
    })
}

/// Whether what ends at this place is a number that is larger than any that can be held.
fn is_too_large(text: &[u8], line: usize, column: usize) -> bool {
    let line = text.split(|byte| *byte == b'\n').nth(line.saturating_sub(1));
    let before = line.and_then(|line| str::from_utf8(line.get(..column)?).ok()).unwrap_or_default();
    let number = before.rsplit(|letter: char| !"0123456789+-.eE".contains(letter)).next();
    number.and_then(|number| number.parse::<f64>().ok()).is_some_and(f64::is_infinite)
}

/// JSON that is refused all the same.
#[derive(Clone, Copy)]
enum Refused {
    /// A key stands twice in an object.
    KeyTwice,
    /// A number is beyond all that is ever read.
    NumberTooLarge,
}

/// JSON that is not what was to be read.
#[derive(Debug)]
struct ReadError(Message);

impl std::error::Error for ReadError {}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&Language::English.say(&self.0))
    }
}

/// What shape is expected is known by what is asked of [`Json`]; these are the rest.
impl serde::de::Error for ReadError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(Message::SomethingElseExpected)
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

    /// The whole number of a type.
    fn whole<T: TryFrom<i64>>(&self) -> Result<T, ReadError> {
        match self {
            Self::Integer(value) => T::try_from(*value).map_err(|_| ReadError(Message::NumberOutOfRange)),
            // A whole number all the same, and too large for one.
            Self::Fraction(value) if value.fract() == 0.0 => Err(ReadError(Message::NumberOutOfRange)),
            Self::Null | Self::Bool(_) | Self::Fraction(_) | Self::Text(_) | Self::List(_) | Self::Object(_) => {
                Err(ReadError(Message::IsWholeNumber))
            }
        }
    }
}

/// Reads any JSON, and tells beside its error why it refuses what is JSON.
#[derive(Clone, Copy)]
struct AnyJson<'a> {
    refused: &'a Cell<Option<Refused>>,
}

impl AnyJson<'_> {
    fn refuse<E: serde::de::Error>(self, why: Refused) -> E {
        self.refused.set(Some(why));
        E::custom("refused")
    }
}

impl<'de> DeserializeSeed<'de> for AnyJson<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Json, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyJson<'_> {
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
        i64::try_from(value).map(Json::Integer).map_err(|_| self.refuse(Refused::NumberTooLarge))
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
        while let Some(value) = from.next_element_seed(self)? {
            list.push(value);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut object: Vec<(String, Json)> = Vec::new();
        while let Some(key) = from.next_key::<String>()? {
            object.push((key, from.next_value_seed(self)?));
        }
        let mut keys: Vec<_> = object.iter().map(|(key, _)| key).collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| matches!(pair, [one, other] if one == other)) {
            return Err(self.refuse(Refused::KeyTwice));
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

/// Reads whole numbers of some types.
macro_rules! whole_numbers {
    ($($deserialize:ident $visit:ident;)+) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            visitor.$visit(self.whole()?)
        }
    )+};
}

/// Each shape that is asked for is given, or it is said which one was expected.
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

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if let Self::Bool(_) = self { self.deserialize_any(visitor) } else { Err(ReadError(Message::IsTrueOrFalse)) }
    }

    whole_numbers! {
        deserialize_u8 visit_u8;
        deserialize_u32 visit_u32;
        deserialize_u64 visit_u64;
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if let Self::Text(_) = self { self.deserialize_any(visitor) } else { Err(ReadError(Message::IsText)) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if let Self::List(_) = self { self.deserialize_any(visitor) } else { Err(ReadError(Message::IsList)) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        if let Self::Object(_) = self { self.deserialize_any(visitor) } else { Err(ReadError(Message::IsObject)) }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if matches!(self, Self::Null) { visitor.visit_none() } else { visitor.visit_some(self) }
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

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u16 u128 f32 f64 char str bytes byte_buf unit unit_struct newtype_struct
        tuple tuple_struct map identifier ignored_any
    }
}
