//! Poolers between the server and Postgres.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::json;

use ground::cleanup;
use ground::cluster::{Cluster, Database, USER, scratch_folder};
use ground::handmade::as_owner;
use ground::ledger;
use ground::random_game::RandomGame;
use ground::server::{Server, program};
use ground::table::{Table, usual};
use testing::model::Options;
use testing::model::Seat::{Guest, Host};

/// What people write down for servers that send what pgbouncer does not know.
const IGNORING: &str = "ignore_startup_parameters = extra_float_digits,options";

/// A pgbouncer before the Postgres that the tests share.
struct Pooler {
    port: u16,
    folder: PathBuf,
    process: Child,
}

impl Pooler {
    fn start(database: &Database, lines: &[&str]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = scratch_folder("pgbouncer");
        let socket = database.socket_file();
        let text = format!(
            "[databases]\n* = host={} port=5432 user={USER}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = any\n{}\n",
            socket.parent().unwrap().display(),
            lines.join("\n")
        );
        let file = folder.join("pgbouncer.ini");
        fs::write(&file, text).unwrap();
        let owner = fs::metadata(Cluster::shared().data().join("cluster")).unwrap();
        for path in [&folder, &file] {
            chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        let mut command = Command::new("pgbouncer");
        as_owner(&mut command);
        let process = command.arg(&file).stdin(Stdio::null()).spawn().expect("pgbouncer is installed");
        cleanup::kill(process.id());
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            sleep(Duration::from_millis(10));
        }
        Self { port, folder, process }
    }

    fn url(&self, database: &Database) -> String {
        database.url_by_way_of(self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

#[tokio::test]
async fn through_pgbouncer_in_session_mode_whole_games_are_played_and_servers_come_and_go() {
    for lines in [
        &["pool_mode = session"][..],
        &["pool_mode = session", IGNORING],
        &["pool_mode = session", IGNORING, "server_reset_query =", "default_pool_size = 60"],
    ] {
        let database = Cluster::shared().database().await;
        let pooler = Pooler::start(&database, lines);
        let url = pooler.url(&database);
        // The first makes the tables, and the last meets what the others have left in the pool.
        for _ in 0..3 {
            let server = Server::start_with(&database, &[("DATABASE_URL", &url)]);
            let other = Server::start(&database);
            let options = Options { grid: 10, russian: false, mines: true, salvo: true, shoot_again: false };
            join_all((0..8).map(async |seed| {
                let mut game = RandomGame::create(&server, options.clone(), &json!({}), None, seed).await;
                game.join(&server, None).await;
                game.play_to_the_end(&server).await;
                let verified = server.get(&game.table.path("/verify"), None).await;
                assert_eq!(verified.expect(200)["faults"], json!([]), "{}", verified.text);
            }))
            .await;
            let table = Table::in_battle(&server).await;
            table.fire(&other, Host, "A1").await.expect(200);
            let path = table.path("/events?after=5&wait=20");
            let waiting = server.get(&path, None);
            let (fired, waited) = join(table.fire(&other, Guest, "A1"), waiting).await;
            fired.expect(200);
            assert_eq!(waited.expect(200)["events"][0]["seq"], 6);
            ledger::check(&server, &table, &usual(), &usual()).await;
            server.terminate();
            assert_eq!(server.ends_within(Duration::from_secs(20)), Some(0));
        }
    }
}

#[tokio::test]
async fn pgbouncer_in_transaction_or_statement_mode_is_refused_by_name() {
    for mode in ["transaction", "statement"] {
        for more in [
            "default_pool_size = 20",
            // All share one session of Postgres.
            "default_pool_size = 1",
            "server_reset_query_always = 1",
        ] {
            let database = Cluster::shared().database().await;
            let pooler = Pooler::start(&database, &[&format!("pool_mode = {mode}"), more, IGNORING]);
            let mut command = program();
            command.env("DATABASE_URL", pooler.url(&database)).env("NAVAL_BATTLE_NOTIFY", "off");

            let ended = command.env("NAVAL_BATTLE_BIND", "127.0.0.1:0").output().unwrap();

            let complained = String::from_utf8(ended.stderr).unwrap();
            assert_eq!(ended.status.code(), Some(1), "{complained}");
            for told in ["pooler", "session mode", "pgbouncer", &pooler.port.to_string()] {
                assert!(complained.contains(told), "{mode}, {more}: {complained}");
            }
            // It has made no tables.
            let tables = "select count(*) from pg_tables where schemaname = 'public'";
            let tables: i64 = sqlx::query_scalar(tables).fetch_one(&mut database.connect().await).await.unwrap();
            assert_eq!(tables, 0);
        }
    }
}
