//! The house rules, run over the source: a trespass names its file and line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use naval_battle::text::Message;

/// Each module of the server, and the modules that it may call.
const MODULES: &[(&str, &[&str])] = &[
    ("address", &[]),
    ("budget", &["address"]),
    ("entropy", &[]),
    ("deadlines", &[]),
    ("registry", &[]),
    ("text", &[]),
    ("metrics", &[]),
    ("store", &["deadlines", "metrics"]),
    ("live", &["deadlines", "registry", "store"]),
    ("service", &["address", "budget", "deadlines", "registry", "metrics", "live", "store", "text", "entropy"]),
    ("schema", &["service", "text"]),
    ("http", &["address", "budget", "deadlines", "registry", "metrics", "schema", "service", "text", "entropy"]),
    ("config", &[]),
];

/// Crates that belong to certain modules. `main` starts things and may name them all.
const CRATES: &[(&str, &[&str])] = &[
    ("sqlx", &["store"]),
    ("actix_http", &["http"]),
    ("actix_service", &["http"]),
    ("actix_web", &["http"]),
    ("httparse", &["http"]),
    ("utoipa", &["http", "schema"]),
    ("utoipa_swagger_ui", &["http"]),
    ("serde", &["http", "schema"]),
    ("serde_json", &["http", "schema"]),
    ("base64", &["entropy", "schema"]),
    ("chrono", &["schema", "service", "store", "entropy"]),
    ("tokio", &["http", "service", "live", "store"]),
    ("rand", &["entropy"]),
    ("ring", &["store"]),
    ("prometheus_client", &["metrics"]),
    ("pulldown_cmark", &["http"]),
    ("rust_embed", &["http"]),
    ("governor", &["budget"]),
    ("clap", &["config"]),
    ("embedded_postgres", &[]),
    ("fluent_bundle", &["text"]),
    ("fluent_langneg", &["text"]),
    ("unic_langid", &["text"]),
];

/// Words that have no place outside of tests, and why.
const BANNED: &[(&str, &str)] = &[
    ("SystemTime", "time comes from the database's clock"),
    ("Utc::now", "time comes from the database's clock"),
    (".begin()", "every change is one autocommitted statement"),
    ("todo!", "what is named is built"),
    ("#[ignore", "a test runs or does not exist"),
];

/// A line of source outside of comments and tests.
struct Line {
    file: PathBuf,
    number: usize,
    text: String,
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The lines of a module of the server, comments and unit tests left out.
fn lines_of(module: &str) -> Vec<Line> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let single = source.join(format!("{module}.rs"));
    lines_in(if single.exists() { vec![single] } else { source_files(&source.join(module)) })
}

/// The lines of a crate below `crates`.
fn lines_of_crate(name: &str) -> Vec<Line> {
    lines_in(source_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).join("src")))
}

fn lines_in(files: Vec<PathBuf>) -> Vec<Line> {
    let mut lines = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("the file can be read");
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for (index, line) in code.lines().enumerate() {
            if !line.trim_start().starts_with("//") {
                lines.push(Line { file: file.clone(), number: index + 1, text: line.to_owned() });
            }
        }
    }
    assert!(!lines.is_empty(), "there is no such source");
    lines
}

/// Whether a line names a path below this crate or module.
fn says(line: &str, name: &str) -> bool {
    let path = format!("{name}::");
    line.match_indices(&path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_' || letter == ':')
    })
}

#[test]
fn no_module_calls_one_that_it_may_not_call() {
    let mut trespasses = Vec::new();

    for (module, may_call) in MODULES {
        for line in lines_of(module) {
            for (other, _) in MODULES.iter().filter(|(other, _)| other != module && !may_call.contains(other)) {
                if line.text.contains(&format!("crate::{other}")) {
                    trespasses.push(format!("{}:{}: {module} calls {other}", line.file.display(), line.number));
                }
            }
        }
    }

    assert!(trespasses.is_empty(), "{}", trespasses.join("\n"));
}

#[test]
fn no_module_says_a_crate_that_belongs_to_another() {
    let mut trespasses = Vec::new();

    for (module, _) in MODULES {
        for line in lines_of(module) {
            for (name, homes) in CRATES.iter().filter(|(_, homes)| !homes.contains(module)) {
                if says(&line.text, name) {
                    trespasses.push(format!(
                        "{}:{}: {module} says {name}, which belongs to {}",
                        line.file.display(),
                        line.number,
                        homes.join(", ")
                    ));
                }
            }
        }
    }

    assert!(trespasses.is_empty(), "{}", trespasses.join("\n"));
}

#[test]
fn every_module_is_in_the_map() {
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();

    let modules: Vec<&str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';'))
        .collect();

    assert_eq!(modules.len(), MODULES.len());
    for module in modules {
        assert!(MODULES.iter().any(|(known, _)| *known == module), "{module} is not in the map");
    }
}

#[test]
fn nothing_banned_is_said() {
    let mut trespasses = Vec::new();

    for (module, _) in MODULES {
        for line in lines_of(module) {
            for (word, reason) in BANNED.iter().filter(|(word, _)| line.text.contains(word)) {
                trespasses.push(format!("{}:{}: {word}: {reason}", line.file.display(), line.number));
            }
        }
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for file in source_files(&tests).into_iter().filter(|file| !file.ends_with("architecture.rs")) {
        for (index, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            if line.trim_start().starts_with("#[ignore") {
                trespasses.push(format!("{}:{}: a test runs or does not exist", file.display(), index + 1));
            }
        }
    }

    assert!(trespasses.is_empty(), "{}", trespasses.join("\n"));
}

#[test]
fn every_message_is_said_somewhere() {
    let others = MODULES.iter().filter(|(module, _)| *module != "text").flat_map(|(module, _)| lines_of(module));
    let code: String = others.map(|line| line.text + "\n").collect();
    let said: BTreeSet<&str> =
        code.split("Message::").skip(1).filter_map(|rest| rest.split(is_no_part).next()).collect();
    // The codes have theirs in a table.
    let table: BTreeSet<&str> = code.split(is_no_part).filter(|word| is_of_a_code(word)).collect();

    for name in Message::NAMES {
        let is_said = if is_of_a_code(name) { table.contains(name) } else { said.contains(name) };
        assert!(is_said, "nobody says {name}");
    }
}

fn is_no_part(letter: char) -> bool {
    !letter.is_alphanumeric()
}

fn is_of_a_code(name: &str) -> bool {
    name.starts_with("Title") || name.starts_with("Meaning")
}

#[test]
fn no_type_of_the_engine_can_leave_by_serialisation() {
    for line in lines_of_crate("engine") {
        for word in ["Serialize", "ToSchema"] {
            assert!(!line.text.contains(word), "{}:{}: {word}", line.file.display(), line.number);
        }
    }
}

#[test]
fn a_bot_gets_at_a_game_through_its_view_alone() {
    for line in lines_of_crate("engine") {
        let is_of_a_bot = line.file.components().any(|part| part.as_os_str() == "bot");
        if is_of_a_bot && !line.file.ends_with("seat_view.rs") {
            for word in ["Game", "Phase", "Battle", "Board,", "Board;", "Board}", "GameView", "Viewer", "Layout"] {
                assert!(!line.text.contains(word), "{}:{}: {word}", line.file.display(), line.number);
            }
        }
    }
}

#[test]
fn events_feeds_and_lists_never_read_the_secrets() {
    for line in lines_of("store") {
        // Deleting them reads nothing.
        let text = line.text.replace("delete from layouts", "");
        let reads_layouts = text.contains("from layouts") || text.contains("join layouts");
        assert!(
            !reads_layouts || line.file.ends_with("layouts.rs"),
            "{}:{}: layouts are read in layouts.rs alone",
            line.file.display(),
            line.number
        );
    }
}
