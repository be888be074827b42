use std::collections::BTreeSet;

use naval_battle::schema::GameBody;
use naval_battle::schema::VerifyBody;
use naval_battle::text::Language;
use record::proof;
use record::{Download, show, verify};
use serde_json::{Map, Value};

/// What is found to be true is: a game, a line break and a log that nothing is said against are one
/// chain; and whatever is in the files, it is checked and shown to the end.
pub fn verify(bytes: &[u8]) {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let (game, events) = (&bytes[..end], &bytes[end..]);
    let Ok(game) = serde_json::from_slice::<GameBody>(game) else { return };
    let Ok(events) = serde_json::from_slice::<Vec<Value>>(events) else { return };

    let findings = verify::check(&game, &events, None);
    let body = VerifyBody::new(&findings, Language::English);

    assert_eq!((body.events, findings.lines.len()), (events.len(), events.len()));
    assert_eq!(body.ok, body.faults.is_empty());
    let places: Vec<Option<usize>> = body.faults.iter().map(|fault| fault.seq).collect();
    assert!(places.iter().flatten().is_sorted(), "faults come in the order of the log");
    assert!(body.faults.len() <= 8 * events.len() + 16, "{} faults", body.faults.len());
    if body.ok {
        is_one_chain(&game, &events);
        assert!(!body.complete || serde_json::to_value(game.status).unwrap() == "finished");
    }

    let events_shown = events.len();
    let mut text = String::new();
    let unreadable = show(&Download { game, events }, &mut text).unwrap();
    assert!(unreadable <= events_shown && text.lines().count() > events_shown);
    let controls: BTreeSet<char> = text.chars().filter(|letter| letter.is_control() && *letter != '\n').collect();
    assert!(controls.is_empty(), "{controls:?} would go to a terminal");
}

/// Every event has its place and the head that follows, and the game has the last.
fn is_one_chain(game: &GameBody, events: &[Value]) {
    let mut head = proof::NO_HEAD;
    for (event, place) in events.iter().zip(1..) {
        let mut hashed: Map<String, Value> = event.as_object().unwrap().clone();
        hashed.retain(|key, _| !["status", "awaiting", "head"].contains(&key.as_str()));
        head = proof::head(&head, &serde_json_canonicalizer::to_string(&hashed).unwrap());
        assert_eq!((event["seq"].as_u64(), &event["head"]), (Some(place), &Value::from(hex::encode(head))));
    }
    assert_eq!((game.version, &game.head), (u32::try_from(events.len()).unwrap(), &hex::encode(head)));
}
