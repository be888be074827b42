//! One way to read JSON, stricter than serde's own where that lets two meanings pass.
//!
//! A doubled key is an error, an object is never read from an array, and a number is the integer
//! that it equals, however it is written (`10.0` is `10`, as JSON Schema has it).

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::Error;

/// Reads a whole body as one value.
///
/// # Errors
///
/// A sentence that says what is wrong and where.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    let json: Json = serde_json::from_slice(text).map_err(|error| format!("the body is not JSON: {error}"))?;
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = error.path().to_string();
        if path == "." { error.inner().to_string() } else { format!("{path}: {}", error.inner()) }
    })
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
        i64::try_from(value).map(Json::Integer).map_err(|_| E::custom("number out of range"))
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
            return Err(A::Error::custom("a key stands twice in one object"));
        }
        Ok(Json::Object(object))
    }
}

impl IntoDeserializer<'_, Error> for Json {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Json {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
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

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Null => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::List(_) => Err(Error::custom("an object is expected, not an array")),
            value => value.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Text(word) => visitor.visit_enum(word.into_deserializer()),
            value => value.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Error> {
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
