//! Clusters of nodes.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Child;
use std::time::Duration;

use ground::cleanup;
use ground::cluster::{Database, USER, scratch_folder};
use ground::handmade::{command, owned};
use ground::server::{Server, program};
use ground::signals::send;
use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};
use tokio::time::sleep;

/// One Postgres of several.
pub(crate) struct Node {
    pub(crate) port: u16,
    folder: PathBuf,
    /// None while it is dead.
    postgres: Option<Child>,
}

/// A coordinator, and the workers that keep games.
pub(crate) struct Nodes {
    pub(crate) coordinator: Node,
    pub(crate) workers: Vec<Node>,
}

impl Nodes {
    /// A cluster with so many workers, over which the games are spread.
    pub(crate) async fn start(workers: usize) -> Self {
        let nodes = Self::bare(workers).await;
        nodes.distribute();
        nodes
    }

    /// The same without games.
    pub(crate) async fn bare(workers: usize) -> Self {
        let coordinator = Node::start().await;
        let mut nodes = Self { coordinator, workers: Vec::new() };
        let port = nodes.coordinator.port;
        nodes.run(&format!("select citus_set_coordinator_host('127.0.0.1', {port})")).await;
        for _ in 0..workers {
            nodes.add_worker().await;
        }
        nodes
    }

    /// Adds a worker, which has no games yet.
    pub(crate) async fn add_worker(&mut self) {
        let worker = Node::start().await;
        self.run(&format!("select citus_add_node('127.0.0.1', {})", worker.port)).await;
        self.workers.push(worker);
    }

    /// Spreads the games; gives what was said.
    pub(crate) fn distribute(&self) -> String {
        let mut command = program();
        command.arg("distribute").env("DATABASE_URL", self.coordinator.database().url());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        said
    }

    /// Runs a statement at the coordinator.
    pub(crate) async fn run(&self, statement: &str) {
        let mut direct = self.coordinator.connect().await;
        direct
            .execute(AssertSqlSafe(statement.to_owned()))
            .await
            .unwrap_or_else(|error| panic!("{statement}: {error}"));
    }

    /// The port of the node on which a game lies.
    pub(crate) async fn port_of(&self, game: &str) -> u16 {
        let node = "select nodeport from pg_dist_placement p join pg_dist_node n using (groupid)
                     where shardid = get_shard_id_for_distribution_column('games', $1::text::uuid)";
        let mut direct = self.coordinator.connect().await;
        let port: i32 = sqlx::query_scalar(node).bind(game).fetch_one(&mut direct).await.unwrap();
        port.try_into().unwrap()
    }
}

impl Node {
    async fn start() -> Self {
        let folder = scratch_folder("node");
        owned(&folder);
        let mut initdb = command("initdb");
        initdb.arg("--pgdata").arg(folder.join("cluster")).args(["--username", USER, "--auth=trust", "--no-sync"]);
        assert!(initdb.args(["--encoding=UTF8", "--locale=C"]).status().unwrap().success());
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut settings = OpenOptions::new().append(true).open(folder.join("cluster/postgresql.conf")).unwrap();
        let text = format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\n\
             shared_preload_libraries = 'citus'\nwal_level = logical\nmax_prepared_transactions = 200\n\
             max_connections = 200\nlog_line_prefix = '%m [%p] %a: '\ncitus.enable_statistics_collection = off\n\
             citus.node_conninfo = 'sslmode=disable'\n"
        );
        settings.write_all(text.as_bytes()).unwrap();
        let mut node = Self { port, folder, postgres: None };
        node.start_again().await;
        let mut direct = node.connect().await;
        direct.execute("create extension citus").await.unwrap();
        node
    }

    /// Starts it again after it was killed.
    pub(crate) async fn start_again(&mut self) {
        assert!(self.postgres.is_none(), "it runs");
        let log = File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        let mut postgres = command("postgres");
        let postgres = postgres.arg("-D").arg(self.folder.join("cluster")).stderr(log).spawn().unwrap();
        cleanup::quit(postgres.id());
        self.postgres = Some(postgres);
        let status = self.folder.join("cluster/postmaster.pid");
        let is_up = |text: String| text.lines().nth(7).is_some_and(|line| line.trim() == "ready");
        while !fs::read_to_string(&status).is_ok_and(is_up) {
            let ended = self.postgres.as_mut().unwrap().try_wait().unwrap();
            assert!(ended.is_none(), "Postgres does not start: {}", self.log());
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        let mut postgres = self.postgres.take().expect("it runs");
        let id = postgres.id();
        // Its children end with it, and leave nothing behind that could be answered later.
        for child in ground::signals::children_of(id) {
            rustix::process::kill_process(ground::cluster::process(child), Signal::KILL).ok();
        }
        send(id, Signal::KILL);
        postgres.wait().unwrap();
        fs::remove_file(self.folder.join("cluster/postmaster.pid")).ok();
    }

    /// Its database.
    pub(crate) fn database(&self) -> Database {
        Database::at(self.port, "postgres")
    }

    /// A connection past all servers.
    pub(crate) async fn connect(&self) -> PgConnection {
        self.database().connect().await
    }

    /// A server on it.
    pub(crate) fn serve(&self) -> Server {
        Server::start(&self.database())
    }

    /// A server on it, with further environment.
    pub(crate) fn serve_with(&self, environment: &[(&str, &str)]) -> Server {
        Server::start_with(&self.database(), environment)
    }

    /// What it has written into its log.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Some(mut postgres) = self.postgres.take() {
            send(postgres.id(), Signal::QUIT);
            drop(postgres.wait());
        }
    }
}
