//! What changes a game finds its rows by the game's id alone, so that a distributed Postgres runs it on one node.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The functions of all migrations by their names, the last of each name, each with its body.
fn functions() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let mut found = BTreeMap::new();
    for part in text.split(" function own.").skip(1) {
        let (name, rest) = part.split_once('(').unwrap();
        let body = rest.split("$$").nth(1).expect("a function has a body");
        found.insert(name.to_owned(), body.to_owned());
    }
    found
}

/// The statements of a body that name a table of ours, comments left out.
fn statements(body: &str) -> Vec<String> {
    let lines: Vec<_> = body.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let text = lines.join(" ");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let statements = words.split("; ").map(str::to_owned);
    statements.filter(|statement| statement.contains("own.")).collect()
}

/// How often a text stands in another one.
fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn no_statement_of_a_change_finds_rows_but_by_the_id_of_its_game() {
    let functions = functions();
    assert!(functions.len() >= 9, "{:?}", functions.keys());
    for (name, body) in &functions {
        let statements = statements(body);
        assert!(!statements.is_empty(), "{name}");
        for statement in statements {
            let tables =
                count(&statement, "own.") - count(&statement, "perform own.") - count(&statement, "insert into own.");
            let by_id = count(&statement, "game_id = game") + count(&statement, "place = here");
            assert_eq!(by_id, tables, "{name}: {statement}");
            for inserted in statement.split("insert into own.").skip(1) {
                let values = inserted.split("values (").nth(1).unwrap_or_else(|| panic!("{name}: {statement}"));
                assert!(
                    inserted.contains("(game_id,") && values.starts_with("game,")
                        || inserted.contains("(place,") && values.starts_with("here,"),
                    "{name}: {statement}"
                );
            }
            for called in statement.split("perform own.insert_events(").skip(1) {
                assert!(called.starts_with("game,"), "{name}: {statement}");
            }
        }
    }
}

#[test]
fn moves_are_made_by_these_functions_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = ["moves", "game_row", "archive", "heartbeat", "distributed", "clock"];
    let text: String =
        files.iter().map(|file| fs::read_to_string(folder.join(format!("store/{file}.rs"))).unwrap()).collect();
    let called = |name: &&String| text.contains(&format!(" {name}($1"));
    let not_called: Vec<_> = functions().into_keys().filter(|name| !called(&name)).collect();
    // Others call it.
    assert_eq!(not_called, ["insert_events"]);
    for file in ["store/moves.rs", "store/game_row.rs"] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        for change in ["insert into", "update games", "delete from"] {
            assert!(!text.contains(change), "{change} in {file}");
        }
    }
}
