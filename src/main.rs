//! The `naval-battle` binary: reads the configuration, starts things, decides nothing.

use std::error::Error;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use embedded_postgres::{Embedded, Settings};
use naval_battle::config::{Batch, Command, Config, Serve, Switch};
use naval_battle::deadlines;
use naval_battle::http::{self, Counts, Limits, Server};
use naval_battle::live::{Live, Wakeups};
use naval_battle::metrics::Metrics;
use naval_battle::service::Games;
use naval_battle::store::{Sharing, Store};
use naval_battle::text::Language;
use naval_battle::verify::{self, Download, Findings};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The system's takes a sixth of what a fire costs the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The user of the embedded Postgres, by which the data folders of all releases are opened.
const EMBEDDED_USER: &str = "naval_battle";

fn main() -> ExitCode {
    start_log();
    let config = Config::read();
    let done = match config.command.as_ref().unwrap_or(&Command::Serve) {
        Command::Serve => serve(&config.serve),
        Command::Openapi => print_document(),
        Command::Verify { game, events, head } => verify(game, events, head.as_deref()),
        Command::Show { game, events } => show(game, events),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell when standard error is closed.
            drop(writeln!(io::stderr(), "naval-battle: {}", chain(&*error)));
            ExitCode::FAILURE
        }
    }
}

/// Writes to standard error what `RUST_LOG` asks for, `info` if it says nothing.
fn start_log() {
    let written = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("info")).build();
    let most = written.filter();
    if log::set_boxed_logger(Box::new(Discreet(written))).is_ok() {
        log::set_max_level(most);
    }
}

/// The crates of this workspace that write into the log.
const OWN: [&str; 2] = [env!("CARGO_CRATE_NAME"), "embedded_postgres"];

/// A log in which other crates say nothing below `info`, whatever was asked for: there they print
/// headers as clients sent them, and a client may have put a secret into any.
struct Discreet(env_logger::Logger);

impl log::Log for Discreet {
    fn enabled(&self, about: &log::Metadata<'_>) -> bool {
        let is_own = about.target().split("::").next().is_some_and(|name| OWN.contains(&name));
        (is_own || about.level() <= log::Level::Info) && self.0.enabled(about)
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.log(record);
        }
    }

    fn flush(&self) {
        self.0.flush();
    }
}

fn print_document() -> Result<(), Box<dyn Error>> {
    writeln!(io::stdout(), "{}", http::document().to_pretty_json()?)?;
    Ok(())
}

/// Checks a downloaded game and says what it found, event by event.
fn verify(game: &Path, events: &Path, kept: Option<&str>) -> Result<(), Box<dyn Error>> {
    let download = Download::read(game, events)?;
    let Findings { body, lines } = verify::check(&download.game, &download.events, kept, Language::English);
    let mut out = io::stdout().lock();
    // They come in the order of the log.
    let mut told = body.faults.iter().filter(|flaw| flaw.seq.is_some()).peekable();
    for (line, seq) in lines.iter().zip(1..) {
        let flaws: Vec<_> = std::iter::from_fn(|| told.next_if(|flaw| flaw.seq == Some(seq))).collect();
        let verdict = if flaws.is_empty() { "ok" } else { "FALSE" };
        writeln!(out, "{seq:>4}  {line:<16}  {verdict}")?;
        for flaw in flaws {
            writeln!(out, "      {}", flaw.message)?;
        }
    }
    for flaw in body.faults.iter().filter(|flaw| flaw.seq.is_none()) {
        writeln!(out, "FALSE  {}", flaw.message)?;
    }
    let extent = if body.complete {
        format!("both layouts, both commitments and {} answers", body.answers)
    } else {
        "the chain alone, since the game is not opened".to_owned()
    };
    writeln!(out, "checked {} events: {extent}", body.events)?;
    match body.faults.len() {
        0 => Ok(()),
        count => Err(format!("{count} faults were found").into()),
    }
}

/// Prints a downloaded game.
fn show(game: &Path, events: &Path) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    let unreadable = verify::show(&Download::read(game, events)?, &mut text)?;
    write!(io::stdout(), "{text}")?;
    if unreadable == 0 { Ok(()) } else { Err(format!("{unreadable} events cannot be read").into()) }
}

/// Serves until SIGTERM or Ctrl-C.
fn serve(config: &Serve) -> Result<(), Box<dyn Error>> {
    // First of all, so that an address in use costs no other step.
    let listener = listen(&config.bind)?;
    let counts = config.metrics_bind().map(listen).transpose()?;
    let system = actix_web::rt::System::new();
    // Before a Postgres is started, which would otherwise outlive whoever is told to stop meanwhile.
    let signals = system.block_on(async { Signals::new() })?;
    let (options, embedded) = database(config)?;
    let served = system.block_on(run(config, Listeners { games: listener, counts }, options, signals));
    if let Some(embedded) = embedded {
        embedded.stop()?;
    }
    served
}

/// Takes an address.
fn listen(address: &str) -> Result<TcpListener, String> {
    http::bind(address).map_err(|error| format!("cannot listen on {address}: {error}"))
}

/// Where the server listens.
struct Listeners {
    games: TcpListener,
    /// None where the counts are told at the games' address.
    counts: Option<TcpListener>,
}

/// What tells the server to stop: SIGTERM and Ctrl-C.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn come(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The database that was named, or the embedded one, started.
fn database(config: &Serve) -> Result<(PgConnectOptions, Option<Embedded>), Box<dyn Error>> {
    if let Some(url) = config.database_url() {
        // What is wrong is not repeated, since a URL may hold a password.
        let is_of_postgres = url.starts_with("postgres://") || url.starts_with("postgresql://");
        let options = url.parse().ok().filter(|_| is_of_postgres).ok_or(
            "DATABASE_URL is no address of a Postgres: it looks like postgres://user:password@host:5432/database",
        )?;
        return Ok((options, None));
    }
    let settings = Settings {
        data: config.data_dir.clone().map_or_else(|| embedded_postgres::default_data_dir("naval-battle"), Ok)?,
        user: EMBEDDED_USER.to_owned(),
        binaries: config.postgres_bin.clone(),
        alternative: Some("set DATABASE_URL to a database that runs already, or run `docker compose up`".to_owned()),
    };
    let embedded = embedded_postgres::start(&settings)?;
    log::info!("games are kept in {}", settings.data.display());
    let options = PgConnectOptions::new_without_pgpass()
        .socket(embedded.socket_dir())
        .port(Embedded::PORT)
        .username(EMBEDDED_USER)
        .database(Embedded::DATABASE)
        .ssl_mode(PgSslMode::Disable);
    Ok((options, Some(embedded)))
}

async fn run(
    config: &Serve,
    listeners: Listeners,
    options: PgConnectOptions,
    mut signals: Signals,
) -> Result<(), Box<dyn Error>> {
    let sharing = match config.batch {
        Batch::On => Sharing::UnderLoad,
        Batch::Off => Sharing::Never,
        Batch::Always => Sharing::Always,
    };
    let meter = Arc::new(Metrics::default());
    let store = tokio::select! {
        store = Store::start(options, config.connections, sharing, &meter) => store?,
        () = signals.come() => return Ok(()),
    };
    let wakeups = match config.notify {
        Switch::On => Wakeups::Notified,
        Switch::Off => Wakeups::Polled,
    };
    let (live, wakers) = Live::start(store.clone(), wakeups);
    let games = Games::new(store.clone(), live, Arc::clone(&meter), config.expire_after());
    let address = listeners.games.local_addr()?;
    let limits = match config.limits {
        Switch::On => Limits::On,
        Switch::Off => Limits::Off,
    };
    let settings = http::ServerSettings {
        workers: config.workers(),
        limits,
        proxies: config.trusted_proxies.into(),
        counts: if listeners.counts.is_some() { Counts::Elsewhere } else { Counts::Here },
    };
    let mut servers = vec![Server::start(listeners.games, games.clone(), Arc::clone(&meter), settings)?];
    if let Some(listener) = listeners.counts {
        log::info!("the counts are at http://{}/metrics", listener.local_addr()?);
        servers.push(Server::start_counts(listener, games.clone(), meter)?);
    }
    let (handles, running): (Vec<_>, Vec<_>) =
        servers.into_iter().map(|server| (server.handle, tokio::spawn(server.running))).unzip();
    let clocks = tokio::spawn(games.clone().keep_time());
    if let Err(error) = welcome(&address.to_string()) {
        // Nobody has to read it.
        log::warn!("the welcome could not be written: {error}");
    }

    signals.come().await;
    log::info!("stopping: requests under way are answered");
    games.end_following();
    for handle in handles {
        handle.stop(true).await;
    }
    for server in running {
        server.await??;
    }
    clocks.abort();
    drop(wakers);
    // Whoever hangs is not waited for.
    drop(tokio::time::timeout(deadlines::CLOSING, store.close()).await);
    Ok(())
}

/// Says where to go first.
fn welcome(address: &str) -> io::Result<()> {
    writeln!(
        io::stdout(),
        "Naval Battle listens on http://{address}\n\
         \n  play in the browser   http://{address}/docs/\
         \n  create a game         curl -s http://{address}/v1/games -H 'Content-Type: application/json' -d '{{}}'\n"
    )
}

/// An error with its causes, on one line.
fn chain(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| (*cause).source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
