use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::Games;
use crate::deadlines::{BEAT, GAP};
use crate::store::Beat;

/// When this server last reached the database.
#[derive(Default)]
pub(super) struct Heart {
    last: Mutex<Option<Reached>>,
}

/// One moment by two clocks.
#[derive(Clone, Copy)]
struct Reached {
    /// The database's, which may be set.
    by_database: DateTime<Utc>,
    /// This server's, which goes on evenly.
    by_server: Instant,
}

impl Heart {
    /// When this server last reached the database, by the database's clock.
    pub(super) fn reached(&self) -> Option<DateTime<Utc>> {
        self.get().map(|reached| reached.by_database)
    }

    fn get(&self) -> Option<Reached> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, reached: Reached) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(reached);
    }
}

impl Games {
    /// Says again and again that this server reaches the database, for as long as it runs, so that a time in which
    /// nobody could act is known (R30).
    pub async fn keep_beating(self) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // A connection may hang while others do not: whichever worked last is used again.
        let mut by_any = false;
        loop {
            beats.tick().await;
            let before = self.heart.get();
            match self.store.beat(before.map(|before| before.by_database), by_any).await {
                Ok(beat) => {
                    let reached = Reached { by_database: beat.now, by_server: Instant::now() };
                    self.heart.set(reached);
                    self.tell(&beat, before.map(|before| reached.by_server - before.by_server));
                }
                Err(failure) => {
                    log::debug!("there was no beat: {failure}");
                    by_any = !by_any;
                }
            }
        }
    }

    /// Tells of a gap, and of a clock that was set; `elapsed` is how long ago the beat before was by this server's clock.
    fn tell(&self, beat: &Beat, elapsed: Option<Duration>) {
        if beat.lost > Duration::ZERO {
            let what = match elapsed {
                Some(elapsed) if elapsed + GAP < beat.lost => "the database's clock jumped over",
                Some(_) => "the database was out of reach for",
                None => "no server reached the database for",
            };
            self.metrics.lost(beat.lost);
            log::warn!("{what} {:.1} s: deadlines move on by what this took of their time", beat.lost.as_secs_f64());
        }
        if let Some(set_back) = beat.set_back.filter(|set_back| set_back.to_std().is_ok_and(|set_back| set_back > GAP))
        {
            log::warn!("the database's clock was set back by {} s", set_back.num_seconds());
        }
    }
}
