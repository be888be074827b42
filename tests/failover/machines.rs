//! Three machines with etcd, Patroni on two of them, and HAProxy, with the very files of `docs/operations.md`.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use ground::cleanup;
use ground::cluster::scratch_folder;
use ground::handmade::{as_owner, command, owned};
use ground::server::connections;
use ground::signals::send;
use rustix::process::Signal;
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};
use tokio::time::sleep;

/// The role of the servers, and its database.
pub(crate) const USER: &str = "naval_battle";

/// The password of all roles, as it stands in the files.
pub(crate) const PASSWORD: &str = "secret";

/// The machines as the page calls them; the last one has etcd alone.
const NAMES: [&str; 3] = ["one", "two", "three"];

/// Those that have a Postgres.
const WITH_POSTGRES: usize = 2;

const PAGE: &str = include_str!("../../docs/operations.md");

/// A machine, which is an address of this one.
struct Machine {
    name: &'static str,
    address: String,
    folder: PathBuf,
    /// Those that run.
    programs: Vec<Child>,
}

/// All of them.
pub(crate) struct Machines {
    all: Vec<Machine>,
    haproxy: Child,
    /// Where HAProxy listens.
    port: u16,
    client: reqwest::Client,
}

/// A file of the page, by its first line.
fn file(path: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("# {path}\n")).unwrap_or_else(|| panic!("the page has no {path}"));
    rest.split_once("```").expect("a block ends").0
}

/// Starts a program that writes into a log.
fn started(command: &mut Command, log: &Path) -> Child {
    let log = File::options().create(true).append(true).open(log).unwrap();
    let child = command.stdout(log.try_clone().unwrap()).stderr(log).spawn();
    child.unwrap_or_else(|error| panic!("{command:?}: {error}; .ci/failover installs it"))
}

/// The folder of Postgres' programs.
fn programs() -> String {
    let postgres = command("postgres");
    Path::new(postgres.get_program()).parent().expect("programs lie in a folder").display().to_string()
}

impl Machine {
    /// A file of the page as it is on this machine: a line that names one machine alone is of that.
    fn write(&self, path: &str, own: &str, network: &str) -> PathBuf {
        let folder = self.folder.display().to_string();
        let is_shared = |line: &str| line.matches("10.0.0.").count() > 1;
        let lines = file(path).lines().map(|line| {
            let line = if is_shared(line) { line.to_owned() } else { line.replace("10.0.0.1", &self.address) };
            let line = if line == own { line.replace("one", self.name) } else { line };
            // They share one network, and one folder for sockets.
            let line = line.replace("10.0.0.0/24", "127.0.0.0/8").replace("10.0.0.", network);
            let line = line.replace("/run/postgresql", &folder).replace("/usr/lib/postgresql/15/bin", &programs());
            ["/var/lib/etcd", "/var/lib/postgresql"].iter().fold(line, |line, path| line.replace(path, &folder)) + "\n"
        });
        let written = self.folder.join(Path::new(path).file_name().expect("a file has a name"));
        fs::write(&written, lines.collect::<String>()).unwrap();
        owned(&written);
        written
    }

    fn run(&mut self, mut command: Command, name: &str) {
        as_owner(&mut command);
        let child = started(&mut command, &self.folder.join(format!("{name}.log")));
        cleanup::kill(child.id());
        self.programs.push(child);
    }

    /// Starts what the machine starts by itself.
    fn boot(&mut self, network: &str) {
        let settings = fs::read_to_string(self.write("/etc/default/etcd", "ETCD_NAME=one", network)).unwrap();
        let settings = settings.lines().filter_map(|line| line.split_once('=').filter(|_| !line.starts_with('#')));
        let mut etcd = Command::new("etcd");
        etcd.envs(settings);
        self.run(etcd, "etcd");
        if NAMES[..WITH_POSTGRES].contains(&self.name) {
            let mut patroni = Command::new("patroni");
            patroni.arg(self.write("/etc/patroni/config.yml", "name: one", network));
            self.run(patroni, "patroni");
        }
    }

    /// The process of its Postgres, where there is one.
    fn postmaster(&self) -> Option<u32> {
        fs::read_to_string(self.folder.join("15/games/postmaster.pid")).ok()?.lines().next()?.parse().ok()
    }

    /// All that runs is gone without a word.
    fn lose(&mut self) {
        let postmaster = self.postmaster().expect("Postgres runs");
        for program in self.programs.iter_mut().rev() {
            program.kill().unwrap();
        }
        send(postmaster, Signal::KILL);
        for mut program in self.programs.drain(..) {
            program.wait().unwrap();
        }
    }
}

impl Machines {
    /// Starts all of them.
    pub(crate) fn start() -> Self {
        let folder = scratch_folder("machines");
        owned(&folder);
        // A network of its own, for as many at a time as there are tests.
        let id = std::process::id();
        let network = format!("127.{}.{}.", 16 + id % 200, id / 200 % 250);
        let mut all: Vec<_> = (1..)
            .zip(NAMES)
            .map(|(number, name)| {
                let folder = folder.join(name);
                fs::create_dir(&folder).unwrap();
                owned(&folder);
                Machine { name, address: format!("{network}{number}"), folder, programs: Vec::new() }
            })
            .collect();
        for machine in &mut all {
            machine.boot(&network);
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let settings = file("/etc/haproxy/haproxy.cfg").replace("10.0.0.", &network);
        let settings = settings.replace("127.0.0.1:5000", &format!("127.0.0.1:{port}"));
        fs::write(folder.join("haproxy.cfg"), settings).unwrap();
        let mut haproxy = Command::new("haproxy");
        haproxy.arg("-db").arg("-f").arg(folder.join("haproxy.cfg"));
        let haproxy = started(&mut haproxy, &folder.join("haproxy.log"));
        cleanup::kill(haproxy.id());
        let client = connections().timeout(Duration::from_secs(2)).build().unwrap();
        Self { all, haproxy, port, client }
    }

    /// The settings of a server behind HAProxy.
    pub(crate) fn url_by_haproxy(&self) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{USER}", self.port)
    }

    /// The settings of a server that knows all hosts.
    pub(crate) fn url_of_hosts(&self) -> String {
        let hosts: Vec<_> = self.all[..WITH_POSTGRES].iter().map(|machine| machine.address.as_str()).collect();
        format!("postgres://{USER}@{}/{USER}?target_session_attrs=read-write", hosts.join(","))
    }

    /// The machine of whose Patroni this is so.
    async fn which(&self, path: &str) -> Option<usize> {
        for (index, machine) in self.all[..WITH_POSTGRES].iter().enumerate() {
            let asked = self.client.get(format!("http://{}:8008/{path}", machine.address)).send().await;
            if asked.is_ok_and(|reply| reply.status() == 200) {
                return Some(index);
            }
        }
        None
    }

    /// Waits until one is the primary and the other one its synchronous standby.
    pub(crate) async fn settle(&self, patience: Duration) {
        let began = Instant::now();
        while self.which("primary").await.is_none() || self.which("synchronous").await.is_none() {
            assert!(began.elapsed() < patience, "Patroni does not settle: {}", self.logs());
            sleep(Duration::from_millis(200)).await;
        }
        self.all.iter().filter_map(Machine::postmaster).for_each(cleanup::quit);
    }

    /// Creates the role and the database of the servers.
    pub(crate) async fn create_database(&self) {
        let primary = self.which("primary").await.expect("there is a primary");
        let options = PgConnectOptions::new_without_pgpass().host(&self.all[primary].address).username("postgres");
        let mut direct = options.password(PASSWORD).database("postgres").connect().await.unwrap();
        for statement in
            [format!("create role {USER} login password '{PASSWORD}'"), format!("create database {USER} owner {USER}")]
        {
            direct.execute(AssertSqlSafe(statement)).await.unwrap();
        }
    }

    /// Kills all that runs on the machine of the primary, and tells which it was, and when. Where etcd is led from there, the rest
    /// of it has to agree on another leader first, who gives the primary its time anew.
    pub(crate) async fn lose_primary(&mut self, leads: bool) -> (&'static str, Instant) {
        let primary = self.which("primary").await.expect("there is a primary");
        if leads {
            self.have_lead(primary).await;
        }
        let now = Instant::now();
        self.all[primary].lose();
        (self.all[primary].name, now)
    }

    /// Has etcd led from a machine.
    async fn have_lead(&self, machine: usize) {
        let mut members = Vec::new();
        for machine in &self.all {
            let status = self.ask_etcd(machine, "status", &json!({})).await;
            members.push((status["header"]["member_id"].clone(), status["leader"].clone()));
        }
        let (target, leader) = &members[machine];
        let leading = members.iter().position(|(member, _)| member == leader).expect("etcd has a leader");
        if leading != machine {
            self.ask_etcd(&self.all[leading], "transfer-leadership", &json!({ "targetID": target })).await;
        }
    }

    async fn ask_etcd(&self, machine: &Machine, what: &str, body: &Value) -> Value {
        let url = format!("http://{}:2379/v3/maintenance/{what}", machine.address);
        let reply = self.client.post(url).json(body).send().await.unwrap();
        assert_eq!(reply.status(), 200, "{what}");
        reply.json().await.unwrap()
    }

    /// Boots a machine that was lost.
    pub(crate) fn bring_back(&mut self, name: &str) {
        let network = self.all[0].address.trim_end_matches('1').to_owned();
        self.all.iter_mut().filter(|machine| machine.name == name).for_each(|machine| machine.boot(&network));
    }

    /// The last lines of what their programs have written.
    fn logs(&self) -> String {
        let files = self.all.iter().flat_map(|machine| ["etcd.log", "patroni.log"].map(|log| machine.folder.join(log)));
        let last = files.map(|file| {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let lines: Vec<_> = text.lines().rev().take(15).collect();
            format!("{}\n{}\n", file.display(), lines.into_iter().rev().collect::<Vec<_>>().join("\n"))
        });
        last.collect()
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        for machine in &mut self.all {
            // Patroni stops its Postgres; etcd ends last.
            for mut program in machine.programs.drain(..).rev() {
                send(program.id(), Signal::TERM);
                drop(program.wait());
            }
        }
        drop(self.haproxy.kill());
        drop(self.haproxy.wait());
    }
}
