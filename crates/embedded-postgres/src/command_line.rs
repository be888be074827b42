//! How Postgres is started: what it is told, and whom it lets in.

use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
    process::Command,
};

use super::{Settings, account::Account, binaries::Binaries, error::EmbeddedError, folder::Folder, stop::Stop};

/// What Postgres is told on its command line, where neither a file nor `alter system` overrules it.
///
/// The logging settings keep secrets out of the log: details and parameters hold whole rows.
const SERVER_SETTINGS: [&str; 17] = [
    "listen_addresses=",
    "port=5432",
    "unix_socket_permissions=0700",
    "max_connections=400",
    "restart_after_crash=on",
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "timezone=UTC",
    "log_timezone=UTC",
    "lc_messages=C",
    "log_destination=stderr",
    "log_line_prefix=%m [%p] ",
    "logging_collector=off",
    "log_statement=none",
    "log_parameter_max_length=0",
    "log_parameter_max_length_on_error=0",
];

/// The files by which Postgres knows whom to let in, in the data folder.
const HBA: &str = "pg_hba.conf";
const IDENT: &str = "pg_ident.conf";

/// The setting that names the former; a Postgres without it lets everybody in who gets to its socket.
pub(super) const HBA_SETTING: &str = "hba_file";

/// The name of the map in the latter.
const MAP: &str = "embedded";

/// Whether the log tells details and hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verbosity {
    /// As it has to be while it serves: details hold rows.
    Terse,
    /// For a Postgres that does not start.
    Whole,
}

/// The command that starts Postgres, for a process group of its own.
///
/// # Errors
///
/// [`EmbeddedError::Stopped`], [`EmbeddedError::Io`] where its files cannot be written.
pub(super) fn of(
    folder: &Folder,
    binaries: &Binaries,
    account: &Account,
    settings: &Settings,
    verbosity: Verbosity,
    stop: &Stop,
) -> Result<Command, EmbeddedError> {
    let mut command = account.command(&binaries.program("postgres"));
    command.arg("-D").arg(folder.cluster());
    // Of a setting that is given twice the last counts.
    for setting in settings.parameters.iter().map(String::as_str).chain(SERVER_SETTINGS) {
        command.args(["-c", setting]);
    }
    command.arg("-c").arg(match verbosity {
        Verbosity::Terse => "log_error_verbosity=terse",
        Verbosity::Whole => "log_error_verbosity=default",
    });
    command.arg("-c").arg(setting("unix_socket_directories", quoted(folder.socket())));
    if let Some(users) = account.let_in(stop)? {
        for (name, text) in [(HBA, hba()), (IDENT, ident(&users, &settings.user))] {
            let written = folder.place().publish(name, &text);
            written.map_err(EmbeddedError::io("write", folder.data().join(name)))?;
        }
        command.arg("-c").arg(setting(HBA_SETTING, folder.data().join(HBA)));
        command.arg("-c").arg(setting("ident_file", folder.data().join(IDENT)));
    }
    Ok(command)
}

/// The kernel tells who connects, and the map which of them may.
fn hba() -> String {
    format!("# Written at each start; the cluster's own is not read.\nlocal all all peer map={MAP}\n")
}

fn ident(users: &[String], role: &str) -> String {
    let lines = users.iter().map(|user| format!("{MAP} \"{user}\" \"{role}\"\n"));
    ["# Written at each start: who may be whom.\n".to_owned()].into_iter().chain(lines).collect()
}

fn setting(name: &str, value: impl Into<OsString>) -> OsString {
    let mut setting = OsString::from(name);
    setting.push("=");
    setting.push(value.into());
    setting
}

/// The setting is a list, in which commas separate and quotes protect.
fn quoted(path: &Path) -> OsString {
    let path = path.as_os_str().as_bytes();
    let inner = path.iter().flat_map(|byte| match byte {
        b'"' => b"\"\"".as_slice(),
        _ => std::slice::from_ref(byte),
    });
    OsString::from_vec([b"\"".as_slice(), &inner.copied().collect::<Vec<u8>>(), b"\""].concat())
}
