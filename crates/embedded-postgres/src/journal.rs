//! The log of Postgres and of the programs that prepare it.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    os::unix::fs::OpenOptionsExt,
    process::Command,
};

use super::{error::EmbeddedError, folder::Folder};

/// How much of the log's end is read for an error.
const TAIL: u64 = 4096;

const LAST_LINES: usize = 5;

/// Begins a new log and keeps the one before, so that the two together stay bounded by two runs.
pub(super) fn rotate(folder: &Folder) -> Result<(), EmbeddedError> {
    let path = folder.journal();
    match fs::rename(&path, path.with_extension("log.old")) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(EmbeddedError::io("rename", path)(source)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Sends what the command prints to the log.
pub(super) fn record(folder: &Folder, command: &mut Command) -> Result<(), EmbeddedError> {
    let path = folder.journal();
    let open = || -> io::Result<(File, File)> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path)?;
        Ok((file.try_clone()?, file))
    };
    let (output, errors) = open().map_err(EmbeddedError::io("open", &path))?;
    command.stdout(output).stderr(errors);
    Ok(())
}

/// The last lines of the log, as one line.
pub(super) fn last_words(folder: &Folder) -> String {
    let end = tail(folder);
    let lines: Vec<&str> = end.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let skipped = lines.len().saturating_sub(LAST_LINES);
    lines.into_iter().skip(skipped).collect::<Vec<_>>().join(" / ")
}

/// The last line that calls itself an error, as pip's do; else the last lines.
pub(super) fn last_error(folder: &Folder) -> String {
    let end = tail(folder);
    end.lines().rfind(|line| line.starts_with("ERROR: ")).map_or_else(|| last_words(folder), str::to_owned)
}

fn tail(folder: &Folder) -> String {
    read_tail(folder).unwrap_or_else(|error| format!("(the log cannot be read: {error})"))
}

fn read_tail(folder: &Folder) -> io::Result<String> {
    let mut file = File::open(folder.journal())?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
