//! What the pages of the repository promise, kept true.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

use std::collections::BTreeSet;
use std::process::Command;

use common::server::Server;
use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

const README: &str = include_str!("../README.md");
const COMPOSE: &str = include_str!("../docker-compose.yml");

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
fn the_readme_has_the_two_commands() {
    let blocks = shell_blocks(README);

    for command in ["cargo run\n", "cargo test\n"] {
        assert!(blocks.contains(&command), "{command}");
    }
}

/// Names of environment variables in a text.
fn variables(text: &str) -> BTreeSet<&str> {
    text.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'))
        .filter(|word| word.starts_with("NAVAL_BATTLE_") || ["DATABASE_URL", "RUST_LOG"].contains(word))
        .collect()
}

#[test]
fn every_variable_is_in_the_readme_and_in_the_help() {
    let help = Command::new(env!("CARGO_BIN_EXE_naval-battle")).arg("--help").output().expect("the program runs");
    let help = String::from_utf8(help.stdout).unwrap();

    let known = variables(&help);

    assert!(known.len() >= 8, "{known:?}");
    assert_eq!(variables(README), known);
}

#[test]
fn the_compose_file_starts_the_service_beside_a_postgres_that_keeps_its_data() {
    let documents = YamlLoader::load_from_str(COMPOSE).expect("the file is YAML");
    let compose = &documents[0];
    let services = &compose["services"];
    let (postgres, service) = (&services["postgres"], &services["naval-battle"]);
    let help = Command::new(env!("CARGO_BIN_EXE_naval-battle")).arg("--help").output().expect("the program runs");
    let help = String::from_utf8(help.stdout).unwrap();

    for service in [postgres, service] {
        assert!(service["healthcheck"]["test"].as_vec().is_some_and(|test| test.len() > 1));
    }
    assert_eq!(service["depends_on"]["postgres"]["condition"].as_str(), Some("service_healthy"));
    let volume = postgres["volumes"][0].as_str().and_then(|volume| volume.split_once(':')).expect("a volume");
    assert_eq!(volume.1, "/var/lib/postgresql/data");
    assert!(!compose["volumes"][volume.0].is_badvalue(), "the volume {} is declared", volume.0);
    for (name, value) in service["environment"].as_hash().expect("variables") {
        let name = name.as_str().unwrap();
        assert!(variables(&help).contains(name), "{name}");
        if name == "DATABASE_URL" {
            assert!(value.as_str().is_some_and(|url| url.contains("@postgres:5432/")));
        }
    }
    let port = service["environment"]["NAVAL_BATTLE_BIND"].as_str().and_then(|bind| bind.rsplit(':').next()).unwrap();
    assert!(matches!(&service["ports"][0], Yaml::String(ports) if ports.ends_with(&format!(":{port}"))));
    assert!(include_str!("../Dockerfile").contains(&format!("EXPOSE {port}")));
    assert_eq!(service["build"].as_str(), Some("."));
}
