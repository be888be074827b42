//! What the system says of processes: their CPU and memory, and what others take meanwhile.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The unit of `/proc`'s CPU times, the same on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// Whose CPU is told apart.
#[derive(Clone)]
pub(crate) struct Processes {
    /// The processes of the servers.
    pub(crate) servers: Vec<u32>,
    /// The postmaster, whose children do Postgres's work.
    pub(crate) postmaster: u32,
}

/// CPU time used until a moment.
#[derive(Clone, Copy)]
pub(crate) struct Usage {
    at: Instant,
    server: Duration,
    postgres: Duration,
    client: Duration,
    ours: Duration,
    all: Duration,
    stolen: Duration,
}

/// What was used between two moments.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    /// How long it was.
    pub(crate) elapsed: Duration,
    /// CPU of the servers.
    pub(crate) server: Duration,
    /// CPU of Postgres: the postmaster and all its children, also those that have ended.
    pub(crate) postgres: Duration,
    /// CPU of this process, which plays.
    pub(crate) client: Duration,
    /// CPU of everybody else, as a share of the machine's cores; interrupts are nobody's.
    pub(crate) foreign: f64,
    /// What the host of a virtual machine kept for others, as a share of the cores.
    pub(crate) stolen: f64,
}

/// A process as `/proc` has it.
struct Process {
    parent: u32,
    /// Its own CPU time.
    own: Duration,
    /// That of its children that have ended, and of theirs.
    waited: Duration,
}

impl Processes {
    /// What was used until now.
    pub(crate) fn usage(&self) -> Usage {
        let processes = processes();
        let own = |id: &u32| processes.get(id).map_or(Duration::ZERO, |process| process.own);
        let [all, stolen] = machine();
        Usage {
            at: Instant::now(),
            server: self.servers.iter().map(own).sum(),
            postgres: tree(&processes, self.postmaster),
            client: own(&std::process::id()),
            ours: tree(&processes, std::process::id()),
            all,
            stolen,
        }
    }

    /// Memory of the servers in MB: at the moment, and the most that it was.
    pub(crate) fn memory(&self) -> (f64, f64) {
        let sum = |field: &str| self.servers.iter().map(|&id| status(id, field)).sum::<f64>() / 1024.0;
        (sum("VmRSS:"), sum("VmHWM:"))
    }
}

impl Usage {
    /// What was used since an earlier moment.
    pub(crate) fn since(&self, before: &Self) -> Spent {
        let elapsed = self.at.saturating_duration_since(before.at);
        let machine = elapsed.as_secs_f64() * f64::from(cores());
        let used = |field: fn(&Self) -> Duration| field(self).saturating_sub(field(before));
        let foreign = used(|usage| usage.all).saturating_sub(used(|usage| usage.ours));
        Spent {
            elapsed,
            server: used(|usage| usage.server),
            postgres: used(|usage| usage.postgres),
            client: used(|usage| usage.client),
            foreign: foreign.as_secs_f64() / machine,
            stolen: used(|usage| usage.stolen).as_secs_f64() / machine,
        }
    }
}

impl Spent {
    /// How much others took, in words.
    pub(crate) fn others(&self) -> String {
        let stolen = if self.stolen >= 0.005 { format!(" + {:.0} % host", self.stolen * 100.0) } else { String::new() };
        format!("{:.0} %{stolen}", self.foreign * 100.0)
    }
}

/// The cores of the machine.
pub(crate) fn cores() -> u32 {
    let cores = std::thread::available_parallelism().expect("the machine tells its cores");
    u32::try_from(cores.get()).expect("a machine has not so many cores")
}

/// Lets this process and the servers that it starts open as many files as the system allows.
pub(crate) fn raise_file_limit() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(1 << 20);
    let raised = Rlimit { current: Some(most), maximum: limit.maximum };
    let most = if setrlimit(Resource::Nofile, raised).is_ok() { Some(most) } else { limit.current };
    most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX)
}

/// All processes by their ids.
fn processes() -> HashMap<u32, Process> {
    let entries = fs::read_dir("/proc").expect("Linux has /proc").filter_map(Result::ok);
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    // One that ends meanwhile has no file any more; its time is then its parent's.
    ids.filter_map(|id: u32| Some((id, process(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)?))).collect()
}

/// Reads `/proc/PID/stat` from behind the name, which may hold anything.
fn process(stat: &str) -> Option<Process> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse().ok().map(|ticks: u32| TICK * ticks);
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        own: ticks(11)? + ticks(12)?,
        waited: ticks(13)? + ticks(14)?,
    })
}

/// The CPU time of a process and of all that descend from it, each counted once: of those that
/// have ended by whoever waited for them.
fn tree(processes: &HashMap<u32, Process>, root: u32) -> Duration {
    let descends = |mut id: u32| {
        while id != root {
            match processes.get(&id) {
                Some(process) if process.parent != 0 => id = process.parent,
                Some(_) | None => return false,
            }
        }
        true
    };
    let members = processes.iter().filter(|(id, _)| descends(**id));
    members.map(|(_, process)| process.own + process.waited).sum()
}

/// The CPU time of all processes of the machine, and what its host kept for others.
fn machine() -> [Duration; 2] {
    let stat = fs::read_to_string("/proc/stat").expect("Linux has /proc/stat");
    let line = stat.lines().next().expect("it begins with all cores");
    let fields: Vec<u32> = line.split_whitespace().skip(1).map(|ticks| ticks.parse().expect("ticks")).collect();
    let [user, nice, system, _, _, _, _, stolen, ..] = fields[..] else { panic!("not enough fields: {line}") };
    [TICK * (user + nice + system), TICK * stolen]
}

/// A field of `/proc/PID/status` in kB.
fn status(id: u32, field: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("the server runs");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("Linux tells it");
    line.trim().trim_end_matches(" kB").parse().expect("a number of kB")
}
