//! What `docker compose` is given fits together, and fits the program.

use std::collections::BTreeSet;
use std::fs;

use clap::CommandFactory as _;
use naval_battle::config::Config;
use yaml_rust2::{Yaml, YamlLoader};

const ONE: &str = "docker-compose.yml";
const MANY: &str = "docker-compose.scale.yml";

fn file(name: &str) -> String {
    fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The services of a file by their names, with what they take over from others.
fn services(name: &str) -> Vec<(String, Yaml)> {
    let services = merged(&YamlLoader::load_from_str(&file(name)).unwrap()[0])["services"].clone();
    services.into_hash().unwrap().into_iter().map(|(name, service)| (name.into_string().unwrap(), service)).collect()
}

/// The same with `<<` as YAML has it: what a mapping takes over stands behind what it has itself.
fn merged(yaml: &Yaml) -> Yaml {
    let Some(mapping) = yaml.as_hash() else { return yaml.clone() };
    let mut own = mapping.clone();
    if let Some(taken) = own.remove(&Yaml::from_str("<<")) {
        for (name, value) in taken.into_hash().expect("a mapping is taken over") {
            own.entry(name).or_insert(value);
        }
    }
    Yaml::Hash(own.iter().map(|(name, value)| (name.clone(), merged(value))).collect())
}

fn names(mapping: &Yaml) -> BTreeSet<String> {
    mapping.as_hash().into_iter().flatten().map(|(name, _)| name.as_str().expect("a name").to_owned()).collect()
}

/// Those that run the program and serve, with their names.
fn servers(services: &[(String, Yaml)]) -> Vec<&(String, Yaml)> {
    let is_server = |service: &Yaml| !service["build"].is_badvalue() && service["command"].is_badvalue();
    services.iter().filter(|(_, service)| is_server(service)).collect()
}

#[test]
fn every_variable_of_a_server_is_one_that_the_program_reads_and_is_read_as_it_is_written() {
    let program = Config::command();
    let read: Vec<_> = program.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).collect();
    for name in [ONE, MANY] {
        let services = services(name);
        let ours = services.iter().filter(|(_, service)| !service["build"].is_badvalue());
        let mut told = 0;
        for (service, settings) in ours {
            for (variable, value) in settings["environment"].as_hash().unwrap() {
                let variable = variable.as_str().unwrap();
                // That of libpq aside.
                assert!(read.contains(&variable) || variable == "PGPASSWORD", "{service}: {variable}");
                // What is no text without quotes has them, such as numbers.
                assert!(value.as_str().is_some(), "{service}: {variable}");
                told += 1;
            }
        }
        assert!(told > 2, "{name}");
    }
}

#[test]
fn whoever_is_waited_for_is_there_and_can_become_what_is_waited_for() {
    for name in [ONE, MANY] {
        let services = services(name);
        for (waiting, service) in &services {
            for (awaited, how) in service["depends_on"].as_hash().into_iter().flatten() {
                let (_, found) = services.iter().find(|(name, _)| name == awaited.as_str().unwrap()).expect(waiting);
                match how["condition"].as_str() {
                    Some("service_healthy") => assert!(found["healthcheck"]["test"].is_array(), "{waiting}"),
                    // One that is started again does not complete.
                    Some("service_completed_successfully") => {
                        assert_eq!(found["restart"].as_str(), Some("no"), "{waiting}");
                    }
                    other => panic!("{waiting} waits for {other:?}"),
                }
            }
        }
        for (service, settings) in &services {
            // Either it runs for ever and is looked after, or once.
            let is_once = settings["restart"].as_str() == Some("no");
            assert!(is_once || settings["restart"].as_str() == Some("unless-stopped"), "{service}");
            assert_eq!(is_once, settings["healthcheck"]["disable"].as_bool() == Some(true), "{service}");
            assert_eq!(is_once, settings["healthcheck"]["test"].is_badvalue(), "{service}");
        }
    }
}

#[test]
fn no_image_changes_by_itself_no_data_is_lost_and_nobody_else_is_let_in() {
    for name in [ONE, MANY] {
        let text = file(name);
        let kept = names(&YamlLoader::load_from_str(&text).unwrap()[0]["volumes"]);
        let mut used = BTreeSet::new();
        for (service, settings) in services(name) {
            let image = settings["image"].as_str().unwrap_or_default();
            let is_pinned =
                image.split_once(':').is_some_and(|(_, tag)| tag.starts_with(|first: char| first.is_ascii_digit()));
            assert!(is_pinned || !settings["build"].is_badvalue(), "{service}: {image}");
            for volume in settings["volumes"].as_vec().into_iter().flatten() {
                let (from, _) = volume.as_str().unwrap().split_once(':').unwrap();
                // A file of the repository, or a volume of which nobody else writes.
                let is_file = from.strip_prefix("./").map(file).is_some_and(|text| !text.is_empty());
                assert!(is_file || used.insert(from.to_owned()), "{service}: {from}");
            }
            for port in settings["ports"].as_vec().into_iter().flatten() {
                assert!(port.as_str().unwrap().starts_with("127.0.0.1:"), "{service}");
            }
            for (variable, value) in settings["environment"].as_hash().into_iter().flatten() {
                let is_secret = variable.as_str().unwrap().ends_with("PASSWORD");
                assert!(!is_secret || value.as_str() == Some("${POSTGRES_PASSWORD:-naval_battle}"), "{service}");
                assert!(!value.as_str().unwrap().contains("://naval_battle:"), "{service}");
            }
        }
        assert_eq!(used, kept, "{name}");
    }
}

#[test]
fn three_servers_on_tables_that_are_spread_stand_behind_the_proxy() {
    let services = services(MANY);
    let servers = servers(&services);
    let proxy = file("docker/nginx.conf");
    let named = proxy.lines().filter_map(|line| line.trim().strip_prefix("server ")?.strip_suffix(';'));
    let named: BTreeSet<_> = named.collect();

    let expected: Vec<_> = servers.iter().map(|(name, _)| format!("{name}:8080")).collect();
    assert_eq!(named, expected.iter().map(String::as_str).collect());
    assert_eq!(servers.len(), 3);
    for (name, server) in &servers {
        assert_eq!(server["environment"]["NAVAL_BATTLE_BIND"].as_str(), Some("0.0.0.0:8080"), "{name}");
        assert_eq!(server["environment"]["NAVAL_BATTLE_TRUSTED_PROXIES"].as_str(), Some("1"), "{name}");
        assert_eq!(names(&server["depends_on"]), BTreeSet::from(["distribute".to_owned()]), "{name}");
    }
    let service = |wanted: &str| &services.iter().find(|(name, _)| name == wanted).expect(wanted).1;
    let all: BTreeSet<_> = servers.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names(&service("nginx")["depends_on"]), all);
    // The coordinator is told of each worker before anything is spread over them.
    let workers: Vec<_> = services.iter().filter(|(name, _)| name.starts_with("worker-")).collect();
    assert_eq!(workers.len(), 2);
    let told = service("workers")["command"].as_vec().unwrap();
    for (worker, settings) in &workers {
        let adding = format!("--command=select citus_add_node('{worker}', 5432)");
        assert!(told.contains(&Yaml::String(adding)), "{worker}");
        assert_eq!(settings["image"], service("coordinator")["image"]);
    }
    assert!(service("coordinator")["image"].as_str().unwrap().starts_with("citusdata/citus:13."));
    assert_eq!(names(&service("distribute")["depends_on"]), BTreeSet::from(["workers".to_owned()]));
    assert_eq!(service("distribute")["command"], Yaml::Array(vec![Yaml::from_str("distribute")]));
}
