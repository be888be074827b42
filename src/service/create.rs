use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::keys::{has_passed, same};
use super::listed::Listing;
use super::opening::{Opening, opened_with};
use super::replay::fold;
use super::{Declined, Error, Games, Origin, Repeatable, Seating, ShownGame};
use crate::entropy::{self, Token};
use crate::store::{Failure, Session};
use engine::{Level, Options, Seat};

/// What somebody who creates a game sends.
pub struct Creation {
    /// The options, defaults filled in.
    pub options: Options,
    /// The name that they want to go by.
    pub name: Option<String>,
    /// Whether the game shows in the lobby.
    pub listed: bool,
    /// The bot that they play against.
    pub bot: Option<Level>,
}

/// Who the new game is, settled before it is written.
struct Identity {
    game: Uuid,
    token: Token,
    token_salt: Vec<u8>,
    created_at: DateTime<Utc>,
}

impl Games {
    /// Creates a game and seats its host. A repeat of a repeatable request gets the same seat of
    /// the same game.
    ///
    /// # Errors
    ///
    /// [`Declined::Mismatch`], [`Declined::ListsEnough`]; [`Failure`] when the database does not answer.
    pub(crate) async fn create(
        &self,
        origin: Origin,
        creation: Creation,
        repeatable: Option<Repeatable>,
    ) -> Result<Seating, Error> {
        self.detached(origin, |games| async move {
            let (mut session, now) = games.store.now().await?;
            let listing = games.listing(&mut session, origin, &creation, repeatable.as_ref()).await?;
            let identity = match &repeatable {
                Some(repeatable) => claim(&mut session, repeatable, now).await?,
                None => draw(now)?,
            };
            let opening = Opening {
                id: identity.game,
                created_at: identity.created_at,
                options: creation.options,
                seat: Seat::Host,
                name: creation.name.as_deref(),
                token: &identity.token,
                token_salt: &identity.token_salt,
                listed: creation.listed,
                rematch_of: None,
                bot: creation.bot,
                stamp: None,
            };
            if let Some(seen) = games.open(&mut session, &opening).await? {
                if let Some(listing) = listing {
                    listing.keep(identity.game);
                }
                return Ok(Seating { token: identity.token, seen });
            }
            games.kept_creation(session, identity).await
        })
        .await
    }

    /// Takes a place for a game that is to be listed, where places are counted.
    async fn listing(
        &self,
        session: &mut Session,
        origin: Origin,
        creation: &Creation,
        repeatable: Option<&Repeatable>,
    ) -> Result<Option<Listing>, Error> {
        let Origin(Some(address)) = origin else { return Ok(None) };
        if !creation.listed || creation.bot.is_some() {
            return Ok(None);
        }
        if let Some(listing) = self.listed.take(session, address, self.expire_after).await? {
            return Ok(Some(listing));
        }
        // What was carried out before is told again, and is no other game.
        match repeatable {
            Some(repeatable) if session.find_creation(&repeatable.creation()).await?.is_some() => Ok(None),
            Some(_) | None => Err(Declined::ListsEnough.into()),
        }
    }

    /// The reply that a creation got when it was carried out: the game as it stood then.
    async fn kept_creation(&self, mut session: Session, identity: Identity) -> Result<Seating, Error> {
        let Identity { game: id, token, .. } = identity;
        let missing = || Failure::Inconsistent { table: "creations", column: "game_id", game: id };
        let stored = session.find_game(id, None).await?.ok_or_else(missing)?;
        let log = session.list_log(id, opened_with(stored.bot)).await?;
        if has_passed(&log, &stored)? {
            return Err(Declined::Mismatch.into());
        }
        let kept = session.find_layouts(id, stored.game.options()).await?;
        let then = fold(&stored, &log, &kept)?;
        Ok(Seating { token, seen: ShownGame::by(then, Some(Seat::Host)) })
    }
}

/// A game of its own for every request.
fn draw(created_at: DateTime<Utc>) -> Result<Identity, Failure> {
    Ok(Identity {
        game: entropy::game_id(created_at)?,
        token: Token::draw()?,
        token_salt: entropy::bytes::<16>()?.to_vec(),
        created_at,
    })
}

/// One game for all requests with this key: who comes first settles who it is, and all others
/// write the same game with the same token.
async fn claim(session: &mut Session, repeatable: &Repeatable, now: DateTime<Utc>) -> Result<Identity, Error> {
    let key = repeatable.creation();
    let fingerprint = repeatable.creation_fingerprint();
    let (game, salt) = (entropy::game_id(now)?, entropy::bytes::<16>()?);
    session.claim_creation(&key, game, &salt, &fingerprint, now).await?;
    let kept = session.find_creation(&key).await?.ok_or(Failure::Program("a key was claimed by nobody"))?;
    if !same(&kept.fingerprint, &fingerprint) {
        return Err(Declined::Mismatch.into());
    }
    let token = Token::derive(repeatable.key.bytes(), kept.game, Seat::Host, &kept.salt);
    Ok(Identity { game: kept.game, token, token_salt: kept.salt, created_at: kept.created_at })
}
