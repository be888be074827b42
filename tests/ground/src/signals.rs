//! Processes that are stopped, ended and looked for.

use std::fs;

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use crate::cluster::process;

/// Processes that do nothing until this is dropped.
pub struct Hung(Vec<Pid>);

impl Hung {
    /// Stops processes, in this order. One that has ended since it was looked for needs no stopping.
    pub fn new(ids: &[u32]) -> Self {
        let mut hung = Self(Vec::new());
        for id in ids.iter().map(|id| process(*id)) {
            match kill_process(id, Signal::STOP) {
                Ok(()) => hung.0.push(id),
                Err(error) => assert_eq!(error, Errno::SRCH, "a process can be stopped"),
            }
        }
        assert!(!hung.0.is_empty(), "there is something to stop");
        hung
    }
}

impl Drop for Hung {
    fn drop(&mut self) {
        for id in &self.0 {
            // It may have been ended meanwhile.
            kill_process(*id, Signal::CONT).ok();
        }
    }
}

/// Sends a signal to a process that is there.
pub fn send(id: u32, signal: Signal) {
    kill_process(process(id), signal).expect("the process is there");
}

/// The children of a process.
pub fn children_of(parent: u32) -> Vec<u32> {
    let is_child = |id: &u32| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        status.lines().any(|line| line == format!("PPid:\t{parent}"))
    };
    all().filter(is_child).collect()
}

/// All processes, by /proc.
pub fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").expect("this system has a /proc");
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}
