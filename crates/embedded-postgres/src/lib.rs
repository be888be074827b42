#![doc = include_str!("../README.md")]

mod account;
mod binaries;
mod cluster;
mod error;
mod fetch;
mod folder;
mod journal;
mod occupant;
mod postmaster;
mod process;

use std::{
    env,
    fs::File,
    path::{Path, PathBuf},
    time::Duration,
};

pub use binaries::Search;
pub use error::{EmbeddedError, FetchError};

use account::Account;
use folder::Folder;
use occupant::Occupancy;
use postmaster::Postmaster;

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
}

/// What this process is to the Postgres that it talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It started or adopted Postgres, holds the lock, and stops Postgres when it leaves.
    Owner,
    /// Another live server owns Postgres.
    Guest,
}

/// A Postgres that accepts connections.
///
/// Dropping an owner stops its Postgres too, so that a start-up that fails halfway leaves none
/// behind; [`Embedded::stop`] is the way to hear of a failure.
#[derive(Debug)]
pub struct Embedded {
    socket: PathBuf,
    postmaster_id: u32,
    owned: Option<Owned>,
}

#[derive(Debug)]
struct Owned {
    postmaster: Postmaster,
    /// Free again only after the postmaster has gone: fields are dropped after `stop`.
    _lock: File,
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
    let folder = Folder::open(&settings.data)?;
    // The lock is asked for again at each turn, since the owner may die while a guest waits.
    process::wait_for(GUEST_PATIENCE, || match folder.try_lock()? {
        Some(lock) => own(&folder, lock, settings, search).map(Some),
        None => visit(&folder),
    })?
    .ok_or_else(|| EmbeddedError::OwnerNotReady { folder: folder.data().to_owned() })
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

    /// Whether this process will stop Postgres.
    pub fn role(&self) -> Role {
        match self.owned {
            Some(_) => Role::Owner,
            None => Role::Guest,
        }
    }

    /// The process id of the postmaster.
    pub fn postmaster_id(&self) -> u32 {
        self.postmaster_id
    }

    /// Stops Postgres if this process owns it; a guest just leaves.
    ///
    /// Ends the connections that are still open. Blocks, half a minute at the worst.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::StillRunning`] when Postgres outlives both its fast and its immediate shutdown.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        self.release()
    }

    fn release(&mut self) -> Result<(), EmbeddedError> {
        match self.owned.take() {
            Some(owned) => owned.postmaster.stop(),
            None => Ok(()),
        }
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if let Err(error) = self.release() {
            log::error!("{error}");
        }
    }
}

/// Adopts the postmaster that runs, else starts one, on a cluster made for the purpose if need be.
fn own(folder: &Folder, lock: File, settings: &Settings, search: &Search) -> Result<Embedded, EmbeddedError> {
    let account = Account::choose(folder)?;
    folder.clear_unfinished();
    let postmaster = match Postmaster::adopt(folder)? {
        Some(postmaster) => postmaster,
        None => launch(folder, &account, settings, search)?,
    };
    Ok(Embedded {
        socket: folder.socket().to_owned(),
        postmaster_id: postmaster.id(),
        owned: Some(Owned { postmaster, _lock: lock }),
    })
}

fn launch(
    folder: &Folder,
    account: &Account,
    settings: &Settings,
    search: &Search,
) -> Result<Postmaster, EmbeddedError> {
    journal::rotate(folder)?;
    let existing = cluster::version(folder)?;
    let binaries = match &settings.binaries {
        Some(given) => binaries::given(given, existing, folder, account)?,
        None => binaries::find(settings, search, existing, folder, account)?,
    };
    account.check_entry(folder, &binaries)?;
    account.give(folder.socket())?;
    if existing.is_none() {
        cluster::create(folder, &binaries, account, &settings.user)?;
    }
    Postmaster::start(folder, &binaries, account)
}

/// Joins the Postgres of the server that holds the lock, once it accepts connections.
fn visit(folder: &Folder) -> Result<Option<Embedded>, EmbeddedError> {
    match occupant::of(folder)? {
        Occupancy::Ready(id) => {
            log::info!("sharing the Postgres of another server in {} (process {id})", folder.data().display());
            Ok(Some(Embedded { socket: folder.socket().to_owned(), postmaster_id: process::number(id), owned: None }))
        }
        Occupancy::Vacant | Occupancy::Stale | Occupancy::Busy(_) => Ok(None),
    }
}
