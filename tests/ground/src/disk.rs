//! Disks that are soon full.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::geteuid;

/// A disk that is soon full. Users other than root can have one in a namespace of their own, so there the test runs again.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// One of so many megabytes for the test of this name; none where it has run in a namespace, and where this system lets this
    /// user mount nothing, which is said.
    #[allow(clippy::print_stderr, reason = "whoever runs the tests should know")]
    pub fn mount(test: &str, megabytes: u32) -> Option<Self> {
        const INSIDE: &str = "NAVAL_BATTLE_TEST_MAY_MOUNT";
        const NOT_TRIED: &str = "not tried with a full disk: this user may mount none";
        if !geteuid().is_root() && env::var_os(INSIDE).is_none() {
            let unshare = || {
                let mut unshare = Command::new("unshare");
                unshare.args(["--map-current-user", "--mount", "--keep-caps", "--"]);
                unshare
            };
            if unshare().arg("true").status().is_ok_and(|status| status.success()) {
                let this = env::current_exe().unwrap();
                let ran = unshare().arg(this).args(["--exact", test]).env(INSIDE, "yes").output().unwrap();
                let told = String::from_utf8_lossy(&ran.stdout);
                assert!(ran.status.success() && told.contains(" 1 passed"), "{told}");
            } else {
                eprintln!("{NOT_TRIED}");
            }
            return None;
        }
        let folder = tempfile::Builder::new().prefix("nb-disk-").tempdir_in("/var/tmp").unwrap().keep();
        let size = format!("size={megabytes}m,mode=755");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(&folder).status().unwrap();
        if !mounted.success() {
            eprintln!("{NOT_TRIED}");
            fs::remove_dir(&folder).unwrap();
            return None;
        }
        Some(Self(folder))
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        Command::new("umount").arg("--lazy").arg(&self.0).status().ok();
        fs::remove_dir(&self.0).ok();
    }
}
