use std::time::Duration;

use super::Games;
use crate::store::{Failure, Timer};

/// How often the clocks are looked at.
const PERIOD: Duration = Duration::from_millis(500);

impl Games {
    /// Ends games whose time has run out, for as long as the server runs.
    ///
    /// Every replica does so without locks: the version decides who writes an end.
    pub async fn keep_time(self) {
        let mut ticks = tokio::time::interval(PERIOD);
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
        if let Some(stored) = found {
            self.write_end(&mut session, &stored).await?;
        }
        let due_at = session.find_game(timer.game, None).await?.and_then(|stored| stored.due_at);
        session.set_timer(timer, due_at).await
    }
}
