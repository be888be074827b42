//! The postmaster: adopting, starting, watching and stopping it.

use std::{
    ffi::OsString,
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use super::{
    account::Account,
    binaries::Binaries,
    error::EmbeddedError,
    folder::Folder,
    journal,
    occupant::{self, Occupancy},
    process,
};

/// Enough for the recovery of a crash under load.
const START_LIMIT: Duration = Duration::from_mins(2);
const FAST_LIMIT: Duration = Duration::from_secs(20);
const IMMEDIATE_LIMIT: Duration = Duration::from_secs(10);

/// After a crash the processes of the old postmaster may hold its memory for a moment yet.
const RETRIES_AFTER_CRASH: u32 = 20;
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// What Postgres is told on its command line, where neither a file nor `alter system` overrules it.
///
/// The logging settings keep secrets out of the log: details and parameters hold whole rows.
const SERVER_SETTINGS: [&str; 15] = [
    "listen_addresses=",
    "port=5432",
    "unix_socket_permissions=0700",
    "max_connections=200",
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "timezone=UTC",
    "log_timezone=UTC",
    "log_destination=stderr",
    "logging_collector=off",
    "log_statement=none",
    "log_error_verbosity=terse",
    "log_parameter_max_length=0",
    "log_parameter_max_length_on_error=0",
];

/// A postmaster that this process owns.
#[derive(Debug)]
pub(super) struct Postmaster {
    id: Pid,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Started(Arc<Watched>),
    /// Left by an owner that was killed; somebody else's child.
    Adopted {
        cluster: PathBuf,
    },
}

/// A child that is reaped as soon as it ends, and never while it is being signalled.
#[derive(Debug)]
struct Watched {
    child: Mutex<Child>,
    is_stopping: AtomicBool,
}

/// How a launch came out.
enum Launch {
    Ready,
    Ended,
}

impl Postmaster {
    /// Takes over the postmaster that runs on the cluster; `None` when none does.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::NotReady`] when it runs and does not accept connections.
    pub(super) fn adopt(folder: &Folder) -> Result<Option<Self>, EmbeddedError> {
        let mut occupancy = Occupancy::Vacant;
        process::wait_for(START_LIMIT, || {
            occupancy = occupant::of(folder)?;
            Ok(match occupancy {
                Occupancy::Busy(_) => None,
                Occupancy::Vacant | Occupancy::Stale | Occupancy::Ready(_) => Some(()),
            })
        })?;
        match occupancy {
            Occupancy::Vacant | Occupancy::Stale => Ok(None),
            Occupancy::Busy(id) => Err(not_ready(id, folder)),
            Occupancy::Ready(id) => {
                log::info!("took over the Postgres that was running (process {id})");
                let origin = Origin::Adopted { cluster: folder.cluster().to_owned() };
                Ok(Some(Self { id, origin }))
            }
        }
    }

    /// Starts a postmaster on the cluster and waits until it accepts connections.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Ended`] with the last lines of its log, [`EmbeddedError::NotReady`],
    /// [`EmbeddedError::Io`].
    pub(super) fn start(folder: &Folder, binaries: &Binaries, account: &Account) -> Result<Self, EmbeddedError> {
        // Once more even without a crash: a postmaster that an owner started just before it was
        // killed may write its file only now. It is adopted then.
        let was_killed = occupant::of(folder)? == Occupancy::Stale;
        let mut retries = if was_killed { RETRIES_AFTER_CRASH } else { 1 };
        loop {
            if let Some(adopted) = Self::adopt(folder)? {
                return Ok(adopted);
            }
            occupant::make_way(folder)?;
            match (launch(folder, binaries, account)?, retries) {
                (Some(started), _) => return Ok(started),
                (None, 0) => {
                    let last_words = journal::last_words(folder);
                    return Err(EmbeddedError::Ended { log: folder.journal(), last_words });
                }
                (None, _) => {
                    log::warn!("Postgres ended while starting: trying again, {retries} times at most");
                    retries -= 1;
                    thread::sleep(RETRY_PAUSE);
                }
            }
        }
    }

    pub(super) fn id(&self) -> u32 {
        process::number(self.id)
    }

    /// Stops Postgres: in order if it can, at once if it must.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::StillRunning`].
    pub(super) fn stop(self) -> Result<(), EmbeddedError> {
        if let Origin::Started(watched) = &self.origin {
            watched.is_stopping.store(true, Ordering::Relaxed);
        }
        if self.end_by(Signal::INT, FAST_LIMIT) {
            return Ok(());
        }
        log::warn!("Postgres (process {}) does not stop in order: stopping it at once", self.id);
        if self.end_by(Signal::QUIT, IMMEDIATE_LIMIT) {
            return Ok(());
        }
        Err(EmbeddedError::StillRunning { id: self.id.as_raw_nonzero().get() })
    }

    fn end_by(&self, signal: Signal, limit: Duration) -> bool {
        self.signal(signal);
        let ended = process::wait_for(limit, || Ok::<_, EmbeddedError>(self.has_ended().then_some(())));
        matches!(ended, Ok(Some(())))
    }

    fn signal(&self, signal: Signal) {
        match &self.origin {
            Origin::Started(watched) => watched.signal(self.id, signal),
            Origin::Adopted { cluster } if process::serves(self.id, cluster) => send(self.id, signal),
            Origin::Adopted { .. } => {}
        }
    }

    fn has_ended(&self) -> bool {
        match &self.origin {
            Origin::Started(watched) => watched.reap(),
            Origin::Adopted { cluster } => !process::serves(self.id, cluster),
        }
    }
}

impl Watched {
    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signal(&self, id: Pid, signal: Signal) {
        let mut child = self.child();
        // Nobody reaps while this lock is held, so the number cannot go to another process.
        if matches!(child.try_wait(), Ok(None)) {
            send(id, signal);
        }
    }

    /// Reaps the child if it has ended, and tells whether it has.
    fn reap(&self) -> bool {
        !matches!(self.child().try_wait(), Ok(None))
    }
}

/// Starts a postmaster once; `None` when it ends before it accepts connections.
fn launch(folder: &Folder, binaries: &Binaries, account: &Account) -> Result<Option<Postmaster>, EmbeddedError> {
    let mut command = command(folder, binaries, account);
    journal::record(folder, &mut command)?;
    let mut child = command.spawn().map_err(EmbeddedError::running(binaries.program("postgres")))?;
    let id = Pid::from_child(&child);
    let outcome = process::wait_for(START_LIMIT, || {
        if child.try_wait().map_err(EmbeddedError::running(binaries.program("postgres")))?.is_some() {
            return Ok(Some(Launch::Ended));
        }
        Ok((occupant::of(folder)? == Occupancy::Ready(id)).then_some(Launch::Ready))
    });
    let watched = Arc::new(Watched { child: Mutex::new(child), is_stopping: AtomicBool::new(false) });
    let postmaster = Postmaster { id, origin: Origin::Started(Arc::clone(&watched)) };
    match outcome {
        Ok(Some(Launch::Ready)) => {
            log::info!("started Postgres on {} (process {id})", folder.data().display());
            watch(watched, id, folder.journal());
            Ok(Some(postmaster))
        }
        Ok(Some(Launch::Ended)) => Ok(None),
        Ok(None) => {
            postmaster.stop()?;
            Err(not_ready(id, folder))
        }
        Err(error) => {
            postmaster.stop()?;
            Err(error)
        }
    }
}

/// The command in its own process group: Ctrl-C in the terminal is for the server, which then
/// stops Postgres after its last request.
fn command(folder: &Folder, binaries: &Binaries, account: &Account) -> Command {
    let mut command = account.command(&binaries.program("postgres"));
    command.process_group(0).arg("-D").arg(folder.cluster());
    for setting in SERVER_SETTINGS {
        command.args(["-c", setting]);
    }
    let mut sockets = OsString::from("unix_socket_directories=");
    sockets.push(quoted(folder.socket()));
    command.arg("-c").arg(sockets);
    command
}

/// The setting is a list, in which commas separate and quotes protect.
fn quoted(path: &Path) -> OsString {
    let path = path.as_os_str().as_bytes();
    let inner = path.iter().flat_map(|byte| match byte {
        b'"' => b"\"\"".as_slice(),
        _ => std::slice::from_ref(byte),
    });
    OsString::from_vec([b"\"".as_slice(), &inner.copied().collect::<Vec<u8>>(), b"\""].concat())
}

/// Reaps the postmaster when it ends, whenever that is, and says so if nobody asked it to.
fn watch(watched: Arc<Watched>, id: Pid, log: PathBuf) {
    let watching = move || {
        // Waits without reaping, so that the lock need not be held meanwhile.
        let until_ended = || waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        // An error says that `stop` was first and has reaped it.
        let _ = rustix::io::retry_on_intr(until_ended);
        if watched.reap() && !watched.is_stopping.load(Ordering::Relaxed) {
            log::error!("Postgres ended although nobody stopped it: its log {} says why", log.display());
        }
    };
    if let Err(error) = thread::Builder::new().name("postmaster".to_owned()).spawn(watching) {
        log::warn!("nobody watches over Postgres: {error}");
    }
}

fn send(id: Pid, signal: Signal) {
    if let Err(error) = kill_process(id, signal) {
        log::warn!("could not signal Postgres (process {id}): {error}");
    }
}

fn not_ready(id: Pid, folder: &Folder) -> EmbeddedError {
    EmbeddedError::NotReady { id: id.as_raw_nonzero().get(), seconds: START_LIMIT.as_secs(), log: folder.journal() }
}
