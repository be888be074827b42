use super::keys::same;
use super::step::{Step, seal};
use super::{Caller, Credential, Declined, Games, Precondition, Repeatable, Tag};
use crate::entropy::NoEntropy;
use crate::store::{Failure, IdempotencyKey, NewLayout, Repeated, Session, Snapshot};
use engine::{Command, Coordinate, Event, Placement, Seat};
use record::proof::Salt;
use record::{Details, GameStatus, Logged};

/// What a seat asks for, and on which condition.
pub struct MoveRequest {
    /// What to do.
    pub deed: Move,
    /// `If-Match`.
    pub precondition: Option<Precondition>,
    /// The request, where it came with an `Idempotency-Key`.
    pub repeatable: Option<Repeatable>,
}

/// What a seat wants to do.
pub enum Move {
    /// Hide ships and mines.
    Place(Placement),
    /// Fire at cells.
    Fire(Vec<Coordinate>),
    /// Give cells away.
    Reveal(Vec<Coordinate>),
    /// Give up.
    Resign,
}

/// What an action added to the log, and where the game now stands.
#[derive(Debug)]
pub struct Progress {
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

impl From<NoEntropy> for Failure {
    fn from(_: NoEntropy) -> Self {
        Self::Unavailable("the operating system gave no randomness")
    }
}

impl Games {
    /// Lets a seat act. `read` reads the request once game and token are known to be good.
    ///
    /// # Errors
    ///
    /// [`Declined`], judged in the order of the contract: game, token, then what `read` says,
    /// the precondition, phase and turn, the public record, the own board. [`Failure`] when the
    /// database does not answer.
    pub async fn act<E>(
        &self,
        caller: Caller,
        read: impl FnOnce() -> Result<MoveRequest, E> + Send + 'static,
    ) -> Result<Progress, E>
    where
        E: From<Declined> + From<Failure> + Send + 'static,
    {
        let games = self.clone();
        self.detached(caller.game, async move |seen| {
            let id = caller.game.ok_or(Declined::NoSuchGame)?;
            let request = caller.request();
            let (mut session, mut stored) = games.load_in_time(id, request).await??;
            let Credential::Token(token) = &caller.token else { return Err(Declined::Unauthorized.into()) };
            let seat = stored.seat_of(token.bytes()).ok_or(Declined::Unauthorized)?;
            let asked = read()?;
            let fingerprint = asked.repeatable.as_ref().map(|repeatable| repeatable.print(token.bytes()));
            let stamp = fingerprint.map(|fingerprint| IdempotencyKey { request, fingerprint });
            let first_version = seen.unwrap_or(stored.version);
            loop {
                if let (Some(stamp), Some(repeated)) = (stamp, &stored.repeated) {
                    if !same(&repeated.fingerprint, &stamp.fingerprint) {
                        return Err(Declined::Mismatch.into());
                    }
                    return Ok(kept_progress(&mut session, &stored, repeated, seat, &asked.deed).await?);
                }
                if let (Some(IdempotencyKey { request: Some(request), .. }), Some(next)) = (stamp, stored.next)
                    && session.has_request(next, &request).await?
                {
                    return Err(Declined::Mismatch.into());
                }
                asked.check_precondition(&stored, seat)?;
                let event = engine::decide(&stored.game, seat, asked.deed.command()).map_err(Declined::Rules)?;
                // What was sent for one turn must not count on a later one.
                if stored.version != first_version && session.has_acted(id, first_version, stored.version, seat).await?
                {
                    return Err(Declined::InFlight.into());
                }
                if let Some(progress) = games.commit(&mut session, &stored, seat, &event, stamp).await? {
                    return Ok(progress);
                }
                drop(session);
                (session, stored) = games.load_in_time(id, request).await??;
            }
        })
        .await
    }

    /// Writes the event; none when another one came first.
    async fn commit(
        &self,
        session: &mut Session,
        stored: &Snapshot,
        seat: Seat,
        event: &Event,
        stamp: Option<IdempotencyKey>,
    ) -> Result<Option<Progress>, Failure> {
        let (step, salt, written) = match event {
            Event::Placed { layout, .. } => {
                let (salt, commitment) = seal(stored, seat, layout)?;
                let mut step = Step::take(stored, event, Details::Commitment(commitment))?;
                self.let_bot_answer(session, stored, &mut step).await?;
                let laid = NewLayout { seat, layout, salt: &salt, commitment: &commitment };
                let written = self.store.append_layout(session, &step.as_move(stored, stamp), &laid).await?;
                self.tell(stored, &step, written);
                (step, Some(salt), written)
            }
            Event::Joined { .. }
            | Event::Fired { .. }
            | Event::Revealed { .. }
            | Event::Resigned { .. }
            | Event::TimedOut { .. }
            | Event::Expired => {
                let mut step = Step::take(stored, event, Details::None)?;
                self.let_bot_answer(session, stored, &mut step).await?;
                let written = self.write(session, stored, &step, stamp).await?;
                (step, None, written)
            }
        };
        let tag = step.tag(stored, seat);
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
    deed: &Move,
) -> Result<Progress, Failure> {
    let events = session.list_events(stored.id, repeated.seq.saturating_sub(1), repeated.span).await?;
    let inconsistent = || Failure::Inconsistent { table: "events", column: "span", game: stored.id };
    let last = events.last().ok_or_else(inconsistent)?;
    let salt = match deed {
        Move::Place(_) => session.find_layouts(stored.id, stored.game.options()).await?.of(seat).map(|kept| kept.salt),
        Move::Fire(_) | Move::Reveal(_) | Move::Resign => None,
    };
    let tag = Tag { version: last.seq, seat: Some(seat), has_next: false };
    Ok(Progress { tag, standing: last.standing.clone(), events, salt })
}
