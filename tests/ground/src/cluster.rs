//! A Postgres of this test binary's own.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use chrono::{DateTime, Utc};
use embedded_postgres::{Embedded, FIRST_PAUSE, Settings};
use rustix::process::{Pid, Signal, kill_process};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection};

use crate::cleanup;

/// The user of every Postgres here, as the server calls its own.
pub const USER: &str = "naval_battle";

/// A Postgres that other tests may share.
pub struct Cluster {
    /// None while it is stopped.
    embedded: Option<Embedded>,
    data: PathBuf,
    socket: PathBuf,
    parameters: &'static [&'static str],
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
        Self::start_with(&[])
    }

    /// One that is told something more, as in `autovacuum_naptime=5s`.
    pub fn start_with(parameters: &'static [&'static str]) -> Self {
        let data = scratch_folder("postgres");
        let embedded = launch(&data, parameters);
        let socket = embedded.socket_dir().to_owned();
        Self { embedded: Some(embedded), data, socket, parameters, databases: AtomicU32::new(0) }
    }

    /// Stops Postgres in order.
    pub fn stop(&mut self) {
        self.embedded.take().expect("Postgres runs").stop().expect("Postgres stops");
    }

    /// Ends Postgres by a signal and waits until it is gone: `QUIT` as after a fault within it,
    /// `KILL` as after one without.
    pub fn end(&mut self, signal: Signal) {
        let embedded = self.embedded.take().expect("Postgres runs");
        kill_process(process(embedded.postmaster_id()), signal).expect("Postgres can be ended");
        // Not by being asked to: it has ended, or is about to.
        embedded.stop().expect("Postgres ends");
    }

    /// Starts Postgres again, on the same data.
    pub fn start_again(&mut self) {
        assert!(self.embedded.is_none(), "Postgres runs");
        self.embedded = Some(launch(&self.data, self.parameters));
    }

    /// What this Postgres has written into its log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.data.join("postgres.log")).expect("Postgres keeps a log")
    }

    /// The process id of the postmaster.
    pub fn postmaster_id(&self) -> u32 {
        self.embedded.as_ref().expect("Postgres runs").postmaster_id()
    }

    /// The folder with the cluster's data.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// A new, empty database.
    pub async fn database(&self) -> Database {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut connection = Database::on(&self.socket, "postgres").connect().await;
        connection.execute(AssertSqlSafe(format!("create database {name}"))).await.expect("a database is created");
        connection.close().await.expect("a connection closes");
        Database::on(&self.socket, &name)
    }
}

fn launch(data: &Path, parameters: &[&str]) -> Embedded {
    let settings = Settings {
        data: data.to_owned(),
        user: USER.to_owned(),
        binaries: None,
        alternative: None,
        parameters: parameters.iter().map(|parameter| (*parameter).to_owned()).collect(),
        first_pause: FIRST_PAUSE,
    };
    let embedded = embedded_postgres::start(&settings).expect("an embedded Postgres starts on this machine");
    cleanup::quit(embedded.postmaster_id());
    embedded
}

/// A database of one test's own.
#[derive(Clone)]
pub struct Database {
    options: PgConnectOptions,
    name: String,
    socket: PathBuf,
    url: String,
}

impl Database {
    /// A database that there is, by a port of this machine.
    pub fn at(port: u16, name: &str) -> Self {
        let options = PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(port)
            .username(USER)
            .database(name)
            .ssl_mode(PgSslMode::Disable);
        let url = format!("postgres://{USER}@127.0.0.1:{port}/{name}?sslmode=disable");
        Self { options, name: name.to_owned(), socket: PathBuf::new(), url }
    }

    /// A database that there is, by the folder of Postgres's socket.
    pub fn on(socket: &Path, name: &str) -> Self {
        let options = PgConnectOptions::new_without_pgpass()
            .socket(socket)
            .port(Embedded::PORT)
            .username(USER)
            .database(name)
            .ssl_mode(PgSslMode::Disable);
        let folder = socket.display().to_string().replace('/', "%2F");
        let url = format!("postgres://{USER}@{folder}:5432/{name}?sslmode=disable");
        Self { options, name: name.to_owned(), socket: socket.to_owned(), url }
    }

    /// The database of a server whose embedded Postgres has its data in this folder.
    pub fn embedded_in(data: &Path) -> Self {
        Self::on(&data.join("socket"), Embedded::DATABASE)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// As `DATABASE_URL` names it.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// As `DATABASE_URL` names it by way of a port of this machine.
    pub fn url_by_way_of(&self, port: u16) -> String {
        format!("postgres://{}@127.0.0.1:{port}/{}?sslmode=disable", USER, self.name)
    }

    /// What its Postgres has written since it was started.
    pub fn log(&self) -> String {
        let data = self.socket.parent().expect("the socket's folder lies in the data's");
        std::fs::read_to_string(data.join("postgres.log")).expect("Postgres has a log")
    }

    /// The socket that Postgres listens on.
    pub fn socket_file(&self) -> PathBuf {
        self.socket.join(".s.PGSQL.5432")
    }

    /// Has the servers think that nobody could act in this time, once it is over.
    pub async fn was_out_of_reach(&self, from: DateTime<Utc>, to: DateTime<Utc>) {
        let mut direct = self.connect().await;
        let over = "select pg_sleep(greatest(0, extract(epoch from $1 - clock_timestamp())))";
        sqlx::query(over).bind(to).execute(&mut direct).await.expect("time passes");
        let gap = sqlx::query("insert into gaps (started_at, ended_at) values ($1, $2)").bind(from).bind(to);
        gap.execute(&mut direct).await.expect("a gap is kept");
    }

    /// A connection past all servers.
    pub async fn connect(&self) -> PgConnection {
        self.options.connect().await.expect("Postgres answers")
    }
}

/// A process id as signals take it.
pub fn process(id: u32) -> Pid {
    i32::try_from(id).ok().and_then(Pid::from_raw).expect("a process has a number")
}

/// A folder of its own that Postgres's user can enter, removed at the end.
pub fn scratch_folder(what: &str) -> PathBuf {
    let folder = tempfile::Builder::new()
        .prefix(&format!("nb-{what}-"))
        .tempdir_in("/var/tmp")
        .expect("/var/tmp can be written")
        .keep();
    cleanup::remove(&folder);
    folder
}
