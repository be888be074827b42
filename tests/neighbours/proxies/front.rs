//! A proxy as a process of its own, in front of a server.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ground::cleanup;
use ground::cluster::scratch_folder;
use ground::server::Server;

/// A proxy that runs until this is dropped.
pub(crate) struct Front {
    child: Child,
    address: String,
}

/// Where a proxy keeps its files, and where it listens.
pub(crate) struct Ground {
    pub(crate) folder: PathBuf,
    pub(crate) address: String,
}

impl Ground {
    pub(crate) fn new(name: &str) -> Self {
        let folder = scratch_folder(name);
        // Those who work for a proxy that root started are somebody else.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        Self { folder, address }
    }
}

impl Front {
    /// Starts a program in the foreground, and waits until it takes connections.
    pub(crate) fn start(mut command: Command, ground: &Ground) -> Self {
        let log = ground.folder.join("output");
        let output = fs::File::create(&log).unwrap();
        let child = command
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}; .ci/neighbours installs it"));
        cleanup::kill(child.id());
        let mut front = Self { child, address: ground.address.clone() };
        let began = Instant::now();
        while TcpStream::connect(&front.address).is_err() {
            let ended = front.child.try_wait().unwrap();
            let slow = began.elapsed() > Duration::from_secs(30);
            assert!(ended.is_none() && !slow, "{command:?}: {}", said(&ground.folder));
            std::thread::sleep(Duration::from_millis(10));
        }
        front
    }

    /// The server as it is reached through the proxy, below a prefix that the proxy strips.
    pub(crate) fn to(&self, server: &Server, prefix: &str) -> Server {
        let mut through = server.afresh();
        through.base = format!("http://{}{prefix}", self.address);
        through
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        // In order, so that those who work for it end too.
        let id = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(id) = id {
            rustix::process::kill_process(id, rustix::process::Signal::TERM).ok();
        }
        drop(self.child.wait());
    }
}

/// All that a proxy has written.
fn said(folder: &Path) -> String {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    format!("{}{}", read("output"), read("error.log"))
}

/// The address of a server, without its scheme.
pub(crate) fn address_of(server: &Server) -> &str {
    server.base.strip_prefix("http://").unwrap()
}
