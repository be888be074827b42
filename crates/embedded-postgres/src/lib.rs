//! A private Postgres for a machine that has no `DATABASE_URL`.
//!
//! The first server on a data folder owns it: it makes the cluster, starts Postgres on it and
//! stops it when it leaves. A second server on the same folder is a guest and shares what runs.
//! An owner that was killed leaves its Postgres running; the next server adopts it.
//!
//! Postgres answers on a Unix socket only, in a folder that nobody but its own user can enter.
//!
//! Layout of the data folder:
//!
//! ```text
//! lock               held by the owner for as long as it lives
//! cluster/           what `initdb` made
//! socket/            .s.PGSQL.5432
//! postgres.log       of this run; postgres.log.old is of the run before
//! postgres-18.6.3/   programs that were fetched, on a machine that had none
//! initdb-*, fetch-*  unfinished; the next owner clears them away
//! ```

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

/// Where the private Postgres lives, and from which programs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The data folder; it is created, and may be shared by several servers of one user.
    pub data: PathBuf,
    /// The folder with `initdb` and `postgres`, or `None` to look for it.
    pub binaries: Option<PathBuf>,
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

/// Where the data lies unless the person says otherwise.
///
/// `/var/lib/naval-battle` for root, else `$XDG_DATA_HOME/naval-battle` (XDG Base Directory
/// Specification: a relative value counts as unset), else `~/.local/share/naval-battle`.
///
/// # Errors
///
/// [`EmbeddedError::NoHome`] for an ordinary user without a home folder.
pub fn default_data_dir() -> Result<PathBuf, EmbeddedError> {
    if account::is_root() {
        return Ok(PathBuf::from("/var/lib/naval-battle"));
    }
    let named = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let usual = || env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(".local/share"));
    named.or_else(usual).map(|folder| folder.join("naval-battle")).ok_or(EmbeddedError::NoHome)
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
    /// The user to connect as; there is no password.
    pub const USER: &str = "naval_battle";

    /// The database to connect to.
    pub const DATABASE: &str = "postgres";

    /// The folder of the socket to connect through; the port in the socket's name is 5432.
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
        None => binaries::find(search, existing, folder, account)?,
    };
    account.check_entry(folder, &binaries)?;
    account.give(folder.socket())?;
    if existing.is_none() {
        cluster::create(folder, &binaries, account)?;
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
