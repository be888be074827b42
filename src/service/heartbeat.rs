use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::Games;
use crate::deadlines::{BEAT, BEAT_IN_COMPANY, GAP, PARTS};
use crate::store::{Beat, NodeNumber, Part, Spread};

/// When this server last reached each part of the database.
#[derive(Default)]
pub(super) struct Heart {
    last: Mutex<HashMap<Part, Reached>>,
    parts: Mutex<HashMap<NodeNumber, Part>>,
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
    /// When this server last reached a part of the database, by the database's clock.
    pub(super) fn reached(&self, part: Part) -> Option<DateTime<Utc>> {
        self.get(part).map(|reached| reached.by_database)
    }

    /// The database's clock at this moment, as far as it is known without asking.
    pub(super) fn now(&self) -> Option<DateTime<Utc>> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let latest = last.values().max_by_key(|reached| reached.by_server)?;
        latest.by_database.checked_add_signed(TimeDelta::from_std(latest.by_server.elapsed()).ok()?)
    }

    /// The part of the database that lies on a node.
    pub(super) fn part_of(&self, node: NodeNumber) -> Option<Part> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).get(&node).copied()
    }

    fn get(&self, part: Part) -> Option<Reached> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).get(&part).copied()
    }

    fn set(&self, part: Part, reached: Reached) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).insert(part, reached);
    }

    fn forget(&self, part: Part) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).remove(&part);
    }
}

impl Games {
    /// Says again and again that this server reaches the database, for as long as it runs, so that a time in which
    /// nobody could act is known (R30). Each part of the database has beats of its own.
    pub async fn keep_beating(self) {
        let mut beating: JoinSet<Part> = JoinSet::new();
        let mut parts: HashMap<Part, tokio::task::AbortHandle> = HashMap::new();
        loop {
            match self.store.list_parts().await {
                Ok(nodes) => {
                    let found: Vec<Part> = nodes.iter().map(|(_, part)| *part).collect();
                    *self.heart.parts.lock().unwrap_or_else(PoisonError::into_inner) = nodes.into_iter().collect();
                    parts.retain(|part, task| {
                        let stays = found.contains(part);
                        if !stays {
                            task.abort();
                            self.heart.forget(*part);
                        }
                        stays
                    });
                    for part in found {
                        let (games, now) = (self.clone(), self.heart.now());
                        parts.entry(part).or_insert_with(|| {
                            // Of a part that comes later nobody knows when it was reached before.
                            if let Some(by_database) = now {
                                self.heart.set(part, Reached { by_database, by_server: Instant::now() });
                            }
                            beating.spawn(async move {
                                games.keep_beating_in(part).await;
                                part
                            })
                        });
                    }
                }
                Err(failure) => log::debug!("nobody knows the parts of the database: {failure}"),
            }
            // There is always one part of a single Postgres; nodes come and go.
            let again = if parts.is_empty() { BEAT } else { PARTS };
            if let Ok(Some(Ok(ended))) = timeout(again, beating.join_next()).await {
                parts.remove(&ended);
            }
        }
    }

    async fn keep_beating_in(&self, part: Part) {
        // A connection may hang while others do not: whichever worked last is used again.
        let mut by_any = false;
        loop {
            let began = Instant::now();
            let before = self.heart.get(part);
            let mut pause = BEAT;
            match self.store.beat(part, before.map(|before| before.by_database), by_any).await {
                Ok(beat) => {
                    let reached = Reached { by_database: beat.now, by_server: Instant::now() };
                    self.heart.set(part, reached);
                    self.tell(&beat, before.map(|before| reached.by_server - before.by_server));
                    // A beat costs more there, and one of several servers is enough.
                    if self.store.spread() == Spread::Nodes && beat.has_company {
                        pause = BEAT_IN_COMPANY;
                    }
                }
                Err(failure) => {
                    log::debug!("there was no beat: {failure}");
                    by_any = !by_any;
                }
            }
            sleep(pause.saturating_sub(began.elapsed())).await;
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
