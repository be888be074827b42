//! Processes: waiting for them, running them, telling one from another.

use std::{
    fs, io,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use rustix::process::Pid;

const NAP: Duration = Duration::from_millis(5);

/// Asks again and again until there is an answer; `None` after `limit`.
///
/// Adds up its naps instead of asking a clock: on a machine that is busy, the limit grows with
/// the work that is waited for.
pub(super) fn wait_for<T, E>(limit: Duration, mut ask: impl FnMut() -> Result<Option<T>, E>) -> Result<Option<T>, E> {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(answer) = ask()? {
            return Ok(Some(answer));
        }
        if waited >= limit {
            return Ok(None);
        }
        thread::sleep(NAP);
        waited = waited.saturating_add(NAP);
    }
}

/// Runs a command to its end; `None` when it was ended because `limit` had passed.
///
/// # Errors
///
/// When the command does not start.
pub(super) fn run(command: &mut Command, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut child = command.stdin(Stdio::null()).spawn()?;
    let status = wait_for(limit, || child.try_wait())?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(status)
}

/// Whether the process is a live Postgres on this cluster.
///
/// `kill(pid, 0)` would not do: it answers for zombies, and for whoever has the number now. A
/// zombie has no command line.
pub(super) fn serves(id: Pid, cluster: &Path) -> bool {
    let Some(line) = CommandLine::of(id) else { return false };
    line.is_of_postgres() && (line.names(cluster) || works_in(id, cluster))
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
