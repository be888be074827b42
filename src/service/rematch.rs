use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::enter::GameToChange;
use super::join::joining;
use super::keys::same;
use super::late::InTime;
use super::opening::{Opening, opened_with};
use super::replay::fold;
use super::step::Step;
use super::{Caller, Declined, Error, Games, Malformed, Repeatable, Seating, ShownGame};
use crate::budget::Spent;
use crate::entropy::{self, Token};
use crate::store::{Failure, IdempotencyKey, Joining, Session, Snapshot};
use engine::{Options, Refusal, Seat};
use record::Happened;

/// Somebody who asks for another game against the same opponent.
struct Asker {
    /// The seat, the same in both games.
    seat: Seat,
    /// What opens it in the new game.
    token: Token,
    stamp: Option<IdempotencyKey>,
}

/// What comes of asking for a rematch for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rematch {
    /// A game is created.
    Created,
    /// The game that the other seat created is joined.
    Joined,
}

impl Games {
    /// Gives a seat of an ended game the same seat of one new game: who asks first creates it, the
    /// other one joins it, and whoever asks again gets the same reply. `draw` is asked before a game is created or joined.
    ///
    /// # Errors
    ///
    /// As for [`Games::act`]; [`Declined::NotOver`] before the end, and `NotJoined` where nobody
    /// ever joined; [`Declined::Spent`] where `draw` says so.
    pub(crate) async fn rematch(
        &self,
        caller: Caller,
        repeatable: Result<Option<Repeatable>, Malformed>,
        draw: impl Fn(Rematch) -> Result<(), Spent> + Send + Sync + 'static,
    ) -> Result<(Seat, Seating), Error> {
        self.detached(caller.origin, |games| async move {
            let request = caller.request();
            let GameToChange { turn: _turn, found, .. } = games.enter_to_change(&caller, request).await?;
            let InTime { mut session, stored: ended, .. } = found;
            let (seat, token) = caller.player_in(&ended)?;
            let stamp = repeatable?
                .map(|repeatable| IdempotencyKey { request, fingerprint: repeatable.fingerprint(token.bytes()) });
            // What is kept of an ended game was never a request for a rematch.
            if stamp.is_some() && ended.repeated.is_some() {
                return Err(Declined::Mismatch.into());
            }
            let options = options_after(&ended)?;
            let next = match ended.next {
                Some(next) => next,
                None => id_after(&mut session, &ended).await?,
            };
            let asker = Asker { seat, token: token.for_rematch(next, seat), stamp };
            if ended.next.is_none() {
                draw(Rematch::Created).map_err(Declined::Spent)?;
                let opening = Opening {
                    id: next,
                    created_at: ended.now,
                    options,
                    seat,
                    name: ended.names.of(seat).as_deref(),
                    token: &asker.token,
                    token_salt: &entropy::bytes::<16>()?,
                    listed: false,
                    rematch_of: Some(ended.id),
                    bot: ended.bot,
                    stamp,
                };
                let opened = games.open(&mut session, &opening).await?;
                session.set_next(ended.id, next).await?;
                if let Some(seen) = opened {
                    return Ok((seat, Seating { token: asker.token, seen }));
                }
            }
            drop(session);
            loop {
                let found = games.load_in_time(next, request).await?;
                let step = found.begin_step()?;
                let InTime { mut session, stored, .. } = found;
                let seen = if stored.is_taken(seat) {
                    Some(kept_seat(&mut session, &stored, &asker).await?)
                } else {
                    draw(Rematch::Joined).map_err(Declined::Spent)?;
                    games.join_rematch(&mut session, &ended, &stored, step, &asker).await?
                };
                if let Some(seen) = seen {
                    return Ok((seat, Seating { token: asker.token, seen }));
                }
            }
        })
        .await
    }

    /// Takes the seat that was kept free; none when the same seat did so first.
    async fn join_rematch(
        &self,
        session: &mut Session,
        ended: &Snapshot,
        stored: &Snapshot,
        step: Step,
        asker: &Asker,
    ) -> Result<Option<ShownGame>, Error> {
        let event = engine::join(&stored.game, None, entropy::coin()?).map_err(Declined::Rules)?;
        let name = ended.names.of(asker.seat).as_deref();
        let joining = Joining { seat: asker.seat, token: asker.token.bytes(), name, look_after: self.look_after() };
        Ok(self.seat_player(session, stored, step, &event, &joining, asker.stamp).await?)
    }
}

/// The game as it stood when the seat was taken.
async fn kept_seat(session: &mut Session, stored: &Snapshot, asker: &Asker) -> Result<ShownGame, Error> {
    if let (Some(stamp), Some(repeated)) = (&asker.stamp, &stored.repeated)
        && !same(&repeated.fingerprint, &stamp.fingerprint)
    {
        return Err(Declined::Mismatch.into());
    }
    let kept = session.find_layouts(stored.id, stored.game.options()).await?;
    let mut log = session.list_log(stored.id, opened_with(stored.bot)).await?;
    let inconsistent = || Failure::Inconsistent { table: "events", column: "body", game: stored.id };
    let created = log.first().and_then(|event| record::read(&event.body).ok()).ok_or_else(inconsistent)?;
    if !matches!(created.happened, Happened::Created { seat, .. } if seat == asker.seat) {
        let joined = joining(session, stored.id).await?;
        log = session.list_log(stored.id, joined.seq).await?;
    }
    let mut seen = ShownGame::by(fold(stored, &log, &kept)?, Some(asker.seat));
    seen.show_kept(&kept);
    Ok(seen)
}

/// The options of the new game, where there is somebody to play it with (R22).
fn options_after(ended: &Snapshot) -> Result<Options, Declined> {
    let options = ended.game.rematch().ok_or(Declined::NotOver)?;
    if ended.game.first().is_none() {
        return Err(Declined::Rules(Refusal::NotJoined));
    }
    Ok(options)
}

/// The id of the new game: whichever seat asks finds the same one.
async fn id_after(session: &mut Session, ended: &Snapshot) -> Result<Uuid, Failure> {
    let inconsistent = || Failure::Inconsistent { table: "events", column: "body", game: ended.id };
    let last = session.list_events(ended.id, ended.version.saturating_sub(1), 1).await?;
    let last = last.first().ok_or_else(inconsistent)?;
    let ended_at: DateTime<Utc> = record::read(&last.body).map_err(|_| inconsistent())?.at;
    Ok(entropy::rematch_id(ended_at, ended.id, &ended.head))
}
