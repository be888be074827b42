//! Games of past releases, kept as they were downloaded: every later release verifies them still.

use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::verify::true_games::Account;
use ground::random_game::Download;
use ground::verifier;

/// A golden game: its name, SHA-256 over both of its files, and what is to be found.
struct Golden {
    name: &'static str,
    files: &'static str,
    events: usize,
    /// None where nobody has won, so that the layouts are sealed.
    answers: Option<usize>,
}

const GOLDEN: [Golden; 13] = [
    Golden {
        name: "default",
        files: "1cd33e279f1aed2b72cfefb482105823d681a2bb9d94df3927d07dbe2c37c3ef",
        events: 87,
        answers: Some(81),
    },
    Golden {
        name: "salvo_three_mines",
        files: "4208bd127418c8a3f25804fbf08225de330e17527c0ffd6e3a65e5cbd31f1778",
        events: 30,
        answers: Some(77),
    },
    Golden {
        name: "russian_8",
        files: "9a542cdd5312909c69c6a353f841eecea9b74f0ded70c9ae6f2fdbfec4ed7628",
        events: 63,
        answers: Some(58),
    },
    Golden {
        name: "names",
        files: "95743de38e636c8b8426eb34b4ed4dcdfdf0d6bd5caebc5b21311b483a8d8248",
        events: 23,
        answers: Some(57),
    },
    Golden {
        name: "no_mines_12",
        files: "212540fa7940666b3f1b1ba9573789f23fa3683b5f0e954931907ed8b737a213",
        events: 15,
        answers: Some(85),
    },
    Golden {
        name: "resigned",
        files: "c403d56bb92386f9683629fc7079d88ded8c226684169bceaa360ebfed215c6f",
        events: 17,
        answers: Some(12),
    },
    Golden {
        name: "timed_out",
        files: "50eb2fab82fe056d8a0de7215ecb1f150de6b65b041620ae0d61609bb5c1fb20",
        events: 15,
        answers: Some(10),
    },
    Golden {
        name: "timed_out_placing",
        files: "f1f03212595275b3363b46a9c70f6e9f9b979b1707fd3c91b6fdcf3fed343881",
        events: 3,
        answers: None,
    },
    Golden {
        name: "aborted",
        files: "b66a391670b027c3d709172ce85f5ed93dbc54bc7ab585a667d207a0a892182b",
        events: 4,
        answers: None,
    },
    Golden {
        name: "expired",
        files: "e4a58096389a35fb4277ec3171742081804706fac093ccfa64b65cb931f59cb0",
        events: 2,
        answers: None,
    },
    Golden {
        name: "extended",
        files: "a84b5fbceade67339eaae507bdda015ab7cecd72d90cfe3cc6cbebcbcd1820fd",
        events: 14,
        answers: Some(5),
    },
    Golden {
        name: "hidden_first",
        files: "239ab41d5af0632827d1c7faa45e94d33c8c1972f3dbd3100f4f7a46c4bd4a33",
        events: 58,
        answers: Some(249),
    },
    Golden {
        name: "hidden_first_alone",
        files: "7562f2bcd11f8bafde8b3ba0833780a5346fe17e983b4ac5cd49b4f35ff6612a",
        events: 3,
        answers: None,
    },
];

/// The two files of a golden game.
pub(crate) fn download(name: &str) -> Download {
    let read = |what: &str| fs::read_to_string(folder().join(format!("{name}.{what}.json"))).unwrap();
    Download { game: read("game"), events: read("events") }
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden"].iter().collect()
}

#[test]
fn every_golden_game_is_still_true() {
    for Golden { name, events, answers, .. } in &GOLDEN {
        let account = Account::of(&download(name));

        let findings = account.findings(account.game()["head"].as_str()).expect("the shape of a game");

        assert!(findings.ok, "{name}: {:?}", findings.faults);
        assert_eq!(findings.events, *events, "{name}");
        assert_eq!(findings.complete.then_some(findings.answers), *answers, "{name}");
    }
}

#[test]
fn no_golden_file_has_changed_by_a_byte() {
    let mut files: Vec<String> = Vec::new();
    for Golden { name, files: expected, .. } in &GOLDEN {
        let Download { game, events } = download(name);

        let found = hex::encode(Sha256::new().chain_update(game).chain_update(events).finalize());

        assert_eq!(found, *expected, "{name}: the files of a release are never changed, new ones are added");
        files.extend(["game", "events"].map(|what| format!("{name}.{what}.json")));
    }
    let mut there: Vec<String> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.retain(|name| name != "README.md");
    files.sort_unstable();
    there.sort_unstable();
    assert_eq!(there, files);
}

#[test]
fn the_verifier_of_the_readme_finds_every_golden_game_true() {
    for Golden { name, events, answers, .. } in &GOLDEN {
        let output = verifier::run(&download(name));

        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.starts_with(&format!("{events} events")), "{name}: {text}");
        let sealed = "the layouts are sealed".to_owned();
        let extent = answers.map_or(sealed, |answers| format!("and {answers} answers are true"));
        assert!(text.contains(&extent), "{name}: {text}");
    }
}
