//! What a shell may hand down to the program changes nothing for the embedded Postgres, or is told.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use serde_json::json;

use crate::startup::embedded::stops;
use crate::startup::run::{ENDED, Running, run, until};
use ground::cluster::{Database, scratch_folder};
use ground::server::{Server, connections, program};
use ground::signals::send;
use ground::table::Table;

/// Each of these keeps a client of libpq, a Postgres or a C library from working, or sends it elsewhere.
const BAD: [&[(&str, &str)]; 4] = [
    &[
        ("PGOPTIONS", "-c default_transaction_read_only=on -c search_path=nowhere -c TimeZone=Asia/Tokyo"),
        ("PGHOST", "nowhere.invalid"),
        ("PGHOSTADDR", "192.0.2.1"),
        ("PGPORT", "1"),
        ("PGUSER", "nobody"),
        ("PGPASSWORD", "xyzzy"),
        ("PGDATABASE", "nowhere"),
        ("PGSSLMODE", "verify-full"),
        ("PGSSLROOTCERT", "/nonexistent"),
        ("PGSSLCERT", "/nonexistent"),
        ("PGSSLKEY", "/nonexistent"),
        ("PGSERVICE", "nowhere"),
        ("PGSERVICEFILE", "/nonexistent"),
        ("PGPASSFILE", "/nonexistent"),
        ("PGAPPNAME", "xyzzy"),
        ("PGDATA", "/nonexistent"),
        ("PGTZ", "Nowhere/At_All"),
        ("PGCLIENTENCODING", "LATIN1"),
        ("PGDATESTYLE", "SQL, DMY"),
        ("PG_COLOR", "always"),
    ],
    &[("PGOPTIONS", "-c no_such_setting=on"), ("PGPORT", "no number"), ("PGSSLMODE", "xyzzy"), ("TZ", "xyzzy")],
    &[
        ("LC_ALL", "xx_YY.UTF-8"),
        ("LANG", "tr_TR.ISO-8859-9"),
        ("LC_MESSAGES", "de_DE.UTF-8"),
        ("LANGUAGE", "de"),
        ("TZ", ":/nonexistent"),
        ("TMPDIR", "/nonexistent"),
        ("HOME", "/nonexistent"),
        ("SHELL", "/nonexistent"),
    ],
    &[("PGOPTIONS", "--"), ("LC_ALL", ""), ("TZ", ""), ("TMPDIR", ""), ("HOME", ""), ("PATH", ".:")],
];

#[tokio::test]
async fn no_variable_of_libpq_of_postgres_or_of_the_c_library_reaches_the_embedded_one() {
    let data = scratch_folder("data");
    // The first start makes the cluster, the later ones find it.
    for bad in BAD {
        let mut command = program();
        command.env("NAVAL_BATTLE_DATA_DIR", &data).envs(bad.iter().copied());

        let server = Server::spawn(command);

        Table::in_battle(&server).await;
        let environment = fs::read(format!("/proc/{}/environ", server.id())).unwrap();
        let is_of_libpq = |variable: &[u8]| variable.starts_with(b"PG");
        assert!(!environment.split(|byte| *byte == 0).any(is_of_libpq), "{bad:?}");
        let mut direct = Database::embedded_in(&data).connect().await;
        for (setting, value) in [("TimeZone", "UTC"), ("server_encoding", "UTF8"), ("lc_collate", "C")] {
            let shown: String =
                sqlx::query_scalar("select current_setting($1)").bind(setting).fetch_one(&mut direct).await.unwrap();
            assert_eq!(shown, value, "{setting} with {bad:?}");
        }
        drop(direct);
        stops(&server, &data, Signal::TERM);
    }
}

#[tokio::test]
async fn whatever_the_shell_has_closed_masked_or_removed_it_serves() {
    for shell in
        ["umask 0777; exec \"$0\"", "umask 0; exec \"$0\"", "mkdir gone && cd gone && rmdir ../gone && exec \"$0\""]
    {
        let folder = scratch_folder("shell");
        let mut command = in_shell(shell, &folder);
        command.env_remove("HOME");

        let server = Server::spawn(command);

        Table::in_battle(&server).await;
        let data = folder.join("data");
        stops(&server, &data, Signal::TERM);
        // And once more on what it has made.
        let server = Server::spawn(in_shell(shell, &folder));
        stops(&server, &data, Signal::TERM);
    }
}

#[tokio::test]
async fn without_standard_streams_it_serves_too() {
    let folder = scratch_folder("shell");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let mut command = in_shell("exec \"$0\" <&- >&- 2>&-", &folder);
    let mut server = Running::start(command.env("NAVAL_BATTLE_BIND", &address));

    until(|| std::net::TcpStream::connect(&address).is_ok());
    let client = connections().build().unwrap();
    let created = client.post(format!("http://{address}/v1/games")).json(&json!({})).send().await;

    assert_eq!(created.unwrap().status(), 201);
    send(server.child.id(), Signal::TERM);
    assert_eq!(server.end(ENDED).code, Some(0));
}

#[test]
fn too_few_open_files_for_postgres_are_told_in_one_line() {
    let folder = scratch_folder("shell");

    let ended = run(in_shell("ulimit -n 40; exec \"$0\"", &folder).env("RUST_LOG", "error"));

    assert!(ended.one_line().contains("file"), "{ended:?}");
}

/// The program with a data folder in this one, started by a shell there.
fn in_shell(script: &str, folder: &Path) -> Command {
    let program = program();
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(program.get_program()).current_dir(folder);
    command.env_remove("DATABASE_URL").env("NAVAL_BATTLE_DATA_DIR", folder.join("data"));
    command.env("NAVAL_BATTLE_BIND", "127.0.0.1:0");
    command
}
