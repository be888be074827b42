//! A run of the program from its start to its end.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use ground::cleanup;
use ground::signals::all;

/// Ten seconds, by the contract; ten more for a machine that is busy with other tests.
pub(crate) const ENDED: Duration = Duration::from_secs(20);

/// A database that does not answer is given up after ten seconds.
const REFUSED: Duration = Duration::from_secs(20);

/// How a run of the program came out.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) said: String,
    pub(crate) complained: String,
}

impl Ended {
    /// Insists that the program failed with a single line for whoever started it.
    #[track_caller]
    pub(crate) fn one_line(&self) -> &str {
        assert_eq!((self.code, self.said.as_str()), (Some(1), ""), "{self:?}");
        let line = self.complained.strip_suffix('\n').expect("a line has an end");
        assert!(line.starts_with("naval-battle: ") && !line.contains('\n'), "{line}");
        line
    }
}

/// A run of the program whose output is kept.
pub(crate) struct Running {
    pub(crate) child: Child,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        cleanup::kill(child.id());
        Self { child }
    }

    /// Insists that it ends in time.
    pub(crate) fn end(&mut self, limit: Duration) -> Ended {
        let (mut said, mut complained) = (String::new(), String::new());
        let (mut out, mut err) = (self.child.stdout.take().unwrap(), self.child.stderr.take().unwrap());
        thread::scope(|scope| {
            scope.spawn(|| out.read_to_string(&mut said).unwrap());
            scope.spawn(|| err.read_to_string(&mut complained).unwrap());
            let began = Instant::now();
            while self.child.try_wait().unwrap().is_none() {
                if began.elapsed() > limit {
                    self.child.kill().unwrap();
                    self.child.wait().unwrap();
                    panic!("the program did not end within {limit:?}");
                }
                thread::sleep(Duration::from_millis(5));
            }
        });
        Ended { code: self.child.wait().unwrap().code(), said, complained }
    }
}

/// Runs the program to its end.
pub(crate) fn run(command: &mut Command) -> Ended {
    Running::start(command).end(REFUSED)
}

/// Waits for what must come, a minute at most.
pub(crate) fn until(has_come: impl Fn() -> bool) {
    for _ in 0..60_000 {
        if has_come() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("waited in vain");
}

/// The processes that work in a folder or have its name on their command line.
pub(crate) fn processes_of(folder: &Path) -> Vec<u32> {
    let name = folder.to_str().unwrap();
    let concerns = |id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).into_owned();
        let place = fs::read_link(format!("/proc/{id}/cwd")).unwrap_or_default();
        !line.is_empty() && (place.starts_with(folder) || line.contains(name))
    };
    all().filter(concerns).collect()
}
