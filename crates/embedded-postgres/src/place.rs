//! A folder that is held open, so that nobody can put another in its place.
//!
//! Root works in folders that belong to its stand-in. By a path it would follow whatever link lies
//! there at that moment; by an open folder and a name in it, it follows none.

use std::{
    fs::{self, File, Permissions},
    io::{self, ErrorKind, Read, Write},
    os::{
        fd::OwnedFd,
        unix::fs::{MetadataExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{
        AtFlags, CWD, FileType, Mode, OFlags, RawMode, Stat, fchmod, fchown, fstat, fsync, mkdirat, openat, renameat,
        statat, unlinkat,
    },
    io::Errno,
    process::{Gid, Uid},
};

use super::account;

/// More than any file that is read whole here has.
const LONGEST_TEXT: u64 = 1 << 16;

/// Of a file that all may read.
const PUBLIC: RawMode = 0o644;

/// Of a folder that its owner alone may enter.
const OWNERS: u32 = 0o700;

/// Whether a link in the place of a folder may lead elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    Followed,
    Refused,
}

/// An open folder, and the path that it had.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    folder: OwnedFd,
}

/// Whose something is, and who may do what with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) user: u32,
    pub(super) group: u32,
    pub(super) mode: RawMode,
}

impl Place {
    /// Opens a folder by a path that nobody else can change.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), folder: openat(CWD, path, of_folder(Links::Refused), Mode::empty())? })
    }

    /// Opens a folder in this one.
    pub(super) fn inside(&self, name: &str, links: Links) -> io::Result<Self> {
        let opened = openat(&self.folder, name, of_folder(links), Mode::empty());
        // Linux calls a link that is not followed no folder.
        let folder = opened.map_err(|error| if error == Errno::NOTDIR { Errno::LOOP } else { error })?;
        Ok(Self { path: self.path.join(name), folder })
    }

    /// Makes a folder in this one, or opens the one that is there, for this user alone.
    pub(super) fn make(&self, name: &str) -> io::Result<Self> {
        match mkdirat(&self.folder, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        self.inside_or_opened(name, Links::Refused)
    }

    /// Opens a folder in this one; where a copy or a restore has closed it even to its owner, it is
    /// opened to them again.
    pub(super) fn inside_or_opened(&self, name: &str, links: Links) -> io::Result<Self> {
        match self.inside(name, links) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied && self.is_own_folder(name) => {
                // By its path, since it cannot be held open; nobody is betrayed but the one who does it.
                fs::set_permissions(self.path.join(name), Permissions::from_mode(OWNERS))?;
                self.inside(name, links)
            }
            opened => opened,
        }
    }

    fn is_own_folder(&self, name: &str) -> bool {
        let user = rustix::process::geteuid();
        let it = fs::symlink_metadata(self.path.join(name));
        !user.is_root() && it.is_ok_and(|it| it.is_dir() && it.uid() == user.as_raw())
    }

    /// Whether something of this name lies in it.
    pub(super) fn holds(&self, name: &str) -> io::Result<bool> {
        let it = statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(io::Error::from);
        Ok(found(it)?.is_some())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn owner(&self) -> io::Result<Owner> {
        Ok(Owner::of(&fstat(&self.folder)?))
    }

    /// Whether its path still leads to it.
    pub(super) fn is_in_place(&self) -> bool {
        let here = fstat(&self.folder).map(|it| (it.st_dev, it.st_ino));
        let there = rustix::fs::stat(&self.path).map(|it| (it.st_dev, it.st_ino));
        here.is_ok() && here == there
    }

    pub(super) fn give(&self, user: u32, group: u32) -> io::Result<()> {
        Ok(fchown(&self.folder, Some(Uid::from_raw(user)), Some(Gid::from_raw(group)))?)
    }

    pub(super) fn set_mode(&self, mode: RawMode) -> io::Result<()> {
        Ok(fchmod(&self.folder, mode_of(mode)?)?)
    }

    /// The text of a file in it, of which there may be none.
    pub(super) fn read(&self, name: &str) -> io::Result<Option<String>> {
        let Some(file) = found(self.open_file(name, OFlags::RDONLY, Mode::empty()))? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(LONGEST_TEXT).read_to_end(&mut bytes)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// A file of this user's alone to read and to append to; it is made if need be.
    pub(super) fn own_file(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::APPEND;
        if let Some(file) = found(self.open_file(name, flags, Mode::empty()))? {
            return Ok(file);
        }
        match self.new_file(name, 0o600, flags) {
            // Another server made it since.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => self.open_file(name, flags, Mode::empty()),
            made => made,
        }
    }

    /// A file in it that is there, to be written over.
    pub(super) fn writable(&self, name: &str) -> io::Result<File> {
        self.open_file(name, OFlags::WRONLY, Mode::empty())
    }

    /// A file of which the text is this, to be read by all who can enter; it is left alone if it
    /// is so already, since the disk may be full.
    pub(super) fn publish(&self, name: &str, text: &str) -> io::Result<()> {
        if let Ok(there) = self.open_file(name, OFlags::RDWR, Mode::empty()) {
            let mut bytes = Vec::new();
            (&there).take(LONGEST_TEXT).read_to_end(&mut bytes)?;
            if bytes == text.as_bytes() {
                return Ok(fchmod(&there, mode_of(PUBLIC)?)?);
            }
        }
        let aside = format!("{name}.new");
        found(self.remove(&aside))?;
        self.new_file(&aside, PUBLIC, OFlags::WRONLY)?.write_all(text.as_bytes())?;
        self.rename(&aside, name)
    }

    /// A file that was not there.
    pub(super) fn new_file(&self, name: &str, mode: RawMode, flags: OFlags) -> io::Result<File> {
        let file = self.open_file(name, flags | OFlags::CREATE | OFlags::EXCL, mode_of(mode)?)?;
        // Whatever the umask is.
        fchmod(&file, mode_of(mode)?)?;
        Ok(file)
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.folder, from, &self.folder, to)?)
    }

    pub(super) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.folder, name, AtFlags::empty())?)
    }

    /// Makes its names survive a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        Ok(fsync(&self.folder)?)
    }

    /// A file, and nothing that another user made look like one.
    fn open_file(&self, name: &str, flags: OFlags, mode: Mode) -> io::Result<File> {
        // What is no file, such as a pipe without a reader, must not be waited for.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.folder, name, flags, mode)?;
        let it = fstat(&file)?;
        let is_file = FileType::from_raw_mode(it.st_mode) == FileType::RegularFile;
        // Root does not write to a file that has another name somewhere else.
        let is_written = flags.intersects(OFlags::WRONLY | OFlags::RDWR);
        let is_elsewhere = account::is_root() && is_written && it.st_nlink > 1;
        if !is_file || is_elsewhere {
            return Err(Errno::LOOP.into());
        }
        Ok(File::from(file))
    }
}

impl Owner {
    fn of(it: &Stat) -> Self {
        Self { user: it.st_uid, group: it.st_gid, mode: it.st_mode & 0o7777 }
    }
}

/// What may be missing.
pub(super) fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(it) => Ok(Some(it)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn of_folder(links: Links) -> OFlags {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match links {
        Links::Followed => flags,
        Links::Refused => flags | OFlags::NOFOLLOW,
    }
}

fn mode_of(mode: RawMode) -> io::Result<Mode> {
    Mode::from_bits(mode).ok_or(ErrorKind::InvalidInput.into())
}

#[cfg(test)]
mod tests {
    use std::{
        sync::Barrier,
        thread::{self, ScopedJoinHandle},
    };

    use super::*;

    #[test]
    fn of_many_that_make_a_file_at_once_all_open_the_same() {
        let ground = tempfile::tempdir().unwrap();
        let place = Place::open(ground.path()).unwrap();
        for round in 0..1000 {
            let name = format!("file-{round}");
            let start = Barrier::new(4);
            let open = || {
                start.wait();
                place.own_file(&name).unwrap().metadata().unwrap().ino()
            };

            let files: Vec<u64> = thread::scope(|scope| {
                let racing: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
                racing.into_iter().map(ScopedJoinHandle::join).map(Result::unwrap).collect()
            });

            assert!(files.iter().all(|file| *file == files[0]), "{files:?}");
        }
    }
}
