//! What is wrong with a record is named, and nothing is found in a true one.

use std::fs;
use std::path::PathBuf;

use record::verify::{Findings, Flaw, FlawCode, check};
use record::{Download, proof};
use serde_json::{Value, json};

/// A golden game, downloaded long ago.
struct Account {
    game: Value,
    events: Vec<Value>,
}

impl Account {
    fn golden(name: &str) -> Self {
        let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "tests", "golden"].iter().collect();
        let read = |what: &str| -> Value {
            serde_json::from_str(&fs::read_to_string(folder.join(format!("{name}.{what}.json"))).unwrap()).unwrap()
        };
        Self { game: read("game"), events: read("events")["events"].as_array().unwrap().clone() }
    }

    fn findings(&self) -> Findings {
        check(&serde_json::from_value(self.game.clone()).unwrap(), &self.events, None)
    }

    /// Every flaw, with the place of its event.
    fn found(&self) -> Vec<(Option<usize>, Flaw)> {
        self.findings().found.into_iter().map(|found| (found.seq, found.flaw)).collect()
    }

    /// Makes all heads anew, as a forger does.
    fn chain_anew(&mut self) {
        let mut head = proof::NO_HEAD;
        for event in &mut self.events {
            let mut hashed = event.as_object().unwrap().clone();
            hashed.retain(|key, _| !["status", "awaiting", "head"].contains(&key.as_str()));
            head = proof::head(&head, &serde_json_canonicalizer::to_string(&hashed).unwrap());
            event["head"] = json!(hex::encode(head));
        }
        self.game["head"] = json!(hex::encode(head));
    }
}

const ALL: [&str; 10] = [
    "default",
    "salvo_three_mines",
    "russian_8",
    "names",
    "no_mines_12",
    "resigned",
    "timed_out",
    "timed_out_placing",
    "aborted",
    "expired",
];

#[test]
fn every_golden_game_is_true() {
    for name in ALL {
        let account = Account::golden(name);

        assert_eq!(account.found(), [], "{name}");
        assert_eq!(account.findings().complete, account.game["status"] == "finished", "{name}");
    }
}

#[test]
fn an_event_with_more_than_the_form_has_is_of_another_form_and_its_result_is_right() {
    for (name, place) in [("resigned", 17), ("resigned", 3), ("aborted", 2)] {
        for (key, value) in [("weather", json!("fine")), ("owed", Value::Null), ("Seat", json!("host"))] {
            let mut account = Account::golden(name);
            account.events[place - 1][key] = value;
            account.chain_anew();

            let found = account.found();

            assert!(found.contains(&(Some(place), Flaw::OtherForm)), "{name}, {place}, {key}: {found:?}");
            assert!(!found.iter().any(|(_, flaw)| *flaw == Flaw::Derived("result")), "{found:?}");
            assert_eq!(Flaw::OtherForm.code(), FlawCode::Unreadable);
        }
    }
}

#[test]
fn a_wrong_result_is_no_matter_of_form() {
    let mut account = Account::golden("resigned");
    let winner = account.events[16]["result"]["winner"].clone();
    let other = if winner == "host" { "guest" } else { "host" };
    account.events[16]["result"]["winner"] = json!(other);
    account.chain_anew();

    let found = account.found();

    assert!(found.contains(&(Some(17), Flaw::Derived("result"))), "{found:?}");
    assert!(!found.iter().any(|(_, flaw)| *flaw == Flaw::OtherForm), "{found:?}");
}

#[test]
fn what_is_no_event_of_version_1_is_unreadable() {
    for (key, value) in [
        ("rules", json!(2)),
        ("type", json!("sank")),
        ("seat", json!("referee")),
        ("at", json!("2026-11-29 21:19:17Z")),
        ("seq", json!("1")),
        ("options", json!({})),
    ] {
        let mut account = Account::golden("default");
        account.events[0][key] = value;
        account.chain_anew();

        assert_eq!(account.found().first(), Some(&(Some(1), Flaw::Unreadable)), "{key}");
    }
}

#[test]
fn files_that_are_no_download_are_refused() {
    let nowhere = PathBuf::from("/nowhere/GAME.json");

    let refused = Download::read(&nowhere, &nowhere).err().unwrap().to_string();

    assert_eq!(refused, "/nowhere/GAME.json cannot be read");
}

#[test]
fn r25_an_end_before_its_deadline_and_a_move_after_it_are_found() {
    let codes_at = |account: &mut Account, place: usize| -> Vec<FlawCode> {
        account.chain_anew();
        account.found().iter().filter(|(seq, _)| *seq == Some(place)).map(|(_, flaw)| flaw.code()).collect()
    };
    let (mut too_early, mut too_late) = (Account::golden("timed_out"), Account::golden("timed_out"));
    let end = too_early.events.len();
    let of_the_end = too_late.events[end - 1]["at"].clone();

    too_early.events[end - 1]["at"] = too_early.events[end - 2]["at"].clone();
    too_late.events[end - 2]["at"] = of_the_end;

    assert_eq!(codes_at(&mut too_early, end), [FlawCode::WrongTime]);
    assert!(codes_at(&mut too_late, end - 1).contains(&FlawCode::WrongTime));
}

#[test]
fn r30_a_deadline_that_moves_on_too_early_or_otherwise_than_is_told_is_found() {
    let extended = |account: &Account| account.events.iter().position(|event| event["type"] == "extended").unwrap();
    let codes = |account: &mut Account| -> Vec<(Option<usize>, FlawCode)> {
        account.chain_anew();
        account.found().iter().map(|(seq, flaw)| (*seq, flaw.code())).collect()
    };
    let (mut too_early, mut other) = (Account::golden("extended"), Account::golden("extended"));
    let (mut left_out, mut without_clock) = (Account::golden("extended"), Account::golden("default"));
    let place = extended(&other);

    too_early.events[place]["at"] = too_early.events[place - 1]["at"].clone();
    other.events[place]["seconds"] = 1.into();
    left_out.events.remove(place);
    for field in ["seat", "shots", "owed"] {
        without_clock.events[4].as_object_mut().unwrap().remove(field);
    }
    without_clock.events[4]["type"] = "extended".into();
    without_clock.events[4]["seconds"] = 9.into();

    assert_eq!(codes(&mut too_early), [(Some(place + 1), FlawCode::WrongTime)]);
    assert!(codes(&mut other).contains(&(Some(place + 1), FlawCode::WrongDerived)));
    // What came after the deadline came too late.
    assert!(codes(&mut left_out).contains(&(Some(place + 1), FlawCode::WrongTime)));
    assert!(codes(&mut without_clock).contains(&(Some(5), FlawCode::ImpossibleEvent)));
}
