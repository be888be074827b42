//! A Postgres of somebody's own.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Signal, geteuid};

use crate::startup::run::until;
use ground::cleanup;
use ground::cluster::{Cluster, USER, scratch_folder};
use ground::signals::send;

/// A Postgres as a person makes one: it asks for a password.
pub(crate) struct Handmade {
    socket: PathBuf,
    postgres: Child,
}

impl Handmade {
    pub(crate) const PASSWORD: &str = "plugh";

    /// Starts one with further settings, from the same programs and as the same user as the
    /// cluster that the tests share.
    pub(crate) fn start(settings: &[&str]) -> Self {
        let shared = Cluster::shared();
        let programs = fs::read_link(format!("/proc/{}/exe", shared.postmaster_id())).unwrap();
        let owner = fs::metadata(shared.data().join("cluster")).unwrap();
        let folder = scratch_folder("handmade");
        fs::write(folder.join("password"), Self::PASSWORD).unwrap();
        for path in [folder.clone(), folder.join("password")] {
            chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        let command = |name: &str| {
            let mut command = Command::new(programs.with_file_name(name));
            if geteuid().is_root() {
                command.uid(owner.uid()).gid(owner.gid());
            }
            command.current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let mut initdb = command("initdb");
        initdb.arg("--pgdata").arg(folder.join("cluster")).arg("--pwfile").arg(folder.join("password"));
        initdb.args(["--username", USER, "--auth=scram-sha-256", "--no-sync"]);
        assert!(initdb.args(["--encoding=UTF8", "--locale=C"]).status().unwrap().success());
        let mut postgres = command("postgres");
        postgres.arg("-D").arg(folder.join("cluster")).args(["-c", "listen_addresses="]);
        postgres.arg("-c").arg(format!("unix_socket_directories={}", folder.display()));
        for setting in settings {
            postgres.args(["-c", setting]);
        }
        let postgres = postgres.spawn().unwrap();
        cleanup::quit(postgres.id());
        let status = folder.join("cluster/postmaster.pid");
        until(|| fs::read_to_string(&status).is_ok_and(|text| text.contains("ready")));
        Self { socket: folder, postgres }
    }

    pub(crate) fn url(&self, password: &str) -> String {
        let socket = self.socket.display().to_string().replace('/', "%2F");
        format!("postgres://{USER}:{password}@{socket}:5432/postgres?sslmode=disable")
    }
}

impl Drop for Handmade {
    fn drop(&mut self) {
        send(self.postgres.id(), Signal::QUIT);
        self.postgres.wait().ok();
    }
}
