use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// How many lines are written in a second.
const LINES: u32 = 100;

/// Lines about games that failed: some in a second, however many they are; the others are counted.
#[derive(Default)]
pub(super) struct Complaints {
    told: Mutex<Told>,
}

/// What was told in the present second, and what was not since it was summed up.
#[derive(Default)]
struct Told {
    since: Option<Instant>,
    lines: u32,
    untold: u64,
}

impl Complaints {
    /// Writes a line about a game that failed, or counts it.
    pub(super) fn tell(&self, line: impl FnOnce() -> String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.since.is_none_or(|since| since.elapsed() >= Duration::from_secs(1)) {
            (told.since, told.lines) = (Some(Instant::now()), 0);
        }
        if told.lines < LINES {
            told.lines += 1;
            log::error!("{}", line());
        } else {
            told.untold += 1;
        }
    }

    /// Says of how many there was no line.
    pub(super) fn sum_up(&self) {
        let untold = std::mem::take(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner).untold);
        if untold > 0 {
            log::error!("{untold} more games failed and were put off");
        }
    }
}
