//! Flags and environment, read once.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Naval Battle with Mines, as a REST API.
///
/// Without `DATABASE_URL` a private Postgres is started from installed programs; its data is kept.
#[derive(Parser, Debug)]
#[command(
    version,
    after_help = "RUST_LOG sets how much is written to standard error: error, warn, info (the default) or debug."
)]
pub struct Config {
    /// What to do; `serve` if nothing is said.
    #[command(subcommand)]
    pub command: Option<Task>,
    /// How to serve.
    #[command(flatten)]
    pub serve: Serve,
}

/// What the program can do.
#[derive(Subcommand, Clone, Debug)]
pub enum Task {
    /// Serve the API until told to stop (SIGTERM or Ctrl-C).
    Serve,
    /// Spread the games over the nodes of a distributed Postgres (Citus): once, while no server runs, and after an
    /// update that says so. `DATABASE_URL` leads to its coordinator.
    Distribute,
    #[expect(clippy::doc_markdown, reason = "it is shown as help")]
    /// Print the OpenAPI document.
    Openapi,
    /// Check a downloaded game: chain, commitments, layouts, every answer, every turn, the end.
    Verify {
        /// What `GET /v1/games/{id}` gave.
        game: PathBuf,
        /// What `GET /v1/games/{id}/events` gave, all pages as one list.
        events: PathBuf,
        /// A head that was kept from an earlier moment: the log must have it.
        #[arg(long)]
        head: Option<String>,
        /// A file with an array of what `GET /v1/games/{id}/events/{seq}/proof` gave.
        #[arg(long, value_name = "FILE")]
        proofs: Option<PathBuf>,
    },
    /// Print a downloaded game move by move, both boards side by side.
    Show {
        /// What `GET /v1/games/{id}` gave.
        game: PathBuf,
        /// What `GET /v1/games/{id}/events` gave, all pages as one list.
        events: PathBuf,
    },
}

/// How to serve. Each flag can be given by its environment variable instead.
#[derive(Args, Debug)]
pub struct Serve {
    /// Address and port to listen on.
    #[arg(long, env = "NAVAL_BATTLE_BIND", default_value = "127.0.0.1:8080", global = true)]
    pub bind: String,
    /// The Postgres to keep the games in, such as `postgres://user:password@host/database`; an
    /// embedded one if none is given. `PGPASSWORD` may have the password instead. Of several
    /// hosts with commas between them the one that can be written is used.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,
    /// Where the embedded Postgres keeps its data: /var/lib/naval-battle as root, else
    /// naval-battle below `$XDG_DATA_HOME` or ~/.local/share.
    #[arg(long, env = "NAVAL_BATTLE_DATA_DIR", value_name = "FOLDER", global = true)]
    pub data_dir: Option<PathBuf>,
    /// The folder with the embedded Postgres's programs, such as /usr/lib/postgresql/15/bin;
    /// looked for in the usual places if none is given.
    #[arg(long, env = "NAVAL_BATTLE_POSTGRES_BIN", value_name = "FOLDER", global = true)]
    pub postgres_bin: Option<PathBuf>,
    /// The key that seals layouts, salts and positions in the database: 64 hex digits, as `openssl
    /// rand -hex 32` prints them; nothing is sealed if none is given.
    #[arg(long, env = "NAVAL_BATTLE_SEAL_KEY", hide_env_values = true, value_name = "KEY", global = true)]
    seal_key: Option<String>,
    /// Keys that have sealed games before, with commas between them; they are opened still.
    #[arg(long, env = "NAVAL_BATTLE_SEAL_KEYS_OLD", hide_env_values = true, value_name = "KEYS", global = true)]
    seal_keys_old: Option<String>,
    /// The most connections to Postgres at a time.
    #[arg(long, env = "NAVAL_BATTLE_CONNECTIONS", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000), global = true)]
    pub connections: u32,
    /// Threads that serve requests; one for each core if none is given.
    #[arg(long, env = "NAVAL_BATTLE_WORKERS", value_parser = clap::value_parser!(u16).range(1..=1024), global = true)]
    pub workers: Option<u16>,
    /// Seconds until a game that nobody joins expires.
    #[arg(long, env = "NAVAL_BATTLE_EXPIRE_AFTER", default_value_t = 86_400, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000), global = true)]
    expire_after: u64,
    /// Seconds for which an aborted game is kept after its end; then it is deleted.
    #[arg(long, env = "NAVAL_BATTLE_KEEP_ABORTED", value_parser = |text: &str| seconds("NAVAL_BATTLE_KEEP_ABORTED", text), default_value = "604800", value_name = "SECONDS", global = true)]
    keep_aborted: u64,
    /// Seconds for which a finished game is kept after its end; for ever if nothing is said.
    #[arg(long, env = "NAVAL_BATTLE_KEEP_FINISHED", value_parser = |text: &str| seconds("NAVAL_BATTLE_KEEP_FINISHED", text), value_name = "SECONDS", global = true)]
    keep_finished: Option<u64>,
    /// Seconds after its last event at which a game without a clock expires.
    #[arg(long, env = "NAVAL_BATTLE_KEEP_IDLE", value_parser = |text: &str| seconds("NAVAL_BATTLE_KEEP_IDLE", text), default_value = "7776000", value_name = "SECONDS", global = true)]
    keep_idle: u64,
    /// Seconds after its end at which the log of a game is packed.
    #[arg(long, env = "NAVAL_BATTLE_PACK_AFTER", value_parser = |text: &str| seconds("NAVAL_BATTLE_PACK_AFTER", text), default_value = "30", value_name = "SECONDS", global = true)]
    pack_after: u64,
    /// Address and port for the counts at /metrics, which are then not told at the games' address.
    #[arg(long, env = "NAVAL_BATTLE_METRICS_BIND", value_name = "ADDRESS", global = true)]
    pub metrics_bind: Option<String>,
    /// Whether one address may use only so much; off for tests and measurements.
    #[arg(long, env = "NAVAL_BATTLE_LIMITS", default_value = "on", global = true)]
    pub limits: Switch,
    /// Whether the page to play on is served at /; off where there is to be the API alone.
    #[arg(long, env = "NAVAL_BATTLE_PAGE", default_value = "on", global = true)]
    pub page: Switch,
    /// How many trusted proxies stand in front: the address of a client is then the one that the
    /// outermost of them put into X-Forwarded-For.
    #[arg(long, env = "NAVAL_BATTLE_TRUSTED_PROXIES", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=16), global = true)]
    pub trusted_proxies: u8,
    /// Whether servers tell each other of moves by LISTEN and NOTIFY; off where these cannot be
    /// had, as in some distributed databases. Streams then look for moves four times a second.
    #[arg(long, env = "NAVAL_BATTLE_NOTIFY", default_value = "on", global = true)]
    pub notify: Switch,
    /// Whether moves of different games that wait at the same time share statements; off where one
    /// statement must not touch several games, as in a distributed Postgres.
    #[arg(long, env = "NAVAL_BATTLE_BATCH", default_value = "on", global = true)]
    pub batch: Batch,
}

/// Which moves share statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Batch {
    /// Those that have to wait anyway.
    On,
    /// No move shares a statement.
    Off,
    /// All, also where nobody waits: for tests and measurements.
    Always,
}

/// A thing that can be turned off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Switch {
    /// As it should be.
    On,
    /// It is turned off.
    Off,
}

/// A century, beyond which Postgres' intervals need not reach.
const LONGEST: u64 = 3_155_760_000;

/// A number of seconds, or the sentence that says what the variable takes.
fn seconds(variable: &str, text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|seconds| (1..=LONGEST).contains(seconds));
    number.ok_or_else(|| format!("{variable} is a number of seconds from 1 to {LONGEST}"))
}

impl Config {
    /// Reads the command line and the environment; prints help or what is wrong and ends the
    /// program where they ask for it.
    pub fn read() -> Self {
        Self::parse()
    }
}

impl Serve {
    /// When a game that nobody joins expires.
    pub fn expire_after(&self) -> Duration {
        Duration::from_secs(self.expire_after)
    }

    /// For how long aborted games are kept.
    pub fn keep_aborted(&self) -> Duration {
        Duration::from_secs(self.keep_aborted)
    }

    /// For how long finished games are kept, if not for ever.
    pub fn keep_finished(&self) -> Option<Duration> {
        self.keep_finished.map(Duration::from_secs)
    }

    /// When a game without a clock expires in which nothing happens.
    pub fn keep_idle(&self) -> Duration {
        Duration::from_secs(self.keep_idle)
    }

    /// When the log of a game is packed that has ended.
    pub fn pack_after(&self) -> Duration {
        Duration::from_secs(self.pack_after)
    }

    /// The database that was named; an empty name is none.
    pub fn database_url(&self) -> Option<&str> {
        self.database_url.as_deref().filter(|url| !url.is_empty())
    }

    /// The key that seals; an empty one is none.
    pub fn seal_key(&self) -> Option<&str> {
        self.seal_key.as_deref().filter(|key| !key.is_empty())
    }

    /// Keys that have sealed before.
    pub fn seal_keys_old(&self) -> impl Iterator<Item = &str> {
        self.seal_keys_old.as_deref().unwrap_or_default().split(',').filter(|key| !key.trim().is_empty())
    }

    /// The address for the counts; an empty one is none.
    pub fn metrics_bind(&self) -> Option<&str> {
        self.metrics_bind.as_deref().filter(|address| !address.is_empty())
    }

    /// Threads that serve requests.
    pub fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.workers.map_or_else(cores, usize::from).max(1)
    }
}
