//! What is in the way of a start is said in one line, and nothing is left behind.

use std::net::TcpListener;

use rustix::process::Signal;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::startup::run::{ENDED, processes_of, run};
use ground::cluster::{Cluster, Database, scratch_folder};
use ground::handmade::Handmade;
use ground::server::{Server, program};
use ground::signals::send;

#[test]
fn a_port_in_use_is_one_line_and_no_postgres_is_started() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data = scratch_folder("data");

    let ended = run(program().env("NAVAL_BATTLE_DATA_DIR", data.join("new")).env("NAVAL_BATTLE_BIND", &address));

    let line = ended.one_line();
    assert!(line.contains(&address) && line.contains("in use"), "{line}");
    assert!(!data.join("new").exists());
    assert!(processes_of(&data).is_empty(), "a process was left behind");
}

#[test]
fn an_address_that_is_none_is_one_line() {
    for address in ["", "nowhere", "127.0.0.1", "127.0.0.1:99999", "999.0.0.1:80"] {
        let data = scratch_folder("data");

        let ended = run(program().env("NAVAL_BATTLE_DATA_DIR", data.join("new")).env("NAVAL_BATTLE_BIND", address));

        assert!(ended.one_line().contains("listen"), "{address}: {ended:?}");
        assert!(!data.join("new").exists());
    }
}

#[test]
fn a_time_for_which_games_are_kept_that_is_none_is_refused_with_its_variable() {
    let variables =
        ["KEEP_ABORTED", "KEEP_FINISHED", "KEEP_IDLE", "PACK_AFTER"].map(|name| format!("NAVAL_BATTLE_{name}"));
    for variable in &variables {
        for value in ["0", "-1", "a week", "7d", "1.5", "99999999999999999999", ""] {
            let data = scratch_folder("data");

            let ended = run(program().env("NAVAL_BATTLE_DATA_DIR", data.join("new")).env(variable, value));

            let sentence = format!("{variable} is a number of seconds from 1 to");
            assert!(ended.code != Some(0) && ended.complained.contains(&sentence), "{value}: {ended:?}");
            assert!(!data.join("new").exists());
        }
    }
}

#[test]
fn a_database_url_that_leads_nowhere_is_one_line_without_its_password() {
    let postgres = Database::on(&Cluster::shared().data().join("socket"), "no_such_database");
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().unwrap().port();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for (url, told) in [
        ("xyzzy".to_owned(), "no address"),
        ("postgres//anna:xyzzy@localhost/games".to_owned(), "no address"),
        ("postgres://anna:xyzzy@localhost:port/games".to_owned(), "no address"),
        ("mysql://anna:xyzzy@127.0.0.1:1/games".to_owned(), "no address"),
        ("https://anna:xyzzy@127.0.0.1:1/games".to_owned(), "no address"),
        ("postgres://anna:xyzzy@127.0.0.1:1/games?sslmode=xyzzy".to_owned(), "no address"),
        (format!("postgres://anna:xyzzy@127.0.0.1:{nobody}/games"), "127.0.0.1"),
        (format!("postgres://anna:xyzzy@127.0.0.1:{silent}/games"), "no answer"),
        ("postgres://anna:xyzzy@nowhere.invalid/games".to_owned(), "nowhere.invalid"),
        ("postgres://anna:xyzzy@%2Fvar%2Ftmp%2Fnowhere/games".to_owned(), "/var/tmp/nowhere"),
        (postgres.url(), "no_such_database"),
    ] {
        let data = scratch_folder("data");
        let mut command = program();
        command.env("DATABASE_URL", &url).env("NAVAL_BATTLE_DATA_DIR", data.join("new"));

        let ended = run(command.env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

        let line = ended.one_line();
        assert!(line.contains(told), "{url}: {line}");
        assert!(!line.contains("xyzzy"), "{url}: {line}");
        assert!(!data.join("new").exists(), "no other Postgres is taken instead");
    }
}

#[tokio::test]
async fn several_hosts_of_which_none_can_be_written_are_one_line_that_says_what_each_is() {
    let read_only = Handmade::trusting(&["default_transaction_read_only=on"]);
    let mut standby = Handmade::trusting(&[]);
    standby.stop();
    standby.become_standby();
    standby.start_again();
    let socket = |postgres: &Handmade| postgres.socket().display().to_string();
    let encoded = |postgres: &Handmade| socket(postgres).replace('/', "%2F");
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = listener.local_addr().unwrap();
    let hosts = format!("{nobody},{silent},{},{}", encoded(&read_only), encoded(&standby));
    let asking = format!("naval_battle:xyzzy@{hosts}/postgres");

    let ended =
        run(program().env("DATABASE_URL", format!("postgres://{asking}")).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

    let line = ended.one_line();
    let read_only = format!("{}: it is read-only: default_transaction_read_only = on", socket(&read_only));
    let standby = format!("{}: it is a standby", socket(&standby));
    for told in [format!("{nobody}: "), read_only, standby, format!("{silent}: error communicating")] {
        assert!(line.contains(&told), "{told}: {line}");
    }
    assert!(!line.contains("xyzzy"), "{line}");
    for kind in ["standby", "read-only", "prefer-standby", "plover"] {
        let url = format!("postgres://{asking}?target_session_attrs={kind}");

        let ended = run(program().env("DATABASE_URL", &url).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

        let line = ended.one_line();
        assert!(line.contains(&format!("target_session_attrs=\"{kind}\"")) && !line.contains("xyzzy"), "{line}");
    }
}

#[tokio::test]
async fn a_postgres_that_needs_a_password_wants_the_right_one_and_with_fsync_off_it_is_refused() {
    let handmade = Handmade::start(&["fsync=off"]);

    let ended = run(program().env("DATABASE_URL", handmade.url("xyzzy")).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

    let line = ended.one_line();
    assert!(line.contains("password") && !line.contains("xyzzy"), "{line}");

    let url = handmade.url(Handmade::PASSWORD);
    let ended = run(program().env("DATABASE_URL", url).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

    let line = ended.one_line();
    assert!(line.contains("fsync = off") && !line.contains(Handmade::PASSWORD), "{line}");
}

#[tokio::test]
async fn a_database_that_would_lose_moves_or_letters_is_one_line() {
    let cluster = Cluster::shared();
    let loses_moves = cluster.database().await;
    for (prepare, told) in [
        ("alter database {} set default_transaction_read_only = on", "default_transaction_read_only = on"),
        ("drop database {}", "does not exist"),
        ("create database {} encoding 'SQL_ASCII' template template0 locale 'C'", "SQL_ASCII"),
    ] {
        let mut direct = Database::on(&cluster.data().join("socket"), "postgres").connect().await;
        let prepare = prepare.replace("{}", loses_moves.name());
        sqlx::query(AssertSqlSafe(prepare)).execute(&mut direct).await.unwrap();

        let ended = run(program().env("DATABASE_URL", loses_moves.url()).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

        assert!(ended.one_line().contains(told), "{ended:?}");
    }
}

#[tokio::test]
async fn tables_of_another_making_are_one_line_and_are_left_alone() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    send(server.id(), Signal::TERM);
    assert_eq!(server.ends_within(ENDED), Some(0));
    let mut direct = database.connect().await;
    for (change, told) in [
        ("update _sqlx_migrations set checksum = '\\x00'", "modified"),
        ("update _sqlx_migrations set version = version + 1", "none of its own"),
        ("delete from _sqlx_migrations", "exists"),
    ] {
        let before = migrations(&mut direct).await;
        sqlx::query(change).execute(&mut direct).await.unwrap();
        let changed = migrations(&mut direct).await;
        assert_ne!(before, changed);

        let ended = run(program().env("DATABASE_URL", database.url()).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

        assert!(ended.one_line().contains(told), "{ended:?}");
        assert_eq!(migrations(&mut direct).await, changed);
    }
}

pub(crate) async fn migrations(direct: &mut PgConnection) -> Vec<(i64, Vec<u8>)> {
    let applied = "select version, checksum from _sqlx_migrations order by version";
    sqlx::query_as(applied).fetch_all(direct).await.unwrap()
}
