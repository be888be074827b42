use chrono::{DateTime, TimeDelta, Utc};

use super::Games;
use crate::engine::{Event, Game, Level, Status};
use crate::proof::Hash;
use crate::record::Entry;
use crate::store::{Failure, Logged, Move, Session, Stamp, Stored};

/// What one event makes of a game, before it is written.
pub(super) struct Step {
    pub game: Game,
    pub due_at: Option<DateTime<Utc>>,
    pub logged: Logged,
    /// The event's type.
    pub kind: &'static str,
}

/// What an event's log entry says beyond the event itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Particulars<'a> {
    /// The name of who joined.
    pub name: Option<&'a str>,
    /// The bot that joined.
    pub bot: Option<Level>,
    /// The commitment to the layout placed.
    pub commitment: Hash,
}

impl Step {
    /// Takes the event that the rules decided on.
    pub(super) fn take(stored: &Stored, event: &Event, particulars: Particulars<'_>) -> Result<Self, Failure> {
        let mut game = stored.game;
        game.apply(event).map_err(|_| Failure::Program("the rules decided on an event that cannot follow"))?;
        let due_at = due_at(stored, &game, event);
        let seq = stored.version.checked_add(1).ok_or(Failure::Program("a log without end"))?;
        let entry = entry(event, particulars);
        let logged = Logged::write(seq, &stored.head, stored.now, &entry, &game, due_at)?;
        Ok(Self { game, due_at, logged, kind: entry.kind() })
    }

    /// The step as the store writes it.
    pub(super) fn as_move<'a>(&'a self, from: &'a Stored, stamp: Option<Stamp>) -> Move<'a> {
        Move { from, game: &self.game, due_at: self.due_at, events: std::slice::from_ref(&self.logged), stamp }
    }
}

impl Games {
    /// Writes a step that needs no further columns; `false` when another one came first.
    pub(super) async fn write(
        &self,
        session: &mut Session,
        from: &Stored,
        step: &Step,
        stamp: Option<Stamp>,
    ) -> Result<bool, Failure> {
        let written = self.store.append(session, &step.as_move(from, stamp)).await?;
        self.tell(from, step, written);
        Ok(written)
    }

    /// Tells whoever watches the game of a step that was written.
    pub(super) fn tell(&self, from: &Stored, step: &Step, written: bool) {
        if written {
            log::debug!("game {}: event {} is written", from.id, step.logged.seq);
            self.meter.moved(step.kind);
            if step.game.status() != from.game.status() {
                self.meter.came_to(step.game.status().word());
            }
            self.live.grew(from.id, step.logged.seq);
        }
    }
}

/// Each action that is due has the full time, counted from the event that made it due (R25).
fn due_at(stored: &Stored, after: &Game, event: &Event) -> Option<DateTime<Utc>> {
    match (after.status(), event) {
        (Status::Finished | Status::Aborted, _) => None,
        // The first layout makes nothing due that was not due before.
        (Status::Placing, Event::Placed { .. }) => stored.due_at,
        (Status::Waiting | Status::Placing | Status::Battle, _) => {
            let turn = TimeDelta::seconds(i64::from(after.options().turn_seconds?));
            stored.now.checked_add_signed(turn)
        }
    }
}

fn entry<'a>(event: &'a Event, particulars: Particulars<'a>) -> Entry<'a> {
    match *event {
        Event::Joined { seat, first } => Entry::Joined { seat, first, name: particulars.name, bot: particulars.bot },
        Event::Placed { seat, layout: _ } => Entry::Placed { seat, commitment: particulars.commitment },
        Event::Fired { seat, ref shots, owed } => Entry::Fired { seat, shots, owed },
        Event::Revealed { seat, ref cells } => Entry::Revealed { seat, cells },
        Event::Resigned { seat } => Entry::Resigned { seat },
        Event::TimedOut { seat } => Entry::TimedOut { seat },
        Event::Expired => Entry::Expired,
    }
}
