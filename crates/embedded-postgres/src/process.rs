//! Processes: waiting for them, running them, telling one from another.

use std::{
    fs,
    io::Read,
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{error::EmbeddedError, stop::Stop};

const NAP: Duration = Duration::from_millis(5);

/// How long a program may take to say what it is.
const ANSWER_LIMIT: Duration = Duration::from_secs(30);

/// What is read of such an answer.
const LONGEST_ANSWER: u64 = 4096;

/// Asks again and again until there is an answer; `None` after `limit`.
///
/// Adds up its naps instead of asking a clock: on a machine that is busy, the limit grows with
/// the work that is waited for.
///
/// # Errors
///
/// [`EmbeddedError::Stopped`] once told to stop, and those of `ask`.
pub(super) fn wait_for<T>(
    limit: Duration,
    stop: &Stop,
    mut ask: impl FnMut() -> Result<Option<T>, EmbeddedError>,
) -> Result<Option<T>, EmbeddedError> {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(answer) = ask()? {
            return Ok(Some(answer));
        }
        if waited >= limit {
            return Ok(None);
        }
        if stop.nap(NAP) {
            return Err(EmbeddedError::Stopped);
        }
        waited = waited.saturating_add(NAP);
    }
}

/// Runs a command to its end; `None` when it was ended because `limit` had passed.
///
/// # Errors
///
/// [`EmbeddedError::Stopped`] once told to stop, when it is ended too; [`EmbeddedError::Io`] when
/// it does not start.
pub(super) fn run(command: &mut Command, limit: Duration, stop: &Stop) -> Result<Option<ExitStatus>, EmbeddedError> {
    finish(&mut spawn(command)?, limit, stop)
}

/// What a program answers on its standard output; `None` when it fails or takes too long.
///
/// # Errors
///
/// As [`run`].
pub(super) fn answer(command: &mut Command, stop: &Stop) -> Result<Option<String>, EmbeddedError> {
    let mut child = spawn(command.stdout(Stdio::piped()).stderr(Stdio::null()))?;
    let status = finish(&mut child, ANSWER_LIMIT, stop)?;
    let (Some(output), true) = (child.stdout.take(), status.is_some_and(|status| status.success())) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    // What it has written is there already, since it has ended.
    output.take(LONGEST_ANSWER).read_to_end(&mut bytes).map_err(EmbeddedError::running(command.get_program()))?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Starts a command in a process group of its own: Ctrl-C in the terminal is for the server, and
/// what the command starts can be ended with it.
fn spawn(command: &mut Command) -> Result<Child, EmbeddedError> {
    command.process_group(0).stdin(Stdio::null());
    command.spawn().map_err(EmbeddedError::running(command.get_program()))
}

fn finish(child: &mut Child, limit: Duration, stop: &Stop) -> Result<Option<ExitStatus>, EmbeddedError> {
    let group = Pid::from_child(child);
    let ended = wait_for(limit, stop, || child.try_wait().map_err(EmbeddedError::running("a program")));
    if !matches!(ended, Ok(Some(_))) {
        // Nobody has reaped it, so the number is still its own.
        if let Err(error) = kill_process_group(group, Signal::KILL) {
            log::warn!("could not end the processes of group {group}: {error}");
        }
        child.wait().map_err(EmbeddedError::running("a program"))?;
    }
    ended
}

/// Whether the process is a live Postgres on this cluster, run by this user.
///
/// `kill(pid, 0)` would not do: it answers for zombies, and for whoever has the number now. A
/// zombie has no command line.
pub(super) fn serves(id: Pid, cluster: &Path, user: u32) -> bool {
    let Some(line) = CommandLine::of(id) else { return false };
    line.is_of_postgres() && (line.names(cluster) || works_in(id, cluster)) && belongs_to(id, user)
}

/// Whether a process was started with this setting.
pub(super) fn was_told(id: Pid, setting: &str) -> bool {
    let of_setting = |argument: &String| argument.split_once('=').is_some_and(|(name, _)| name == setting);
    CommandLine::of(id).is_some_and(|line| line.arguments.iter().any(of_setting))
}

/// The processes of Postgres that work in this cluster; none where there is no /proc to ask.
///
/// Those of a postmaster that was killed write until they look up.
pub(super) fn at_work_in(cluster: &Path) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
    ids.filter(|id| works_in(*id, cluster) && is_named_postgres(*id)).collect()
}

/// Its processes set the rest of their command line as they please.
fn is_named_postgres(id: Pid) -> bool {
    fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim_end() == "postgres")
}

fn belongs_to(id: Pid, user: u32) -> bool {
    // macOS has no /proc; there the command line has to do.
    fs::metadata(format!("/proc/{id}")).map_or(!Path::new("/proc/self").exists(), |it| it.uid() == user)
}

/// A process id as the standard library writes it.
pub(super) fn number(id: Pid) -> u32 {
    id.as_raw_nonzero().get().unsigned_abs()
}

struct CommandLine {
    program: String,
    arguments: Vec<String>,
}

impl CommandLine {
    fn of(id: Pid) -> Option<Self> {
        if Path::new("/proc/self/cmdline").exists() {
            let line = fs::read(format!("/proc/{id}/cmdline")).ok()?;
            return Self::from_proc(&String::from_utf8_lossy(&line));
        }
        // macOS has no /proc.
        let listed = Command::new("ps").args(["-ww", "-o", "command=", "-p", &id.to_string()]).output().ok()?;
        Self::from_ps(&String::from_utf8_lossy(&listed.stdout))
    }

    fn from_proc(line: &str) -> Option<Self> {
        let mut words = line.split('\0').map(str::to_owned);
        Some(Self { program: words.next()?, arguments: words.collect() })
    }

    /// `ps` does not tell a blank from the end of a word, so this reads the form alone in which
    /// this crate starts Postgres.
    fn from_ps(line: &str) -> Option<Self> {
        let (program, rest) = line.trim_end().split_once(" -D ")?;
        let folder = rest.split_once(" -c ").map_or(rest, |(folder, _)| folder);
        Some(Self { program: program.to_owned(), arguments: vec![folder.to_owned()] })
    }

    fn is_of_postgres(&self) -> bool {
        let name = Path::new(&self.program).file_name();
        name.is_some_and(|name| name == "postgres" || name == "postmaster")
    }

    fn names(&self, folder: &Path) -> bool {
        let folder = folder.to_string_lossy();
        self.arguments.iter().any(|argument| *argument == folder)
    }
}

/// Postgres works in its cluster, however the path was spelled by whoever started it.
fn works_in(id: Pid, folder: &Path) -> bool {
    fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|place| place == folder)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::CommandLine;

    const CLUSTER: &str = "/var/tmp/my games/cluster";

    fn is_ours(line: Option<CommandLine>) -> bool {
        line.is_some_and(|line| line.is_of_postgres() && line.names(Path::new(CLUSTER)))
    }

    #[test]
    fn a_postmaster_is_known_by_its_program_and_its_cluster() {
        assert!(is_ours(CommandLine::from_proc("/usr/bin/postgres\0-D\0/var/tmp/my games/cluster\0-c\0fsync=on\0")));
        assert!(!is_ours(CommandLine::from_proc("/usr/bin/postgres\0-D\0/var/tmp/my games/cluster2\0")));
        assert!(!is_ours(CommandLine::from_proc("ls\0/var/tmp/my games/cluster\0")));
    }

    #[test]
    fn a_zombie_serves_nothing() {
        assert!(!is_ours(CommandLine::from_proc("")));
        assert!(!is_ours(CommandLine::from_ps("(postgres)\n")));
    }

    #[test]
    fn a_postmaster_is_known_without_a_proc_too() {
        assert!(is_ours(CommandLine::from_ps("/opt/my bin/postgres -D /var/tmp/my games/cluster -c fsync=on\n")));
        assert!(!is_ours(CommandLine::from_ps("/opt/my bin/postgres -D /var/tmp/my games/cluster2 -c fsync=on\n")));
        assert!(!is_ours(CommandLine::from_ps("ls /var/tmp/my games/cluster\n")));
    }
}
