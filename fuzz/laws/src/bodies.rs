//! A body means what a plain reader of JSON says, and means it once.

use std::fmt::Debug;

use engine::{Coordinate, Direction, FirstShot, Fleet, Grid, Level, Options, Placement, Ship};
use naval_battle::schema::{self, CreateRequest, FireRequest, Misread, PlaceRequest, RevealRequest};
use naval_battle::text::Language;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::placing::is_judged_like_the_model;
use super::tables;

/// The longest body that is ever read.
const BODY_LIMIT: usize = 16 * 1024;

/// `place`: what is read goes on through the rules, which refuse what the model refuses.
pub fn place(body: &[u8]) {
    let placement = reads_one_meaning(body, |request: PlaceRequest| request.read(), plain_placement, Clone::clone);

    if let Some(placement) = placement {
        is_judged_like_the_model(&placement, body.len());
    }
}

/// `fire`: a volley is taken or refused for a reason that anybody can see.
pub fn fire(body: &[u8]) {
    let plain = |value: &Value| plain_cells(members(value, &["shots"])?, "shots");
    let shots = reads_one_meaning(body, |request: FireRequest| request.read(), plain, Clone::clone);

    if let Some(shots) = shots {
        tables::fires_by_the_rules(&shots, body);
    }
}

/// `reveal`: cells are taken or refused for a reason that their owner can see.
pub fn reveal(body: &[u8]) {
    let plain = |value: &Value| plain_cells(members(value, &["cells"])?, "cells");
    let cells = reads_one_meaning(body, |request: RevealRequest| request.read(), plain, Clone::clone);

    if let Some(cells) = cells {
        tables::reveals_by_the_rules(&cells, body);
    }
}

/// `create`: every option is what was asked for or its default.
pub fn create(body: &[u8]) {
    reads_one_meaning(
        body,
        |request: CreateRequest| request.read(),
        plain_creation,
        |creation| (creation.options, creation.name.clone(), creation.listed, creation.bot),
    );
}

/// Holds the strict reader to a plain one: it takes what the plain one takes, unless a key stands
/// twice; in few steps; what it writes anew it reads the same; and a refusal is a short sentence.
fn reads_one_meaning<T: DeserializeOwned, R, M: PartialEq + Debug>(
    body: &[u8],
    read: impl Fn(T) -> Result<R, Misread>,
    plain: impl Fn(&Value) -> Option<M>,
    meaning: impl Fn(&R) -> M,
) -> Option<R> {
    if body.len() > BODY_LIMIT {
        return None;
    }
    let mut strict = None;
    let steps = allocation_counter::measure(|| strict = Some(schema::read::<T>(body).and_then(&read)));
    let strict = strict.expect("it was read");
    let length = u64::try_from(body.len()).unwrap();
    assert!(steps.count_total <= 4 * length + 64, "{} allocations for {length} bytes", steps.count_total);
    assert!(steps.bytes_total <= 256 * length + 4096, "{} bytes for {length} bytes", steps.bytes_total);

    let value: Option<Value> = serde_json::from_slice(body).ok();
    let expected = value.as_ref().and_then(&plain);
    let doubled = value.as_ref().is_some_and(|value| keys(value) != colons(body));
    match &strict {
        Ok(request) => {
            assert!(!doubled, "a key stands twice");
            assert_eq!(Some(meaning(request)), expected);
        }
        Err(misread) => {
            let place = misread.place.as_deref().unwrap_or_default();
            let reason = format!("{place}: {}", Language::English.say(&misread.message));
            assert!(doubled || expected.is_none(), "refused, {reason}: {expected:?}");
            assert!(reason.len() > place.len() + 2 && reason.len() <= 8 * body.len() + 512, "{reason}");
        }
    }
    if let (Some(value), Some(expected)) = (value, expected) {
        let again = schema::read::<T>(value.to_string().as_bytes()).and_then(&read);
        assert_eq!(again.as_ref().map(&meaning), Ok(expected), "written anew");
    }
    strict.ok()
}

/// How many members all objects of a value have.
fn keys(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        Value::Array(list) => list.iter().map(keys).sum(),
        Value::Object(object) => object.values().map(|value| 1 + keys(value)).sum(),
    }
}

/// How many colons stand outside of strings, which is one for each key.
fn colons(json: &[u8]) -> usize {
    let (mut colons, mut quoted, mut escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            b':' if !quoted => colons += 1,
            _ => {}
        }
    }
    colons
}

/// An object that has no other members than these.
fn members<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Map<String, Value>> {
    value.as_object().filter(|object| object.keys().all(|key| names.contains(&key.as_str())))
}

/// A member that is there and not `null`.
fn given<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// A member that may be left out: the default, or what it is read as; `None` where that fails.
fn optional<T>(object: &Map<String, Value>, name: &str, default: T, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
    given(object, name).map_or(Some(default), read)
}

/// A number without fraction, however it is written.
fn integer(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|number| (0.0..1e9).contains(number))?.to_string().parse().ok())
}

fn plain_cell(value: &Value) -> Option<Coordinate> {
    let text = value.as_str()?;
    let column = "ABCDEFGHIJKLMNO".find(text.get(..1)?)?;
    let row = (1..=15).find(|row| text.get(1..) == Some(&row.to_string()))?;
    Coordinate::new(u8::try_from(column).ok()?, row - 1)
}

fn plain_cells(object: &Map<String, Value>, name: &str) -> Option<Vec<Coordinate>> {
    list(object.get(name)?)?.iter().map(plain_cell).collect()
}

fn list(value: &Value) -> Option<&Vec<Value>> {
    value.as_array().filter(|list| list.len() <= 225)
}

fn plain_placement(value: &Value) -> Option<Placement> {
    let object = members(value, &["ships", "mines"])?;
    let ships = list(object.get("ships")?)?.iter().map(plain_ship).collect::<Option<_>>()?;
    let mines = optional(object, "mines", Vec::new(), |mines| list(mines)?.iter().map(plain_cell).collect())?;
    Some(Placement { ships, mines })
}

fn plain_ship(value: &Value) -> Option<Ship> {
    let object = members(value, &["start", "length", "direction"])?;
    let length = u8::try_from(integer(object.get("length")?)?).ok().filter(|length| (1..=15).contains(length))?;
    let direction = optional(object, "direction", Direction::Across, |word| match word.as_str()? {
        "across" => Some(Direction::Across),
        "down" => Some(Direction::Down),
        _ => None,
    })?;
    Ship::new(plain_cell(object.get("start")?)?, length, direction)
}

fn plain_creation(value: &Value) -> Option<(Options, Option<String>, bool, Option<Level>)> {
    let object = members(value, &["options", "name", "listed", "bot"])?;
    let bot = optional(object, "bot", None, |word| match word.as_str()? {
        "easy" => Some(Some(Level::Easy)),
        "medium" => Some(Some(Level::Medium)),
        "hard" => Some(Some(Level::Hard)),
        _ => None,
    })?;
    let name = optional(object, "name", None, |name| {
        let name = name.as_str()?;
        let fits = (1..=32).contains(&name.chars().count()) && !name.chars().any(char::is_control);
        fits.then(|| Some(name.to_owned()))
    })?;
    let options = optional(object, "options", Options::default(), plain_options)?;
    Some((options, name, optional(object, "listed", false, Value::as_bool)?, bot))
}

fn plain_options(value: &Value) -> Option<Options> {
    let names = ["grid", "fleet", "mines", "salvo", "shoot_again", "first", "turn_seconds"];
    let object = members(value, &names)?;
    let switch = |name, default| optional(object, name, default, Value::as_bool);
    Some(Options {
        grid: optional(object, "grid", Grid::Ten, |grid| match integer(grid)? {
            8 => Some(Grid::Eight),
            10 => Some(Grid::Ten),
            12 => Some(Grid::Twelve),
            15 => Some(Grid::Fifteen),
            _ => None,
        })?,
        fleet: optional(object, "fleet", Fleet::Classic, |word| match word.as_str()? {
            "classic" => Some(Fleet::Classic),
            "russian" => Some(Fleet::Russian),
            _ => None,
        })?,
        mines: switch("mines", true)?,
        salvo: switch("salvo", false)?,
        shoot_again: switch("shoot_again", false)?,
        first: optional(object, "first", FirstShot::Random, |word| match word.as_str()? {
            "host" => Some(FirstShot::Host),
            "guest" => Some(FirstShot::Guest),
            "random" => Some(FirstShot::Random),
            _ => None,
        })?,
        turn_seconds: optional(object, "turn_seconds", None, |seconds| {
            let seconds = u32::try_from(integer(seconds)?).ok()?;
            (10..=1_209_600).contains(&seconds).then_some(Some(seconds))
        })?,
    })
}
