//! What every log must be, whatever befell the servers: whole, chained, and a game by the rules.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::server::Server;
use crate::table::Table;
use testing::model::{Action, LayoutSent, Model, Options, Seat};

/// Reads the log and the game through all eyes, and insists that they tell the same story: the
/// log is whole and chained, every event follows from the one before by the rules, and the game
/// is what the log comes to. The layouts are those that were sent, if any was placed.
pub async fn check(server: &Server, table: &Table, host: &LayoutSent, guest: &LayoutSent) -> Vec<Value> {
    let log = table.log(server).await;
    let head = check_chain(&log);
    let model = play_again(&log, host, guest);
    let mut eyes = vec![None, Some(Seat::Host)];
    if !table.guest.is_empty() {
        eyes.push(Some(Seat::Guest));
    }
    for eyes in eyes {
        let seen = table.look(server, eyes).await;
        let game = seen.expect(200);
        assert_eq!(game["version"], log.len(), "{}", seen.text);
        assert_eq!(game["head"], head, "{}", seen.text);
        assert_includes(game, &model.view(eyes), "the game");
    }
    log
}

/// Insists that a log has every event once, in order, each head made from the one before and
/// the event's own bytes; gives the last head.
pub fn check_chain(log: &[Value]) -> String {
    let mut head = vec![0; 32];
    for (index, event) in log.iter().enumerate() {
        assert_eq!(event["seq"], index + 1, "{event}");
        let mut hashed = event.clone();
        for derived in ["status", "awaiting", "head"] {
            hashed.as_object_mut().expect("an event is an object").remove(derived).expect("an event is whole");
        }
        let body = serde_json_canonicalizer::to_vec(&hashed).expect("an event has a canonical form");
        head = Sha256::new().chain_update(&head).chain_update(&body).finalize().to_vec();
        assert_eq!(event["head"], hex::encode(&head), "{event}");
        let is_last = index + 1 == log.len();
        assert!(is_last || event.get("result").is_none(), "nothing follows the end: {event}");
    }
    hex::encode(head)
}

/// Plays a log again by the second model, and insists that every event is what the rules make of
/// it and that the game then stands where the event says.
pub fn play_again(log: &[Value], host: &LayoutSent, guest: &LayoutSent) -> Model {
    let mut model = Model::new(options(&log[0]["options"]));
    for event in log {
        let seat = seat(&event["seat"]);
        let by = || seat.expect("the event has a seat");
        let action = match event["type"].as_str() {
            Some("created") => None,
            Some("joined") => {
                model.joined(self::seat(&event["first"]).expect("the coin has fallen"));
                None
            }
            Some("placed") => Some(Action::Place(if by() == Seat::Host { host } else { guest }.clone())),
            Some("fired") => Some(Action::Fire(texts(&event["shots"], |shot| &shot["cell"]))),
            Some("revealed") => Some(Action::Reveal(texts(&event["cells"], |cell| cell))),
            Some("resigned") => Some(Action::Resign),
            Some("timed_out") => {
                assert_eq!(model.time_out(), seat, "{event}");
                None
            }
            Some("expired") => {
                model.expire();
                None
            }
            Some("extended") => {
                model.extend();
                None
            }
            _ => panic!("an event of no known type: {event}"),
        };
        if let Some(action) = action {
            let done = model.act(by(), &action).unwrap_or_else(|refused| panic!("{event} is refused: {refused:?}"));
            assert_eq!(event.get("shots"), done.shots.as_ref(), "{event}");
            assert_eq!(event.get("owed").and_then(Value::as_u64), done.owed, "{event}");
        }
        assert_eq!(event["status"], model.status(), "{event}");
        assert_eq!(without_time(&event["awaiting"]), model.awaiting(), "{event}");
    }
    model
}

/// Insists that every member that is expected is there and as expected; there may be more.
pub fn assert_includes(actual: &Value, expected: &Value, what: &str) {
    match expected {
        Value::Object(members) => {
            for (name, expected) in members {
                let actual = actual.get(name).unwrap_or_else(|| panic!("{what} has no {name}"));
                assert_includes(actual, expected, &format!("{what}'s {name}"));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            assert_eq!(without_time(actual), *expected, "{what}");
        }
    }
}

/// Who owes what, but for until when, which the second model does not know.
fn without_time(awaiting: &Value) -> Value {
    let mut awaiting = awaiting.clone();
    for entry in awaiting.as_array_mut().into_iter().flatten() {
        if let Some(until) = entry.get_mut("until") {
            *until = Value::Null;
        }
    }
    awaiting
}

fn options(options: &Value) -> Options {
    let is = |name: &str| options[name].as_bool().expect("an option is on or off");
    Options {
        grid: options["grid"].as_u64().and_then(|grid| grid.try_into().ok()).expect("a grid is a small number"),
        russian: options["fleet"] == "russian",
        mines: is("mines"),
        salvo: is("salvo"),
        shoot_again: is("shoot_again"),
    }
}

fn seat(name: &Value) -> Option<Seat> {
    [Seat::Host, Seat::Guest].into_iter().find(|seat| name == seat.name())
}

fn texts(list: &Value, text: impl Fn(&Value) -> &Value) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter().map(|entry| text(entry).as_str().expect("a text").to_owned()).collect()
}
