use super::enter::GameToChange;
use super::keys::same;
use super::late::InTime;
use super::step::{Step, seal};
use super::{Caller, Declined, Error, Games, Malformed, Precondition, Repeatable, Tag};
use crate::store::{Failure, IdempotencyKey, NewLayout, Repeated, Session, Snapshot};
use engine::{Command, Coordinate, Event, Placement, Seat};
use record::proof::Salt;
use record::{Details, GameStatus, Logged};

/// What a seat asks for, and on which condition.
pub(crate) struct MoveRequest {
    /// What the seat wants to do.
    pub action: Move,
    /// The states in which alone it shall be done, by `If-Match`.
    pub precondition: Option<Precondition>,
    /// The request, where it came with an `Idempotency-Key`.
    pub repeatable: Option<Repeatable>,
}

/// A move of a seat.
pub(crate) enum Move {
    /// Hide ships and mines.
    Place(Placement),
    /// Fire at cells, in this order.
    Fire(Vec<Coordinate>),
    /// Give cells of one's own ships away (R16).
    Reveal(Vec<Coordinate>),
    /// Give the game up (R24).
    Resign,
}

/// What an action added to the log, and where the game now stands.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The state's tag for the one who acted.
    pub tag: Tag,
    /// Where the game stands.
    pub standing: GameStatus,
    /// What was added to the log.
    pub events: Vec<Logged>,
    /// The salt of a layout just placed, for its owner alone.
    pub salt: Option<Salt>,
}

impl Move {
    fn command(&self) -> Command<'_> {
        match self {
            Self::Place(placement) => Command::Place(placement),
            Self::Fire(cells) => Command::Fire(cells),
            Self::Reveal(cells) => Command::Reveal(cells),
            Self::Resign => Command::Resign,
        }
    }
}

impl Games {
    /// Lets a seat act.
    ///
    /// # Errors
    ///
    /// [`Declined`], judged in the order of the contract: game, token, then whether the request could
    /// be read, the precondition, phase and turn, the public record, the own board. [`Failure`] when
    /// the database does not answer.
    pub(crate) async fn act(&self, caller: Caller, asked: Result<MoveRequest, Malformed>) -> Result<Progress, Error> {
        self.detached(caller.origin, |games| async move {
            let request = caller.request();
            let GameToChange { turn: _turn, mut found, first_version } =
                games.enter_to_change(&caller, request).await?;
            let (seat, token) = caller.player_in(&found.stored)?;
            let asked = asked?;
            let fingerprint = asked.repeatable.as_ref().map(|repeatable| repeatable.fingerprint(token.bytes()));
            let stamp = fingerprint.map(|fingerprint| IdempotencyKey { request, fingerprint });
            loop {
                let InTime { mut session, stored, mut step } = found;
                if let (Some(stamp), Some(repeated)) = (stamp, &stored.repeated) {
                    if !same(&repeated.fingerprint, &stamp.fingerprint) {
                        return Err(Declined::Mismatch.into());
                    }
                    return Ok(kept_progress(&mut session, &stored, repeated, seat, &asked.action).await?);
                }
                if stamp.is_some() && caller.has_key_in_use(&mut session, &stored, seat).await? {
                    return Err(Declined::Mismatch.into());
                }
                asked.check_precondition(&stored, seat)?;
                let event = step.game.play(seat, asked.action.command()).map_err(Declined::Rules)?;
                // What was sent for one turn must not count on a later one.
                if stored.version != first_version
                    && session.has_acted(stored.id, first_version, stored.version, seat).await?
                {
                    return Err(Declined::InFlight.into());
                }
                if let Some(progress) = games.commit(&mut session, &stored, seat, step, &event, stamp).await? {
                    return Ok(progress);
                }
                drop(session);
                found = games.load_in_time(stored.id, request).await?;
            }
        })
        .await
    }

    /// Writes the event of a step that was just played; none when another one came first.
    async fn commit(
        &self,
        session: &mut Session,
        stored: &Snapshot,
        seat: Seat,
        mut step: Step,
        event: &Event,
        stamp: Option<IdempotencyKey>,
    ) -> Result<Option<Progress>, Failure> {
        let sealed = match event {
            Event::Placed { layout, .. } => Some((layout, seal(stored, seat, layout)?)),
            Event::Joined { .. }
            | Event::Fired { .. }
            | Event::Revealed { .. }
            | Event::Resigned { .. }
            | Event::TimedOut { .. }
            | Event::Expired
            | Event::Extended { .. } => None,
        };
        let details = sealed.as_ref().map_or(Details::None, |(_, (_, commitment))| Details::Commitment(*commitment));
        step.record(stored, event, details)?;
        self.let_bot_answer(session, stored, &mut step).await?;
        let change = step.as_move(stored, stamp);
        let written = match &sealed {
            Some((layout, (salt, commitment))) => {
                let laid = NewLayout { seat, layout, salt, commitment };
                self.store.append_layout(session, &change, &laid).await?
            }
            None => self.store.append(session, &change).await?,
        };
        self.notify(stored, &step, written);
        let (tag, salt) = (step.tag(stored, seat), sealed.map(|(_, (salt, _))| salt));
        Ok(written.then(|| Progress { tag, standing: step.standing(), events: step.events, salt }))
    }
}

impl MoveRequest {
    fn check_precondition(&self, stored: &Snapshot, seat: Seat) -> Result<(), Declined> {
        match &self.precondition {
            Some(precondition) if !precondition.holds(&Tag::of(stored, Some(seat))) => {
                Err(Declined::Stale { version: stored.version })
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// The reply that a request got when it was carried out: the game as it stood then.
async fn kept_progress(
    session: &mut Session,
    stored: &Snapshot,
    repeated: &Repeated,
    seat: Seat,
    action: &Move,
) -> Result<Progress, Failure> {
    let events = session.list_events(stored.id, repeated.seq.saturating_sub(1), repeated.span).await?;
    let inconsistent = || Failure::Inconsistent { table: "events", column: "span", game: stored.id };
    let last = events.last().ok_or_else(inconsistent)?;
    let salt = match action {
        Move::Place(_) => session.find_layouts(stored.id, stored.game.options()).await?.of(seat).map(|kept| kept.salt),
        Move::Fire(_) | Move::Reveal(_) | Move::Resign => None,
    };
    let tag = Tag { version: last.seq, seat: Some(seat), rematches: 0 };
    Ok(Progress { tag, standing: last.standing.clone(), events, salt })
}
