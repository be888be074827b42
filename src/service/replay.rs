use super::look::own_eyes;
use super::{Caller, Declined, Games, ShownGame};
use crate::store::{Failure, Snapshot, StoredLayout};
use engine::{BySeat, Ending, Game, Viewer};
use record::Happened;
use record::Logged;

/// Which moment of a game is asked for, and through whose eyes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Right after this event.
    pub upto: u32,
    /// Through these eyes; the caller's own if none are named.
    pub eyes: Option<Viewer>,
}

/// A game with its whole log.
pub struct Archive {
    /// The game as it stands, as everybody may see it.
    pub seen: ShownGame,
    /// Its whole log.
    pub events: Vec<Logged>,
}

impl Games {
    /// Shows a game as it stood. `read` is told the version and says which moment, once game and
    /// token are known to be good.
    ///
    /// # Errors
    ///
    /// As for [`Games::look`]; [`Declined::NotOver`] for eyes that the caller is not entitled to.
    pub async fn replay<E>(&self, caller: &Caller, read: impl FnOnce(u32) -> Result<Moment, E>) -> Result<ShownGame, E>
    where
        E: From<Declined> + From<Failure>,
    {
        let id = caller.game.ok_or(Declined::NoSuchGame)?;
        let _slot = self.slot()?;
        let (mut session, found) = self.store.load(id, None).await?;
        let stored = found.ok_or(Declined::NoSuchGame)?;
        let seat = caller.seat_in(&stored)?;
        let moment = read(stored.version)?;
        let own = own_eyes(seat);
        let eyes = moment.eyes.unwrap_or(own);
        let finished = matches!(stored.game.ending(), Some(Ending::Won { .. }));
        if eyes != own && eyes != Viewer::Spectator && !finished {
            return Err(Declined::NotOver.into());
        }
        let kept = session.find_layouts(id, stored.game.options()).await?;
        let log = session.list_log(id, moment.upto).await?;
        let then = fold(&stored, &log, &kept)?;
        let mut seen = ShownGame::through(then, seat, eyes);
        seen.show_kept(&kept);
        Ok(seen)
    }

    /// Gives a game with its whole log, for checking. `read` reads the request once game and token
    /// are known to be good.
    ///
    /// # Errors
    ///
    /// As for [`Games::look`].
    pub async fn archive<E>(&self, caller: &Caller, read: impl FnOnce() -> Result<(), E>) -> Result<Archive, E>
    where
        E: From<Declined> + From<Failure>,
    {
        let id = caller.game.ok_or(Declined::NoSuchGame)?;
        let _slot = self.slot()?;
        let (mut session, found) = self.store.load(id, None).await?;
        let stored = found.ok_or(Declined::NoSuchGame)?;
        caller.seat_in(&stored)?;
        read()?;
        let events = session.list_log(id, stored.version).await?;
        let kept = session.find_layouts(id, stored.game.options()).await?;
        let mut seen = ShownGame::through(stored, None, Viewer::Spectator);
        seen.show_kept(&kept);
        Ok(Archive { seen, events })
    }
}

/// The game after the last of these events: the fold of its log over its two layouts.
pub(super) fn fold(
    stored: &Snapshot,
    log: &[Logged],
    kept: &BySeat<Option<StoredLayout>>,
) -> Result<Snapshot, Failure> {
    let layouts = BySeat::from_fn(|seat| kept.of(seat).map(|kept| kept.layout));
    let inconsistent = || Failure::Inconsistent { table: "events", column: "body", game: stored.id };
    let mut then = stored.before_everything();
    for logged in log {
        let recorded = record::read(&logged.body).map_err(|_| inconsistent())?;
        match &recorded.happened {
            Happened::Created { seat, options, .. } => then.game = Game::new(*options, seat.other()),
            Happened::Joined { .. }
            | Happened::Placed { .. }
            | Happened::Fired { .. }
            | Happened::Revealed { .. }
            | Happened::Resigned { .. }
            | Happened::TimedOut { .. }
            | Happened::Expired => {
                let event = recorded.happened.event(&layouts).ok_or_else(inconsistent)?;
                then.game.apply(&event).map_err(|_| inconsistent())?;
            }
        }
        if let Happened::Placed { seat, commitment } = recorded.happened {
            *then.commitments.of_mut(seat) = Some(commitment);
        }
        (then.version, then.head, then.due_at) = (logged.seq, logged.head, logged.standing.until);
    }
    Ok(then)
}
