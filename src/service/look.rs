use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::{Declined, Error, Games, Precondition, Tag, Visit};
use crate::live::Subscription;
use crate::store::{Failure, Known, Snapshot, StoredLayout};
use engine::{BySeat, Ending, GameView, Seat, Viewer};
use record::Logged;
use record::proof::{Salt, Seed};

/// A game as some eyes may see it.
pub(crate) struct ShownGame {
    /// The caller's seat; none for a spectator.
    pub seat: Option<Seat>,
    /// What everybody may know.
    pub stored: Snapshot,
    /// The boards through the eyes.
    pub view: GameView,
    /// The salts that the eyes are entitled to.
    pub salts: BySeat<Option<Salt>>,
    /// Where the choices of the guest come from, if it is a bot and the eyes are entitled to know.
    pub bot_seed: Option<Seed>,
    eyes: Viewer,
}

/// A stretch of a log.
pub(crate) struct Log {
    /// The events, in the order of the log.
    pub events: Vec<Logged>,
    /// The `seq` of the game's last event.
    pub version: u32,
}

impl Log {
    /// These events of a game that had this version a moment before they were read.
    pub(super) fn new(events: Vec<Logged>, version: u32) -> Self {
        let version = events.last().map_or(version, |event| event.seq.max(version));
        Self { events, version }
    }
}

impl ShownGame {
    /// The game through a caller's own eyes, without salts.
    pub(super) fn by(stored: Snapshot, seat: Option<Seat>) -> Self {
        Self::through(stored, seat, own_eyes(seat))
    }

    /// The game through some eyes, without salts.
    pub(super) fn through(stored: Snapshot, seat: Option<Seat>, eyes: Viewer) -> Self {
        Self { seat, view: GameView::new(&stored.game, eyes), stored, salts: BySeat::default(), bot_seed: None, eyes }
    }

    /// Shows what is kept with the layouts, as far as the eyes are entitled to it.
    pub(super) fn show_kept(&mut self, kept: &BySeat<Option<StoredLayout>>) {
        let shown = BySeat::from_fn(|owner| kept.of(owner).filter(|_| self.may_see_kept_of(owner)));
        self.salts = BySeat::from_fn(|owner| shown.of(owner).map(|kept| kept.salt));
        self.bot_seed = shown.guest.and_then(|kept| kept.seed);
    }

    /// Salt and seed are their owner's from `placed` on, and everybody's once somebody has won (R26).
    fn may_see_kept_of(&self, owner: Seat) -> bool {
        let placed = self.stored.game.board(owner).is_some();
        let opened = matches!(self.stored.game.ending(), Some(Ending::Won { .. }));
        placed
            && match self.eyes {
                Viewer::All => true,
                Viewer::Seat(seat) => opened || seat == owner,
                Viewer::Spectator => opened,
            }
    }

    /// The tag of the state that the caller is shown.
    pub(crate) fn tag(&self) -> Tag {
        Tag::of(&self.stored, self.seat)
    }
}

/// A game that is looked at once it is in another state.
pub(crate) struct Unchanged {
    games: Games,
    subscription: Subscription,
    seat: Option<Seat>,
    /// What the caller has.
    known: Precondition,
    /// The state that it was in.
    tag: Tag,
    seen: Known,
    wait: Duration,
}

impl Visit {
    /// The tag of the state that the caller is shown.
    pub(crate) fn tag(&self) -> Tag {
        Tag::of(&self.stored, self.seat)
    }

    /// Has the game looked at once it is in a state that the caller does not have, and nobody at the database till
    /// then.
    pub(crate) fn beyond(self, known: Precondition, wait: Duration) -> Unchanged {
        let tag = self.tag();
        let Self { games, place, session, stored, seat } = self;
        drop((session, place));
        let seen = stored.known();
        Unchanged { subscription: games.live.watch(stored.id, seen), games, seat, known, tag, seen, wait }
    }

    /// Looks at the game through the caller's own eyes.
    pub(crate) async fn look(mut self) -> Result<ShownGame, Failure> {
        let mut seen = ShownGame::by(self.stored, self.seat);
        if Seat::BOTH.into_iter().any(|owner| seen.may_see_kept_of(owner)) {
            let kept = self.session.find_layouts(seen.stored.id, seen.stored.game.options()).await?;
            seen.show_kept(&kept);
        }
        Ok(seen)
    }
}

impl Unchanged {
    /// Waits for another state, as long as was asked for; none where the time has passed, or the server is stopping.
    pub(crate) async fn wait(mut self) -> Result<Option<ShownGame>, Error> {
        let until = Instant::now() + self.wait;
        loop {
            let other = timeout_at(until, self.subscription.other_than(self.seen)).await;
            let Some(other) = other.unwrap_or(None) else { return Ok(None) };
            let place = self.games.under_way.places.wait().await?;
            let (session, found) = self.games.store.load(self.subscription.game(), None).await?;
            let stored = found.ok_or(Declined::NoSuchGame)?;
            let visit = Visit { games: self.games.clone(), place, session, stored, seat: self.seat };
            if !self.is_had(visit.tag()) {
                return Ok(Some(visit.look().await?));
            }
            self.seen = other;
        }
    }

    /// Whether the caller has this state: `*` is the one that the game was in.
    fn is_had(&self, tag: Tag) -> bool {
        match &self.known {
            Precondition::Any => tag == self.tag,
            Precondition::OneOf(_) => self.known.holds(&tag),
        }
    }
}

/// A player looks with their own eyes, everybody else as a spectator.
pub(super) fn own_eyes(seat: Option<Seat>) -> Viewer {
    seat.map_or(Viewer::Spectator, Viewer::Seat)
}
