use std::net::TcpListener;
use std::sync::Arc;

use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::{App, web};

use super::access_log::access_log;
use super::admission::{self, Admission};
use super::connection::serve_connections;
use super::language::write_problems;
use super::rate_limit::Budgets;
use super::routes;
use super::stream_quota::StreamQuota;
use crate::deadlines;
use crate::metrics::Metrics;
use crate::service::Games;

/// A server that listens.
pub struct Server {
    /// Runs until it is stopped.
    pub running: actix_web::dev::Server,
    /// Has it stop, once the requests under way are answered.
    pub handle: ServerHandle,
}

/// What a server is configured to do.
#[derive(Clone, Copy, Debug)]
pub struct ServerSettings {
    /// How many threads answer requests.
    pub workers: usize,
    /// The most connections of clients.
    pub connections: usize,
    /// Whether there are limits.
    pub limits: Limits,
    /// How many trusted proxies stand in front.
    pub proxies: usize,
    /// Where the counts are served.
    pub counts: Counts,
    /// Whether the page to play on is served.
    pub page: Page,
}

/// Where the counts are served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// At the same address as the games.
    Here,
    /// At an address of their own.
    Elsewhere,
}

/// Whether the page to play on is served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Page {
    /// At the root.
    Shown,
    /// There is the API alone.
    Hidden,
}

/// Whether one address or one game may take all there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limits {
    /// Neither may, which is what a public server needs.
    On,
    /// Both may, for tests and measurements.
    Off,
}

/// How many connections may wait until they are taken on. The standard library asks for 128.
const BACKLOG: i32 = 1_024;

/// How many bytes the system may keep for a reader that does not read; it would grow to some megabytes by itself.
const SEND_BUFFER: usize = 128 * 1024;

/// The most connections of those who read the counts.
const READERS_OF_COUNTS: usize = 64;

/// Takes the address, so that one in use is found out before anything else is started.
///
/// # Errors
///
/// Those of the operating system.
pub fn bind(address: &str) -> std::io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    rustix::net::listen(&listener, BACKLOG)?;
    // Inherited by each connection.
    rustix::net::sockopt::set_socket_send_buffer_size(&listener, SEND_BUFFER)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

impl Server {
    /// Serves the games on this listener.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn start(
        listener: TcpListener,
        games: Games,
        metrics: Arc<Metrics>,
        settings: ServerSettings,
    ) -> std::io::Result<Self> {
        let counting = Arc::clone(&metrics);
        // Behind a proxy all connections are the proxy's.
        let limited = settings.limits == Limits::On && settings.proxies == 0;
        let share = limited.then_some(admission::PER_ADDRESS);
        let admission = Admission::new(settings.connections, share, Arc::clone(&metrics));
        let places = StreamQuota::new(settings.limits == Limits::On, Arc::clone(&metrics));
        let places = web::Data::new(places);
        let (games, metrics) = (web::Data::new(games), web::Data::from(metrics));
        let budgets = (settings.limits == Limits::On).then(|| web::Data::new(Budgets::new(settings.proxies)));
        Self::run(listener, settings.workers, admission, counting, move |config| {
            config.app_data(games.clone()).app_data(metrics.clone()).app_data(places.clone());
            config.app_data(web::Data::new(settings));
            if let Some(budgets) = &budgets {
                config.app_data(budgets.clone());
            }
            routes::mount(config, settings.counts, settings.page);
        })
    }

    /// Serves the counts on this listener, and nothing else.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn start_counts(listener: TcpListener, games: Games, metrics: Arc<Metrics>) -> std::io::Result<Self> {
        let admission = Admission::new(READERS_OF_COUNTS, None, Arc::clone(&metrics));
        let counting = Arc::clone(&metrics);
        let (games, metrics) = (web::Data::new(games), web::Data::from(metrics));
        Self::run(listener, 1, admission, counting, move |config| {
            config.app_data(games.clone()).app_data(metrics.clone());
            routes::mount_counts(config);
        })
    }

    /// Serves what is configured, with so many threads.
    fn run(
        listener: TcpListener,
        workers: usize,
        admission: Admission,
        metrics: Arc<Metrics>,
        configure: impl Fn(&mut web::ServiceConfig) + Clone + Send + 'static,
    ) -> std::io::Result<Self> {
        let app = move || App::new().configure(&configure).wrap(from_fn(write_problems)).wrap(from_fn(access_log));
        let server = actix_web::dev::Server::build()
            .workers(workers)
            // Those that are one too many are closed, and not left to wait.
            .max_concurrent_connections(usize::MAX)
            .shutdown_timeout(deadlines::STOPPING.as_secs())
            .disable_signals();
        let stopping = server.graceful_shutdown_signal();
        let admission = Arc::new(admission);
        let connections = move || {
            let stopping = stopping.clone();
            let stopping = move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            };
            serve_connections(app(), stopping, Arc::clone(&admission), Arc::clone(&metrics))
        };
        let running = server.listen("naval-battle", listener, connections)?.run();
        Ok(Self { handle: running.handle(), running })
    }
}
