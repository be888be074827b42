use uuid::Uuid;

use super::enter::GameToChange;
use super::keys::{has_passed, same};
use super::late::InTime;
use super::replay::fold;
use super::step::Step;
use super::{Caller, Declined, Error, Games, Malformed, Precondition, Repeatable, ShownGame, Tag};
use crate::entropy::{self, Token};
use crate::store::{Failure, IdempotencyKey, Joined, Joining, Session, Snapshot};
use engine::{Event, Refusal, Seat, Status};
use record::Details;

/// What somebody who joins sends.
pub(crate) struct Invitation {
    /// The name that they want to go by.
    pub name: Option<String>,
    /// The states in which alone they want to join, by `If-Match`.
    pub precondition: Option<Precondition>,
    /// The request, where it came with an `Idempotency-Key`: the caller's secret.
    pub repeatable: Option<Repeatable>,
}

/// A seat with the token that opens it.
pub(crate) struct Seating {
    /// The token, shown this once.
    pub token: Token,
    /// The game through the new seat's eyes.
    pub seen: ShownGame,
}

impl Games {
    /// Takes the free seat.
    ///
    /// # Errors
    ///
    /// As for [`Games::act`]; of the rules' refusals `GameOver`, `OwnGame` and `GameFull`.
    pub(crate) async fn join(&self, caller: Caller, asked: Result<Invitation, Malformed>) -> Result<Seating, Error> {
        self.detached(caller.origin, |games| async move {
            let request = caller.request();
            let GameToChange { turn: _turn, mut found, .. } = games.enter_to_change(&caller, request).await?;
            let seat = caller.seat_in(&found.stored)?;
            let invitation = asked?;
            loop {
                let InTime { mut session, stored, step } = found;
                if let (None, Some(repeatable)) = (seat, &invitation.repeatable)
                    && let Some(kept) = kept_seating(&mut session, &stored, repeatable).await?
                {
                    return Ok(kept);
                }
                // No seat joins its own game, so that its key named another request.
                if seat.is_some()
                    && invitation.repeatable.is_some()
                    && (stored.repeated.is_some() || caller.has_rematch_key(&mut session, &stored).await?)
                {
                    return Err(Declined::Mismatch.into());
                }
                if invitation.precondition.as_ref().is_some_and(|condition| !condition.holds(&Tag::of(&stored, seat))) {
                    return Err(Declined::Stale { version: stored.version }.into());
                }
                // The free seat of a rematch is kept for who had it.
                if stored.rematch_of.is_some() && seat.is_none() && stored.game.status() == Status::Waiting {
                    return Err(Declined::Rules(Refusal::GameFull).into());
                }
                let event = engine::join(&stored.game, seat, entropy::coin()?).map_err(Declined::Rules)?;
                let token = match &invitation.repeatable {
                    Some(repeatable) => derived(repeatable, &stored),
                    None => Token::draw()?,
                };
                let fingerprint =
                    invitation.repeatable.as_ref().map(|repeatable| repeatable.fingerprint(token.bytes()));
                let stamp = fingerprint.map(|fingerprint| IdempotencyKey { request: None, fingerprint });
                let name = invitation.name.as_deref();
                let joining = Joining { seat: Seat::Guest, token: token.bytes(), name, look_after: games.look_after() };
                if let Some(seen) = games.seat_player(&mut session, &stored, step, &event, &joining, stamp).await? {
                    return Ok(Seating { token, seen });
                }
                drop(session);
                found = games.load_in_time(stored.id, request).await?;
            }
        })
        .await
    }

    /// Writes that a player takes the free seat, and shows the game to them; none when another
    /// request came first.
    pub(super) async fn seat_player(
        &self,
        session: &mut Session,
        stored: &Snapshot,
        mut step: Step,
        event: &Event,
        joining: &Joining<'_>,
        stamp: Option<IdempotencyKey>,
    ) -> Result<Option<ShownGame>, Failure> {
        let name = joining.name;
        step.follow(stored, event, Details::Player { name, bot: None })?;
        let written = self.store.append_player(session, &step.as_move(stored, stamp), joining).await?;
        self.notify(stored, &step, written);
        Ok(written.then(|| {
            let mut after = stored.after(&step.as_move(stored, stamp));
            *after.names.of_mut(joining.seat) = name.map(str::to_owned);
            ShownGame::by(after, Some(joining.seat))
        }))
    }
}

/// The token that a key gives for the guest's seat of a game.
fn derived(repeatable: &Repeatable, stored: &Snapshot) -> Token {
    repeatable.key.token_of(stored, Seat::Guest)
}

/// The reply that a joining got when it was carried out, where this key has the guest's seat.
async fn kept_seating(
    session: &mut Session,
    stored: &Snapshot,
    repeatable: &Repeatable,
) -> Result<Option<Seating>, Error> {
    let token = derived(repeatable, stored);
    if stored.seat_of(token.bytes()) != Some(Seat::Guest) {
        return Ok(None);
    }
    let joined = joining(session, stored.id).await?;
    if !joined.fingerprint.is_some_and(|kept| same(&kept, &repeatable.fingerprint(token.bytes()))) {
        return Err(Declined::Mismatch.into());
    }
    let log = session.list_log(stored.id, joined.seq).await?;
    // Whoever has the other seat may have placed before.
    let kept = session.find_layouts(stored.id, stored.game.options()).await?;
    let then = fold(stored, &log, &kept)?;
    if has_passed(&log, stored)? {
        return Err(Declined::Rules(Refusal::GameFull).into());
    }
    Ok(Some(Seating { token, seen: ShownGame::by(then, Some(Seat::Guest)) }))
}

/// The event by which the second seat of a game was taken that is taken.
pub(super) async fn joining(session: &mut Session, game: Uuid) -> Result<Joined, Failure> {
    let missing = Failure::Inconsistent { table: "events", column: "status", game };
    session.find_joining(game).await?.ok_or(missing)
}
