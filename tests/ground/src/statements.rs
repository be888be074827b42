//! The statements of a fire as pgbench runs them, made from those that the server runs.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The statements that a fire runs, in order, as the server sends them.
pub struct Statements {
    /// Reads the game.
    pub load: String,
    /// Raises its version and adds the event.
    pub append: String,
}

/// What `load` is given: the game.
const LOAD: [&str; 1] = [":id"];

impl Statements {
    /// Takes them out of `.sqlx`, where every statement of the server is kept.
    pub fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.sqlx");
        let texts: Vec<String> = fs::read_dir(folder)
            .expect("the statements are kept")
            .map(|entry| {
                let text = fs::read_to_string(entry.expect("an entry").path()).expect("a file");
                let kept: Value = serde_json::from_str(&text).expect("it is JSON");
                kept["query"].as_str().expect("it has a statement").to_owned()
            })
            .collect();
        let only = |what: &str, is_it: &dyn Fn(&str) -> bool| {
            let found: Vec<_> = texts.iter().filter(|text| is_it(text)).collect();
            assert_eq!(found.len(), 1, "one statement {what}: {found:?}");
            found[0].clone()
        };
        Self {
            load: only("reads a game", &|text| {
                text.ends_with(" from games g where g.game_id = $1") && !text.contains("isfinite")
            }),
            append: only("adds one event alone", &|text| text.starts_with("select append_event(")),
        }
    }

    /// Reading as pgbench runs it.
    pub fn load_script(&self) -> String {
        with_names(&self.load, &LOAD)
    }

    /// Writing as pgbench runs it; `which` tells the variables of one move from those of another.
    ///
    /// pgbench cannot send a null, so this is written into the statement.
    pub fn append_script(&self, which: &str) -> String {
        let own = |name: &str| format!(":{name}_{which}");
        let (head, state, awaits, body) = (own("head"), own("state"), own("awaits"), own("body"));
        let game = [":id", ":version", "null", &head, &state];
        let event = ["'1'", "'2'", &awaits, "null", &body, "null", "null"];
        let values: Vec<&str> = game.into_iter().chain(event).collect();
        with_names(&self.append, &values)
    }
}

/// Puts what stands for each parameter in its place.
fn with_names(statement: &str, values: &[&str]) -> String {
    let mut parts = statement.split('$');
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut seen = vec![false; values.len()];
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = part.split_at(digits);
        let at = number.parse::<usize>().expect("a parameter has a number") - 1;
        text.push_str(values.get(at).unwrap_or_else(|| panic!("no value for ${number} of {statement}")));
        text.push_str(rest);
        seen[at] = true;
    }
    assert!(seen.iter().all(|seen| *seen), "{statement} has not so many parameters");
    text
}
