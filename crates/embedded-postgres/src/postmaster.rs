//! The postmaster: adopting, starting and stopping it.

use std::{
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use super::{
    Settings,
    account::Account,
    binaries::Binaries,
    command_line::{self, Verbosity},
    error::EmbeddedError,
    folder::Folder,
    journal,
    occupant::{self, Occupancy},
    process,
    stop::Stop,
};

/// Enough for the recovery of a crash under load: it begins anew when it is broken off.
const START_LIMIT: Duration = Duration::from_mins(10);

/// How long a Postgres takes at most to stop when nobody says how long it may.
const STOP_LIMIT: Duration = Duration::from_secs(30);

/// How long a Postgres takes at most to be gone once it is killed.
const TO_BE_KILLED: Duration = Duration::from_millis(300);

/// What Postgres says while processes of an old postmaster hold its memory; where there is no /proc
/// they show in this alone.
const STILL_IN_USE: &str = "is still in use";

const RETRIES: u32 = 20;
const RETRY_PAUSE: Duration = Duration::from_millis(500);
const NAP: Duration = Duration::from_millis(5);

/// A postmaster that this process owns.
#[derive(Debug)]
pub(super) struct Postmaster {
    id: Pid,
    /// None for one left by an owner that was killed: somebody else's child.
    child: Option<Child>,
    cluster: PathBuf,
    user: u32,
    /// It has ended, and its number is free.
    is_gone: bool,
    /// It did not end, whatever was tried.
    is_given_up: bool,
}

/// How a launch came out.
enum Launch {
    Ready(Postmaster),
    Ended { last_words: String },
}

impl Postmaster {
    /// Takes over the postmaster that runs on the cluster; `None` when none does.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::NotReady`] when it runs and does not accept connections.
    pub(super) fn adopt(folder: &Folder, account: &Account, stop: &Stop) -> Result<Option<Self>, EmbeddedError> {
        let mut occupancy = Occupancy::Vacant;
        let mut is_hastened = false;
        process::wait_for(START_LIMIT, stop, || {
            occupancy = occupant::of(folder)?;
            Ok(match occupancy {
                Occupancy::Busy(id) => {
                    // It may wait for somebody who stays connected.
                    if !is_hastened && occupant::is_stopping(folder)? {
                        is_hastened = true;
                        send(id, Signal::INT);
                    }
                    None
                }
                Occupancy::Vacant | Occupancy::Stale | Occupancy::Ready(_) => Some(()),
            })
        })?;
        match occupancy {
            Occupancy::Vacant | Occupancy::Stale => Ok(None),
            Occupancy::Busy(id) => Err(not_ready(id, folder)),
            Occupancy::Ready(id) => {
                let mut adopted = Self::new(id, None, folder, account.user());
                if matches!(account, Account::StandIn { .. }) && !process::was_told(id, command_line::HBA_SETTING) {
                    log::warn!(
                        "the Postgres that was running (process {id}) does not ask who connects: starting it anew"
                    );
                    adopted.stop(stop)?;
                    return Ok(None);
                }
                log::info!("took over the Postgres that was running (process {id})");
                Ok(Some(adopted))
            }
        }
    }

    /// Stops a postmaster that runs on the cluster although nobody keeps it.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::StillRunning`], [`EmbeddedError::Io`].
    pub(super) fn stop_left_behind(folder: &Folder, stop: &Stop) -> Result<(), EmbeddedError> {
        let (Occupancy::Ready(id) | Occupancy::Busy(id), Some(owner)) =
            (occupant::of(folder)?, folder.cluster_owner()?)
        else {
            return Ok(());
        };
        Self::new(id, None, folder, owner.user).stop(stop)
    }

    /// Starts a postmaster on the cluster and waits until it accepts connections.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::Ended`] with the last lines of its log, [`EmbeddedError::NotReady`],
    /// [`EmbeddedError::Stopped`], [`EmbeddedError::Io`].
    pub(super) fn start(
        folder: &Folder,
        binaries: &Binaries,
        account: &Account,
        settings: &Settings,
        stop: &Stop,
    ) -> Result<Self, EmbeddedError> {
        let starting = Starting { folder, binaries, account, settings, stop };
        let mut retries = RETRIES;
        loop {
            let last_words = match starting.attempt(Verbosity::Terse)? {
                Launch::Ready(started) => return Ok(started),
                Launch::Ended { last_words } => last_words,
            };
            if !last_words.contains(STILL_IN_USE) {
                match starting.attempt(Verbosity::Whole)? {
                    Launch::Ready(started) if started.child.is_none() => return Ok(started),
                    // It starts after all, and must not run with rows in its log.
                    Launch::Ready(mut started) => started.stop(stop)?,
                    Launch::Ended { last_words } => {
                        return Err(EmbeddedError::Ended { log: folder.journal(), last_words });
                    }
                }
            }
            if retries == 0 {
                return Err(EmbeddedError::Ended { log: folder.journal(), last_words });
            }
            retries -= 1;
        }
    }

    fn new(id: Pid, child: Option<Child>, folder: &Folder, user: u32) -> Self {
        Self { id, child, cluster: folder.cluster().to_owned(), user, is_gone: false, is_given_up: false }
    }

    pub(super) fn id(&self) -> u32 {
        process::number(self.id)
    }

    /// Stops Postgres: in order if there is time for it, at once if it must. It has half a minute,
    /// or what `stop` leaves of it.
    ///
    /// # Errors
    ///
    /// [`EmbeddedError::StillRunning`].
    pub(super) fn stop(&mut self, stop: &Stop) -> Result<(), EmbeddedError> {
        let begun = Instant::now();
        let left = || {
            let limit = STOP_LIMIT.saturating_sub(begun.elapsed());
            stop.left().map_or(limit, |left| left.min(limit))
        };
        let in_order_until = left() / 2;
        if self.end_by(Signal::INT, || left() > in_order_until) {
            return Ok(());
        }
        log::warn!("Postgres (process {}) does not stop in order: stopping it at once", self.id);
        if self.end_by(Signal::QUIT, || left() > TO_BE_KILLED) {
            return Ok(());
        }
        log::warn!("Postgres (process {}) does not stop at once: killing it", self.id);
        let killing = Instant::now();
        if self.end_by(Signal::KILL, || killing.elapsed() < TO_BE_KILLED) {
            // Its processes look up when it is gone, but for those that hang as it did.
            for id in process::at_work_in(&self.cluster) {
                send(id, Signal::KILL);
            }
            return Ok(());
        }
        self.is_given_up = true;
        Err(EmbeddedError::StillRunning { id: self.id.as_raw_nonzero().get() })
    }

    /// Whether it has ended; reaps it then.
    pub(super) fn has_ended(&mut self) -> bool {
        if !self.is_gone {
            self.is_gone = match &mut self.child {
                Some(child) => reap(child, self.id),
                None => !process::serves(self.id, &self.cluster, self.user),
            };
        }
        self.is_gone
    }

    fn end_by(&mut self, signal: Signal, may_wait: impl Fn() -> bool) -> bool {
        // While it has not been reaped its number cannot go to another process.
        if !self.has_ended() {
            send(self.id, signal);
        }
        while !self.has_ended() {
            if !may_wait() {
                return false;
            }
            thread::sleep(NAP);
        }
        true
    }
}

impl Drop for Postmaster {
    /// A Postgres that nobody keeps any more, since something else failed.
    fn drop(&mut self) {
        if self.is_given_up || self.has_ended() {
            return;
        }
        if let Err(error) = self.stop(&Stop::new()) {
            log::error!("{error}");
        }
    }
}

/// What a start needs.
struct Starting<'a> {
    folder: &'a Folder,
    binaries: &'a Binaries,
    account: &'a Account,
    settings: &'a Settings,
    stop: &'a Stop,
}

impl Starting<'_> {
    /// Starts a postmaster once, unless one runs: one that an owner started just before it was killed
    /// may write its file only now.
    fn attempt(&self, verbosity: Verbosity) -> Result<Launch, EmbeddedError> {
        if verbosity == Verbosity::Whole && self.stop.nap(RETRY_PAUSE) {
            return Err(EmbeddedError::Stopped);
        }
        if let Some(adopted) = Postmaster::adopt(self.folder, self.account, self.stop)? {
            return Ok(Launch::Ready(adopted));
        }
        occupant::make_way(self.folder, self.account, self.stop)?;
        let Self { folder, binaries, account, settings, stop } = *self;
        launch(command_line::of(folder, binaries, account, settings, verbosity, stop)?, folder, account, stop)
    }
}

/// Reaps a child if it has ended, with whatever a script around Postgres has left.
fn reap(child: &mut Child, id: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    if matches!(waitid(WaitId::Pid(id), options), Ok(None)) {
        return false;
    }
    // Nobody has reaped it yet, so that the group is its own; mostly nobody else is in it.
    if kill_process_group(id, Signal::KILL).is_err() {
        log::debug!("the process group of Postgres is empty");
    }
    !matches!(child.try_wait(), Ok(None))
}

/// Waits until the postmaster accepts connections, or ends.
fn launch(mut command: Command, folder: &Folder, account: &Account, stop: &Stop) -> Result<Launch, EmbeddedError> {
    let begun = journal::record(folder, &mut command)?;
    // In its own process group: Ctrl-C in the terminal is for the server, which then stops
    // Postgres after its last request.
    let child = command.process_group(0).spawn().map_err(EmbeddedError::running(command.get_program()))?;
    let id = Pid::from_child(&child);
    let mut postmaster = Postmaster::new(id, Some(child), folder, account.user());
    let outcome = process::wait_for(START_LIMIT, stop, || {
        if postmaster.has_ended() {
            return Ok(Some(false));
        }
        Ok((occupant::of(folder)? == Occupancy::Ready(id)).then_some(true))
    });
    match outcome {
        Ok(Some(true)) => {
            log::info!("started Postgres on {} (process {id})", folder.data().display());
            Ok(Launch::Ready(postmaster))
        }
        Ok(Some(false)) => Ok(Launch::Ended { last_words: journal::last_words(folder, begun) }),
        Ok(None) => {
            postmaster.stop(stop)?;
            Err(not_ready(id, folder))
        }
        Err(error) => {
            postmaster.stop(stop)?;
            Err(error)
        }
    }
}

fn send(id: Pid, signal: Signal) {
    if let Err(error) = kill_process(id, signal) {
        log::warn!("could not signal Postgres (process {id}): {error}");
    }
}

fn not_ready(id: Pid, folder: &Folder) -> EmbeddedError {
    EmbeddedError::NotReady { id: id.as_raw_nonzero().get(), seconds: START_LIMIT.as_secs(), log: folder.journal() }
}
