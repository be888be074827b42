//! What tells the server to stop.

use std::future::pending;
use std::io;
use std::time::{Duration, Instant};

use naval_battle::deadlines;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end a process: SIGTERM, Ctrl-C, SIGQUIT, and SIGHUP of a terminal that closes.
pub(crate) struct Signals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
    /// None for whoever is to outlive the terminal.
    hangup: Option<Signal>,
    first: Option<Instant>,
}

impl Signals {
    /// Takes them over from the system, which would end the process and leave its Postgres behind.
    pub(crate) fn new() -> io::Result<Self> {
        let hangup = if ignores_hangups() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            hangup,
            first: None,
        })
    }

    /// Waits for the next one.
    pub(crate) async fn come(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => pending().await,
            }
        };
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.quit.recv() => {}
            _ = hangup => {}
        }
        self.first.get_or_insert_with(Instant::now);
    }

    /// How long the server may still take to leave.
    pub(crate) fn left(&self) -> Duration {
        deadlines::LEAVING.saturating_sub(self.first.map_or(Duration::ZERO, |first| first.elapsed()))
    }
}

/// Whether the one who started this process wants it to ignore the end of the terminal, as `nohup` does.
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // SIGHUP is the first of the signals, and has the lowest bit.
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
