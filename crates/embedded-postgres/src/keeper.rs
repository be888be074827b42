//! Keeping a Postgres: bringing it back when it ended, and taking it over when its owner did.

use std::{
    fs::File,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    News, Search, Settings, bring_up, bring_up::Occasion, error::EmbeddedError, folder::Folder, journal, occupant,
    postmaster::Postmaster, stop::Stop,
};

/// How often Postgres, or its owner, is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Every so many looks the log and the socket are looked at too.
const LOOKS_BETWEEN: u32 = 10;

/// After so many failures in a row nobody but a person will help.
const MOST_FAILURES: u32 = 10;

/// A Postgres that ran for so long has not failed to start.
const LASTING: Duration = Duration::from_secs(10);

/// A disk that is full, or a memory that is short, may need so long.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What a keeper tells the rest of its process, and is told.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) stop: Stop,
    pub(super) is_owner: AtomicBool,
    pub(super) postmaster_id: AtomicU32,
}

/// What this process has of a Postgres.
pub(super) enum Held {
    /// Nothing: another live server owns it.
    Nothing,
    /// The lock and what runs; the lock is free again only after the postmaster has gone.
    Postgres { postmaster: Postmaster, lock: File },
}

/// Keeps the Postgres of one data folder, in a thread of its own.
pub(super) struct Keeper {
    pub(super) folder: Folder,
    pub(super) settings: Settings,
    pub(super) search: Search,
    pub(super) shared: Arc<Shared>,
    pub(super) tell: Box<dyn Fn(News) + Send>,
    /// How often in a row Postgres failed.
    pub(super) failures: u32,
    /// Whether the next fault of the log is to be told: once is enough.
    pub(super) complains: bool,
}

impl Keeper {
    /// Keeps it until told to stop, and stops it then; or until it failed too often in a row.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::StillRunning`].
    pub(super) fn keep(mut self, mut held: Held) -> Result<(), EmbeddedError> {
        loop {
            let lock = match held {
                Held::Nothing => self.until_the_owner_leaves(),
                Held::Postgres { postmaster, lock } => self.until_it_ends(postmaster)?.map(|()| lock),
            };
            let Some(lock) = lock else { return Ok(()) };
            self.shared.is_owner.store(true, Ordering::Relaxed);
            let Some(postmaster) = self.bring_back() else {
                // A killed owner may have left one that there was no time to take over.
                return Postmaster::stop_left_behind(&self.folder, &self.shared.stop);
            };
            self.shared.postmaster_id.store(postmaster.id(), Ordering::Relaxed);
            held = Held::Postgres { postmaster, lock };
        }
    }

    /// Waits for the lock of an owner that left or was killed; `None` when told to stop.
    fn until_the_owner_leaves(&self) -> Option<File> {
        let mut has_complained = false;
        loop {
            if self.shared.stop.nap(LOOK) {
                return None;
            }
            match self.folder.try_lock() {
                Ok(Some(lock)) => {
                    log::info!("the owner of {} has left: taking its Postgres over", self.folder.data().display());
                    return Some(lock);
                }
                Err(error) if !has_complained => {
                    log::warn!("cannot tell whether the owner of the Postgres is still there: {error}");
                    has_complained = true;
                }
                Ok(None) | Err(_) => {}
            }
        }
    }

    /// Waits for the end of a Postgres; stops it, and gives `None`, when told to.
    fn until_it_ends(&mut self, mut postmaster: Postmaster) -> Result<Option<()>, EmbeddedError> {
        let begun = Instant::now();
        let mut looks = 0_u32;
        while !postmaster.has_ended() {
            if self.shared.stop.nap(LOOK) {
                return postmaster.stop(&self.shared.stop).map(|()| None);
            }
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(LOOKS_BETWEEN) {
                self.cap_the_log();
                self.end_if_useless(&mut postmaster)?;
            }
        }
        if self.shared.stop.is_asked() {
            return Ok(None);
        }
        let log = self.folder.journal();
        log::error!(
            "Postgres ended although nobody stopped it, and is started again: its log {} says why",
            log.display()
        );
        self.failures = if begun.elapsed() < LASTING { self.failures.saturating_add(1) } else { 0 };
        Ok(Some(()))
    }

    fn cap_the_log(&mut self) {
        match journal::cap(&self.folder) {
            Ok(()) => self.complains = true,
            Err(error) if self.complains => {
                log::warn!("the log of Postgres cannot begin anew when it grows too long: {error}");
                self.complains = false;
            }
            Err(_) => {}
        }
    }

    /// Ends a Postgres that nobody can connect to any more: its socket was cleaned away, or somebody
    /// asked it to end once all connections do, and those of this process do not.
    fn end_if_useless(&self, postmaster: &mut Postmaster) -> Result<(), EmbeddedError> {
        let is_useless = !self.folder.socket_file().exists() || matches!(occupant::is_stopping(&self.folder), Ok(true));
        if !is_useless || postmaster.has_ended() {
            return Ok(());
        }
        log::error!("Postgres lets nobody in any more: stopping it");
        postmaster.stop(&self.shared.stop)
    }

    /// Starts it again, after a pause that grows with each failure; `None` when told to stop, or
    /// when it has failed too often.
    fn bring_back(&mut self) -> Option<Postmaster> {
        let mut last = EmbeddedError::EndedSoon { log: self.folder.journal() };
        while self.failures < MOST_FAILURES {
            if self.shared.stop.nap(pause_after(self.settings.first_pause, self.failures)) {
                return None;
            }
            let stop = &self.shared.stop;
            match bring_up::own(&self.folder, &self.settings, &self.search, Occasion::Again, stop) {
                Ok(postmaster) => {
                    (self.tell)(News::Restarted);
                    return Some(postmaster);
                }
                Err(EmbeddedError::Stopped) => return None,
                Err(error) => {
                    self.failures += 1;
                    log::error!("Postgres could not be started ({} of {MOST_FAILURES}): {error}", self.failures);
                    last = error;
                }
            }
        }
        (self.tell)(News::GivenUp(EmbeddedError::GivenUp { failures: self.failures, last: Box::new(last) }));
        None
    }
}

fn pause_after(first: Duration, failures: u32) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{LONGEST_PAUSE, MOST_FAILURES, pause_after};
    use crate::FIRST_PAUSE;

    #[test]
    fn the_pauses_double_and_a_disk_that_is_full_for_half_a_minute_is_waited_for() {
        assert_eq!(pause_after(FIRST_PAUSE, 0), Duration::from_millis(100));
        assert_eq!(pause_after(FIRST_PAUSE, 1), Duration::from_millis(200));
        assert_eq!(pause_after(FIRST_PAUSE, 40), LONGEST_PAUSE);
        let all: Duration = (0..MOST_FAILURES).map(|failures| pause_after(FIRST_PAUSE, failures)).sum();
        assert!(all > Duration::from_mins(1), "{all:?}");
    }
}
