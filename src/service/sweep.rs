use std::sync::PoisonError;
use std::time::Duration;

use chrono::{DateTime, Utc};
use engine::Status;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::Games;
use crate::deadlines;
use crate::store::{Failure, Spread};

/// For how long games are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep {
    /// After the end of one that was aborted.
    pub aborted: Duration,
    /// After the end of one that was finished; for ever where nothing is said.
    pub finished: Option<Duration>,
    /// After the last event of one that has no clock and is not over: it then expires.
    pub idle: Duration,
    /// With a row for each event after the end of one; its log is then packed.
    pub unpacked: Duration,
}

/// How many ends wait at most to be told to packing: the timers of the others lead there by themselves.
const MOST_ENDED: usize = 10_000;

impl Games {
    /// Ends games whose time has run out, packs those that are over, deletes those that were kept for
    /// long enough, and looks how much of that there is to do, for as long as the server runs.
    ///
    /// Each has a task and connections of its own, so that none waits for another. Every server does
    /// so: they share the work by passing over what another has taken.
    pub async fn keep_time(self) {
        let pack = || self.clone().keep_packing();
        if self.store.spread() == Spread::Nodes {
            tokio::join!(
                again_and_again(|| self.clone().keep_agenda()),
                again_and_again(|| self.clone().keep_looking_ahead()),
                again_and_again(|| self.clone().keep_deleting_one_by_one()),
                again_and_again(|| self.clone().keep_counting()),
            );
            return;
        }
        tokio::join!(
            again_and_again(|| self.clone().keep_clocks()),
            // A core each, where nobody else needs them.
            again_and_again(pack),
            again_and_again(pack),
            again_and_again(|| self.clone().keep_deleting()),
            again_and_again(|| self.clone().keep_counting()),
        );
    }

    /// Keeps in mind when a game is due, where nobody looks at all clocks.
    pub(super) fn is_due(&self, game: Uuid, at: Option<DateTime<Utc>>) {
        if self.store.spread() == Spread::Nodes {
            self.agenda.set(game, at);
        }
    }

    /// After how long it is looked whether a game without a clock is over.
    pub(super) fn look_after(&self) -> Duration {
        self.keep.idle.min(deadlines::FIRST_LOOK)
    }

    /// Remembers that a game has ended, so that its timer stands before no clock any more. Whatever is
    /// forgotten here comes to packing once its timer goes off.
    pub(super) fn has_ended(&self, game: Uuid, status: Status) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        match status {
            Status::Finished | Status::Aborted if ended.len() < MOST_ENDED => ended.push((game, status)),
            Status::Finished | Status::Aborted | Status::Waiting | Status::Placing | Status::Battle => {}
        }
    }

    /// Hands the timers of the games that have ended meanwhile to packing: each waits there until its
    /// log is packed, or the game is deleted before.
    pub(super) async fn set_ended_aside(&self) -> Result<(), Failure> {
        let ended = std::mem::take(&mut *self.ended.lock().unwrap_or_else(PoisonError::into_inner));
        let after = |status: Status| {
            let kept = if status == Status::Aborted { Some(self.keep.aborted) } else { self.keep.finished };
            kept.map_or(self.keep.unpacked, |kept| kept.min(self.keep.unpacked)).as_secs_f64()
        };
        for some in ended.chunks(usize::from(AT_ONCE)) {
            let (games, seconds): (Vec<_>, Vec<_>) = some.iter().map(|(game, status)| (*game, after(*status))).unzip();
            let mut session = self.store.chore_session().await?;
            if self.store.spread() == Spread::One {
                session.set_aside(&games, &seconds).await?;
                continue;
            }
            for (game, seconds) in games.iter().zip(seconds) {
                match session.set_timer(*game, None, seconds).await {
                    // It comes by when its timer goes off.
                    Ok(()) | Err(Failure::Away | Failure::Held) => {}
                    Err(failure) => return Err(failure),
                }
            }
        }
        Ok(())
    }
}

/// Runs a task that should never end, and begins again where it panicked.
async fn again_and_again<R: Future<Output = ()> + Send + 'static>(task: impl Fn() -> R) {
    loop {
        // It ends with whoever waits for it.
        let mut running = JoinSet::new();
        running.spawn(task());
        if let Some(Err(error)) = running.join_next().await {
            log::error!("a task that keeps time has broken off and begins again: {error}");
        }
        tokio::time::sleep(deadlines::CHORES).await;
    }
}

/// The most games of which a statement sets the timers.
const AT_ONCE: u16 = 500;
