//! The cluster: what `initdb` makes.

use std::{
    fs,
    io::{self, ErrorKind},
    time::Duration,
};

use rustix::fs::RawMode;

use super::{
    account::{self, Account},
    binaries::Binaries,
    error::EmbeddedError,
    folder::Folder,
    journal,
    place::{Links, Place},
    process,
    stop::Stop,
};

/// The mode that Postgres accepts for its folder: the group may read.
const MOST: RawMode = 0o750;

/// The folders that `initdb` makes and that are empty after an orderly stop, in all versions from 15.
const MOSTLY_EMPTY: [&str; 11] = [
    "pg_commit_ts",
    "pg_dynshmem",
    "pg_logical",
    "pg_notify",
    "pg_replslot",
    "pg_serial",
    "pg_snapshots",
    "pg_stat",
    "pg_stat_tmp",
    "pg_tblspc",
    "pg_twophase",
];
const MOSTLY_EMPTY_WITHIN: [(&str, &[&str]); 2] =
    [("pg_logical", &["mappings", "snapshots"]), ("pg_wal", &["archive_status"])];

const INITDB_LIMIT: Duration = Duration::from_mins(2);

/// The major version of the cluster that is there, or `None` when there is none.
///
/// # Errors
///
/// [`EmbeddedError::NotACluster`] when something else lies in its place,
/// [`EmbeddedError::Foreign`] when it is closed to this user.
pub(super) fn version(folder: &Folder) -> Result<Option<u32>, EmbeddedError> {
    let not_a_cluster = || EmbeddedError::NotACluster { path: folder.cluster().to_owned() };
    let Some(cluster) = folder.open_cluster()? else { return Ok(None) };
    match cluster.read("PG_VERSION") {
        Ok(Some(text)) => text.trim().parse().map(Some).map_err(|_| not_a_cluster()),
        Ok(None) if is_free(folder) => Ok(None),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Err(EmbeddedError::Foreign { path: folder.cluster().to_owned() })
        }
        Ok(None) | Err(_) => Err(not_a_cluster()),
    }
}

/// Makes the cluster in a folder aside and gives it its name when it is whole.
///
/// Trusting every connection is safe only because the socket's folder lets in nobody but the
/// user of Postgres (and root), who is then asked who they are where others may be that user.
///
/// # Errors
///
/// [`EmbeddedError::Initdb`], [`EmbeddedError::Stopped`], [`EmbeddedError::Io`].
pub(super) fn create(
    folder: &Folder,
    binaries: &Binaries,
    account: &Account,
    user: &str,
    stop: &Stop,
) -> Result<(), EmbeddedError> {
    log::info!("making a Postgres cluster in {}", folder.data().display());
    let name = Folder::unfinished("initdb");
    account.make(folder, &name)?;
    let made = run_initdb(folder, binaries, account, user, stop);
    if made.is_err() {
        folder.clear_unfinished();
    }
    made?;
    folder.place().rename(&name, Folder::CLUSTER).map_err(EmbeddedError::io("rename", folder.data().join(name)))?;
    // The new name itself must survive a power cut too.
    folder.place().sync().map_err(EmbeddedError::io("sync", folder.data()))
}

fn run_initdb(
    folder: &Folder,
    binaries: &Binaries,
    account: &Account,
    user: &str,
    stop: &Stop,
) -> Result<(), EmbeddedError> {
    let mut command = account.command(&binaries.program("initdb"));
    command.arg("--pgdata").arg(folder.data().join(Folder::unfinished("initdb"))).args(["--username", user]);
    command.args(["--auth-local=trust", "--auth-host=reject"]);
    command.args(["--encoding=UTF8", "--locale=C", "--data-checksums"]);
    let begun = journal::record(folder, &mut command)?;
    match process::run(&mut command, INITDB_LIMIT, stop)? {
        Some(status) if status.success() => Ok(()),
        Some(_) => Err(EmbeddedError::Initdb { last_words: journal::last_words(folder, begun) }),
        None => Err(EmbeddedError::Initdb { last_words: format!("none after {} s", INITDB_LIMIT.as_secs()) }),
    }
}

/// Closes the cluster again where a copy or a restore has opened it: Postgres insists on it.
///
/// # Errors
///
/// [`EmbeddedError::Io`].
pub(super) fn close_to_others(folder: &Folder) -> Result<(), EmbeddedError> {
    let Some(place) = folder.open_cluster()? else { return Ok(()) };
    let close = || {
        let mode = place.owner()?.mode;
        if mode & !MOST == 0 && mode & account::PRIVATE == account::PRIVATE {
            return Ok(());
        }
        log::warn!("{} had mode {mode:04o}: closing it to others", place.path().display());
        place.set_mode(account::PRIVATE)
    };
    close().map_err(EmbeddedError::io("close", place.path()))
}

/// Makes the folders anew that are mostly empty, which some copies and restores leave out; Postgres
/// does not start without.
///
/// # Errors
///
/// [`EmbeddedError::Io`].
pub(super) fn fill_in(folder: &Folder, account: &Account) -> Result<(), EmbeddedError> {
    let Some(cluster) = folder.open_cluster()? else { return Ok(()) };
    fill(&cluster, &MOSTLY_EMPTY, account).map_err(EmbeddedError::io("fill in", cluster.path()))?;
    for (parent, names) in MOSTLY_EMPTY_WITHIN {
        match cluster.inside(parent, Links::Refused) {
            Ok(parent) => fill(&parent, names, account).map_err(EmbeddedError::io("fill in", parent.path()))?,
            // Whoever has put a link there keeps it elsewhere, and what else is wrong Postgres says.
            Err(error) => log::debug!("{parent} of the cluster is left as it is: {error}"),
        }
    }
    Ok(())
}

fn fill(place: &Place, names: &[&str], account: &Account) -> io::Result<()> {
    for name in names {
        if place.holds(name)? {
            continue;
        }
        log::warn!("{} lacks the folder {name}: making it anew", place.path().display());
        let made = place.make(name)?;
        if let Account::StandIn { user, group, .. } = account {
            made.give(*user, *group)?;
        }
        made.set_mode(account::PRIVATE)?;
    }
    Ok(())
}

/// An empty folder, which a rename replaces.
fn is_free(folder: &Folder) -> bool {
    fs::read_dir(folder.cluster()).is_ok_and(|mut entries| entries.next().is_none())
}
