use chrono::{DateTime, TimeDelta, Utc};

use super::{Games, Tag};
use crate::entropy;
use crate::store::{Change, Failure, IdempotencyKey, Session, Snapshot};
use engine::bot::{self, SeatView};
use engine::{Event, Game, Layout, Level, Seat, Status};
use record::proof::{self, Hash, Salt, Seed};
use record::{Details, GameStatus, Happened, Logged};

/// What events make of a game, before they are written: that of a request, and those with which a
/// bot answers it.
pub(super) struct Step {
    pub game: Game,
    pub due_at: Option<DateTime<Utc>>,
    pub events: Vec<Logged>,
    /// The events' types.
    pub kinds: Vec<&'static str>,
}

impl Step {
    /// Begins where the game stands.
    pub(super) fn begin(stored: &Snapshot) -> Self {
        Self { game: stored.game, due_at: stored.due_at, events: Vec::new(), kinds: Vec::new() }
    }

    /// Takes an event that follows on the game.
    pub(super) fn take(stored: &Snapshot, event: &Event, details: Details<'_>) -> Result<Self, Failure> {
        let mut step = Self::begin(stored);
        step.follow(stored, event, details)?;
        Ok(step)
    }

    /// Goes on with an event that follows on where it stands.
    pub(super) fn follow(&mut self, stored: &Snapshot, event: &Event, details: Details<'_>) -> Result<(), Failure> {
        self.game.apply(event).map_err(|_| Failure::Program("the rules decided on an event that cannot follow"))?;
        self.record(stored, event, details)
    }

    /// Writes the event that has just brought the game to where it stands.
    pub(super) fn record(&mut self, stored: &Snapshot, event: &Event, details: Details<'_>) -> Result<(), Failure> {
        self.due_at = self.due_after(stored.now, event);
        let (last, head) = self.end_of_log(stored);
        let seq = last.checked_add(1).ok_or(Failure::Program("a log without end"))?;
        let happened = Happened::new(event, details).ok_or(Failure::Program("an event is recorded as another one"))?;
        self.kinds.push(happened.kind());
        self.events.push(Logged::write(seq, &head, stored.now, happened, &self.game, self.due_at));
        Ok(())
    }

    /// The `seq` and the head of the last event so far.
    fn end_of_log(&self, stored: &Snapshot) -> (u32, Hash) {
        self.events.last().map_or((stored.version, stored.head), |event| (event.seq, event.head))
    }

    /// Each action that is due has the full time, counted from the event that made it due (R25), and what was lost of
    /// it to an outage (R30).
    fn due_after(&self, now: DateTime<Utc>, event: &Event) -> Option<DateTime<Utc>> {
        match (self.game.status(), event) {
            (Status::Finished | Status::Aborted, _) => None,
            (_, Event::Extended { seconds }) => {
                self.due_at?.checked_add_signed(TimeDelta::seconds(i64::from(*seconds)))
            }
            // The first layout makes nothing due that was not due before.
            (Status::Waiting | Status::Placing, Event::Placed { .. }) => self.due_at,
            (Status::Waiting | Status::Placing | Status::Battle, _) => {
                let turn = TimeDelta::seconds(i64::from(self.game.options().turn_seconds?));
                now.checked_add_signed(turn)
            }
        }
    }

    /// Has a bot make its next move, as the guest; none where nothing is awaited of it.
    pub(super) fn let_bot_move(
        &mut self,
        level: Level,
        seed: &Seed,
        stored: &Snapshot,
    ) -> Result<Option<Event>, Failure> {
        let Some(sight) = SeatView::of(&self.game, Seat::Guest) else { return Ok(None) };
        let (last, _) = self.end_of_log(stored);
        let choice = bot::choose(level, &sight, &mut proof::bot_dice(seed, last));
        let event = self.game.play(Seat::Guest, choice.command());
        event.map(Some).map_err(|_| Failure::Program("a bot chose what the rules refuse"))
    }

    /// Where the game stands after it.
    pub(super) fn standing(&self) -> GameStatus {
        GameStatus::of(&self.game, self.due_at)
    }

    /// The state's tag after it, for a seat.
    pub(super) fn tag(&self, stored: &Snapshot, seat: Seat) -> Tag {
        let (version, _) = self.end_of_log(stored);
        Tag { version, ..Tag::of(stored, Some(seat)) }
    }

    /// The step as the store writes it.
    pub(super) fn as_move<'a>(&'a self, from: &'a Snapshot, stamp: Option<IdempotencyKey>) -> Change<'a> {
        Change { from, game: &self.game, due_at: self.due_at, events: &self.events, stamp }
    }
}

impl Games {
    /// Lets a bot that plays in this game do what is awaited of it, until something is awaited of
    /// its opponent. Each choice has dice of its own, so that it is the same whenever it is made.
    pub(super) async fn let_bot_answer(
        &self,
        session: &mut Session,
        stored: &Snapshot,
        step: &mut Step,
    ) -> Result<(), Failure> {
        let Some(level) = stored.bot else { return Ok(()) };
        if step.game.awaiting().all(|awaited| awaited.seat != Seat::Guest) {
            return Ok(());
        }
        let missing = Failure::Inconsistent { table: "layouts", column: "bot_seed", game: stored.id };
        let seed = session.find_seed(stored.id).await?.ok_or(missing)?;
        while let Some(event) = step.let_bot_move(level, &seed, stored)? {
            step.record(stored, &event, Details::None)?;
        }
        Ok(())
    }

    /// Writes a step that needs no further columns; `false` when another one came first.
    pub(super) async fn write(
        &self,
        session: &mut Session,
        from: &Snapshot,
        step: &Step,
        stamp: Option<IdempotencyKey>,
    ) -> Result<bool, Failure> {
        let written = self.store.append(session, &step.as_move(from, stamp)).await?;
        self.notify(from, step, written);
        Ok(written)
    }

    /// Notifies whoever watches the game of a step that was written, and counts it.
    pub(super) fn notify(&self, from: &Snapshot, step: &Step, written: bool) {
        let Some(last) = step.events.last().filter(|_| written) else { return };
        log::debug!("game {}: event {} is written", from.id, last.seq);
        self.count(&step.kinds, Some(from.game.status()), step.game.status());
        self.live.grew(from.id, last.seq);
        self.is_due(from.id, step.due_at);
        self.has_ended(from.id, step.game.status());
    }

    /// Counts events that were written, and the status that they brought a game to.
    pub(super) fn count(&self, kinds: &[&'static str], before: Option<Status>, after: Status) {
        for kind in kinds {
            self.metrics.moved(kind);
        }
        if before != Some(after) {
            self.metrics.came_to(after.word());
        }
    }
}

/// A new salt, and the commitment to a layout that it blinds.
pub(super) fn seal(stored: &Snapshot, seat: Seat, layout: &Layout) -> Result<(Salt, Hash), Failure> {
    let salt = entropy::salt()?;
    Ok((salt, seal_with(salt, stored, seat, layout)))
}

/// The commitment to a layout that this salt blinds.
pub(super) fn seal_with(salt: Salt, stored: &Snapshot, seat: Seat, layout: &Layout) -> Hash {
    proof::commitment(stored.id, stored.game.options(), seat, layout, &salt)
}
