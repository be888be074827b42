//! What can go wrong with a private Postgres, said to the person who started the program.

use std::{collections::BTreeSet, io, path::PathBuf};

use rustix::io::Errno;
use thiserror::Error;

use super::binaries::OLDEST;

/// Why there is no private Postgres.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EmbeddedError {
    /// Neither `HOME` nor `XDG_DATA_HOME` names a folder.
    #[error("there is no home folder to keep the data in: set HOME or XDG_DATA_HOME, or name a data folder")]
    NoHome,
    /// The data folder, or what is in it, is closed to this user.
    #[error("{} is closed to this user: run as the user that it belongs to, or name another data folder", .path.display())]
    Foreign { path: PathBuf },
    /// The cluster belongs to root, as whom Postgres refuses to run.
    #[error("the cluster {path} belongs to root, as whom Postgres refuses to run: \
             give it to the user {to} with `chown -R {to} {path}`, or name another data folder", path = .path.display())]
    OfRoot { path: PathBuf, to: String },
    /// Root does not work where another user may have put something.
    #[error("{} belongs to user number {owner}, and root trusts nobody with the data of Postgres but itself \
             and the user that Postgres runs as: run as the user that it belongs to, give it to root with `chown`, \
             or name a data folder such as one below /var/lib", .path.display())]
    OfOthers { path: PathBuf, owner: u32 },
    /// Everybody can exchange what lies in a folder.
    #[error("everybody can write to {}, on the way to the data folder: \
             close it with `chmod o-w`, or name a data folder such as one below /var/lib", .path.display())]
    OpenToAll { path: PathBuf },
    /// A link, or something of the wrong kind.
    #[error("{} is a link or of another kind than what should lie there: move it away", .path.display())]
    Misplaced { path: PathBuf },
    /// The cluster was there when this process started.
    #[error("{} was there and is gone: bring it back, and start again", .path.display())]
    Gone { path: PathBuf },
    /// Told to stop before there was a Postgres.
    #[error("told to stop")]
    Stopped,
    /// Postgres ended again and again.
    #[error("Postgres ended or could not be started {failures} times in a row, the last time because of this: {last}")]
    GivenUp { failures: u32, last: Box<EmbeddedError> },
    /// A Postgres that had been started ended by itself.
    #[error("it ended soon after it was started, and its log {} says why", .log.display())]
    EndedSoon { log: PathBuf },
    /// Something that `initdb` did not make lies where the cluster should.
    #[error("{} is not a Postgres cluster: move it away, or name another data folder", .path.display())]
    NotACluster { path: PathBuf },
    /// A Unix socket's address is short.
    #[error("the data folder's path is too long for a Unix socket in it: {} has {length} bytes, \
             {longest} are possible: name a data folder nearer to the root", .path.display())]
    SocketPathTooLong { path: PathBuf, length: usize, longest: usize },
    /// This process is root, and nobody else is there to run Postgres.
    #[error(
        "Postgres refuses to run as root, and there is neither a user postgres nor a user nobody: \
             create one with `useradd --system postgres`, or run as an ordinary user"
    )]
    NoAccount,
    /// The user that runs Postgres in place of root cannot get to a folder.
    #[error("the user {user}, as whom Postgres runs because root cannot, may not enter {}: \
             name a folder outside of any private one, such as one below /var/lib, \
             or run as an ordinary user", .folder.display())]
    Unreachable { user: String, folder: PathBuf },
    /// The folder that was named has no programs of Postgres.
    #[error("{} holds no `initdb` and `postgres` that run here: \
             name the folder of both, such as /usr/lib/postgresql/17/bin", .folder.display())]
    NoBinariesThere {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The folder that was named holds a Postgres that is too old for a new cluster.
    #[error("{} holds PostgreSQL {major}, and {OLDEST} is the oldest that will do: name another folder", .folder.display())]
    TooOld { folder: PathBuf, major: u32 },
    /// The cluster needs programs of its own major version.
    #[error("the data in {} is of PostgreSQL {needed}, and {}: install PostgreSQL {needed}, \
             or name another data folder", .folder.display(), only_found(.found))]
    OtherVersion { folder: PathBuf, needed: u32, found: Vec<u32> },
    /// No programs of Postgres anywhere.
    #[error(
        "no PostgreSQL {OLDEST} or newer was found on this machine, and {fetching}: \
             install one (`apt install postgresql`, `dnf install postgresql-server` or `brew install postgresql`){}",
        .alternative.as_ref().map_or_else(String::new, |alternative| format!(", or {alternative}"))
    )]
    NoBinaries { fetching: FetchError, alternative: Option<String> },
    /// `initdb` could not make a cluster.
    #[error("initdb could not make a cluster, its last words: {last_words}")]
    Initdb { last_words: String },
    /// Postgres ended before it accepted connections.
    #[error("Postgres ended while starting (the log is {}), its last words: {last_words}", .log.display())]
    Ended { log: PathBuf, last_words: String },
    /// Postgres runs and does not accept connections.
    #[error("Postgres (process {id}) does not accept connections after {seconds} s of waiting: \
             its log {} says why", .log.display())]
    NotReady { id: i32, seconds: u64, log: PathBuf },
    /// Another server owns the data folder and has no Postgres ready.
    #[error("another server has {} and its Postgres does not accept connections yet: \
             try again when it is up, or name another data folder", .folder.display())]
    OwnerNotReady { folder: PathBuf },
    /// Postgres did not stop.
    #[error(
        "Postgres (process {id}) did not stop, not even by an immediate shutdown: \
             end it with `kill -9 {id}`; the next start recovers its data"
    )]
    StillRunning { id: i32 },
    /// The machine refused something.
    #[error("could not {action} {}", .path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Why the programs of Postgres were not fetched.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FetchError {
    /// There is no Python to fetch with.
    #[error("there is no python3 with pip to fetch one with")]
    NoPython,
    /// pip said no.
    #[error("fetching one with pip failed ({last_words})")]
    Pip { last_words: String },
    /// pip took too long.
    #[error("fetching one with pip took longer than {seconds} s")]
    TookTooLong { seconds: u64 },
    /// What came does not run on this machine.
    #[error("the one that was fetched does not run here")]
    DoesNotRun,
}

impl EmbeddedError {
    /// Names what was tried on which path; a closed door means somebody else's folder.
    pub(super) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| {
            if source.kind() == io::ErrorKind::PermissionDenied {
                Self::Foreign { path }
            } else if source.raw_os_error() == Some(Errno::LOOP.raw_os_error()) {
                Self::Misplaced { path }
            } else {
                Self::Io { action, path, source }
            }
        }
    }

    /// Whether a program could not be run because it, or the folder to run it in, is closed.
    pub(super) fn is_a_closed_door(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied)
    }

    /// Names the program that could not be run.
    pub(super) fn running(program: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = program.into();
        move |source| Self::Io { action: "run", path, source }
    }
}

fn only_found(majors: &[u32]) -> String {
    let majors: BTreeSet<u32> = majors.iter().copied().collect();
    let named: Vec<String> = majors.iter().map(u32::to_string).collect();
    match named.as_slice() {
        [] => "none was found on this machine".to_owned(),
        [one] => format!("only {one} was found on this machine"),
        several => format!("only {} were found on this machine", several.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::only_found;

    #[test]
    fn each_version_that_was_found_is_named_once() {
        assert_eq!(only_found(&[]), "none was found on this machine");
        assert_eq!(only_found(&[15, 15]), "only 15 was found on this machine");
        assert_eq!(only_found(&[17, 15, 17]), "only 15 and 17 were found on this machine");
    }
}
