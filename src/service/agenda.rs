//! Clocks of games on a distributed database.
//!
//! There nobody takes clocks by their order, which would ask all nodes again and again. Each server knows by itself when
//! the games that it has seen are due; and now and then it looks ahead at the timers of all, so that those of a server
//! that is gone are rung in time as well. Any server may ring a clock: an end is written by whoever comes first.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt as _;
use futures_util::stream::iter;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use uuid::Uuid;

use super::Games;
use super::late::Lateness;
use super::step::Step;
use crate::deadlines;
use crate::store::Failure;
use record::Details;

/// The most games that are kept in mind; those that are due first.
const MOST: usize = 100_000;

/// How many clocks ring at a time.
const AT_ONCE: usize = 4;

/// The most timers that are looked at together.
const LOOKED_AT: u16 = 5_000;

/// When games are due, as this server has seen.
#[derive(Default)]
pub(super) struct Agenda(Mutex<Entries>);

#[derive(Default)]
struct Entries {
    times: HashMap<Uuid, Entry>,
    order: BTreeSet<(DateTime<Utc>, Uuid)>,
}

#[derive(Clone, Copy)]
struct Entry {
    at: DateTime<Utc>,
    /// How often looking at it has failed.
    failures: u32,
}

impl Agenda {
    /// A game is due then, and not before, or not at all.
    pub(super) fn set(&self, game: Uuid, at: Option<DateTime<Utc>>) {
        self.lock().put(game, at.map(|at| Entry { at, failures: 0 }));
    }

    /// A game is to be looked at then, unless it is known when.
    fn add(&self, game: Uuid, at: DateTime<Utc>) {
        let mut entries = self.lock();
        if !entries.times.contains_key(&game) {
            entries.put(game, Some(Entry { at, failures: 0 }));
        }
    }

    /// A game that could not be looked at comes again, after twice as long each time.
    fn put_off(&self, game: Uuid, failures: u32, now: DateTime<Utc>) {
        let pause = (deadlines::CLOCK_AGAIN / 4).saturating_mul(1 << failures.min(5));
        let at = TimeDelta::from_std(pause).ok().and_then(|pause| now.checked_add_signed(pause));
        self.lock().put(game, at.map(|at| Entry { at, failures: failures + 1 }));
    }

    /// Takes the games that were due before.
    fn take(&self, before: DateTime<Utc>) -> Vec<(Uuid, u32)> {
        let mut entries = self.lock();
        let mut due = Vec::new();
        while let Some(&(at, game)) = entries.order.first().filter(|(at, _)| *at <= before) {
            entries.order.remove(&(at, game));
            due.extend(entries.times.remove(&game).map(|entry| (game, entry.failures)));
        }
        due
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entries {
    fn put(&mut self, game: Uuid, entry: Option<Entry>) {
        let before = match entry {
            Some(entry) => {
                self.order.insert((entry.at, game));
                self.times.insert(game, entry)
            }
            None => self.times.remove(&game),
        };
        if let Some(before) = before.filter(|before| entry.is_none_or(|entry| entry.at != before.at)) {
            self.order.remove(&(before.at, game));
        }
        if self.order.len() > MOST
            && let Some((_, last)) = self.order.pop_last()
        {
            self.times.remove(&last);
        }
    }
}

impl Games {
    /// Rings the clocks of games that are due, for as long as the server runs.
    pub(super) async fn keep_agenda(self) {
        let mut ticks = interval(deadlines::SWEEP / 2);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let Some(now) = self.heart.now() else { continue };
            let Some(before) = now.checked_sub_signed(GRACE) else { continue };
            let games = &self;
            iter(self.agenda.take(before))
                .for_each_concurrent(AT_ONCE, |(game, failures)| async move {
                    match games.ring(game).await {
                        Ok(due_at) => games.agenda.set(game, due_at),
                        Err(failure) => {
                            log::debug!("the clock of game {game} is looked at again: {failure}");
                            // What is out of reach is no fault of the game's.
                            if !failure.is_passing() {
                                games.complaints.tell(|| format!("the clock of game {game} was put off: {failure}"));
                            }
                            games.agenda.put_off(game, failures, now);
                        }
                    }
                })
                .await;
        }
    }

    /// Looks at a game's clock, and writes what the time that has passed brings; tells when it is due next.
    async fn ring(&self, game: Uuid) -> Result<Option<DateTime<Utc>>, Failure> {
        let mut session = self.store.clock_session().await?;
        let Some(stored) = session.find_game(game, None).await? else {
            session.forget_timer(game).await?;
            return Ok(None);
        };
        if !Lateness::has_passed(&stored) {
            // The timer stood at a deadline that has moved on since, or the game is over.
            session.set_timer(game, stored.due_at, 0.0).await?;
            return Ok(stored.due_at);
        }
        let gaps = self.gaps_in(&mut session, [&stored]).await?;
        let Some(event) = self.event_due(&mut session, &stored, &gaps).await? else { return Ok(stored.due_at) };
        let step = Step::take(&stored, &event, Details::None)?;
        if self.write(&mut session, &stored, &step, None).await? {
            log::debug!("game {game}: a deadline passed");
            return Ok(step.due_at);
        }
        // Another server was first.
        Ok(stored.due_at)
    }

    /// Looks ahead at the timers of all games, and packs the logs of those that are over, for as long as the server runs.
    pub(super) async fn keep_looking_ahead(self) {
        loop {
            let began = Instant::now();
            if let Err(failure) = self.set_ended_aside().await {
                log::debug!("timers of ended games were left where they were: {failure}");
            }
            if let Err(failure) = self.look_ahead().await {
                log::warn!("clocks were not looked at: {failure}");
            }
            sleep(deadlines::LOOK_AHEAD.saturating_sub(began.elapsed())).await;
        }
    }

    async fn look_ahead(&self) -> Result<(), Failure> {
        let ahead = (deadlines::LOOK_AHEAD + deadlines::SESSION).as_secs_f64();
        let timers = self.store.chore_session().await?.list_timers(ahead, LOOKED_AT).await?;
        let Some(now) = self.heart.now() else { return Ok(()) };
        let (packing, clocks): (Vec<_>, Vec<_>) = timers.into_iter().partition(|timer| timer.packs);
        for timer in clocks {
            // Whoever has seen the game mostly rings first.
            self.agenda.add(timer.game, timer.at + OTHERS_FIRST);
        }
        for timer in packing.into_iter().filter(|timer| timer.at <= now) {
            self.pack_one(timer.game).await;
        }
        Ok(())
    }

    /// Packs the log of a game that may be over.
    async fn pack_one(&self, game: Uuid) {
        let pack = async { self.store.chore_session().await?.pack_one(game, self.keep.idle).await };
        match pack.await {
            Ok(found) => {
                self.say_what_is_not_whole(&found);
                if let Err(failure) = self.expire_one_by_one(&found.idle).await {
                    log::warn!("games in which nothing happens were not ended: {failure}");
                }
            }
            Err(failure) if failure.is_passing() => log::debug!("the log of game {game} was not packed: {failure}"),
            Err(failure) => {
                let put_off =
                    async { self.store.chore_session().await?.put_off_one(game, deadlines::PACK_AGAIN).await };
                if let Err(failure) = put_off.await {
                    log::debug!("packing was not put off: {failure}");
                }
                self.complaints.tell(|| format!("packing the log of game {game} was put off: {failure}"));
            }
        }
    }

    /// Ends games in which nothing has happened for too long, unless something has by now.
    async fn expire_one_by_one(&self, idle: &[(Uuid, u32)]) -> Result<(), Failure> {
        for (game, version) in idle {
            let mut session = self.store.chore_session().await?;
            let Some(stored) = session.find_game(*game, None).await?.filter(|stored| stored.version == *version) else {
                continue;
            };
            if let Some(event) = engine::expire(&stored.game) {
                let step = Step::take(&stored, &event, Details::None)?;
                self.write(&mut session, &stored, &step, None).await?;
            }
        }
        Ok(())
    }

    /// Deletes games that were kept for long enough, and creations that nobody can repeat any more.
    pub(super) async fn keep_deleting_one_by_one(self) {
        let mut ticks = interval(deadlines::RARE_CHORES);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            for (aborted, keep) in [(true, Some(self.keep.aborted)), (false, self.keep.finished)] {
                let Some(keep) = keep else { continue };
                if let Err(failure) = self.delete_one_by_one(aborted, keep).await {
                    log::debug!("games that were kept for their time were not looked for: {failure}");
                }
            }
            let forget = async { self.store.chore_session().await?.forget_old_creations().await };
            if let Err(failure) = forget.await {
                log::debug!("creations were not forgotten: {failure}");
            }
        }
    }

    async fn delete_one_by_one(&self, aborted: bool, keep: Duration) -> Result<(), Failure> {
        let kept = self.store.chore_session().await?.list_kept(aborted, keep, LOOKED_AT).await?;
        for game in kept {
            let delete = async { self.store.chore_session().await?.delete_one(game).await };
            if let Err(failure) = delete.await {
                log::debug!("game {game} was not deleted: {failure}");
            }
        }
        Ok(())
    }
}

/// An action that was in time may be on its way for so long.
const GRACE: TimeDelta = TimeDelta::seconds(1);

/// For so long a clock is left to a server that has seen the game.
const OTHERS_FIRST: TimeDelta = TimeDelta::milliseconds(250);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds)
    }

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    #[test]
    fn games_come_in_their_order_and_once() {
        let agenda = Agenda::default();
        agenda.set(id(1), Some(at(5)));
        agenda.set(id(2), Some(at(3)));
        agenda.set(id(3), Some(at(9)));
        agenda.set(id(1), Some(at(4)));
        agenda.add(id(2), at(1));
        agenda.add(id(4), at(2));
        agenda.set(id(4), None);

        assert_eq!(agenda.take(at(8)), [(id(2), 0), (id(1), 0)]);
        assert_eq!(agenda.take(at(8)), []);
        assert_eq!(agenda.take(at(9)), [(id(3), 0)]);
    }

    #[test]
    fn what_failed_comes_again_later_each_time() {
        let agenda = Agenda::default();
        agenda.put_off(id(1), 0, at(0));

        assert_eq!(agenda.take(at(0)), []);
        assert_eq!(agenda.take(at(1)), [(id(1), 1)]);
        agenda.put_off(id(1), 9, at(0));
        assert_eq!(agenda.take(at(15)), []);
        assert_eq!(agenda.take(at(16)), [(id(1), 10)]);
    }

    #[test]
    fn those_that_are_due_last_are_forgotten_where_there_are_too_many() {
        let agenda = Agenda::default();
        for number in 0..=MOST {
            let number = u32::try_from(number).unwrap();
            agenda.set(id(number.into()), Some(at(number.into())));
        }

        let entries = agenda.lock();
        assert_eq!((entries.times.len(), entries.order.len()), (MOST, MOST));
        assert!(!entries.times.contains_key(&id(MOST.try_into().unwrap())));
    }
}
