//! The server from its first step to its last.

use std::error::Error;
use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;

use embedded_postgres::{Embedded, Settings};
use naval_battle::config::{Batch, Serve, Switch};
use naval_battle::deadlines;
use naval_battle::http::{self, Counts, Limits, Server};
use naval_battle::live::{Live, Wakeups};
use naval_battle::metrics::{DroppedLines, Metrics};
use naval_battle::service::Games;
use naval_battle::store::{Sharing, Store};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The user of the embedded Postgres, by which the data folders of all releases are opened.
const EMBEDDED_USER: &str = "naval_battle";

/// Serves until SIGTERM or Ctrl-C.
pub(crate) fn serve(config: &Serve, dropped: &DroppedLines) -> Result<(), Box<dyn Error>> {
    // First of all, so that an address in use costs no other step.
    let listener = listen(&config.bind)?;
    let counts = config.metrics_bind().map(listen).transpose()?;
    let system = actix_web::rt::System::new();
    // Before a Postgres is started, which would otherwise outlive whoever is told to stop meanwhile.
    let signals = system.block_on(async { Signals::new() })?;
    let (options, embedded) = database(config)?;
    let metrics = Arc::new(Metrics::new(dropped));
    let served = system.block_on(run(config, Listeners { games: listener, counts }, options, metrics, signals));
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
    metrics: Arc<Metrics>,
    mut signals: Signals,
) -> Result<(), Box<dyn Error>> {
    let sharing = match config.batch {
        Batch::On => Sharing::UnderLoad,
        Batch::Off => Sharing::Never,
        Batch::Always => Sharing::Always,
    };
    let store = tokio::select! {
        store = Store::start(options, config.connections, sharing, &metrics) => store?,
        () = signals.come() => return Ok(()),
    };
    let wakeups = match config.notify {
        Switch::On => Wakeups::Notified,
        Switch::Off => Wakeups::Polled,
    };
    let (live, wakers) = Live::start(store.clone(), wakeups);
    let games = Games::new(store.clone(), live, Arc::clone(&metrics), config.expire_after());
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
    let mut servers = vec![Server::start(listeners.games, games.clone(), Arc::clone(&metrics), settings)?];
    if let Some(listener) = listeners.counts {
        log::info!("the counts are at http://{}/metrics", listener.local_addr()?);
        servers.push(Server::start_counts(listener, games.clone(), metrics)?);
    }
    let (handles, running): (Vec<_>, Vec<_>) =
        servers.into_iter().map(|server| (server.handle, tokio::spawn(server.running))).unzip();
    let beats = tokio::spawn(games.clone().keep_beating());
    let clocks = tokio::spawn(games.clone().keep_time());
    // Nobody has to read it, so nothing else waits for it.
    thread::spawn(move || {
        if let Err(error) = welcome(address) {
            log::warn!("the welcome could not be written: {error}");
        }
    });

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
    beats.abort();
    drop(wakers);
    // Whoever hangs is not waited for.
    drop(tokio::time::timeout(deadlines::CLOSING, store.close()).await);
    Ok(())
}

/// Says where to go first.
fn welcome(address: SocketAddr) -> io::Result<()> {
    writeln!(
        io::stdout(),
        "Naval Battle listens on http://{address}\n\
         \n  play in the browser   http://{address}/docs/\
         \n  create a game         curl -s http://{address}/v1/games -H 'Content-Type: application/json' -d '{{}}'\n"
    )
}
