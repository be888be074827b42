//! The program as somebody starts and stops it, with an embedded Postgres and with one of their own.

mod embedded;
mod environment;
mod keeping;
mod passwords;
mod privileges;
mod refusals;
pub(crate) mod run;
mod signals;
mod tables;

use std::collections::BTreeSet;
use std::{fs, thread};

use ground::cluster::{Cluster, scratch_folder};
use ground::ledger;
use ground::server::{Server, program};
use ground::signals::send;
use ground::table::{Table, usual};
use refusals::migrations;
use run::{ENDED, run};
use rustix::process::Signal;
use serde_json::Value;
use testing::model::Seat::{Guest, Host};

#[tokio::test]
async fn a_token_opens_its_seat_after_a_restart_and_on_another_server() {
    let database = Cluster::shared().database().await;
    let first = Server::start(&database);
    let other = Server::start(&database);
    let table = Table::in_battle(&first).await;

    let (here, there) = (table.look(&first, Some(Host)).await, table.look(&other, Some(Host)).await);
    assert_eq!((here.status, &here.text), (200, &there.text));
    table.fire(&other, Host, "A1").await.expect(200);
    send(first.id(), Signal::TERM);
    assert_eq!(first.ends_within(ENDED), Some(0));
    let restarted = Server::start(&database);

    table.fire(&restarted, Guest, "A1").await.expect(200);
    let (here, there) = (table.look(&restarted, Some(Host)).await, table.look(&other, Some(Host)).await);
    assert_eq!((here.status, &here.text), (200, &there.text));
    assert_eq!(ledger::check(&restarted, &table, &usual(), &usual()).await.len(), 6);
}

#[tokio::test]
async fn eight_servers_start_at_once_on_an_empty_database_and_each_migration_runs_once() {
    let database = Cluster::shared().database().await;

    let servers: Vec<Server> = thread::scope(|scope| {
        let starting: Vec<_> = (0..8).map(|_| scope.spawn(|| Server::start(&database))).collect();
        starting.into_iter().map(|server| server.join().unwrap()).collect()
    });

    let table = Table::in_battle(&servers[0]).await;
    for server in &servers {
        server.get("/readyz", None).await.expect(200);
        table.look(server, Some(Guest)).await.expect(200);
    }
    let files = fs::read_dir("migrations").unwrap().flatten().map(|file| file.path());
    let files = files.filter(|file| file.extension().is_some_and(|ending| ending == "sql")).count();
    let applied = migrations(&mut database.connect().await).await;
    assert_eq!(applied.len(), files);
    assert_eq!(applied.iter().map(|(version, _)| version).collect::<BTreeSet<_>>().len(), applied.len());
    for server in servers {
        send(server.id(), Signal::TERM);
        assert_eq!(server.ends_within(ENDED), Some(0));
    }
}

#[test]
fn help_names_every_flag_and_every_variable() {
    let helped = run(program().arg("--help"));

    assert_eq!((helped.code, helped.complained.as_str()), (Some(0), ""));
    // As the source declares them: a field's name is its flag's.
    let source = include_str!("../../src/config.rs");
    let variables: Vec<&str> = source.split("env = \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(variables.len() >= 7 && variables.contains(&"DATABASE_URL"));
    for variable in variables.iter().chain(&["RUST_LOG"]) {
        assert!(helped.said.contains(variable), "{variable} is not named");
    }
    let flags = source.split("#[arg(long").skip(1).filter_map(|rest| {
        let field = rest.lines().skip(1).find(|line| !line.trim().starts_with('#'))?;
        Some(field.trim().trim_start_matches("pub ").split(':').next()?.replace('_', "-"))
    });
    let of_serve: Vec<String> = flags.filter(|flag| flag != "head" && flag != "proofs").collect();
    assert!(of_serve.len() >= 7);
    for flag in of_serve {
        assert!(helped.said.contains(&format!("--{flag}")), "--{flag} is not named");
    }
    for command in ["serve", "openapi", "verify", "show"] {
        assert!(helped.said.contains(command), "{command} is not named");
    }
}

#[tokio::test]
async fn the_openapi_command_prints_what_the_server_serves() {
    let printed = run(program().arg("openapi"));

    assert_eq!((printed.code, printed.complained.as_str()), (Some(0), ""));
    let printed: Value = serde_json::from_str(&printed.said).unwrap();
    let server = Server::on_new_database().await;
    assert_eq!(*server.get("/openapi.json", None).await.expect(200), printed);
}

#[test]
fn what_the_command_line_does_not_know_is_code_2() {
    for (arguments, told) in [
        (&["--no-such-flag"][..], "--no-such-flag"),
        (&["no-such-command"], "no-such-command"),
        (&["--connections", "0"], "--connections"),
        (&["--workers", "many"], "--workers"),
        (&["--expire-after", "-1"], "-1"),
    ] {
        let data = scratch_folder("data");

        let ended = run(program().args(arguments).env("NAVAL_BATTLE_DATA_DIR", data.join("new")));

        assert_eq!((ended.code, ended.said.as_str()), (Some(2), ""));
        assert!(ended.complained.contains(told), "{ended:?}");
        assert!(!data.join("new").exists());
    }
}
