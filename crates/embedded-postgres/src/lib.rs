#![doc = include_str!("../README.md")]

mod account;
mod binaries;
mod bring_up;
mod cluster;
mod command_line;
mod error;
mod fetch;
mod folder;
mod journal;
mod keeper;
mod occupant;
mod place;
mod postmaster;
mod process;
mod stop;
mod trust;

use std::{
    env, io,
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    thread::{self, JoinHandle},
    time::Duration,
};

pub use binaries::Search;
pub use error::{EmbeddedError, FetchError};
pub use stop::Stop;

use bring_up::Occasion;
use folder::Folder;
use keeper::{Held, Keeper, Shared};
use occupant::Occupancy;

/// The usual [`Settings::first_pause`].
pub const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// How long a Postgres takes at most to stop when nobody says how long it may.
const STOP_LIMIT: Duration = Duration::from_secs(30);

/// How long a guest waits until the owner's Postgres accepts connections.
const GUEST_PATIENCE: Duration = Duration::from_secs(30);

/// Where the private Postgres lives, from which programs, and what it is called there.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The data folder; it is created, and may be shared by several servers of one user.
    pub data: PathBuf,
    /// The user to make the cluster with and to connect as: a superuser without a password.
    pub user: String,
    /// The folder with `initdb` and `postgres`, or `None` to look for it.
    pub binaries: Option<PathBuf>,
    /// What else somebody can do on a machine without Postgres, as in "set `DATABASE_URL` to …":
    /// the end of [`EmbeddedError::NoBinaries`].
    pub alternative: Option<String>,
    /// What Postgres is told beyond what this crate has to, each as `autovacuum_naptime=5s`.
    pub parameters: Vec<String>,
    /// How long to wait until a Postgres that ended is started again: twice as long after each failure, half a minute at
    /// most, and after ten failures it is given up. [`FIRST_PAUSE`] waits for more than a minute in all.
    pub first_pause: Duration,
}

/// What this process is to the Postgres that it talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It started or adopted Postgres, holds the lock, and stops Postgres when it leaves.
    Owner,
    /// Another live server owns Postgres.
    Guest,
}

/// What becomes of a Postgres while this process keeps it.
#[derive(Debug)]
pub enum News {
    /// It had ended, or its owner had left, and it runs again; nothing that it acknowledged is lost.
    Restarted,
    /// It ended or could not be started so often in a row that nobody tries any more.
    GivenUp(EmbeddedError),
}

/// A Postgres that is kept: brought back when it ends, and taken over when its owner leaves.
///
/// Dropping an owner stops its Postgres too, so that a start-up that fails halfway leaves none
/// behind; [`Embedded::stop`] is the way to hear of a failure.
#[derive(Debug)]
pub struct Embedded {
    socket: PathBuf,
    shared: Arc<Shared>,
    keeper: Option<JoinHandle<Result<(), EmbeddedError>>>,
}

/// Where the data of a program of this name lies unless the person says otherwise.
///
/// `/var/lib/{name}` for root, else `$XDG_DATA_HOME/{name}` (XDG Base Directory Specification: a
/// relative value counts as unset), else `~/.local/share/{name}`.
///
/// # Errors
///
/// [`EmbeddedError::NoHome`] for an ordinary user without a home folder.
pub fn default_data_dir(name: &str) -> Result<PathBuf, EmbeddedError> {
    if account::is_root() {
        return Ok(Path::new("/var/lib").join(name));
    }
    let named = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let usual = || env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(".local/share"));
    named.or_else(usual).map(|folder| folder.join(name)).ok_or(EmbeddedError::NoHome)
}

/// Gives a Postgres on this data folder that accepts connections.
///
/// Blocks: a moment on a cluster that exists, about a second for a new one, minutes when the
/// programs have to be fetched or a long crash recovery runs.
///
/// # Errors
///
/// [`EmbeddedError`], each of which says what would be right.
pub fn start(settings: &Settings) -> Result<Embedded, EmbeddedError> {
    start_with(settings, &Search::system())
}

/// Like [`start`], looking for the programs of Postgres only where `search` says.
///
/// # Errors
///
/// As [`start`].
pub fn start_with(settings: &Settings, search: &Search) -> Result<Embedded, EmbeddedError> {
    start_watched(settings, search, Stop::new(), |news| match news {
        News::Restarted => {}
        News::GivenUp(error) => log::error!("{error}"),
    })
}

/// Like [`start_with`], for somebody who may have to leave meanwhile, and wants to hear what becomes
/// of Postgres later on.
///
/// Once `stop` is asked, be it before this returns or after, Postgres is stopped within the time
/// that was given.
///
/// # Errors
///
/// As [`start`], and [`EmbeddedError::Stopped`].
pub fn start_watched(
    settings: &Settings,
    search: &Search,
    stop: Stop,
    tell: impl Fn(News) + Send + 'static,
) -> Result<Embedded, EmbeddedError> {
    let folder = Folder::open(&settings.data, &stop)?;
    // The lock is asked for again at each turn, since the owner may die while a guest waits.
    let held = process::wait_for(GUEST_PATIENCE, &stop, || match folder.try_lock()? {
        Some(lock) => bring_up::own(&folder, settings, search, Occasion::Start, &stop)
            .map(|postmaster| Some((postmaster.id(), Held::Postgres { postmaster, lock }))),
        None => visit(&folder),
    })?;
    let Some((id, held)) = held else { return Err(EmbeddedError::OwnerNotReady { folder: folder.data().to_owned() }) };
    let socket = folder.socket().to_owned();
    let shared = Arc::new(Shared { stop, ..Shared::default() });
    shared.is_owner.store(matches!(held, Held::Postgres { .. }), Ordering::Relaxed);
    shared.postmaster_id.store(id, Ordering::Relaxed);
    let keeper = Keeper {
        folder,
        settings: settings.clone(),
        search: search.clone(),
        shared: Arc::clone(&shared),
        tell: Box::new(tell),
        failures: 0,
        complains: true,
    };
    let keeping = thread::Builder::new().name("postgres".to_owned()).spawn(move || keeper.keep(held));
    let keeping = keeping.map_err(|source| EmbeddedError::Io { action: "keep", path: socket.clone(), source })?;
    Ok(Embedded { socket, shared, keeper: Some(keeping) })
}

impl Embedded {
    /// The database to connect to: the one that every cluster has.
    pub const DATABASE: &str = "postgres";

    /// The port in the socket's name; no port is open.
    pub const PORT: u16 = 5432;

    /// The folder of the socket to connect through.
    pub fn socket_dir(&self) -> &Path {
        &self.socket
    }

    /// Whether this process will stop Postgres. A guest becomes the owner when the owner leaves.
    pub fn role(&self) -> Role {
        if self.shared.is_owner.load(Ordering::Relaxed) { Role::Owner } else { Role::Guest }
    }

    /// The process id of the postmaster; of the one before while it is being started again.
    pub fn postmaster_id(&self) -> u32 {
        self.shared.postmaster_id.load(Ordering::Relaxed)
    }

    /// Stops Postgres if this process owns it; a guest just leaves.
    ///
    /// Ends the connections that are still open. Blocks, half a minute at the worst.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::StillRunning`] when Postgres outlives even being killed.
    pub fn stop(self) -> Result<(), EmbeddedError> {
        self.stop_within(STOP_LIMIT)
    }

    /// Like [`Embedded::stop`], in order as long as there is time for it, and then at once. What was
    /// acknowledged is kept either way; after the latter the next start takes longer.
    ///
    /// # Errors
    ///
    /// As [`Embedded::stop`].
    pub fn stop_within(mut self, limit: Duration) -> Result<(), EmbeddedError> {
        self.release(limit)
    }

    fn release(&mut self, limit: Duration) -> Result<(), EmbeddedError> {
        self.shared.stop.ask(limit);
        match self.keeper.take().map(JoinHandle::join) {
            Some(Ok(stopped)) => stopped,
            None => Ok(()),
            Some(Err(_)) => Err(EmbeddedError::Io {
                action: "keep",
                path: self.socket.clone(),
                source: io::Error::other("its thread has stopped by itself"),
            }),
        }
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if let Err(error) = self.release(STOP_LIMIT) {
            log::error!("{error}");
        }
    }
}

/// Joins the Postgres of the server that holds the lock, once it accepts connections.
fn visit(folder: &Folder) -> Result<Option<(u32, Held)>, EmbeddedError> {
    match occupant::of(folder)? {
        Occupancy::Ready(id) => {
            log::info!("sharing the Postgres of another server in {} (process {id})", folder.data().display());
            Ok(Some((process::number(id), Held::Nothing)))
        }
        Occupancy::Vacant | Occupancy::Stale | Occupancy::Busy(_) => Ok(None),
    }
}
