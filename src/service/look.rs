use super::{Tag, Visit};
use crate::store::{Failure, Snapshot, StoredLayout};
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

impl Visit {
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

/// A player looks with their own eyes, everybody else as a spectator.
pub(super) fn own_eyes(seat: Option<Seat>) -> Viewer {
    seat.map_or(Viewer::Spectator, Viewer::Seat)
}
