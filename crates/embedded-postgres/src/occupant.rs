//! Who has the cluster: reading `postmaster.pid`, and making way for a new postmaster.

use std::{
    fs::{self, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::{fs::OpenOptionsExt, net::UnixStream},
    path::PathBuf,
};

use rustix::{fs::OFlags, process::Pid};

use super::{error::EmbeddedError, folder::Folder, process};

/// The line of `postmaster.pid`, from zero, that says how far Postgres has come.
const STATUS_LINE: usize = 7;

/// A process id that no system gives: Linux ends at 2²², macOS at 99,999.
const NOBODYS_ID: &str = "2147483647";

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
    let Some(text) = read(folder)? else { return Ok(Occupancy::Vacant) };
    let Some(id) = id_in(&text).filter(|id| process::serves(*id, folder.cluster())) else {
        return Ok(Occupancy::Stale);
    };
    let says_ready = text.lines().nth(STATUS_LINE).is_some_and(|status| status.trim() == "ready");
    if says_ready && UnixStream::connect(folder.socket_file()).is_ok() {
        Ok(Occupancy::Ready(id))
    } else {
        Ok(Occupancy::Busy(id))
    }
}

/// Removes what would keep a new postmaster from starting; to be called when none lives.
///
/// Postgres finds out by itself that a process is gone, but takes a zombie, or whoever has the
/// number now, for a living postmaster.
pub(super) fn make_way(folder: &Folder) -> Result<(), EmbeddedError> {
    if let Some(text) = read(folder)? {
        let looks_alive = id_in(&text).is_none_or(|id| rustix::process::test_kill_process(id).is_ok());
        if looks_alive {
            let path = path(folder);
            disown(folder, &text).map_err(EmbeddedError::io("rewrite", path))?;
        }
    }
    // The socket's folder is this cluster's alone, so nobody else can be using these.
    for path in [folder.socket_file(), folder.socket_lock()] {
        match fs::remove_file(&path) {
            Err(source) if source.kind() != ErrorKind::NotFound => {
                return Err(EmbeddedError::io("remove", path)(source));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Puts nobody's id on the first line.
///
/// The file stays, since Postgres learns from its other lines which shared memory to look at for
/// processes of the old postmaster that still write.
fn disown(folder: &Folder, text: &str) -> io::Result<()> {
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    let text = format!("{NOBODYS_ID}\n{rest}");
    // Root writes here into a folder of another user, who must not be able to choose the file.
    let no_links = OFlags::NOFOLLOW.bits().cast_signed();
    let mut file = OpenOptions::new().write(true).custom_flags(no_links).open(path(folder))?;
    file.write_all(text.as_bytes())?;
    file.set_len(u64::try_from(text.len()).map_err(io::Error::other)?)
}

fn read(folder: &Folder) -> Result<Option<String>, EmbeddedError> {
    let path = path(folder);
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(EmbeddedError::io("read", path)(source)),
    }
}

fn path(folder: &Folder) -> PathBuf {
    folder.cluster().join("postmaster.pid")
}

/// The first line; a Postgres in single-user mode writes its id with a minus sign.
fn id_in(text: &str) -> Option<Pid> {
    let id: i32 = text.lines().next()?.trim().parse().ok()?;
    Pid::from_raw(id.checked_abs()?)
}
