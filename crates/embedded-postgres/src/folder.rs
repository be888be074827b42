//! The data folder: what lies where, and whose it is.

use std::{
    fs::{self, DirBuilder, File, Permissions, TryLockError},
    io::{self, ErrorKind},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::fs::RawMode;

use super::{
    account,
    error::EmbeddedError,
    place::{Links, Owner, Place, found},
    stop::Stop,
    trust,
};

/// The name that Postgres gives its socket, by the port that it does not open.
pub(super) const SOCKET_FILE: &str = ".s.PGSQL.5432";

/// `sun_path` holds 104 bytes on macOS and 108 on Linux, the last a NUL.
const LONGEST_SOCKET_PATH: usize = 103;

const UNFINISHED: [&str; 2] = ["initdb-", "fetch-"];

/// Root's data folder must let the user of Postgres through.
const MODE_OF_ROOT: u32 = 0o755;
const MODE_OF_OTHERS: u32 = 0o700;

/// Nobody but its owner puts anything into a data folder.
const WRITABLE_BY_OTHERS: RawMode = 0o022;

/// The data folder of one cluster, by its real path, held open.
#[derive(Debug)]
pub(super) struct Folder {
    place: Place,
    cluster: PathBuf,
    socket: PathBuf,
}

impl Folder {
    /// The names of what lies in it.
    pub(super) const CLUSTER: &str = "cluster";
    pub(super) const SOCKET: &str = "socket";
    pub(super) const JOURNAL: &str = "postgres.log";
    const LOCK: &str = "lock";

    /// Opens the folder, creating it if need be.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::SocketPathTooLong`], [`EmbeddedError::OfOthers`] and
    /// [`EmbeddedError::OpenToAll`] where root cannot trust it, and [`EmbeddedError::Io`] or
    /// [`EmbeddedError::Foreign`] when it cannot be created.
    pub(super) fn open(data: &Path, stop: &Stop) -> Result<Self, EmbeddedError> {
        if account::is_root() {
            trust::check_way(data, &account::trusted(stop)?)?;
        }
        if !data.exists() {
            create_data(data).map_err(EmbeddedError::io("create the data folder", data))?;
        }
        let data = data.canonicalize().map_err(EmbeddedError::io("open the data folder", data))?;
        let place = Place::open(&data).map_err(EmbeddedError::io("open the data folder", &data))?;
        let folder = Self { cluster: data.join(Self::CLUSTER), socket: data.join(Self::SOCKET), place };
        let socket = folder.socket_file();
        let length = socket.as_os_str().as_bytes().len();
        if length > LONGEST_SOCKET_PATH {
            return Err(EmbeddedError::SocketPathTooLong { path: socket, length, longest: LONGEST_SOCKET_PATH });
        }
        if account::is_root() {
            folder.close_to_others()?;
        }
        Ok(folder)
    }

    /// The folder as it was opened.
    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn data(&self) -> &Path {
        self.place.path()
    }

    pub(super) fn cluster(&self) -> &Path {
        &self.cluster
    }

    /// The folder of the socket.
    pub(super) fn socket(&self) -> &Path {
        &self.socket
    }

    pub(super) fn socket_file(&self) -> PathBuf {
        self.socket.join(SOCKET_FILE)
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.data().join(Self::JOURNAL)
    }

    pub(super) fn owner(&self) -> Result<Owner, EmbeddedError> {
        self.place.owner().map_err(EmbeddedError::io("look at", self.data()))
    }

    /// Opens the cluster's folder, if there is one. A link in its place is followed where it was
    /// put by whom this process works for.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Foreign`], [`EmbeddedError::Misplaced`], [`EmbeddedError::Io`].
    pub(super) fn open_cluster(&self) -> Result<Option<Place>, EmbeddedError> {
        let is_given_away = account::is_root() && self.owner()?.user != 0;
        let links = if is_given_away { Links::Refused } else { Links::Followed };
        let opened = found(self.place.inside_or_opened(Self::CLUSTER, links));
        opened.map_err(|error| {
            let is_closed = error.kind() == ErrorKind::PermissionDenied;
            if !is_closed && self.cluster.is_file() {
                return EmbeddedError::NotACluster { path: self.cluster.clone() };
            }
            EmbeddedError::io("open", &self.cluster)(error)
        })
    }

    /// Whose the cluster is, if there is one.
    pub(super) fn cluster_owner(&self) -> Result<Option<Owner>, EmbeddedError> {
        let Some(place) = self.open_cluster()? else { return Ok(None) };
        place.owner().map(Some).map_err(EmbeddedError::io("look at", &self.cluster))
    }

    /// The socket's folder, if there is one.
    pub(super) fn open_socket(&self) -> Result<Option<Place>, EmbeddedError> {
        found(self.place.inside(Self::SOCKET, Links::Refused)).map_err(EmbeddedError::io("open", &self.socket))
    }

    /// The name of a folder to work in until it is whole and gets its name.
    ///
    /// Carries the process id: the `initdb` of a server that was killed may still be writing to its own.
    pub(super) fn unfinished(kind: &str) -> String {
        format!("{kind}-{}", std::process::id())
    }

    /// The lock that marks the owner, or `None` while another process holds it.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Foreign`] for another user's folder, [`EmbeddedError::Io`] otherwise.
    pub(super) fn try_lock(&self) -> Result<Option<File>, EmbeddedError> {
        let path = self.data().join(Self::LOCK);
        let file = self.place.own_file(Self::LOCK).map_err(EmbeddedError::io("open the lock file", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(EmbeddedError::io("lock", path)(source)),
        }
    }

    /// Removes what an interrupted first start left; what resists is left to the next owner.
    pub(super) fn clear_unfinished(&self) {
        for path in entries(self.data()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if UNFINISHED.iter().any(|kind| name.starts_with(kind)) {
                log::info!("removing {}, which was not finished", path.display());
                // Follows no link, whoever owns the folder.
                if let Err(error) = fs::remove_dir_all(&path) {
                    log::warn!("could not remove {}: {error}", path.display());
                }
            }
        }
    }

    fn close_to_others(&self) -> Result<(), EmbeddedError> {
        let owner = self.owner()?;
        if owner.mode & WRITABLE_BY_OTHERS == 0 {
            return Ok(());
        }
        log::warn!("{} could be written to by others: closing it to them", self.data().display());
        let mode = owner.mode & !WRITABLE_BY_OTHERS;
        self.place.set_mode(mode).map_err(EmbeddedError::io("close", self.data()))
    }
}

/// What lies in a folder, in no order; nothing when it cannot be read.
pub(super) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Whatever the umask is.
fn create_data(data: &Path) -> io::Result<()> {
    let mode = if account::is_root() { MODE_OF_ROOT } else { MODE_OF_OTHERS };
    if let Some(parent) = data.parent().filter(|parent| !parent.as_os_str().is_empty() && !parent.exists()) {
        create_data(parent)?;
    }
    match DirBuilder::new().mode(mode).create(data) {
        Ok(()) => fs::set_permissions(data, Permissions::from_mode(mode)),
        // Another server that starts was faster.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && data.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}
