//! The cluster: what `initdb` makes.

use std::{
    fs::{self, File},
    io::ErrorKind,
    time::Duration,
};

use super::{account::Account, binaries::Binaries, error::EmbeddedError, folder::Folder, journal, process};

const INITDB_LIMIT: Duration = Duration::from_mins(2);

/// The major version of the cluster that is there, or `None` when there is none.
///
/// # Errors
///
/// [`EmbeddedError::NotACluster`] when something else lies in its place,
/// [`EmbeddedError::Foreign`] when it is closed to this user.
pub(super) fn version(folder: &Folder) -> Result<Option<u32>, EmbeddedError> {
    let path = folder.cluster().join("PG_VERSION");
    let not_a_cluster = || EmbeddedError::NotACluster { path: folder.cluster().to_owned() };
    match fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().map(Some).map_err(|_| not_a_cluster()),
        Err(error) if error.kind() == ErrorKind::NotFound && is_free(folder) => Ok(None),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Err(EmbeddedError::Foreign { path: folder.cluster().to_owned() })
        }
        Err(_) => Err(not_a_cluster()),
    }
}

/// Makes the cluster in a folder aside and gives it its name when it is whole.
///
/// Trusting every connection is safe only because the socket's folder lets in nobody but the
/// user of Postgres (and root).
///
/// # Errors
///
/// [`EmbeddedError::Initdb`], [`EmbeddedError::Io`].
pub(super) fn create(folder: &Folder, binaries: &Binaries, account: &Account, user: &str) -> Result<(), EmbeddedError> {
    log::info!("making a Postgres cluster in {}", folder.data().display());
    let side = folder.unfinished("initdb");
    account.give(&side)?;
    let initdb = binaries.program("initdb");
    let mut command = account.command(&initdb);
    command.arg("--pgdata").arg(&side).args(["--username", user]);
    command.args(["--auth-local=trust", "--auth-host=reject"]);
    command.args(["--encoding=UTF8", "--locale=C", "--data-checksums"]);
    journal::record(folder, &mut command)?;
    let status = process::run(&mut command, INITDB_LIMIT).map_err(EmbeddedError::running(initdb))?;
    if !status.is_some_and(|status| status.success()) {
        let last_words = journal::last_words(folder);
        folder.clear_unfinished();
        return Err(EmbeddedError::Initdb { last_words });
    }
    fs::rename(&side, folder.cluster()).map_err(EmbeddedError::io("rename", &side))?;
    // The new name itself must survive a power cut too.
    let synced = File::open(folder.data()).and_then(|data| data.sync_all());
    synced.map_err(EmbeddedError::io("sync", folder.data()))
}

/// Nothing there, or an empty folder, which a rename replaces.
fn is_free(folder: &Folder) -> bool {
    match fs::read_dir(folder.cluster()) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}
