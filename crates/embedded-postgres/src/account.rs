//! Who runs Postgres: it refuses to be root.

use std::{
    env,
    ffi::OsString,
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, Stdio},
};

use rustix::fs::RawMode;

use super::{
    binaries::Binaries,
    cluster,
    error::EmbeddedError,
    folder::Folder,
    place::{Owner, Place},
    process,
    stop::Stop,
};

/// Who may stand in for root, in this order.
const STAND_INS: [&str; 2] = ["postgres", SHARED];

/// Whom services run as that have no user of their own.
const SHARED: &str = "nobody";

/// Where `id` lies, whatever `PATH` says.
const ID: [&str; 2] = ["/usr/bin/id", "/bin/id"];

/// Of the folders of the cluster and of its socket.
pub(super) const PRIVATE: RawMode = 0o700;

/// The user that the programs of Postgres run as.
#[derive(Debug)]
pub(super) enum Account {
    /// Whoever runs this process.
    Own,
    /// Somebody else, since this process is root. A number alone need not have a name.
    StandIn { name: Option<String>, user: u32, group: u32 },
}

/// Whether this process may do everything, and Postgres therefore may not run as it.
pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Root, and whoever may stand in for it: the users whose folders root works in.
///
/// # Errors
///
/// [`EmbeddedError::Stopped`].
pub(super) fn trusted(stop: &Stop) -> Result<Vec<u32>, EmbeddedError> {
    let mut users = vec![0];
    for name in STAND_INS {
        users.extend(number("-u", name, stop)?);
    }
    Ok(users)
}

impl Account {
    /// Chooses the owner of the cluster that is there; for a new one, this user or root's stand-in.
    ///
    /// In a data folder that root has given away its owner is the only one to be trusted.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Foreign`], [`EmbeddedError::OfRoot`], [`EmbeddedError::OfOthers`],
    /// [`EmbeddedError::NoAccount`].
    pub(super) fn choose(folder: &Folder, stop: &Stop) -> Result<Self, EmbeddedError> {
        let data = folder.owner()?;
        let existing = cluster::version(folder)?;
        let (Some(_), Some(owner)) = (existing, folder.cluster_owner()?) else {
            return match data.user {
                _ if !is_root() => Ok(Self::Own),
                0 => Self::stand_in(stop),
                _ => Self::numbered(data, stop),
            };
        };
        if !is_root() {
            let is_own = owner.user == rustix::process::geteuid().as_raw();
            return if is_own {
                Ok(Self::Own)
            } else {
                Err(EmbeddedError::Foreign { path: folder.cluster().to_owned() })
            };
        }
        if owner.user == 0 {
            let to = Self::stand_in(stop).ok().and_then(|account| account.name().map(str::to_owned));
            let to = to.unwrap_or_else(|| STAND_INS.concat());
            return Err(EmbeddedError::OfRoot { path: folder.cluster().to_owned(), to });
        }
        if data.user != 0 && data.user != owner.user {
            return Err(EmbeddedError::OfOthers { path: folder.cluster().to_owned(), owner: owner.user });
        }
        Self::numbered(owner, stop)
    }

    fn stand_in(stop: &Stop) -> Result<Self, EmbeddedError> {
        for name in STAND_INS {
            if let (Some(user), Some(group)) = (number("-u", name, stop)?, number("-g", name, stop)?) {
                return Ok(Self::StandIn { name: Some(name.to_owned()), user, group });
            }
        }
        Err(EmbeddedError::NoAccount)
    }

    fn numbered(owner: Owner, stop: &Stop) -> Result<Self, EmbeddedError> {
        let name = id(&["-un", &owner.user.to_string()], stop)?;
        Ok(Self::StandIn { name, user: owner.user, group: owner.group })
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::Own => None,
            Self::StandIn { name, .. } => name.as_deref(),
        }
    }

    /// The user's number.
    pub(super) fn user(&self) -> u32 {
        match self {
            Self::Own => rustix::process::geteuid().as_raw(),
            Self::StandIn { user, .. } => *user,
        }
    }

    /// Whom Postgres lets in, for its `pg_ident.conf`; `None` where the socket's folder alone decides.
    ///
    /// Whoever runs as the stand-in can enter that folder. Others may run as `nobody`, so that one
    /// is let in nowhere; `postgres` is whoever looks after databases on this machine.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Stopped`].
    pub(super) fn let_in(&self, stop: &Stop) -> Result<Option<Vec<String>>, EmbeddedError> {
        let Self::StandIn { name, .. } = self else { return Ok(None) };
        let root = id(&["-un", "0"], stop)?.unwrap_or_else(|| "root".to_owned());
        Ok(Some([root].into_iter().chain(name.clone().filter(|name| name != SHARED)).collect()))
    }

    /// Says once what is better on this machine.
    pub(super) fn advise(&self) {
        if self.name() == Some(SHARED) {
            log::warn!(
                "Postgres runs as {SHARED}, and so may other services, which can then read its files: \
                 `useradd --system postgres` before the first start gives it a user of its own"
            );
        }
    }

    /// A command that runs as this user and knows nothing of the server's environment.
    ///
    /// Variables such as `PGPORT` or `PGOPTIONS` would change what Postgres does, and secrets are
    /// none of its business.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(search_path().map(|path| ("PATH", path))).env("LC_ALL", "C");
        // The folder that the server was started in may be closed to this user.
        command.current_dir("/").stdin(Stdio::null());
        if let Self::StandIn { user, group, .. } = self {
            command.uid(*user).gid(*group);
        }
        command
    }

    /// Makes a folder in the data folder that only this user can enter, or takes over the one that
    /// is there.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::OfOthers`], [`EmbeddedError::Misplaced`], [`EmbeddedError::Io`].
    pub(super) fn make(&self, folder: &Folder, name: &str) -> Result<(), EmbeddedError> {
        let path = folder.data().join(name);
        let place = folder.place().make(name).map_err(EmbeddedError::io("prepare", &path))?;
        let take_over = |place: &Place| {
            if let Self::StandIn { user, group, .. } = self {
                place.give(*user, *group)?;
            }
            place.set_mode(PRIVATE)
        };
        let owner = place.owner().map_err(EmbeddedError::io("look at", &path))?;
        if is_root() && ![0, self.user()].contains(&owner.user) {
            return Err(EmbeddedError::OfOthers { path, owner: owner.user });
        }
        take_over(&place).map_err(EmbeddedError::io("prepare", path))
    }

    /// Makes sure that root's stand-in can get to the data, by going there.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Unreachable`], [`EmbeddedError::Stopped`].
    pub(super) fn check_entry(&self, folder: &Folder, binaries: &Binaries, stop: &Stop) -> Result<(), EmbeddedError> {
        if matches!(self, Self::Own) {
            return Ok(());
        }
        // That the program itself runs is known; only the folder can be what is closed.
        let mut going = self.command(&binaries.program("postgres"));
        match process::answer(going.arg("--version").current_dir(folder.data()), stop) {
            Err(error) if error.is_a_closed_door() => Err(self.cannot_enter(folder.data())),
            Err(EmbeddedError::Stopped) => Err(EmbeddedError::Stopped),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// That this user cannot get to a folder.
    pub(super) fn cannot_enter(&self, folder: &Path) -> EmbeddedError {
        let user = self.name().map_or_else(|| format!("number {}", self.user()), str::to_owned);
        EmbeddedError::Unreachable { user, folder: folder.to_owned() }
    }
}

/// The `PATH` of this process without folders that depend on where it was started: whatever lies
/// in the working folder is nothing to run.
pub(super) fn search_path() -> Option<OsString> {
    let path = env::var_os("PATH")?;
    env::join_paths(env::split_paths(&path).filter(|folder| folder.is_absolute())).ok()
}

fn number(what: &str, name: &str, stop: &Stop) -> Result<Option<u32>, EmbeddedError> {
    Ok(id(&[what, name], stop)?.and_then(|number| number.parse().ok()))
}

/// Asks `id`, which knows more directories of users than /etc/passwd (macOS keeps its own).
fn id(arguments: &[&str], stop: &Stop) -> Result<Option<String>, EmbeddedError> {
    let Some(program) = ID.into_iter().find(|program| Path::new(program).exists()) else { return Ok(None) };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().env("LC_ALL", "C").current_dir("/");
    Ok(process::answer(&mut command, stop)?.map(|name| name.trim().to_owned()))
}
