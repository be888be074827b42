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
use crate::store::{Failure, IdempotencyKey, Joining, KeptRematch, Session, Snapshot};
use engine::{Options, Refusal, Seat, Status};
use record::Happened;

/// Somebody who asks for another game against the same opponent.
struct Asker {
    /// The seat, the same in both games.
    seat: Seat,
    /// What opens it in the ended game.
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

/// What was answered to a request for a rematch before.
enum KeptAnswer {
    /// This seat.
    Seating(Box<Seating>),
    /// A seat in a game that is gone.
    Gone(Uuid),
    /// Nothing: nobody has asked so.
    Nothing,
}

/// Asked before a game is created or joined.
type Draw<'a> = dyn Fn(Rematch) -> Result<(), Spent> + Send + Sync + 'a;

impl Games {
    /// Gives a seat of an ended game the same seat of one new game: who asks first creates it, the
    /// other one joins it, and whoever asks again gets the same reply. Where that game was aborted,
    /// which is before its first shot, whoever asks then creates another one. `draw` is asked before a
    /// game is created or joined.
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
            let GameToChange { turn: _turn, mut found, .. } = games.enter_to_change(&caller, request).await?;
            let (seat, token) = caller.player_in(&found.stored)?;
            let stamp = repeatable?
                .map(|repeatable| IdempotencyKey { request, fingerprint: repeatable.fingerprint(token.bytes()) });
            // What is kept of an ended game was never a request for a rematch.
            if stamp.is_some() && (found.stored.repeated.is_some() || caller.joined_by_key(&found.stored, seat)) {
                return Err(Declined::Mismatch.into());
            }
            let options = options_after(&found.stored)?;
            let asker = Asker { seat, token: token.clone(), stamp };
            loop {
                let InTime { session, stored: ended, .. } = found;
                let outdated = match games.kept_rematch(session, &ended, &asker).await? {
                    KeptAnswer::Seating(seating) => return Ok((seat, *seating)),
                    KeptAnswer::Gone(game) => Some(game),
                    KeptAnswer::Nothing => None,
                };
                if let Some(seating) = games.ask(&ended, &options, &asker, &draw).await?
                    && games.keep_key(&ended, &asker, &seating, outdated).await?
                {
                    return Ok((seat, seating));
                }
                found = games.load_in_time(ended.id, request).await?;
            }
        })
        .await
    }

    /// The reply that was given to this key.
    async fn kept_rematch(&self, mut session: Session, ended: &Snapshot, asker: &Asker) -> Result<KeptAnswer, Error> {
        let Some((request, fingerprint)) = asker.key() else { return Ok(KeptAnswer::Nothing) };
        let Some(kept) = session.find_rematch_request(ended.id, &request).await? else {
            return Ok(KeptAnswer::Nothing);
        };
        drop(session);
        let (mut session, found) = self.store.load(kept.next, None).await?;
        let Some(stored) = found else { return Ok(KeptAnswer::Gone(kept.next)) };
        if !same(&kept.fingerprint, &fingerprint) {
            return Err(Declined::Mismatch.into());
        }
        Ok(KeptAnswer::Seating(Box::new(asker.kept_seat(&mut session, &stored).await?)))
    }

    /// Keeps the key with which a seat was asked for; `false` when another request with it came first.
    ///
    /// Whoever gets no answer before that finds the same seat by asking again: its id and token follow from the ended
    /// game.
    async fn keep_key(
        &self,
        ended: &Snapshot,
        asker: &Asker,
        seating: &Seating,
        outdated: Option<Uuid>,
    ) -> Result<bool, Failure> {
        let Some((request, fingerprint)) = asker.key() else { return Ok(true) };
        let kept = KeptRematch { next: seating.seen.stored.id, fingerprint: fingerprint.to_vec() };
        self.store.session().await?.keep_rematch_request(ended.id, &request, &kept, outdated).await
    }

    /// Gives the seat in the last rematch, or in a new one where there is none to be played; none when
    /// another request came first.
    async fn ask(
        &self,
        ended: &Snapshot,
        options: &Options,
        asker: &Asker,
        draw: &Draw<'_>,
    ) -> Result<Option<Seating>, Error> {
        let last = match ended.next {
            None => None,
            Some(next) => match self.load_in_time(next, None).await {
                // What was aborted is deleted some time.
                Err(Error::Declined(Declined::NoSuchGame)) => None,
                found => Some(found?),
            },
        };
        let Some(found) = last.filter(|found| found.stored.game.status() != Status::Aborted) else {
            draw(Rematch::Created).map_err(Declined::Spent)?;
            return self.open_rematch(ended, options, asker).await;
        };
        let InTime { mut session, stored, step } = found;
        if !stored.is_taken(asker.seat) {
            draw(Rematch::Joined).map_err(Declined::Spent)?;
            return self.join_rematch(&mut session, ended, &stored, step, asker).await;
        }
        asker.kept_seat(&mut session, &stored).await.map(Some)
    }

    /// Creates a new game; none when the other seat did so first.
    async fn open_rematch(&self, ended: &Snapshot, options: &Options, asker: &Asker) -> Result<Option<Seating>, Error> {
        let (mut session, now) = self.store.now().await?;
        let id = id_after(&mut session, ended).await?;
        let token = asker.token_in(id);
        let opening = Opening {
            id,
            created_at: now,
            options: *options,
            seat: asker.seat,
            name: ended.names.of(asker.seat).as_deref(),
            token: &token,
            token_salt: &entropy::bytes::<16>()?,
            listed: false,
            rematch_of: Some(ended.id),
            bot: ended.bot,
            stamp: asker.stamp,
        };
        let opened = self.open(&mut session, &opening).await?;
        if let Some(rematches) = session.set_next(ended.id, ended.next, id).await? {
            self.live.rematched(ended.id, rematches);
        }
        Ok(opened.map(|seen| Seating { token, seen }))
    }

    /// Takes the seat that was kept free; none when the same seat did so first.
    async fn join_rematch(
        &self,
        session: &mut Session,
        ended: &Snapshot,
        stored: &Snapshot,
        step: Step,
        asker: &Asker,
    ) -> Result<Option<Seating>, Error> {
        let event = engine::join(&stored.game, None, entropy::coin()?).map_err(Declined::Rules)?;
        let name = ended.names.of(asker.seat).as_deref();
        let token = asker.token_in(stored.id);
        let joining = Joining { seat: asker.seat, token: token.bytes(), name, look_after: self.look_after() };
        let seen = self.seat_player(session, stored, step, &event, &joining, asker.stamp).await?;
        Ok(seen.map(|seen| Seating { token, seen }))
    }
}

impl Asker {
    /// The name of the request and what a repeat must be equal in, where it has a key.
    fn key(&self) -> Option<([u8; 16], [u8; 16])> {
        let IdempotencyKey { request, fingerprint } = self.stamp?;
        Some((request?, fingerprint))
    }

    /// What opens the seat in a rematch.
    fn token_in(&self, rematch: Uuid) -> Token {
        self.token.for_rematch(rematch, self.seat)
    }

    /// The seat in a rematch as it stood when it was taken.
    async fn kept_seat(&self, session: &mut Session, stored: &Snapshot) -> Result<Seating, Error> {
        let kept = session.find_layouts(stored.id, stored.game.options()).await?;
        let mut log = session.list_log(stored.id, opened_with(stored.bot)).await?;
        let inconsistent = || Failure::Inconsistent { table: "events", column: "body", game: stored.id };
        let created = log.first().and_then(|event| record::read(&event.body).ok()).ok_or_else(inconsistent)?;
        if !matches!(created.happened, Happened::Created { seat, .. } if seat == self.seat) {
            let joined = joining(session, stored.id).await?;
            log = session.list_log(stored.id, joined.seq).await?;
        }
        let mut seen = ShownGame::by(fold(stored, &log, &kept)?, Some(self.seat));
        seen.show_kept(&kept);
        Ok(Seating { token: self.token_in(stored.id), seen })
    }
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
    Ok(entropy::rematch_id(ended_at, ended.id, &ended.head, ended.next))
}
