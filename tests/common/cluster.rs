//! A Postgres of this test binary's own.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use naval_battle::embedded::{self, Embedded, Settings};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection};

use super::keeper;

/// A Postgres that other tests may share.
pub struct Cluster {
    /// None while it is stopped.
    embedded: Option<Embedded>,
    data: PathBuf,
    socket: PathBuf,
    databases: AtomicU32,
}

impl Cluster {
    /// The one that all tests of this binary share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// One for a test that stops or breaks it.
    pub fn start() -> Self {
        let data = scratch_folder("postgres");
        let embedded = launch(&data);
        let socket = embedded.socket_dir().to_owned();
        Self { embedded: Some(embedded), data, socket, databases: AtomicU32::new(0) }
    }

    /// Stops Postgres in order.
    pub fn stop(&mut self) {
        self.embedded.take().expect("Postgres runs").stop().expect("Postgres stops");
    }

    /// Starts Postgres again, on the same data.
    pub fn start_again(&mut self) {
        assert!(self.embedded.is_none(), "Postgres runs");
        self.embedded = Some(launch(&self.data));
    }

    /// What this Postgres has written into its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data.join("postgres.log")).expect("Postgres keeps a log")
    }

    /// A new, empty database.
    pub async fn database(&self) -> Database {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut connection = self.options("postgres").connect().await.expect("Postgres answers");
        connection.execute(AssertSqlSafe(format!("create database {name}"))).await.expect("a database is created");
        connection.close().await.expect("a connection closes");
        Database { options: self.options(&name), name, socket: self.socket.clone() }
    }

    fn options(&self, database: &str) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .socket(&self.socket)
            .port(5432)
            .username(Embedded::USER)
            .database(database)
            .ssl_mode(PgSslMode::Disable)
    }
}

fn launch(data: &Path) -> Embedded {
    let settings = Settings { data: data.to_owned(), binaries: None };
    let embedded = embedded::start(&settings).expect("an embedded Postgres starts on this machine");
    keeper::quit(embedded.postmaster_id());
    embedded
}

/// A database of one test's own.
#[derive(Clone)]
pub struct Database {
    options: PgConnectOptions,
    name: String,
    socket: PathBuf,
}

impl Database {
    /// As `DATABASE_URL` names it.
    pub fn url(&self) -> String {
        let socket = self.socket.display().to_string().replace('/', "%2F");
        format!("postgres://{}@{socket}:5432/{}?sslmode=disable", Embedded::USER, self.name)
    }

    /// A connection past all servers.
    pub async fn connect(&self) -> PgConnection {
        self.options.connect().await.expect("Postgres answers")
    }
}

/// A folder of its own that Postgres's user can enter, removed at the end.
pub fn scratch_folder(what: &str) -> PathBuf {
    let folder = tempfile::Builder::new()
        .prefix(&format!("nb-{what}-"))
        .tempdir_in("/var/tmp")
        .expect("/var/tmp can be written")
        .keep();
    keeper::remove(&folder);
    folder
}
