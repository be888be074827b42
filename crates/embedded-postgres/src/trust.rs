//! Whom root trusts with the way to its data.

use std::{
    ffi::OsString,
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf},
};

use super::error::EmbeddedError;

/// As many links as Linux follows.
const MOST_LINKS: u32 = 40;

const STICKY: u32 = 0o1000;
const WRITABLE_BY_ALL: u32 = 0o002;

/// Makes sure that nobody but these users can change what a path leads to: whatever lies on the
/// way belongs to one of them, and no folder on the way lets others put something else in its place.
///
/// What is not there yet is for root to make.
///
/// # Errors
///
/// [`EmbeddedError::OfOthers`], [`EmbeddedError::OpenToAll`], [`EmbeddedError::Io`].
pub(super) fn check_way(path: &Path, trusted: &[u32]) -> Result<(), EmbeddedError> {
    let path = std::path::absolute(path).map_err(EmbeddedError::io("find", path))?;
    let mut rest = parts(&path);
    let mut at = PathBuf::new();
    let mut links = 0;
    while let Some(part) = rest.pop() {
        match Path::new(&part).components().next() {
            Some(Component::RootDir) => at = PathBuf::from("/"),
            Some(Component::ParentDir) => {
                at.pop();
            }
            Some(Component::CurDir | Component::Prefix(_)) | None => {}
            Some(Component::Normal(name)) => {
                let next = at.join(name);
                let it = match fs::symlink_metadata(&next) {
                    Ok(it) => it,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                    Err(error) => return Err(EmbeddedError::io("look at", next)(error)),
                };
                if !trusted.contains(&it.uid()) {
                    return Err(EmbeddedError::OfOthers { path: next, owner: it.uid() });
                }
                if it.is_symlink() {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(EmbeddedError::Misplaced { path: next });
                    }
                    rest.extend(parts(&fs::read_link(&next).map_err(EmbeddedError::io("read", next))?));
                    continue;
                }
                // The folder itself can be closed by root; what leads there cannot.
                if !rest.is_empty() && it.mode() & WRITABLE_BY_ALL != 0 && it.mode() & STICKY == 0 {
                    return Err(EmbeddedError::OpenToAll { path: next });
                }
                at = next;
            }
        }
    }
    Ok(())
}

/// The parts of a path, the first one last.
fn parts(path: &Path) -> Vec<OsString> {
    path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
}
