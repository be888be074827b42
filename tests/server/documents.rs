//! What the pages of the repository promise, kept true.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::verify::forgery::chain_anew;
use ground::cluster::scratch_folder;
use ground::random_game::{Download, RandomGame};
use ground::server::Server;
use ground::verifier;
use serde_json::{Value, json};
use testing::model::Options;
use yaml_rust2::{Yaml, YamlLoader};

const README: &str = include_str!("../../README.md");
const PROOF: &str = include_str!("../../docs/proof.md");
const OPERATIONS: &str = include_str!("../../docs/operations.md");
const COMPOSE: &str = include_str!("../../docker-compose.yml");

/// The blocks of shell in a page.
fn shell_blocks(page: &str) -> Vec<&str> {
    page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

#[tokio::test]
async fn the_game_in_the_readme_is_played_to_its_end() {
    let server = Server::on_new_database().await;
    let block = shell_blocks(README).into_iter().find(|block| block.contains("/v1/games")).expect("a game");
    let script = block.replace("http://127.0.0.1:8080", &server.base);

    let output = Command::new("bash").args(["-euo", "pipefail", "-c", &script]).output().expect("bash runs");

    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let replies: Vec<Value> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect();
    assert!(replies.iter().all(|reply| reply.get("code").is_none()), "{text}");
    let last = replies.last().expect("replies");
    assert_eq!(last["result"]["reason"], "fleet_sunk");
    assert_eq!(last["result"]["winner"], "guest");
    assert_eq!(last["boards"]["guest"]["mines"][0], "J10");
}

#[test]
fn the_first_screen_of_the_readme_starts_a_server_and_plays() {
    let started = README.lines().position(|line| line == "cargo run").expect("a command");
    let played = README.lines().position(|line| line == "api=http://127.0.0.1:8080/v1/games").expect("a game");

    assert!(started < played && played < 25, "line {started}, line {played}");
    assert!(README.lines().count() < 150);
}

#[test]
fn the_readme_has_the_two_commands() {
    let blocks = shell_blocks(README);

    for command in ["cargo run\n", "cargo test\n"] {
        assert!(blocks.contains(&command), "{command}");
    }
}

#[test]
fn the_clients_are_shown_by_programs_that_are_run() {
    let checks = include_str!("../../.ci/clients");
    let rust = (include_str!("../../clients/rust/README.md"), include_str!("../../clients/rust/examples/two_seats.rs"));
    let javascript = (
        include_str!("../../clients/typescript/README.md"),
        include_str!("../../clients/typescript/examples/two_seats.mjs"),
    );

    assert!(["node examples/two_seats.mjs", "/examples/two_seats\" "].iter().all(|run| checks.contains(run)));
    for (language, (page, program)) in [("rust", rust), ("js", javascript)] {
        let (_, below) = page.split_once(&format!("```{language}\n")).expect("a program");
        let shown = below.split("```").next().unwrap();

        assert!(shown.lines().count() >= 10 && program.ends_with(shown), "{language}: the page shows another program");
    }
}

/// Changes a download, of the kinds that the verifier of `docs/proof.md` looks for.
type Lie = fn(&mut Value, &mut Vec<Value>);

/// What somebody could have changed, first without and then with a chain made anew.
const LIES: [(&str, bool, Lie); 22] = [
    ("a time", false, |_, events| events[4]["at"] = json!("2001-01-01T00:00:00.000000Z")),
    ("a name", false, |_, events| events[0]["name"] = json!("Adb")),
    ("an option in the log", false, |_, events| events[0]["options"]["salvo"] = json!(true)),
    ("a head", false, |_, events| events[6]["head"] = events[5]["head"].clone()),
    ("an event deleted", false, |_, events| drop(events.remove(7))),
    ("an event doubled", false, |_, events| events.insert(7, events[6].clone())),
    ("two events swapped", false, |_, events| events.swap(5, 6)),
    ("a member more", false, |_, events| events[5]["x"] = json!(1)),
    ("the tail cut off", false, |_, events| drop(events.pop())),
    ("the head of the game", false, |game, _| game["head"] = game["id"].clone()),
    ("the version of the game", false, |game, _| game["version"] = json!(3)),
    ("the id of the game", false, |game, _| game["id"] = json!("01890a5d-ac96-774b-bcce-b302099a8057")),
    ("the options of the game", false, |game, _| game["options"]["shoot_again"] = json!(true)),
    ("a ship's start", false, |game, _| game["boards"]["host"]["ships"][0]["start"] = json!("H8")),
    ("a ship left out", false, |game, _| drop(game["boards"]["guest"]["ships"].as_array_mut().unwrap().pop())),
    ("a mine", false, |game, _| game["boards"]["guest"]["mines"] = json!([])),
    ("a salt", false, |game, _| game["boards"]["host"]["salt"] = game["boards"]["guest"]["salt"].clone()),
    ("a commitment", true, |_, events| events[2]["commitment"] = events[3]["commitment"].clone()),
    ("a miss for a hit", true, |_, events| answer(events, "hit")["outcome"] = json!("miss")),
    ("a hit for a miss", true, |_, events| answer(events, "miss")["outcome"] = json!("hit")),
    ("a mine for a miss", true, |_, events| answer(events, "mine")["outcome"] = json!("miss")),
    ("another ship sunk", true, |_, events| answer(events, "sunk")["ship"]["length"] = json!(6)),
];

/// The first answer of a kind.
fn answer<'a>(events: &'a mut [Value], outcome: &str) -> &'a mut Value {
    let shots = events.iter_mut().filter_map(|event| event.get_mut("shots")?.as_array_mut());
    shots.flatten().find(|shot| shot["outcome"] == outcome).expect("an answer of this kind")
}

#[tokio::test]
async fn the_verifier_in_python_tells_a_real_game_from_every_lie() {
    let server = Server::on_new_database().await;
    let options = Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false };
    // Played in the same way each time, and with answers of every kind.
    let mut playing =
        RandomGame::create(&server, options, &json!({"first": "host"}), Some("Ada \u{1f6a2}\u{2028}"), 1).await;
    playing.join(&server, Some("\"\\ ü")).await;
    playing.play_to_the_end(&server).await;
    let folder = scratch_folder("python");
    let block = shell_blocks(PROOF).into_iter().find(|block| block.contains("> GAME.json")).expect("a download");
    let script = format!("game={}\n{}", playing.table.id, block.replace("http://127.0.0.1:8080", &server.base));
    let download = Command::new("bash").args(["-euo", "pipefail", "-c", &script]).current_dir(&folder).status();
    assert!(download.expect("bash runs").success());
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let download = Download { game: read("GAME.json"), events: read("EVENTS.json") };
    assert_eq!(download, Download::download(&server, &playing.table).await);

    let output = verifier::run_in(&folder, &download);

    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains(&format!("{} events are one chain", download.events().len())), "{text}");
    assert!(text.contains("answers are true"), "{text}");
    for (what, chained, lie) in LIES {
        let (mut game, mut events) = (download.game(), download.events());
        lie(&mut game, &mut events);
        if chained {
            game["head"] = json!(chain_anew(&mut events));
        }
        let told = Download { game: game.to_string(), events: json!({ "events": events }).to_string() };
        assert_ne!((told.game(), told.events()), (download.game(), download.events()), "{what}");

        let output = verifier::run_in(&folder, &told);

        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{what}: {said}");
        assert!(said.starts_with("FALSE: ") && said.lines().count() == 1, "{what}: {said}");
        // Where the heads fit it was the lie itself that was seen.
        assert!(!chained || said.contains("answer") || said.contains("committed"), "{what}: {said}");
    }
}

#[test]
fn the_verifier_in_python_is_short_and_needs_the_standard_library_alone() {
    let program = verifier::program();

    let lines = program.lines().filter(|line| !line.trim().is_empty());
    assert!(lines.count() <= 40);
    let imports: Vec<&str> = program.lines().filter(|line| line.contains("import")).collect();
    assert_eq!(imports, ["import hashlib, hmac, json, sys"]);
}

/// Names of environment variables in a text.
fn variables(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'))
        .filter(|word| word.starts_with("NAVAL_BATTLE_") || ["DATABASE_URL", "RUST_LOG"].contains(word))
        .collect()
}

/// What the program says when it is asked for help.
fn help() -> String {
    let help = Command::new(env!("CARGO_BIN_EXE_naval-battle")).arg("--help").output().expect("the program runs");
    String::from_utf8(help.stdout).unwrap()
}

#[test]
fn every_variable_has_a_row_in_the_configuration_and_is_in_the_help() {
    let help = help();
    let rows = OPERATIONS.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let rows: BTreeSet<&str> = rows.flat_map(variables).collect();

    let known = variables(&help);

    assert!(known.len() >= 8, "{known:?}");
    assert_eq!(rows, known);
    for page in [README, OPERATIONS] {
        assert!(variables(page).is_subset(&known));
    }
}

#[test]
fn one_version_is_for_all_and_the_changelog_says_what_it_brought() {
    let version = env!("CARGO_PKG_VERSION");
    let changelog = include_str!("../../CHANGELOG.md");
    let client = include_str!("../../clients/rust/Cargo.toml");
    let package: Value = serde_json::from_str(include_str!("../../clients/typescript/package.json")).unwrap();
    let page: Value = serde_json::from_str(include_str!("../../clients/web/package.json")).unwrap();
    let document: Value = serde_json::from_str(include_str!("../../openapi/naval-battle.json")).unwrap();

    let releases: Vec<&str> = changelog.lines().filter_map(|line| line.strip_prefix("## [")).collect();

    assert_eq!(releases[0], "Unreleased]");
    assert!(releases[1].starts_with(&format!("{version}] - 20")), "{}", releases[1]);
    assert!(client.contains("\nversion.workspace = true\n"));
    assert_eq!(package["version"], version);
    assert_eq!(page["version"], version);
    assert_eq!(document["info"]["version"], version);
}

/// Every page that links to others, with its path.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["", "docs", "clients/rust", "clients/typescript", "clients/web", "benches/peer", "fuzz", "tests/golden"];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder"));
    files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn every_link_between_the_pages_leads_to_something() {
    let pages = pages();
    assert!(pages.len() >= 10);

    for (path, page) in pages {
        let links = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            assert!(path.parent().unwrap().join(link).exists(), "{} links to {link}", path.display());
        }
    }
}

#[test]
fn the_workflow_runs_every_check_with_the_compiler_that_is_named() {
    let workflow = &YamlLoader::load_from_str(include_str!("../../.github/workflows/ci.yml")).expect("it is YAML")[0];
    let steps = workflow["jobs"]["checks"]["steps"].as_vec().expect("steps");

    let runs: Vec<&str> = steps.iter().filter_map(|step| step["run"].as_str()).collect();

    assert_eq!(runs.last(), Some(&".ci/run"));
    assert!(runs[0].contains("rust-version") && runs[0].contains("Cargo.toml"));
    assert!(include_str!("../../Cargo.toml").contains("\nrust-version = \""));
}

#[test]
fn the_compose_file_starts_the_service_beside_a_postgres_that_keeps_its_data() {
    let documents = YamlLoader::load_from_str(COMPOSE).expect("the file is YAML");
    let compose = &documents[0];
    let services = &compose["services"];
    let (postgres, service) = (&services["postgres"], &services["naval-battle"]);
    let help = help();

    for service in [postgres, service] {
        assert!(service["healthcheck"]["test"].as_vec().is_some_and(|test| test.len() > 1));
    }
    assert_eq!(service["depends_on"]["postgres"]["condition"].as_str(), Some("service_healthy"));
    let volume = postgres["volumes"][0].as_str().and_then(|volume| volume.split_once(':')).expect("a volume");
    assert_eq!(volume.1, "/var/lib/postgresql/data");
    assert!(!compose["volumes"][volume.0].is_badvalue(), "the volume {} is declared", volume.0);
    for (name, value) in service["environment"].as_hash().expect("variables") {
        let name = name.as_str().unwrap();
        // A password stands by itself, in the variable of all programs of Postgres'.
        assert!(name == "PGPASSWORD" || variables(&help).contains(name), "{name}");
        if name == "DATABASE_URL" {
            assert!(value.as_str().is_some_and(|url| url.contains("@postgres:5432/") && !url.contains('$')));
        }
    }
    let port = service["environment"]["NAVAL_BATTLE_BIND"].as_str().and_then(|bind| bind.rsplit(':').next()).unwrap();
    assert!(matches!(&service["ports"][0], Yaml::String(ports) if ports.ends_with(&format!(":{port}"))));
    assert!(include_str!("../../Dockerfile").contains(&format!("EXPOSE {port}")));
    assert_eq!(service["build"].as_str(), Some("."));
}
