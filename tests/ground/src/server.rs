//! The real server as a process, and what a client sends to it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Response};
use serde_json::Value;

use crate::cleanup;
use crate::cluster::{Cluster, Database};
use crate::contract::Exchange;

/// A running server; it is killed when the last handle is dropped.
pub struct Server {
    /// `http://127.0.0.1:port`
    pub base: String,
    /// For requests that share connections.
    pub client: Client,
    process: Arc<Process>,
}

/// What runs.
struct Process {
    child: Mutex<Child>,
    id: u32,
    said: Arc<Mutex<String>>,
    log: Arc<Mutex<String>>,
}

/// A reply, read whole.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub text: String,
    /// The body as JSON; `null` where it is none.
    pub json: Value,
}

impl Server {
    /// A server on a database.
    pub fn start(database: &Database) -> Self {
        Self::start_with(database, &[])
    }

    /// A server that leaves logs as they are: a test packs them itself, or changes their rows.
    pub fn without_packing(database: &Database) -> Self {
        Self::start_with(database, &[("NAVAL_BATTLE_PACK_AFTER", "3600")])
    }

    /// A server on a database, with further environment variables.
    pub fn start_with(database: &Database, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(built());
        command.env("DATABASE_URL", database.url()).envs(environment.iter().copied());
        Self::spawn(command)
    }

    /// A server on a new database in the Postgres that the binary's tests share.
    pub async fn on_new_database() -> Self {
        Self::start(&Cluster::shared().database().await)
    }

    /// A server with an embedded Postgres, whose data is in this folder.
    pub fn embedded(data: &Path) -> Self {
        let mut command = program();
        command.env("NAVAL_BATTLE_DATA_DIR", data);
        Self::spawn(command)
    }

    /// A server by a command prepared by the caller; it listens on a port of its own, and without
    /// limits unless the command says so.
    pub fn spawn(mut command: Command) -> Self {
        let says = |name: &str| command.get_envs().any(|(said, value)| said == name && value.is_some());
        let [says_data, says_limits] = ["NAVAL_BATTLE_DATA_DIR", "NAVAL_BATTLE_LIMITS"].map(says);
        if !says_data {
            command.env_remove("NAVAL_BATTLE_DATA_DIR");
        }
        if !says_limits {
            command.env("NAVAL_BATTLE_LIMITS", "off");
        }
        let mut child = command
            .env("NAVAL_BATTLE_BIND", "127.0.0.1:0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        cleanup::kill(child.id());
        let log = Arc::new(Mutex::new(String::new()));
        let stderr = child.stderr.take().expect("standard error is piped");
        collect(stderr, Arc::clone(&log));
        let mut stdout = BufReader::new(child.stdout.take().expect("standard output is piped"));
        let mut welcome = String::new();
        stdout.read_line(&mut welcome).expect("standard output can be read");
        let Some(base) = welcome.split_whitespace().find(|word| word.starts_with("http://")) else {
            let status = child.wait();
            panic!("the server ended with {status:?}: {welcome}\n{}", log.lock().expect("the log is whole"));
        };
        // Whoever stops reading breaks the writer's pipe.
        let said = Arc::new(Mutex::new(welcome.clone()));
        collect(stdout, Arc::clone(&said));
        let process = Process { id: child.id(), child: Mutex::new(child), said, log };
        Self { base: base.to_owned(), client: client(), process: Arc::new(process) }
    }

    /// A server that all tests of this binary share, with connections of the caller's own: those
    /// of a client end with the test that first used it.
    pub async fn shared() -> Self {
        static SHARED: tokio::sync::OnceCell<Server> = tokio::sync::OnceCell::const_new();
        SHARED.get_or_init(Self::on_new_database).await.afresh()
    }

    /// The same server through new connections.
    pub fn afresh(&self) -> Self {
        Self { base: self.base.clone(), client: client(), process: Arc::clone(&self.process) }
    }

    /// What the server has written to standard error so far.
    pub fn log(&self) -> String {
        self.process.log.lock().expect("the log is whole").clone()
    }

    /// What the server has written once nothing more has come for a while: the last lines of one
    /// that has just answered, or was just ended, are still on their way.
    pub async fn whole_log(&self) -> String {
        let mut log = self.log();
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let later = self.log();
            if later.len() == log.len() {
                return log;
            }
            log = later;
        }
    }

    /// What the server has written to standard output, once this is in it.
    pub async fn said_until(&self, text: &str) -> String {
        loop {
            let said = self.process.said.lock().expect("what was said is whole").clone();
            if said.contains(text) {
                return said;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Insists that the process ends by itself, and tells its exit code.
    pub fn ends_within(&self, limit: Duration) -> Option<i32> {
        let began = Instant::now();
        loop {
            let ended = self.process.child.lock().expect("nobody else waits").try_wait();
            match ended.expect("the server is a child") {
                Some(status) => return status.code(),
                None => assert!(began.elapsed() < limit, "the server does not end"),
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The server's process.
    pub fn id(&self) -> u32 {
        self.process.id
    }

    /// Asks the process to end in order.
    pub fn terminate(&self) {
        let process = i32::try_from(self.id()).ok().and_then(rustix::process::Pid::from_raw).expect("a process id");
        rustix::process::kill_process(process, rustix::process::Signal::TERM).expect("the server runs");
    }

    /// A series of the counts; 0 where there is none.
    pub async fn count(&self, series: &str) -> usize {
        let page = self.get("/metrics", None).await.text;
        let value = page.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        value.map_or(0, |value| value.parse().expect("a number"))
    }

    /// How many bytes of memory the process has at the moment.
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("the server runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux tells VmRSS");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number of kB") * 1024
    }

    /// How many seconds of a core the process has used so far.
    pub fn seconds_of_a_core(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).expect("the server runs");
        let (_, fields) = stat.rsplit_once(')').expect("the name stands in brackets");
        // In hundredths, by the user and by the system, as proc(5) counts them.
        let used = fields.split_whitespace().skip(11).take(2);
        used.map(|ticks| ticks.parse::<u32>().expect("a number")).map(f64::from).sum::<f64>() / 100.0
    }

    /// How many files and connections the process has open at the moment.
    pub fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.id())).expect("the server runs").count()
    }

    /// Waits for the process to end by itself and tells its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        self.process.child.lock().expect("nobody else waits").wait().expect("the server is a child").code()
    }

    /// A request to a path.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Sends a `GET`, with a token where there is one.
    pub async fn get(&self, path: &str, token: Option<&str>) -> Reply {
        send(authorized(self.request(Method::GET, path), token)).await
    }

    /// Sends a `POST` of JSON with an `Idempotency-Key`, and a token where there is one.
    pub async fn post_with_key(&self, path: &str, token: Option<&str>, key: &str, body: &Value) -> Reply {
        let request = authorized(self.request(Method::POST, path), token).header("idempotency-key", key);
        send(request.json(body)).await
    }

    /// Sends a `POST` of JSON, with a token where there is one.
    pub async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Reply {
        send(authorized(self.request(Method::POST, path), token).json(body)).await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already, and a test that failed may have left its lock behind.
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(child.kill());
        drop(child.wait());
    }
}

/// Where cargo has put the program: beside the folder of the test or measurement that runs.
fn built() -> PathBuf {
    let running = std::env::current_exe().expect("a test knows its own program");
    let folder = running.parent().and_then(Path::parent).expect("tests lie in a folder of the target's");
    folder.join("naval-battle")
}

/// The program as it comes, whatever the environment of the tests says.
pub fn program() -> Command {
    let mut command = Command::new(built());
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("NAVAL_BATTLE_") || name == "DATABASE_URL" || name == "RUST_LOG" {
            command.env_remove(&*name);
        }
    }
    command
}

/// Adds the token to a request.
pub fn authorized(request: RequestBuilder, token: Option<&str>) -> RequestBuilder {
    match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    }
}

/// What is told of every request that [`send`] sends and its reply, where a test has said so.
pub static WITNESS: std::sync::OnceLock<fn(&Exchange)> = std::sync::OnceLock::new();

/// Sends a request and reads the reply whole.
pub async fn send(request: RequestBuilder) -> Reply {
    let (client, request) = request.build_split();
    let request = request.expect("the request can be written");
    let (method, url, headers) = (request.method().clone(), request.url().clone(), request.headers().clone());
    let body = request.body().and_then(|body| body.as_bytes().map(<[u8]>::to_vec));
    let reply = Reply::read(client.execute(request).await.expect("the server answers")).await;
    if let Some(witness) = WITNESS.get() {
        let query = url.query_pairs().map(|(name, value)| ("query", name.into_owned(), value.into_owned()));
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = headers.iter().map(|(name, value)| ("header", name.as_str().to_owned(), text(value)));
        let parameters = query.chain(headers).collect();
        witness(&Exchange { method: &method, path: url.path(), parameters, body: body.as_deref(), reply: &reply });
    }
    reply
}

impl Reply {
    /// Reads a reply whole.
    pub async fn read(response: Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await.expect("the reply comes whole");
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status, headers, text, json }
    }

    /// A header's value, if it is there once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next()?.to_str().ok();
        if values.next().is_some() { None } else { value }
    }

    /// The `code` of a problem.
    pub fn code(&self) -> &str {
        self.json["code"].as_str().unwrap_or_default()
    }

    /// Insists on a status and gives the body.
    #[track_caller]
    pub fn expect(&self, status: u16) -> &Value {
        assert_eq!(self.status, status, "{}", self.text);
        &self.json
    }

    /// Insists on a whole problem with this status and code.
    #[track_caller]
    pub fn refuses(&self, status: u16, code: &str) -> &Value {
        assert_eq!((self.status, self.code()), (status, code), "{}", self.text);
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(self.json["status"], status);
        for member in ["type", "title", "detail"] {
            assert!(self.json[member].as_str().is_some_and(|text| !text.is_empty()), "{}", self.text);
        }
        &self.json
    }
}

/// Connections of any kind.
///
/// Where the Rust client of this repository is built with its TLS, so is every other user of reqwest in the same build,
/// and reqwest makes no client then before somebody has said whose cryptography it is.
pub fn connections() -> ClientBuilder {
    // Whoever came first has said the same.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder()
}

/// Forgets a connection before the server ends it for being idle: a request that meets that end
/// would be lost.
fn client() -> Client {
    connections().pool_idle_timeout(Duration::from_secs(2)).build().expect("a client is made")
}

fn collect(mut from: impl Read + Send + 'static, into: Arc<Mutex<String>>) {
    std::thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            into.lock().expect("the log is whole").push_str(&String::from_utf8_lossy(&chunk[..count]));
        }
    });
}
