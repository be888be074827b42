//! The log of Postgres and of the programs that prepare it.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    process::Command,
};

use rustix::fs::OFlags;

use super::{error::EmbeddedError, folder::Folder, place::found};

const OLD: &str = "postgres.log.old";

/// How long the log grows before it begins anew.
const LONGEST: u64 = 10 << 20;

/// How much of the log's end is read for an error.
const TAIL: u64 = 8192;

/// An error with its detail and hint, and what led to it.
const LAST_LINES: usize = 8;

/// What Postgres says at each start and end.
const SAID_EACH_TIME: [&str; 4] = [
    "LOG:  starting PostgreSQL",
    "LOG:  listening on Unix socket",
    "LOG:  database system was shut down at",
    "LOG:  database system is shut down",
];

/// Begins a new log and keeps the one before.
pub(super) fn rotate(folder: &Folder) -> Result<(), EmbeddedError> {
    let renamed = found(folder.place().rename(Folder::JOURNAL, OLD));
    renamed.map(drop).map_err(EmbeddedError::io("rename", folder.journal()))
}

/// Begins the log anew when it has grown too long, and keeps what it was.
///
/// It is emptied rather than renamed: Postgres holds it open, and goes on where it ends. What is
/// written at this very moment is lost.
pub(super) fn cap(folder: &Folder) -> io::Result<()> {
    let place = folder.place();
    let mut file = place.own_file(Folder::JOURNAL)?;
    let length = file.metadata()?.len();
    if length <= LONGEST {
        return Ok(());
    }
    found(place.remove(OLD))?;
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST)))?;
    let kept = place
        .new_file(OLD, 0o600, OFlags::WRONLY)
        .and_then(|mut old| io::copy(&mut file.by_ref().take(LONGEST), &mut old));
    // The disk may be full: all the more it has to end here.
    file.set_len(0)?;
    kept.map(drop)
}

/// Sends what the command prints to the log; tells where in it that begins.
pub(super) fn record(folder: &Folder, command: &mut Command) -> Result<u64, EmbeddedError> {
    let open = || -> io::Result<(u64, File, File)> {
        let file = folder.place().own_file(Folder::JOURNAL)?;
        Ok((file.metadata()?.len(), file.try_clone()?, file))
    };
    let (begun, output, errors) = open().map_err(EmbeddedError::io("open", folder.journal()))?;
    command.stdout(output).stderr(errors);
    Ok(begun)
}

/// The last lines of the log since it was so long, as one line.
pub(super) fn last_words(folder: &Folder, begun: u64) -> String {
    let end = tail(folder, begun);
    let is_telling = |line: &&str| !line.is_empty() && !SAID_EACH_TIME.iter().any(|usual| line.starts_with(usual));
    let lines: Vec<&str> = end.lines().map(|line| bare(line.trim())).filter(is_telling).collect();
    let skipped = lines.len().saturating_sub(LAST_LINES);
    if lines.is_empty() { "none".to_owned() } else { lines.into_iter().skip(skipped).collect::<Vec<_>>().join(" / ") }
}

/// The last line that calls itself an error, as pip's do; else the last lines.
pub(super) fn last_error(folder: &Folder, begun: u64) -> String {
    let end = tail(folder, begun);
    end.lines().rfind(|line| line.starts_with("ERROR: ")).map_or_else(|| last_words(folder, begun), str::to_owned)
}

/// A line without the time and the process id before it: `2026-12-01 03:08:00.123 UTC [42] FATAL:  …`.
fn bare(line: &str) -> &str {
    match line.split_once("] ") {
        Some((before, rest)) if before.starts_with(|first: char| first.is_ascii_digit()) => rest,
        Some(_) | None => line,
    }
}

fn tail(folder: &Folder, begun: u64) -> String {
    read_tail(folder, begun).unwrap_or_else(|error| format!("(the log cannot be read: {error})"))
}

fn read_tail(folder: &Folder, begun: u64) -> io::Result<String> {
    let mut file = folder.place().own_file(Folder::JOURNAL)?;
    let length = file.metadata()?.len();
    // It may have begun anew meanwhile.
    let begun = if begun > length { 0 } else { begun };
    file.seek(SeekFrom::Start(begun.max(length.saturating_sub(TAIL))))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
