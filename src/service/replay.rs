use super::look::own_eyes;
use super::{Declined, Error, ShownGame, Visit};
use crate::store::{Failure, Snapshot, StoredLayout};
use engine::{BySeat, Ending, Game, Viewer};
use record::proof;
use record::{Happened, Logged};

/// Which moment of a game is asked for, and through whose eyes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    /// Right after this event.
    pub upto: u32,
    /// Through these eyes; the caller's own if none are named.
    pub eyes: Option<Viewer>,
}

impl Visit {
    /// Shows the game as it stood.
    ///
    /// # Errors
    ///
    /// [`Declined::NotOver`] for eyes that the caller is not entitled to; [`Failure`] when the
    /// database does not answer.
    pub(crate) async fn replay(mut self, moment: Moment) -> Result<ShownGame, Error> {
        let own = own_eyes(self.seat);
        let eyes = moment.eyes.unwrap_or(own);
        let finished = matches!(self.stored.game.ending(), Some(Ending::Won { .. }));
        if eyes != own && eyes != Viewer::Spectator && !finished {
            return Err(Declined::NotOver.into());
        }
        let kept = self.session.find_layouts(self.stored.id, self.stored.game.options()).await?;
        let log = self.session.list_log(self.stored.id, moment.upto).await?;
        if log.is_empty() {
            self.is_there().await?;
        }
        let then = fold(&self.stored, &log, &kept)?;
        if then.version != moment.upto {
            return Err(inconsistent(&self.stored, "events", "seq").into());
        }
        if then.version == self.stored.version && then.game != self.stored.game {
            return Err(inconsistent(&self.stored, "games", "state").into());
        }
        let mut seen = ShownGame::through(then, self.seat, eyes);
        seen.show_kept(&kept);
        Ok(seen)
    }

    /// Makes sure that a game whose log was not found has not been deleted in this moment.
    pub(super) async fn is_there(&mut self) -> Result<(), Error> {
        self.session.find_game(self.stored.id, None).await?.ok_or(Declined::NoSuchGame)?;
        Ok(())
    }
}

/// The game after the last of these events: the fold of its log over its two layouts.
///
/// # Errors
///
/// [`Failure::Inconsistent`] where an event is missing or cannot follow, and for a layout that nobody
/// committed to.
pub(super) fn fold(
    stored: &Snapshot,
    log: &[Logged],
    kept: &BySeat<Option<StoredLayout>>,
) -> Result<Snapshot, Failure> {
    let layouts = BySeat::from_fn(|seat| kept.of(seat).map(|kept| kept.layout));
    let of_events = |column| move || inconsistent(stored, "events", column);
    let mut then = stored.before_everything();
    for logged in log {
        let recorded = record::read(&logged.body).map_err(|_| of_events("body")())?;
        if recorded.seq != logged.seq || logged.seq != then.version.saturating_add(1) {
            return Err(of_events("seq")());
        }
        match &recorded.happened {
            Happened::Created { seat, options, .. } => then.game = Game::new(*options, seat.other()),
            Happened::Joined { .. }
            | Happened::Placed { .. }
            | Happened::Fired { .. }
            | Happened::Revealed { .. }
            | Happened::Resigned { .. }
            | Happened::TimedOut { .. }
            | Happened::Expired
            | Happened::Extended { .. } => {
                let event = recorded.happened.event(&layouts).ok_or_else(|| inconsistent(stored, "layouts", "seat"))?;
                then.game.apply(&event).map_err(|_| of_events("body")())?;
            }
        }
        if let Happened::Placed { seat, commitment } = recorded.happened {
            let kept = kept.of(seat).filter(|kept| {
                proof::commitment(stored.id, stored.game.options(), seat, &kept.layout, &kept.salt) == commitment
            });
            kept.ok_or_else(|| inconsistent(stored, "layouts", "cells"))?;
            *then.commitments.of_mut(seat) = Some(commitment);
        }
        (then.version, then.head, then.due_at) = (logged.seq, logged.head, logged.standing.until);
    }
    Ok(then)
}

/// A row that contradicts the others.
pub(super) fn inconsistent(stored: &Snapshot, table: &'static str, column: &'static str) -> Failure {
    Failure::Inconsistent { table, column, game: stored.id }
}
