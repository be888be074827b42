use std::time::Duration;

use uuid::Uuid;

use super::keys::Fingerprint;
use super::step::Step;
use super::{Declined, Error, Games};
use crate::deadlines::GRACE;
use crate::store::{Failure, Session, Snapshot};
use record::Details;

/// How a game stands to its deadline, by the clock that was read with it.
enum Lateness {
    /// There is none, or it lies ahead.
    InTime,
    /// It has passed, and the end is written after this time.
    Wait(Duration),
    /// The end is to be written now.
    Passed,
}

impl Games {
    /// Reads a game for somebody who wants to change it.
    ///
    /// Where a deadline has passed, the end that follows from it is written first, so what comes
    /// back is either in time or over. Waiting for that holds no connection.
    pub(super) async fn load_in_time(
        &self,
        id: Uuid,
        request: Option<Fingerprint>,
    ) -> Result<(Session, Snapshot), Error> {
        loop {
            let (mut session, found) = self.store.load_to_move(id, request.as_ref().map(Fingerprint::as_slice)).await?;
            let stored = found.ok_or(Declined::NoSuchGame)?;
            match lateness(&stored) {
                Lateness::InTime => return Ok((session, stored)),
                Lateness::Passed => self.write_end(&mut session, &stored).await?,
                Lateness::Wait(rest) => {
                    drop(session);
                    tokio::time::sleep(rest).await;
                }
            }
        }
    }

    /// Writes the end of a game whose deadline has passed. Whoever comes first writes it.
    pub(super) async fn write_end(&self, session: &mut Session, stored: &Snapshot) -> Result<(), Failure> {
        if let (Lateness::Passed, Ok(event)) = (lateness(stored), engine::time_out(&stored.game)) {
            let step = Step::take(stored, &event, Details::None)?;
            let first = self.write(session, stored, &step, None).await?;
            log::debug!("game {}: a deadline passed, {}", stored.id, if first { "written" } else { "already written" });
        }
        Ok(())
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
