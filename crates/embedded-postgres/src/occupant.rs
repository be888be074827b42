//! Who has the cluster: reading `postmaster.pid`, and making way for a new postmaster.

use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    time::Duration,
};

use rustix::process::Pid;

use super::{
    account::Account,
    error::EmbeddedError,
    folder::{Folder, SOCKET_FILE},
    place::found,
    process,
    stop::Stop,
};

/// By which Postgres tells who has the cluster, and how far it has come.
const STATUS_FILE: &str = "postmaster.pid";

/// The line of it, from zero, that says how far Postgres has come.
const STATUS_LINE: usize = 7;

/// A process id that no system gives: Linux ends at 2²², macOS at 99,999.
const NOBODYS_ID: &str = "2147483647";

/// How long the processes of a postmaster that was killed are waited for.
const LEAVING: Duration = Duration::from_secs(10);

/// What the cluster's `postmaster.pid` and the process that it names come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occupancy {
    /// Postgres was stopped in order, or never started.
    Vacant,
    /// The file is there, and the process is not: Postgres was killed.
    Stale,
    /// Postgres is starting, recovering or stopping.
    Busy(Pid),
    /// Postgres accepts connections.
    Ready(Pid),
}

/// Tells who has the cluster at this moment.
///
/// # Errors
///
/// [`EmbeddedError::Foreign`] when the cluster is closed to this user, [`EmbeddedError::Io`].
pub(super) fn of(folder: &Folder) -> Result<Occupancy, EmbeddedError> {
    let (Some(text), Some(owner)) = (read(folder)?, folder.cluster_owner()?) else { return Ok(Occupancy::Vacant) };
    let Some(id) = id_in(&text).filter(|id| process::serves(*id, folder.cluster(), owner.user)) else {
        return Ok(Occupancy::Stale);
    };
    if status_in(&text) == Some("ready") && UnixStream::connect(folder.socket_file()).is_ok() {
        Ok(Occupancy::Ready(id))
    } else {
        Ok(Occupancy::Busy(id))
    }
}

/// Whether Postgres says that it is about to stop.
pub(super) fn is_stopping(folder: &Folder) -> Result<bool, EmbeddedError> {
    Ok(read(folder)?.is_some_and(|text| status_in(&text) == Some("stopping")))
}

/// Removes what would keep a new postmaster from starting; to be called when none lives.
///
/// Postgres finds out by itself that a process is gone, but takes a zombie, or whoever has the
/// number now, for a living postmaster.
///
/// # Errors
///
/// [`EmbeddedError::Stopped`], [`EmbeddedError::Io`].
pub(super) fn make_way(folder: &Folder, account: &Account, stop: &Stop) -> Result<(), EmbeddedError> {
    let have_left = || Ok(process::at_work_in(folder.cluster()).is_empty().then_some(()));
    if process::wait_for(LEAVING, stop, have_left)?.is_none() {
        log::warn!("processes of a Postgres that was killed are still at work in {}", folder.cluster().display());
    }
    if let Some(text) = read(folder)? {
        disown(folder, &text, account).map_err(EmbeddedError::io("rewrite", path(folder)))?;
    }
    // The socket's folder is this cluster's alone, so nobody else can be using these.
    let Some(socket) = folder.open_socket()? else { return Ok(()) };
    for name in [SOCKET_FILE.to_owned(), format!("{SOCKET_FILE}.lock")] {
        found(socket.remove(&name)).map_err(EmbeddedError::io("remove", folder.socket().join(name)))?;
    }
    Ok(())
}

/// Puts nobody's id on the first line where the one that is there is somebody's, and gives the file
/// to the user of Postgres, whoever has copied it.
///
/// The file stays, since Postgres learns from its other lines which shared memory to look at for
/// processes of the old postmaster that still write.
fn disown(folder: &Folder, text: &str, account: &Account) -> io::Result<()> {
    let Some(cluster) = folder.open_cluster().map_err(io::Error::other)? else { return Ok(()) };
    let mut file = cluster.writable(STATUS_FILE)?;
    if let Account::StandIn { user, group, .. } = account {
        std::os::unix::fs::fchown(&file, Some(*user), Some(*group))?;
    }
    if id_in(text).is_some_and(|id| rustix::process::test_kill_process(id).is_err()) {
        return Ok(());
    }
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    let text = format!("{NOBODYS_ID}\n{rest}");
    file.write_all(text.as_bytes())?;
    file.set_len(u64::try_from(text.len()).map_err(io::Error::other)?)
}

fn read(folder: &Folder) -> Result<Option<String>, EmbeddedError> {
    let Some(cluster) = folder.open_cluster()? else { return Ok(None) };
    cluster.read(STATUS_FILE).map_err(EmbeddedError::io("read", path(folder)))
}

fn path(folder: &Folder) -> PathBuf {
    folder.cluster().join(STATUS_FILE)
}

fn status_in(text: &str) -> Option<&str> {
    text.lines().nth(STATUS_LINE).map(str::trim)
}

/// The first line; a Postgres in single-user mode writes its id with a minus sign.
fn id_in(text: &str) -> Option<Pid> {
    let id: i32 = text.lines().next()?.trim().parse().ok()?;
    Pid::from_raw(id.checked_abs()?)
}
