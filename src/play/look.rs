use crate::engine::{BySeat, Ending, Eyes, Seat, View};
use crate::proof::Salt;
use crate::store::{Failure, Logged, Stored};

use super::{Caller, Declined, Games, Presented, Tag};

/// A game as one caller may see it.
pub struct Seen {
    /// The caller's seat; none for a spectator.
    pub seat: Option<Seat>,
    /// What everybody may know.
    pub stored: Stored,
    /// The boards through the caller's eyes.
    pub view: View,
    /// The salts that the caller is entitled to.
    pub salts: BySeat<Option<Salt>>,
}

/// A stretch of a log.
pub struct Log {
    /// Its events.
    pub events: Vec<Logged>,
    /// The `seq` of the game's last event.
    pub version: u32,
}

impl Seen {
    /// The game through these eyes, as far as it needs no salt.
    pub(super) fn without_salts(stored: Stored, seat: Option<Seat>) -> Self {
        let eyes = seat.map_or(Eyes::Spectator, Eyes::Seat);
        Self { seat, view: View::new(&stored.game, eyes), stored, salts: BySeat::default() }
    }

    /// The state's tag.
    pub fn tag(&self) -> Tag {
        Tag::of(&self.stored, self.seat)
    }
}

impl Games {
    /// Looks at a game. `read` reads the request once game and token are known to be good.
    ///
    /// # Errors
    ///
    /// [`Declined`] and what `read` says; [`Failure`] when the database does not answer.
    pub async fn look<E>(&self, caller: &Caller, read: impl FnOnce() -> Result<(), E>) -> Result<Seen, E>
    where
        E: From<Declined> + From<Failure>,
    {
        let id = caller.game.ok_or(Declined::NoSuchGame)?;
        let (mut session, found) = self.store.load(id).await?;
        let stored = found.ok_or(Declined::NoSuchGame)?;
        let seat = caller.seat_in(&stored)?;
        read()?;
        let mut seen = Seen::without_salts(stored, seat);
        let entitled = BySeat::from_fn(|owner| seen.may_have_salt_of(owner));
        if entitled.host || entitled.guest {
            let salts = session.find_salts(id).await?;
            seen.salts = BySeat::from_fn(|owner| salts.of(owner).filter(|_| *entitled.of(owner)));
        }
        Ok(seen)
    }

    /// Reads a stretch of a log. `read` gives its bounds, once game and token are known to be good.
    ///
    /// # Errors
    ///
    /// As for [`Games::look`].
    pub async fn log<E>(&self, caller: &Caller, read: impl FnOnce() -> Result<(u32, u16), E>) -> Result<Log, E>
    where
        E: From<Declined> + From<Failure>,
    {
        let id = caller.game.ok_or(Declined::NoSuchGame)?;
        let (mut session, found) = self.store.load(id).await?;
        let stored = found.ok_or(Declined::NoSuchGame)?;
        caller.seat_in(&stored)?;
        let (after, limit) = read()?;
        let events = session.list_events(id, after, limit).await?;
        // An event may have come between the two reads.
        let version = events.last().map_or(stored.version, |event| event.seq.max(stored.version));
        Ok(Log { events, version })
    }
}

impl Seen {
    /// A salt is its owner's from `placed` on, and everybody's once somebody has won (R26).
    fn may_have_salt_of(&self, owner: Seat) -> bool {
        let placed = self.stored.game.board(owner).is_some();
        let opened = matches!(self.stored.game.ending(), Some(Ending::Won { .. }));
        placed && (opened || self.seat == Some(owner))
    }
}

impl Caller {
    /// The caller's seat in this game; none for a spectator.
    ///
    /// # Errors
    ///
    /// [`Declined::Unauthorized`] for anything but no token or a token of this game.
    pub(super) fn seat_in(&self, stored: &Stored) -> Result<Option<Seat>, Declined> {
        match &self.token {
            Presented::Nothing => Ok(None),
            Presented::Nonsense => Err(Declined::Unauthorized),
            Presented::Token(token) => stored.seat_of(token.bytes()).map(Some).ok_or(Declined::Unauthorized),
        }
    }
}
