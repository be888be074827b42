//! Who runs Postgres: it refuses to be root.

use std::{
    env, fs,
    io::ErrorKind,
    os::unix::{
        fs::{DirBuilderExt, MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::{Command, Stdio},
};

use super::{binaries::Binaries, cluster, error::EmbeddedError, folder::Folder};

/// Who may stand in for root, in this order.
const STAND_INS: [&str; 2] = ["postgres", "nobody"];

/// The user that the programs of Postgres run as.
#[derive(Debug)]
pub(super) enum Account {
    /// Whoever runs this process.
    Own,
    /// Somebody else, since this process is root.
    StandIn { name: String, user: u32, group: u32 },
}

/// Whether this process may do everything, and Postgres therefore may not run as it.
pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

impl Account {
    /// Chooses the owner of the cluster that is there; for a new one, this user or root's stand-in.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Foreign`], [`EmbeddedError::OfRoot`], [`EmbeddedError::NoAccount`].
    pub(super) fn choose(folder: &Folder) -> Result<Self, EmbeddedError> {
        let path = folder.cluster();
        if cluster::version(folder)?.is_none() {
            return if is_root() { Self::stand_in() } else { Ok(Self::Own) };
        }
        let owner = fs::metadata(path).map_err(EmbeddedError::io("look at", path))?;
        if !is_root() {
            let is_own = owner.uid() == rustix::process::geteuid().as_raw();
            return if is_own { Ok(Self::Own) } else { Err(EmbeddedError::Foreign { path: path.to_owned() }) };
        }
        if owner.uid() == 0 {
            return Err(EmbeddedError::OfRoot { path: path.to_owned() });
        }
        let name = format!("number {}", owner.uid());
        Ok(Self::StandIn { name, user: owner.uid(), group: owner.gid() })
    }

    fn stand_in() -> Result<Self, EmbeddedError> {
        STAND_INS
            .iter()
            .find_map(|name| {
                let (user, group) = (ask_id("-u", name)?, ask_id("-g", name)?);
                Some(Self::StandIn { name: (*name).to_owned(), user, group })
            })
            .ok_or(EmbeddedError::NoAccount)
    }

    /// A command that runs as this user and knows nothing of the server's environment.
    ///
    /// Variables such as `PGPORT` or `PGOPTIONS` would change what Postgres does, and secrets are
    /// none of its business.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(env::var_os("PATH").map(|path| ("PATH", path))).env("LC_ALL", "C");
        // The folder that the server was started in may be closed to this user.
        command.current_dir("/").stdin(Stdio::null());
        if let Self::StandIn { user, group, .. } = self {
            command.uid(*user).gid(*group);
        }
        command
    }

    /// Makes a folder that only this user can enter, or takes over the one that is there.
    pub(super) fn give(&self, path: &Path) -> Result<(), EmbeddedError> {
        let give = || {
            if !path.exists() {
                fs::DirBuilder::new().mode(0o700).create(path)?;
            }
            if let Self::StandIn { user, group, .. } = self {
                std::os::unix::fs::lchown(path, Some(*user), Some(*group))?;
            }
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))
        };
        give().map_err(EmbeddedError::io("prepare", path))
    }

    /// Makes sure that root's stand-in can get to the data, by going there.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Unreachable`].
    pub(super) fn check_entry(&self, folder: &Folder, binaries: &Binaries) -> Result<(), EmbeddedError> {
        let Self::StandIn { name, .. } = self else { return Ok(()) };
        // That the program itself runs is known; only the folder can be what is closed.
        let went = self.command(&binaries.program("postgres")).arg("--version").current_dir(folder.data()).output();
        match went {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                Err(EmbeddedError::Unreachable { user: name.clone(), folder: folder.data().to_owned() })
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// Asks `id`, which knows more directories of users than /etc/passwd (macOS keeps its own).
fn ask_id(what: &str, name: &str) -> Option<u32> {
    let answer = Command::new("id").args([what, name]).stderr(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&answer.stdout).trim().parse().ok()
}
