//! A Postgres of somebody's own.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Signal, geteuid};
use sqlx::Executor as _;

use crate::cleanup;
use crate::cluster::{Cluster, Database, USER, scratch_folder};
use crate::signals::send;

/// A Postgres as a person makes one, from the same programs and as the same user as the cluster that
/// the tests share.
pub struct Handmade {
    folder: PathBuf,
    settings: Vec<String>,
    environment: Vec<(String, String)>,
    /// None while it is stopped.
    postgres: Option<Child>,
}

impl Handmade {
    pub const PASSWORD: &str = "plugh";

    /// Starts one that asks for a password, with further settings.
    pub fn start(settings: &[&str]) -> Self {
        Self::made("scram-sha-256", Self::PASSWORD, settings)
    }

    /// Starts one that asks for this password.
    pub fn with_password(password: &str) -> Self {
        Self::made("scram-sha-256", password, &[])
    }

    /// Starts one that lets everybody in, with further settings.
    pub fn trusting(settings: &[&str]) -> Self {
        Self::made("trust", Self::PASSWORD, settings)
    }

    /// Starts one that lets everybody in and runs with this in its environment.
    pub fn with_environment(environment: &[(&str, &str)]) -> Self {
        let mut made = Self::trusting(&[]);
        made.stop();
        made.environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        made.start_again();
        made
    }

    /// Starts one that follows this one, which lets everybody in, and has it wait for the other with each commit.
    pub async fn synchronous_standby(&self) -> Self {
        let folder = scratch_folder("standby");
        owned(&folder);
        let mut backup = command("pg_basebackup");
        backup.arg("--pgdata").arg(folder.join("cluster")).arg("--host").arg(&self.folder);
        backup.args(["--username", USER, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]);
        assert!(backup.status().unwrap().success());
        let mut standby = Self { folder, settings: Vec::new(), environment: Vec::new(), postgres: None };
        standby.start_again();
        let mut direct = self.database().connect().await;
        for statement in ["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"] {
            direct.execute(statement).await.unwrap();
        }
        let state = "select count(*) from pg_stat_replication where sync_state = 'sync'";
        while sqlx::query_scalar::<_, i64>(state).fetch_one(&mut direct).await.unwrap() == 0 {
            sleep(Duration::from_millis(20));
        }
        standby
    }

    /// Has a standby go on by itself.
    pub async fn promote(&self) {
        let mut direct = self.database().connect().await;
        // What it followed had it wait for a standby; there is none any more.
        for statement in
            ["select pg_promote()", "alter system reset synchronous_standby_names", "select pg_reload_conf()"]
        {
            direct.execute(statement).await.unwrap();
        }
    }

    fn made(auth: &str, password: &str, settings: &[&str]) -> Self {
        let folder = scratch_folder("handmade");
        fs::write(folder.join("password"), password).unwrap();
        for path in [folder.clone(), folder.join("password")] {
            owned(&path);
        }
        let mut initdb = command("initdb");
        initdb.arg("--pgdata").arg(folder.join("cluster")).arg("--pwfile").arg(folder.join("password"));
        initdb.args(["--username", USER, &format!("--auth={auth}"), "--no-sync"]);
        assert!(initdb.args(["--encoding=UTF8", "--locale=C"]).status().unwrap().success());
        let settings = settings.iter().map(|&setting| setting.to_owned()).collect();
        let mut made = Self { folder, settings, environment: Vec::new(), postgres: None };
        made.start_again();
        made
    }

    /// Starts it, after it was stopped.
    pub fn start_again(&mut self) {
        let log = File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        let mut postgres = command("postgres");
        postgres.arg("-D").arg(self.folder.join("cluster")).args(["-c", "listen_addresses="]).stderr(log);
        postgres.arg("-c").arg(format!("unix_socket_directories={}", self.folder.display()));
        for setting in &self.settings {
            postgres.args(["-c", setting]);
        }
        let mut postgres = postgres.envs(self.environment.iter().cloned()).spawn().unwrap();
        cleanup::quit(postgres.id());
        let status = self.folder.join("cluster/postmaster.pid");
        let is_up = |text: String| text.lines().nth(7).is_some_and(|line| ["ready", "standby"].contains(&line.trim()));
        while !fs::read_to_string(&status).is_ok_and(is_up) {
            assert!(postgres.try_wait().unwrap().is_none(), "Postgres does not start: {}", self.log());
            sleep(Duration::from_millis(5));
        }
        self.postgres = Some(postgres);
    }

    /// Stops it at once, as after a fault.
    pub fn stop(&mut self) {
        let mut postgres = self.postgres.take().expect("Postgres runs");
        send(postgres.id(), Signal::QUIT);
        postgres.wait().unwrap();
    }

    /// The process of its postmaster.
    pub fn id(&self) -> u32 {
        self.postgres.as_ref().expect("Postgres runs").id()
    }

    /// From its next start on it follows another Postgres, of which it never hears.
    pub fn become_standby(&self) {
        let signal = self.folder.join("cluster/standby.signal");
        fs::write(&signal, "").unwrap();
        owned(&signal);
    }

    /// As `DATABASE_URL` names it.
    pub fn url(&self, password: &str) -> String {
        self.url_of(&format!("{USER}:{password}"))
    }

    /// As `DATABASE_URL` names it, for this user and password.
    pub fn url_of(&self, user: &str) -> String {
        let socket = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{socket}:5432/postgres?sslmode=disable")
    }

    /// Its one database, where it lets everybody in.
    pub fn database(&self) -> Database {
        Database::on(&self.folder, "postgres")
    }

    /// The folder of its socket.
    pub fn socket(&self) -> &Path {
        &self.folder
    }

    /// What it has written into its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap()
    }
}

/// Gives a file or folder to the user of Postgres.
pub fn owned(path: &Path) {
    let owner = fs::metadata(Cluster::shared().data().join("cluster")).unwrap();
    chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
}

/// A program of Postgres', or one that has to run as its user as well.
pub fn command(name: &str) -> Command {
    let shared = Cluster::shared();
    let programs = fs::read_link(format!("/proc/{}/exe", shared.postmaster_id())).unwrap();
    let mut command = Command::new(programs.with_file_name(name));
    as_owner(&mut command);
    command
}

/// Has a program run as the user of Postgres, from the root folder and without a word.
pub fn as_owner(command: &mut Command) {
    let owner = fs::metadata(Cluster::shared().data().join("cluster")).unwrap();
    if geteuid().is_root() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
}

impl Drop for Handmade {
    fn drop(&mut self) {
        if self.postgres.is_some() {
            self.stop();
        }
    }
}
