use std::panic::{self, AssertUnwindSafe};
use std::slice;

use tokio::time::{Instant, MissedTickBehavior, interval};
use uuid::Uuid;

use super::Games;
use super::late::Lateness;
use super::step::Step;
use crate::deadlines;
use crate::store::{Failure, Snapshot};
use engine::Event;
use record::Details;

/// How many clocks are taken from each end of their order at a time.
const AT_ONCE: u16 = 128;

impl Games {
    /// Ends games whose time has run out, for as long as the server runs.
    pub(super) async fn keep_clocks(self) {
        let mut ticks = interval(deadlines::SWEEP);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            loop {
                match self.look_at_clocks().await {
                    Ok(More::Left) => {}
                    Ok(More::None) => break,
                    Err(failure) => {
                        log::warn!("clocks were not looked at: {failure}");
                        break;
                    }
                }
            }
        }
    }

    /// Takes clocks that went off, and writes the ends of their games.
    async fn look_at_clocks(&self) -> Result<More, Failure> {
        let most = self.store.at_once(AT_ONCE);
        let taken = self.store.clock_session().await?.take_clocks(most, deadlines::LEASE).await?;
        let more = if taken.len() >= usize::from(most) { More::Left } else { More::None };
        let until = Instant::now() + deadlines::LEASE;
        let due: Vec<Uuid> = taken.into_iter().filter(|clock| clock.due).map(|clock| clock.game).collect();
        for some in due.chunks(usize::from(self.store.at_once(u16::MAX))) {
            if let Err(failure) = self.end_late_games(some).await {
                log::debug!("{} clocks are looked at one by one: {failure}", some.len());
                self.end_one_by_one(some, until).await?;
            }
        }
        Ok(more)
    }

    /// One of them made the statement fail: it is found and put off. Those that are not reached while
    /// their clocks are taken come back.
    async fn end_one_by_one(&self, games: &[Uuid], until: Instant) -> Result<(), Failure> {
        for game in games {
            if Instant::now() >= until {
                break;
            }
            if let Err(failure) = self.end_late_games(slice::from_ref(game)).await {
                self.put_clocks_off(vec![(*game, failure)]).await?;
            }
        }
        Ok(())
    }

    /// Writes what the time that has passed brings to games: all are read with one statement and
    /// written with another. One that cannot be read is put off, and one that is held by another
    /// session or was moved in meanwhile is looked at again; neither concerns the others.
    async fn end_late_games(&self, games: &[Uuid]) -> Result<(), Failure> {
        let (mut late, mut ends, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        let mut session = self.store.clock_session().await?;
        for (game, found) in session.find_games(games).await? {
            match found {
                Ok(stored) if Lateness::has_passed(&stored) => late.push(stored),
                Ok(_) => {}
                Err(failure) => failed.push((game, failure)),
            }
        }
        let gaps = self.gaps_in(&mut session, &late).await?;
        for stored in late {
            match self.event_due(&mut session, &stored, &gaps).await.and_then(|event| take(&stored, event.as_ref())) {
                Ok(Some(step)) => {
                    log::debug!("game {}: a deadline passed", stored.id);
                    ends.push((stored, step));
                }
                Ok(None) => {}
                Err(failure @ (Failure::Unavailable(_) | Failure::Away)) => return Err(failure),
                Err(failure) => failed.push((stored.id, failure)),
            }
        }
        drop(session);
        let left_out = self.write_ends(&ends).await?;
        if !left_out.is_empty() {
            self.store.clock_session().await?.look_again(&left_out).await?;
        }
        self.put_clocks_off(failed).await
    }

    /// Writes ends, each of one event, and tells of which games they were not written.
    pub(super) async fn write_ends(&self, ends: &[(Snapshot, Step)]) -> Result<Vec<Uuid>, Failure> {
        if ends.is_empty() {
            return Ok(Vec::new());
        }
        let changes: Vec<_> = ends.iter().map(|(stored, step)| step.as_move(stored, None)).collect();
        let mut session = self.store.clock_session().await?;
        let written = self.store.append_ends(&mut session, &changes).await?;
        drop(session);
        for (stored, step) in ends {
            self.notify(stored, step, written.contains(&stored.id));
        }
        Ok(ends.iter().map(|(stored, _)| stored.id).filter(|game| !written.contains(game)).collect())
    }

    /// Puts clocks off that failed, and says so of each.
    async fn put_clocks_off(&self, failed: Vec<(Uuid, Failure)>) -> Result<(), Failure> {
        if failed.is_empty() {
            return Ok(());
        }
        let games: Vec<Uuid> = failed.iter().map(|(game, _)| *game).collect();
        self.store.clock_session().await?.put_off(&games, deadlines::CLOCK_AGAIN).await?;
        for (game, failure) in &failed {
            self.complaints.tell(|| format!("the clock of game {game} was put off: {failure}"));
        }
        Ok(())
    }
}

/// Whether there may be more to do at once.
enum More {
    Left,
    None,
}

/// The step by which an event follows. Where the game's rows break an invariant, no other game pays for it.
fn take(stored: &Snapshot, event: Option<&Event>) -> Result<Option<Step>, Failure> {
    let take = || event.map(|event| Step::take(stored, event, Details::None)).transpose();
    let step = panic::catch_unwind(AssertUnwindSafe(take));
    step.map_err(|_| Failure::Program("what time brings to a game could not be worked out"))?
}
