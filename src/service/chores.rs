use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use uuid::Uuid;

use super::Games;
use super::step::Step;
use crate::deadlines;
use crate::store::{Failure, Packed, Spread};
use record::Details;

/// The most games that a statement packs or deletes.
const MOST: u16 = 400;

/// While others are at work, a chore rests for so many times as long as it took.
const YIELDS: u32 = 1;

/// How many games a statement takes, so that it takes as long as it should.
struct Pace {
    games: u16,
}

impl Games {
    /// Packs the logs of games that are over, and ends those in which nothing happens any more.
    pub(super) async fn keep_packing(self) {
        let mut pace = Pace::new(self.store.at_once(MOST));
        let mut ticks = interval(deadlines::CHORES);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(failure) = self.set_ended_aside().await {
                log::debug!("timers of ended games were left where they were: {failure}");
            }
            while self.pack_some(&mut pace).await {}
        }
    }

    /// Packs some logs; tells whether there may be more.
    async fn pack_some(&self, pace: &mut Pace) -> bool {
        let began = Instant::now();
        let asked = pace.games;
        let packing = async { self.store.chore_session().await?.pack(asked, self.keep.idle).await };
        match packing.await {
            Ok(found) => {
                let more = found.looked_at >= usize::from(asked);
                pace.took(began.elapsed(), self.store.at_once(MOST));
                self.say_what_is_not_whole(&found);
                if let Err(failure) = self.expire(&found.idle).await {
                    log::warn!("games in which nothing happens were not ended: {failure}");
                }
                if more && found.has_company {
                    sleep(began.elapsed() * YIELDS).await;
                }
                more
            }
            Err(failure) if asked > 1 => {
                log::debug!("{asked} logs are packed one by one: {failure}");
                pace.games = 1;
                true
            }
            Err(failure) => self.put_packing_off(failure).await.unwrap_or_else(|failure| {
                log::debug!("packing was not put off: {failure}");
                false
            }),
        }
    }

    /// Puts the game off that stands first in packing, where packing it failed.
    async fn put_packing_off(&self, why: Failure) -> Result<bool, Failure> {
        let mut session = self.store.chore_session().await?;
        let Some(game) = session.first_to_pack().await? else { return Ok(false) };
        session.put_off(&[game], deadlines::PACK_AGAIN).await?;
        self.complaints.tell(|| format!("packing the log of game {game} was put off: {why}"));
        Ok(true)
    }

    pub(super) fn say_what_is_not_whole(&self, found: &Packed) {
        if found.looked_at > 0 {
            log::debug!("{} timers of games that may be over, {} logs packed", found.looked_at, found.logs);
        }
        for (game, before) in &found.not_whole {
            // It is told once.
            if *before == 0 {
                self.complaints.tell(|| format!("game {game}: its log is not whole, and was not packed"));
            } else {
                log::debug!("game {game}: its log is still not whole");
            }
        }
    }

    /// Ends games in which nothing has happened for too long, unless something has by now.
    async fn expire(&self, games: &[(Uuid, u32)]) -> Result<(), Failure> {
        if games.is_empty() {
            return Ok(());
        }
        let ids: Vec<Uuid> = games.iter().map(|(game, _)| *game).collect();
        let mut ends = Vec::new();
        for (game, found) in self.store.chore_session().await?.find_games(&ids).await? {
            let end = found.and_then(|stored| {
                let step = engine::expire(&stored.game).map(|event| Step::take(&stored, &event, Details::None));
                Ok((stored, step.transpose()?))
            });
            match end {
                Ok((stored, Some(step))) if games.contains(&(game, stored.version)) => ends.push((stored, step)),
                Ok(_) => {}
                Err(failure) => {
                    self.store.chore_session().await?.put_off(&[game], deadlines::PACK_AGAIN).await?;
                    self.complaints.tell(|| format!("game {game}, in which nothing happens, was not ended: {failure}"));
                }
            }
        }
        self.write_ends(&ends).await.map(drop)
    }

    /// Deletes games that were kept for long enough, and creations that nobody can repeat any more.
    pub(super) async fn keep_deleting(self) {
        let (mut pace, mut forgotten) = (Pace::new(self.store.at_once(MOST)), None);
        let mut ticks = interval(deadlines::CHORES);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            while self.delete_some(&mut pace, true, Some(self.keep.aborted)).await {}
            while self.delete_some(&mut pace, false, self.keep.finished).await {}
            if forgotten.is_none_or(|at: Instant| at.elapsed() >= deadlines::FORGETTING) {
                while self.forget_some().await {}
                forgotten = Some(Instant::now());
            }
        }
    }

    /// Deletes some games; tells whether there may be more.
    async fn delete_some(&self, pace: &mut Pace, aborted: bool, keep: Option<Duration>) -> bool {
        let Some(keep) = keep else { return false };
        let began = Instant::now();
        let asked = pace.games;
        let delete = async { self.store.chore_session().await?.delete_kept(aborted, keep, asked).await };
        match delete.await {
            Ok(found) => {
                pace.took(began.elapsed(), self.store.at_once(MOST));
                if found.looked_at > 0 {
                    log::debug!("{} games were kept for their time, {} deleted", found.looked_at, found.deleted);
                }
                let more = found.looked_at >= i64::from(asked);
                if more {
                    sleep(began.elapsed() * YIELDS).await;
                }
                more
            }
            Err(failure) if asked > 1 => {
                log::debug!("{asked} games are deleted one by one: {failure}");
                pace.games = 1;
                true
            }
            Err(failure) => {
                let put_off = async { self.store.chore_session().await?.put_deletion_off(aborted, keep).await };
                match put_off.await {
                    Ok(Some(game)) => {
                        self.complaints.tell(|| format!("deleting game {game} was put off: {failure}"));
                        true
                    }
                    Ok(None) => false,
                    Err(failure) => {
                        log::debug!("deleting was not put off: {failure}");
                        false
                    }
                }
            }
        }
    }

    /// Notes ends that an earlier release did not, and forgets creations; tells whether there may be more.
    async fn forget_some(&self) -> bool {
        let most = self.store.at_once(MOST);
        let began = Instant::now();
        let forget = async {
            let mut session = self.store.chore_session().await?;
            let forgotten = session.forget_creations(most).await?;
            let noted = match session.note_ends(most, true).await {
                Err(Failure::Refused { .. }) => session.note_ends(most, false).await?,
                noted => noted?,
            };
            Ok::<_, Failure>(forgotten.max(noted) >= u64::from(most))
        };
        let more = forget.await.unwrap_or_else(|failure| {
            log::debug!("creations were not forgotten: {failure}");
            false
        });
        if more {
            sleep(began.elapsed() * YIELDS).await;
        }
        more
    }

    /// Looks how much there is to do, and what the tables take.
    pub(super) async fn keep_counting(self) {
        let often = if self.store.spread() == Spread::Nodes { deadlines::RARE_CHORES } else { deadlines::GAUGES };
        let mut ticks = interval(often);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.complaints.sum_up();
            let count = async {
                let mut session = self.store.chore_session().await?;
                let due = session.oldest_due(self.keep.aborted, self.keep.finished).await?;
                Ok::<_, Failure>((due, session.sizes().await?))
            };
            match count.await {
                Ok((due, sizes)) => {
                    self.metrics.is_due(Some(due));
                    self.metrics.takes(Some(&sizes));
                }
                Err(failure) => {
                    log::debug!("nobody knows how much there is to do: {failure}");
                    self.metrics.is_due(None);
                    self.metrics.takes(None);
                }
            }
        }
    }
}

impl Pace {
    fn new(most: u16) -> Self {
        Self { games: most.min(50) }
    }

    /// Twice as many where a statement took less than half of what it should, and half as many where it took
    /// twice as long.
    fn took(&mut self, time: Duration, most: u16) {
        if time < deadlines::CHORE / 2 {
            self.games = self.games.saturating_mul(2).min(most);
        } else if time > deadlines::CHORE * 2 {
            self.games = (self.games / 2).max(1);
        }
    }
}
