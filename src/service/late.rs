use std::time::Duration;

use uuid::Uuid;

use super::keys::Fingerprint;
use super::step::Step;
use super::{Declined, Error, Games};
use crate::deadlines::GRACE;
use crate::store::{Session, Snapshot};
use record::Details;

/// How a game stands to its deadline, by the clock that was read with it.
pub(super) enum Lateness {
    /// There is none, or it lies ahead.
    InTime,
    /// It has passed, and the end is written after this time.
    Wait(Duration),
    /// The end is to be written now.
    Passed,
}

/// A game that somebody wants to change: in time, or over.
pub(super) struct InTime {
    pub session: Session,
    pub stored: Snapshot,
    /// Where the game stands, with its deadline moved on where it has to be (R30).
    pub step: Step,
}

impl Games {
    /// Reads a game for somebody who wants to change it.
    ///
    /// Where a deadline has passed, the end that follows from it is written first, so what comes
    /// back is either in time or over. Waiting for that holds no connection, and no place at the database.
    pub(super) async fn load_in_time(&self, id: Uuid, request: Option<Fingerprint>) -> Result<InTime, Error> {
        loop {
            let (mut session, found) = self.store.load_to_move(id, request.as_ref().map(Fingerprint::as_slice)).await?;
            let stored = found.ok_or(Declined::NoSuchGame)?;
            match lateness(&stored) {
                Lateness::InTime => {
                    let step = Step::begin(&stored);
                    return Ok(InTime { session, stored, step });
                }
                Lateness::Passed => {
                    let gaps = self.gaps_in(&mut session, [&stored]).await?;
                    let Some(event) = self.event_due(&mut session, &stored, &gaps).await? else {
                        let step = Step::begin(&stored);
                        return Ok(InTime { session, stored, step });
                    };
                    let step = Step::take(&stored, &event, Details::None)?;
                    if step.due_at.is_some_and(|until| stored.now < until) {
                        return Ok(InTime { session, stored, step });
                    }
                    self.write(&mut session, &stored, &step, None).await?;
                }
                Lateness::Wait(rest) => {
                    drop(session);
                    self.rest(tokio::time::sleep(rest)).await?;
                }
            }
        }
    }
}

impl Lateness {
    /// Whether what the deadline brings is to be written now.
    pub(super) fn has_passed(stored: &Snapshot) -> bool {
        match lateness(stored) {
            Self::Passed => true,
            Self::InTime | Self::Wait(_) => false,
        }
    }
}

fn lateness(stored: &Snapshot) -> Lateness {
    let Some(due_at) = stored.due_at else { return Lateness::InTime };
    if stored.now < due_at {
        return Lateness::InTime;
    }
    match (due_at + GRACE - stored.now).to_std() {
        Ok(rest) if !rest.is_zero() => Lateness::Wait(rest),
        Ok(_) | Err(_) => Lateness::Passed,
    }
}
