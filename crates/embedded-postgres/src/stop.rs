//! Being told to stop, from another thread, at any moment.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Tells whoever starts or keeps a Postgres to stop; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Asked>);

#[derive(Debug, Default)]
struct Asked {
    by: Mutex<Option<Instant>>,
    change: Condvar,
}

impl Stop {
    /// One that nobody has asked for yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop within this time: in order as long as there is time for it, then at once.
    ///
    /// Whoever asks again can only shorten it.
    pub fn ask(&self, within: Duration) {
        let by = Instant::now().checked_add(within);
        let mut asked = self.by();
        *asked = match (*asked, by) {
            (Some(before), Some(now)) => Some(before.min(now)),
            (before, now) => before.or(now),
        };
        self.0.change.notify_all();
    }

    pub(super) fn is_asked(&self) -> bool {
        self.by().is_some()
    }

    /// How much of the time is left; `None` while nobody has asked.
    pub(super) fn left(&self) -> Option<Duration> {
        self.by().map(|by| by.saturating_duration_since(Instant::now()))
    }

    /// Sleeps unless it is told to stop; tells whether it is.
    pub(super) fn nap(&self, pause: Duration) -> bool {
        let asked = self.0.change.wait_timeout_while(self.by(), pause, |by| by.is_none());
        asked.unwrap_or_else(PoisonError::into_inner).0.is_some()
    }

    fn by(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.by.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
