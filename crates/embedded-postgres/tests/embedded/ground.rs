//! What the tests stand on: data folders, other servers, and a client in a few lines.

use std::{
    env, fs,
    fs::{DirEntry, Permissions},
    io,
    io::{BufRead, BufReader, Read, Write},
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown},
        net::UnixStream,
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use embedded_postgres::{Embedded, EmbeddedError, FIRST_PAUSE, Role, Settings};
use rustix::process::{Pid, Signal, geteuid, kill_process, test_kill_process};
use tempfile::TempDir;

/// The user to connect as.
pub(crate) const USER: &str = "somebody";

/// Set for the process that plays another server: the data folder to hold.
pub(crate) const HELD_DATA: &str = "EMBEDDED_POSTGRES_TEST_HELD_DATA";

pub(crate) fn settings(data: PathBuf) -> Settings {
    Settings {
        data,
        user: USER.to_owned(),
        binaries: None,
        alternative: Some("build one".to_owned()),
        parameters: Vec::new(),
        first_pause: FIRST_PAUSE,
    }
}

/// A place for one data folder, which is empty again when the test ends.
pub(crate) struct Ground {
    pub(crate) root: TempDir,
    name: String,
}

impl Ground {
    pub(crate) fn new() -> Self {
        Self::named("data")
    }

    pub(crate) fn named(name: &str) -> Self {
        let root = tempfile::Builder::new().prefix("nb-").tempdir_in("/var/tmp").unwrap();
        fs::set_permissions(root.path(), Permissions::from_mode(0o755)).unwrap();
        Self { root, name: name.to_owned() }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.root.path().join(&self.name)
    }

    pub(crate) fn settings(&self) -> Settings {
        settings(self.data())
    }

    pub(crate) fn start(&self) -> Embedded {
        embedded_postgres::start(&self.settings()).unwrap()
    }

    pub(crate) fn become_owner_after(&self, owner: OtherServer) -> Embedded {
        owner.kill();
        let postgres = self.start();
        assert_eq!(postgres.role(), Role::Owner);
        postgres
    }

    pub(crate) fn give_to_postgres(&self, path: &Path) {
        let owner = fs::metadata(self.data().join("cluster")).unwrap();
        chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
    }
}

impl Drop for Ground {
    /// A test that failed between a kill and a start leaves a Postgres that nobody owns.
    fn drop(&mut self) {
        if self.data().join("cluster/postmaster.pid").exists() {
            let _ = embedded_postgres::start(&self.settings()).map(Embedded::stop);
        }
    }
}

/// Another server on the same data: this file again, in a process of its own.
pub(crate) struct OtherServer {
    process: Child,
    pub(crate) role: String,
    pub(crate) postmaster_id: u32,
}

impl OtherServer {
    pub(crate) fn start(ground: &Ground) -> Self {
        let mut process = Self::command(ground).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.as_mut().unwrap()).lines().map(Result::unwrap);
        let said = lines.find(|line| line.starts_with("holding ")).expect("the other server does not start");
        let words: Vec<&str> = said.split(' ').collect();
        Self { role: words[1].to_owned(), postmaster_id: words[2].parse().unwrap(), process }
    }

    pub(crate) fn command(ground: &Ground) -> Command {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "another_server", "--nocapture"]).env(HELD_DATA, ground.data());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    }

    /// `kill -9`: the server cannot stop its Postgres.
    pub(crate) fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// A process of the same user that has nothing to do with Postgres.
pub(crate) struct Stranger(Child);

impl Stranger {
    pub(crate) fn beside(ground: &Ground) -> Self {
        let owner = fs::metadata(ground.data().join("cluster")).unwrap();
        let mut sleep = Command::new("sleep");
        sleep.arg("600").current_dir("/");
        if geteuid().is_root() {
            sleep.uid(owner.uid()).gid(owner.gid());
        }
        Self(sleep.spawn().unwrap())
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[track_caller]
pub(crate) fn assert_names_the_ways_out(error: &EmbeddedError) {
    for way_out in ["apt install postgresql", ", or build one"] {
        assert!(error.to_string().contains(way_out), "{error}");
    }
}

/// Whether pip, asked for the package itself, can fetch it here.
pub(crate) fn pip_fetches_into(folder: &Path) -> bool {
    let requirements = include_str!("../../src/requirements.txt");
    let package = requirements.lines().find_map(|line| line.split_once(' ').filter(|(name, _)| name.contains("==")));
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check", "--no-deps"]);
    pip.args(["--only-binary=:all:", "--retries=2", "--timeout=15", "--dest"]).arg(folder).arg(package.unwrap().0);
    pip.output().is_ok_and(|pip| pip.status.success())
}

pub(crate) fn is_unfinished(entry: io::Result<DirEntry>) -> bool {
    entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("initdb-"))
}

pub(crate) fn is_named_by_a_process(path: &Path) -> bool {
    let listed = Command::new("ps").args(["-A", "-ww", "-o", "args="]).output().unwrap();
    String::from_utf8_lossy(&listed.stdout).contains(&*path.to_string_lossy())
}

pub(crate) fn postmaster(postgres: &Embedded) -> Pid {
    id(&postgres.postmaster_id().to_string())
}

pub(crate) fn id(text: &str) -> Pid {
    Pid::from_raw(text.parse().unwrap()).unwrap()
}

pub(crate) fn number_of(what: &str, user: &str) -> u32 {
    let answer = Command::new("id").args([what, user]).output().unwrap();
    String::from_utf8(answer.stdout).unwrap().trim().parse().unwrap()
}

/// `kill -9`, and waits until not even a zombie is left.
pub(crate) fn kill_postmaster(postgres: &Embedded) {
    let process = postmaster(postgres);
    kill_process(process, Signal::KILL).unwrap();
    until(|| test_kill_process(process).is_err());
}

/// Waits for what must come, a minute at most.
pub(crate) fn until(mut has_come: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if has_come() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("waited in vain");
}

/// Asks one thing, and insists on an answer.
#[track_caller]
pub(crate) fn ask(postgres: &Embedded, query: &str) -> String {
    answer(connect(postgres), query).unwrap_or_else(|error| panic!("{query}: {error}"))
}

/// Asks one thing, where there may be no answer.
pub(crate) fn try_ask(postgres: &Embedded, query: &str) -> Option<String> {
    answer(UnixStream::connect(socket_file(postgres.socket_dir())).ok()?, query).ok()
}

/// Asks one thing in the simple protocol (`PostgreSQL` documentation, "Message Flow"); answers the
/// first column of the first row, or what went wrong.
pub(crate) fn answer(mut stream: UnixStream, query: &str) -> Result<String, String> {
    let who = format!("user\0{}\0database\0{}\0\0", USER, Embedded::DATABASE);
    let asked = try_send(&mut stream, None, &[&196_608_u32.to_be_bytes(), who.as_bytes()].concat())
        .and_then(|()| try_send(&mut stream, Some(b'Q'), format!("{query}\0").as_bytes()))
        .and_then(|()| try_send(&mut stream, Some(b'X'), &[]));
    let mut answer = Vec::new();
    // Where it hangs up early, what it said before is told.
    let _ = stream.read_to_end(&mut answer);
    let mut first = None;
    let mut rest = answer.as_slice();
    while let [kind, a, b, c, d, tail @ ..] = rest {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize - 4;
        let (body, after) = tail.split_at_checked(length).ok_or("it broke off")?;
        match kind {
            b'E' => return Err(String::from_utf8_lossy(body).into_owned()),
            // two bytes for the number of columns, four for the length of the first
            b'D' => first = first.or_else(|| Some(String::from_utf8_lossy(&body[6..]).into_owned())),
            // the statement is done, and may have no row
            b'C' => first = first.or(Some(String::new())),
            _ => {}
        }
        rest = after;
    }
    first.ok_or_else(|| format!("no answer: {asked:?}"))
}

pub(crate) fn socket_file(folder: &Path) -> PathBuf {
    folder.join(".s.PGSQL.5432")
}

/// A connection that is open.
pub(crate) fn connect(postgres: &Embedded) -> UnixStream {
    UnixStream::connect(socket_file(postgres.socket_dir())).unwrap()
}

/// Introduces itself, and asks one thing.
pub(crate) fn send_query(stream: &mut UnixStream, query: &str) {
    let who = format!("user\0{}\0database\0{}\0\0", USER, Embedded::DATABASE);
    try_send(stream, None, &[&196_608_u32.to_be_bytes(), who.as_bytes()].concat()).unwrap();
    try_send(stream, Some(b'Q'), format!("{query}\0").as_bytes()).unwrap();
}

fn try_send(stream: &mut UnixStream, kind: Option<u8>, body: &[u8]) -> io::Result<()> {
    let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
    let kind: Vec<u8> = kind.into_iter().collect();
    stream.write_all(&[&kind, length.as_slice(), body].concat())
}
