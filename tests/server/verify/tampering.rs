//! Thousands of tamperings with real games, every one of which is found.
//!
//! With the lies of [`crate::verify::forgery`] they are more than 5,000 in a campaign, and half as many else. What no check can know is left out, and
//! [`CANNOT_BE_KNOWN`] says why.

use naval_battle::schema::GameBody;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use testing::campaign;

use crate::verify::true_games::{Account, finished};

/// So many tamperings of each kind with each of eight games; fewer where a check takes long.
fn each() -> usize {
    campaign(16, 32)
}

#[test]
fn a_value_that_was_changed_is_found() {
    every_one_is_found(5 * each(), 1, change);
}

#[test]
fn no_value_of_a_short_game_can_be_changed_or_left_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let short = finished().iter().filter(|account| account.events().len() < 20 && account.fewer(4) == 4);
    let mut tried = 0;
    for account in short {
        let places: Vec<String> = walk(&account.download).into_iter().map(|(pointer, _)| pointer).collect();
        for pointer in places.iter().filter(|pointer| !CANNOT_BE_KNOWN.contains(&pointer.as_str())) {
            for tamper in [change_at, leave_out_at] {
                let mut tampered = account.clone();
                let how = tamper(&mut tampered.download, pointer, &mut rng);
                if how.is_some() && tampered != *account {
                    tried += 1;
                    assert!(!tampered.passes(None), "not found: {how:?}");
                }
            }
        }
    }
    assert!(tried > 2_000, "{tried}");
}

#[test]
fn a_value_that_was_taken_from_elsewhere_is_found() {
    every_one_is_found(each(), 2, exchange);
}

#[test]
fn a_value_that_was_left_out_is_found() {
    every_one_is_found(each(), 3, leave_out);
}

#[test]
fn a_value_that_was_added_is_found() {
    every_one_is_found(each(), 4, add);
}

#[test]
fn a_list_in_another_order_is_found() {
    every_one_is_found(each() / 2, 5, reorder);
}

#[test]
fn events_deleted_inserted_doubled_swapped_or_cut_off_are_found() {
    every_one_is_found(each(), 6, shuffle_events);
}

#[test]
fn another_byte_in_what_was_downloaded_is_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut flipped = 0;
    for account in finished() {
        for _ in 0..account.fewer(each()) {
            let mut bytes = account.download.to_string().into_bytes();
            let place = rng.random_range(0..bytes.len());
            bytes[place] = rng.random_range(b' '..=b'~');

            match serde_json::from_slice::<Value>(&bytes) {
                Ok(download) if is_the_same(&download, &account.download) => continue,
                Ok(download) if download.is_object() => {
                    assert!(!Account { download }.passes(None), "{}", String::from_utf8_lossy(&bytes));
                }
                // It is no JSON any more, which is found by whoever reads it.
                Ok(_) | Err(_) => {}
            }
            flipped += 1;
        }
    }
    assert!(flipped > 5 * each(), "{flipped}");
}

/// Whether two readings tell the same of the same game.
fn is_the_same(one: &Value, other: &Value) -> bool {
    let [mut one, mut other] = [one.clone(), other.clone()];
    for download in [&mut one, &mut other] {
        for pointer in CANNOT_BE_KNOWN {
            if let Some(value) = download.pointer_mut(pointer) {
                *value = Value::Null;
            }
        }
    }
    let read = |download: &Value| serde_json::from_value::<GameBody>(download["game"].clone()).ok();
    one["events"] == other["events"] && read(&one).is_some() && read(&one) == read(&other)
}

/// Who asked and the rematch that came later are in no log; when a game that nobody joins expires
/// is for the server to say, as it is configured.
const CANNOT_BE_KNOWN: [&str; 3] = ["/game/you", "/game/next", "/events/0/awaiting/1/until"];

/// Tampers so many times with each game, and insists that it is found, and that the game that was
/// not tampered with is true.
fn every_one_is_found(times: usize, seed: u64, tamper: fn(&mut Value, &mut ChaCha8Rng) -> Option<String>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for account in finished() {
        let mut done = 0;
        while done < account.fewer(times) {
            let mut tampered = account.clone();
            let Some(how) = tamper(&mut tampered.download, &mut rng) else { continue };
            if tampered == *account {
                continue;
            }
            done += 1;

            assert!(!tampered.passes(None), "not found: {how}");
        }
        assert!(account.passes(None));
    }
}

/// A random tampering of any kind; `None` where it came to nothing.
pub(crate) fn any(download: &mut Value, rng: &mut ChaCha8Rng) -> Option<String> {
    let kinds = [change, exchange, leave_out, add, reorder, shuffle_events];
    let before = download.clone();
    kinds.choose(rng)?(download, rng).filter(|_| *download != before)
}

/// Changes one value to another of its kind, or to one of another kind.
fn change(download: &mut Value, rng: &mut ChaCha8Rng) -> Option<String> {
    let (pointer, _) = some(download, rng, |value| !value.is_array() && !value.is_object())?;
    change_at(download, &pointer, rng)
}

fn change_at(download: &mut Value, pointer: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    let value = download.pointer(pointer)?.clone();
    let other = match &value {
        Value::Null => pick(&[json!(1), json!("x"), json!(""), json!([]), json!(false)], rng),
        Value::Bool(is) => pick(&[json!(!is), json!(!is), json!(0), Value::Null], rng),
        Value::Number(number) => {
            let number = number.as_i64()?;
            let near = [number + 1, number - 1, number + 256, -number - 1, 0, i64::MAX];
            pick(&[json!(*near.choose(rng)?), json!(number.to_string()), Value::Null, json!(0.5)], rng)
        }
        Value::String(text) => match rng.random_range(0..6) {
            0 => pick(&[Value::Null, json!(7), json!([text])], rng),
            1 => json!(format!("{text} ")),
            2 => json!(text.chars().skip(1).collect::<String>()),
            _ => json!(another_letter(text, rng)?),
        },
        Value::Array(_) | Value::Object(_) => return None,
    };
    let how = format!("{pointer}: {value} is {other}");
    *download.pointer_mut(pointer)? = other;
    Some(how)
}

/// Puts another letter of the same kind in the place of one.
fn another_letter(text: &str, rng: &mut ChaCha8Rng) -> Option<String> {
    let mut letters: Vec<char> = text.chars().collect();
    let place = rng.random_range(0..letters.len().max(1));
    let letter = letters.get_mut(place)?;
    *letter = match *letter {
        '0'..='9' => char::from(rng.random_range(b'0'..=b'9')),
        'a'..='f' => char::from(rng.random_range(b'a'..=b'f')),
        'g'..='z' => char::from(rng.random_range(b'g'..=b'z')),
        'A'..='O' => char::from(rng.random_range(b'A'..=b'O')),
        _ => '#',
    };
    Some(letters.into_iter().collect())
}

/// Puts in the place of one value another that stands under the same name elsewhere, as a head
/// for a head and a cell for a cell.
fn exchange(download: &mut Value, rng: &mut ChaCha8Rng) -> Option<String> {
    let (pointer, value) = some(download, rng, |_| true)?;
    let name = |pointer: &str| {
        let names = pointer.rsplit('/').filter(|name| name.parse::<usize>().is_err());
        names.take(1).collect::<String>()
    };
    let alike: Vec<_> =
        walk(download).into_iter().filter(|(other, at)| name(other) == name(&pointer) && **at != value).collect();
    let (from, other) = alike.choose(rng).map(|(from, other)| (from.clone(), (*other).clone()))?;
    *download.pointer_mut(&pointer)? = other;
    Some(format!("{pointer} has the value of {from}"))
}

/// Leaves a member or an element out. A null in the game that is not there is a null (`api.md`).
fn leave_out(download: &mut Value, rng: &mut ChaCha8Rng) -> Option<String> {
    let (pointer, _) = some(download, rng, |_| true)?;
    leave_out_at(download, &pointer, rng)
}

fn leave_out_at(download: &mut Value, pointer: &str, _: &mut ChaCha8Rng) -> Option<String> {
    if download.pointer(pointer)?.is_null() && pointer.starts_with("/game") {
        return None;
    }
    let (parent, name) = pointer.rsplit_once('/')?;
    match download.pointer_mut(parent)? {
        Value::Object(object) => drop(object.remove(name)),
        Value::Array(list) => drop(list.remove(name.parse().ok()?)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    }
    Some(format!("{pointer} is left out"))
}

/// Adds an element to a list, or to an event a member that none has. In the game what this
/// release does not know is passed over.
fn add(download: &mut Value, rng: &mut ChaCha8Rng) -> Option<String> {
    let (pointer, _) = some(download, rng, |value| value.is_array() || value.is_object())?;
    let strange = pick(&[json!(1), json!("A1"), Value::Null, json!({})], rng);
    match download.pointer_mut(&pointer)? {
        Value::Object(object) if pointer.starts_with("/events/") => {
            let name = *["x", "", "Seat", "ship", "owed", "name", "result", "rematch_of", "salt"].choose(rng)?;
            if object.contains_key(name) {
                return None;
            }
            object.insert(name.to_owned(), strange);
        }
        Value::Array(list) => {
            let copy = list.choose(rng).cloned().unwrap_or(strange);
            list.insert(rng.random_range(0..=list.len()), copy);
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    }
    Some(format!("{pointer} has more"))
}

/// Swaps two elements of a list.
fn reorder(download: &mut Value, rng: &mut ChaCha8Rng) -> Option<String> {
    let (pointer, _) = some(download, rng, |value| value.as_array().is_some_and(|list| list.len() > 1))?;
    let list = download.pointer_mut(&pointer)?.as_array_mut()?;
    let (one, other) = (rng.random_range(0..list.len()), rng.random_range(0..list.len()));
    list.swap(one, other);
    Some(format!("{pointer}: {one} and {other} are swapped"))
}

fn shuffle_events(download: &mut Value, rng: &mut ChaCha8Rng) -> Option<String> {
    let foreign = finished().choose(rng)?.events().choose(rng)?.clone();
    let events = download["events"].as_array_mut()?;
    let place = rng.random_range(0..events.len());
    let to = rng.random_range(0..events.len());
    let how = match rng.random_range(0..8) {
        0 => {
            events.remove(place);
            "deleted"
        }
        1 => {
            let copy = events[place].clone();
            events.insert(to, copy);
            "doubled"
        }
        2 => {
            events.swap(place, to);
            "swapped"
        }
        3 => {
            events.truncate(place);
            "the last that is left"
        }
        4 => {
            events.drain(..place);
            "the first that is left"
        }
        5 => {
            events.insert(place, foreign);
            "pushed back by one of another game"
        }
        6 => {
            events[place] = foreign;
            "one of another game"
        }
        _ => {
            events.shuffle(rng);
            "out of order"
        }
    };
    Some(format!("event {place} is {how}"))
}

/// A random place with its value, where a check can know what is right.
fn some(download: &Value, rng: &mut ChaCha8Rng, is_wanted: fn(&Value) -> bool) -> Option<(String, Value)> {
    let all = walk(download);
    // The game is small beside its log, and is to be tampered with as often.
    let in_the_game = rng.random_bool(0.5);
    let wanted: Vec<_> = all
        .into_iter()
        .filter(|(pointer, value)| {
            pointer.starts_with("/game") == in_the_game
                && !CANNOT_BE_KNOWN.contains(&pointer.as_str())
                && is_wanted(value)
        })
        .collect();
    wanted.choose(rng).map(|(pointer, value)| (pointer.clone(), (*value).clone()))
}

/// Every value below the two documents, with its JSON pointer.
fn walk(download: &Value) -> Vec<(String, &Value)> {
    fn go<'a>(at: &str, value: &'a Value, all: &mut Vec<(String, &'a Value)>) {
        all.push((at.to_owned(), value));
        match value {
            Value::Object(object) => object.iter().for_each(|(key, value)| go(&format!("{at}/{key}"), value, all)),
            Value::Array(list) => {
                list.iter().enumerate().for_each(|(index, value)| go(&format!("{at}/{index}"), value, all));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut all = Vec::new();
    go("/game", &download["game"], &mut all);
    go("/events", &download["events"], &mut all);
    all
}

fn pick(values: &[Value], rng: &mut ChaCha8Rng) -> Value {
    values.choose(rng).cloned().unwrap_or_default()
}
