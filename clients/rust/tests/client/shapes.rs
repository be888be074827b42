//! The client's shapes against games that a server once gave away: what is read and written again
//! is what came, so no field is unknown here and none is told otherwise.

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use naval_battle_client::{Code, Event, EventKind, Game, Problem};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The files of kept games whose names end so.
fn kept(ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let files = fs::read_dir(folder).expect("the repository keeps games").map(|entry| entry.unwrap().path());
    files.filter(|file| file.to_str().is_some_and(|name| name.ends_with(ending))).collect()
}

fn is_the_same_again<T: DeserializeOwned + Serialize + Debug>(value: &Value) {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"));

    let written = serde_json::to_value(&read).unwrap();

    assert_eq!(told(written), told(value.clone()));
}

/// What a value tells: `null` is what an earlier release did not speak of.
fn told(value: Value) -> Value {
    match value {
        Value::Object(object) => object
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, told(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(list) => list.into_iter().map(told).collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}

#[test]
fn every_game_and_every_event_is_read_whole() {
    let (games, logs) = (kept(".game.json"), kept(".events.json"));

    assert!(games.len() > 5 && games.len() == logs.len(), "{games:?} {logs:?}");
    for game in games {
        is_the_same_again::<Game>(&serde_json::from_str(&fs::read_to_string(game).unwrap()).unwrap());
    }
    for log in logs {
        let log: Value = serde_json::from_str(&fs::read_to_string(log).unwrap()).unwrap();
        for event in log["events"].as_array().expect("a log is a list") {
            is_the_same_again::<Event>(event);
        }
    }
}

#[test]
fn what_a_later_release_says_is_read_as_far_as_it_is_known() {
    let event = r#"{"seq":1,"at":"","type":"teleported","where":"B7","status":"battle","awaiting":[],"head":""}"#;
    let problem = r#"{"type":"","title":"","status":409,"detail":"","code":"too_late","hint":1}"#;

    let event: Event = serde_json::from_str(event).unwrap();
    let problem: Problem = serde_json::from_str(problem).unwrap();

    assert_eq!((event.seq, event.kind), (1, EventKind::Unknown));
    assert_eq!((problem.status, problem.code), (409, Code::Unknown));
}
