//! The data folder: what lies where, and whose it is.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use super::{account, error::EmbeddedError};

/// The name that Postgres gives its socket, by the port that it does not open.
const SOCKET: &str = ".s.PGSQL.5432";

/// `sun_path` holds 104 bytes on macOS and 108 on Linux, the last a NUL.
const LONGEST_SOCKET_PATH: usize = 103;

const UNFINISHED: [&str; 2] = ["initdb-", "fetch-"];

/// The data folder of one cluster, by its real path.
#[derive(Debug)]
pub(super) struct Folder {
    data: PathBuf,
    cluster: PathBuf,
    socket: PathBuf,
}

impl Folder {
    /// Opens the folder, creating it if need be.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::SocketPathTooLong`], and [`EmbeddedError::Io`] or
    /// [`EmbeddedError::Foreign`] when it cannot be created.
    pub(super) fn open(data: &Path) -> Result<Self, EmbeddedError> {
        if !data.exists() {
            create_data(data).map_err(EmbeddedError::io("create the data folder", data))?;
        }
        let data = data.canonicalize().map_err(EmbeddedError::io("open the data folder", data))?;
        let folder = Self { cluster: data.join("cluster"), socket: data.join("socket"), data };
        let socket = folder.socket_file();
        let length = socket.as_os_str().as_bytes().len();
        if length > LONGEST_SOCKET_PATH {
            return Err(EmbeddedError::SocketPathTooLong { path: socket, length, longest: LONGEST_SOCKET_PATH });
        }
        Ok(folder)
    }

    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    pub(super) fn cluster(&self) -> &Path {
        &self.cluster
    }

    /// The folder of the socket.
    pub(super) fn socket(&self) -> &Path {
        &self.socket
    }

    pub(super) fn socket_file(&self) -> PathBuf {
        self.socket.join(SOCKET)
    }

    /// The file by which Postgres guards its socket against another Postgres.
    pub(super) fn socket_lock(&self) -> PathBuf {
        self.socket.join(format!("{SOCKET}.lock"))
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.data.join("postgres.log")
    }

    /// A folder to work in until it is whole and gets its name.
    ///
    /// Carries the process id: the `initdb` of a server that was killed may still be writing to its own.
    pub(super) fn unfinished(&self, kind: &str) -> PathBuf {
        self.data.join(format!("{kind}-{}", std::process::id()))
    }

    /// The lock that marks the owner, or `None` while another process holds it.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Foreign`] for another user's folder, [`EmbeddedError::Io`] otherwise.
    pub(super) fn try_lock(&self) -> Result<Option<File>, EmbeddedError> {
        let path = self.data.join("lock");
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(EmbeddedError::io("open the lock file", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(EmbeddedError::io("lock", path)(source)),
        }
    }

    /// Removes what an interrupted first start left; what resists is left to the next owner.
    pub(super) fn clear_unfinished(&self) {
        for path in entries(&self.data) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if UNFINISHED.iter().any(|kind| name.starts_with(kind)) {
                log::info!("removing {}, which was not finished", path.display());
                if let Err(error) = fs::remove_dir_all(&path) {
                    log::warn!("could not remove {}: {error}", path.display());
                }
            }
        }
    }
}

/// What lies in a folder, in no order; nothing when it cannot be read.
pub(super) fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// Root's data folder must let the user of Postgres through, whatever root's umask is.
fn create_data(data: &Path) -> std::io::Result<()> {
    let mode = if account::is_root() { 0o755 } else { 0o700 };
    DirBuilder::new().recursive(true).mode(mode).create(data)?;
    fs::set_permissions(data, Permissions::from_mode(mode))
}
