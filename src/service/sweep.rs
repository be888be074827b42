use chrono::{DateTime, Utc};

use super::Games;
use crate::deadlines;
use crate::store::{Failure, Packed, Session, Snapshot, Timer};

impl Games {
    /// Ends games whose time has run out and packs those that are over, for as long as the server
    /// runs.
    ///
    /// Every replica does so without locks: the version decides who writes an end, the timer who
    /// packs.
    pub async fn keep_time(self) {
        let mut ticks = tokio::time::interval(deadlines::SWEEP);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(failure) = self.sweep().await {
                log::warn!("clocks were not looked at: {failure}");
            }
        }
    }

    async fn sweep(&self) -> Result<(), Failure> {
        let timers = self.store.list_timers().await?;
        for timer in timers {
            match self.look_at_clock(&timer).await {
                Ok(()) => {}
                Err(Failure::Unavailable(reason)) => return Err(Failure::Unavailable(reason)),
                // One game that cannot be read must not stop the clocks of the others.
                Err(failure) => log::error!("the clock of game {} was not looked at: {failure}", timer.game),
            }
        }
        Ok(())
    }

    async fn look_at_clock(&self, timer: &Timer) -> Result<(), Failure> {
        let (mut session, found) = self.store.load(timer.game, None).await?;
        let Some(stored) = found else { return session.set_timer(timer, None).await };
        if stored.game.ending().is_some() {
            return pack(&mut session, timer, &stored).await;
        }
        self.write_end(&mut session, &stored).await?;
        let now = session.find_game(timer.game, None).await?;
        let check_at = now.map(|now| now.due_at.unwrap_or_else(|| look_again(&now)));
        session.set_timer(timer, check_at).await
    }
}

/// When to look whether a game without a deadline is over: when it is twice as old.
fn look_again(stored: &Snapshot) -> DateTime<Utc> {
    stored.now + (stored.now - stored.created_at)
}

async fn pack(session: &mut Session, timer: &Timer, ended: &Snapshot) -> Result<(), Failure> {
    match session.pack(timer, ended).await? {
        Packed::Now => log::debug!("game {}: its log is packed", timer.game),
        Packed::Elsewhere => log::debug!("game {}: its log was packed by another server", timer.game),
        Packed::NotWhole => log::error!("game {}: its log is not whole, and was not packed", timer.game),
    }
    Ok(())
}
