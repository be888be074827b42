//! The server from its first step to its last.

use std::error::Error;
use std::future::pending;
use std::io::{self, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::thread;

use naval_battle::config::{Batch, Serve, Switch};
use naval_battle::deadlines;
use naval_battle::http::{self, Counts, Limits, Page, Server};
use naval_battle::live::{Live, Wakeups};
use naval_battle::metrics::{DroppedLines, Metrics};
use naval_battle::service::{Games, Keep};
use naval_battle::store::{Database, Seals, Sharing, Store};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::database_url;
use crate::private::{self, Private};
use crate::signals::Signals;

/// Serves until a signal comes.
pub(crate) fn serve(config: &Serve, dropped: &DroppedLines) -> Result<(), Box<dyn Error>> {
    if config.database_url().is_none() {
        private::forget_libpq()?;
    }
    let system = actix_web::rt::System::new();
    // Before a Postgres is started, which would otherwise outlive whoever is told to stop meanwhile.
    let mut signals = system.block_on(async { Signals::new() })?;
    // So early that an address in use costs no other step.
    let descriptors = raise_descriptors()?;
    let listener = listen(&config.bind)?;
    let counts = config.metrics_bind().map(listen).transpose()?;
    let connections = descriptors.saturating_sub(reserved(config)).max(FEWEST_CONNECTIONS);
    let listeners = Listeners { games: listener, counts, connections };
    let metrics = Arc::new(Metrics::new(dropped));
    let served = system.block_on(run(config, listeners, &metrics, &mut signals));
    // It would wait for threads that hang, such as one that looks up a name.
    std::mem::forget(system);
    served
}

/// Gets the database ready, serves, and stops the database that is its own.
async fn run(
    config: &Serve,
    listeners: Listeners,
    metrics: &Arc<Metrics>,
    signals: &mut Signals,
) -> Result<(), Box<dyn Error>> {
    let seals = Seals::read(config.seal_key(), config.seal_keys_old())?;
    if let Some(url) = config.database_url() {
        let database = Database::sealed(database_url::read(url)?, seals);
        return serve_from(config, listeners, database, metrics, signals, None).await;
    }
    let Some(mut private) = Private::start(config, signals).await? else { return Ok(()) };
    let served =
        serve_from(config, listeners, Database::sealed(private.options(), seals), metrics, signals, Some(&mut private))
            .await;
    let stopped = private.stop(signals).await;
    served.and(stopped)
}

/// How many connections of clients are served however few descriptors there are.
const FEWEST_CONNECTIONS: usize = 64;

/// Raises what this process may open to what the system lets it, and tells how much that is: what is usual is meant for
/// programs that know no more than 1,024.
fn raise_descriptors() -> Result<usize, String> {
    let limits = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limits.maximum, ..limits };
    setrlimit(Resource::Nofile, raised)
        .map_err(|error| format!("the limit of open files cannot be raised: {error}"))?;
    Ok(limits.maximum.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX))
}

/// How many descriptors the server keeps for itself: for its connections to Postgres, and for files, threads and those
/// clients that are told that they are one too many.
fn reserved(config: &Serve) -> usize {
    usize::try_from(config.connections).unwrap_or(usize::MAX).saturating_mul(2).saturating_add(128)
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
    /// The most connections of clients.
    connections: usize,
}

async fn serve_from(
    config: &Serve,
    listeners: Listeners,
    database: Database,
    metrics: &Arc<Metrics>,
    signals: &mut Signals,
    private: Option<&mut Private>,
) -> Result<(), Box<dyn Error>> {
    let given_up = async {
        match private {
            Some(private) => private.is_given_up(metrics).await,
            None => pending().await,
        }
    };
    let mut given_up = pin!(given_up);
    let sharing = match config.batch {
        Batch::On => Sharing::UnderLoad,
        Batch::Off => Sharing::Never,
        Batch::Always => Sharing::Always,
    };
    let store = tokio::select! {
        store = Store::start(database, config.connections, sharing, metrics) => store?,
        () = signals.come() => return Ok(()),
        error = &mut given_up => return Err(error.into()),
    };
    let wakeups = match config.notify {
        Switch::On => Wakeups::Notified,
        Switch::Off => Wakeups::Polled,
    };
    let (live, wakers) = Live::start(store.clone(), wakeups);
    let keep = Keep {
        aborted: config.keep_aborted(),
        finished: config.keep_finished(),
        idle: config.keep_idle(),
        unpacked: config.pack_after(),
    };
    let games = Games::new(store.clone(), live, Arc::clone(metrics), config.expire_after(), keep);
    let address = listeners.games.local_addr()?;
    let limits = match config.limits {
        Switch::On => Limits::On,
        Switch::Off => Limits::Off,
    };
    let page = match config.page {
        Switch::On => Page::Shown,
        Switch::Off => Page::Hidden,
    };
    let settings = http::ServerSettings {
        workers: config.workers(),
        connections: listeners.connections,
        limits,
        proxies: config.trusted_proxies.into(),
        counts: if listeners.counts.is_some() { Counts::Elsewhere } else { Counts::Here },
        page,
    };
    let mut servers = vec![Server::start(listeners.games, games.clone(), Arc::clone(metrics), settings)?];
    if let Some(listener) = listeners.counts {
        log::info!("the counts are at http://{}/metrics", listener.local_addr()?);
        servers.push(Server::start_counts(listener, games.clone(), Arc::clone(metrics))?);
    }
    let (handles, running): (Vec<_>, Vec<_>) =
        servers.into_iter().map(|server| (server.handle, tokio::spawn(server.running))).unzip();
    let beats = tokio::spawn(games.clone().keep_beating());
    let clocks = tokio::spawn(games.clone().keep_time());
    // Nobody has to read it, so nothing else waits for it.
    thread::spawn(move || {
        if let Err(error) = welcome(address, page) {
            log::warn!("the welcome could not be written: {error}");
        }
    });

    let ended = tokio::select! {
        () = signals.come() => Ok(()),
        error = &mut given_up => Err(error.into()),
    };
    log::info!("stopping: requests under way are answered");
    let in_order = async {
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
        Ok::<_, Box<dyn Error>>(())
    };
    tokio::select! {
        stopped = in_order => stopped?,
        () = signals.come() => log::warn!("told to stop once more: requests under way are not waited for"),
    }
    ended
}

/// Says where to go first.
fn welcome(address: SocketAddr, page: Page) -> io::Result<()> {
    let first = match page {
        Page::Shown => format!("open http://{address} to play"),
        Page::Hidden => format!("listens on http://{address}"),
    };
    writeln!(
        io::stdout(),
        "Naval Battle: {first}\n\
         \n  read and try the API  http://{address}/docs/\
         \n  create a game         curl -s http://{address}/v1/games -H 'Content-Type: application/json' -d '{{}}'\n"
    )
}
