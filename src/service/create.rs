use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::keys::{has_passed, same};
use super::listed::Listing;
use super::opening::{Opening, opened_with};
use super::replay::fold;
use super::{Declined, Error, Games, Origin, Repeatable, Seating, ShownGame};
use crate::entropy::{self, Token};
use crate::store::{CreationKept, Failure, Session};
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
    /// Whether nobody was told of it before.
    is_new: bool,
}

/// How many ids a new game has at most: each lies on some node of a distributed database, and some may be away.
const ELSEWHERE: usize = 12;

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
            let mut identity = match &repeatable {
                Some(repeatable) => claim(&mut session, repeatable, now).await?,
                None => draw(now)?,
            };
            for _ in 0..ELSEWHERE {
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
                match games.open(&mut session, &opening).await {
                    Ok(Some(seen)) => {
                        if let Some(listing) = listing {
                            listing.keep(identity.game);
                        }
                        return Ok(Seating { token: identity.token, seen });
                    }
                    Ok(None) => return games.kept_creation(session, identity).await,
                    // Its node is away: the game goes to another one, unless somebody may have been told of it.
                    Err(Failure::Away) if identity.is_new => {
                        identity = elsewhere(&mut session, identity, repeatable.as_ref()).await?;
                    }
                    Err(failure) => return Err(failure.into()),
                }
            }
            Err(Failure::Away.into())
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
        is_new: true,
    })
}

/// One game for all requests with this key: who comes first settles who it is, and all others
/// write the same game with the same token.
async fn claim(session: &mut Session, repeatable: &Repeatable, now: DateTime<Utc>) -> Result<Identity, Error> {
    let fingerprint = repeatable.creation_fingerprint();
    let claim = CreationKept {
        game: entropy::game_id(now)?,
        salt: entropy::bytes::<16>()?.to_vec(),
        fingerprint: fingerprint.to_vec(),
        created_at: now,
    };
    let (kept, is_new) = session.claim_creation(&repeatable.creation(), &claim).await?;
    if !same(&kept.fingerprint, &fingerprint) {
        return Err(Declined::Mismatch.into());
    }
    let token = Token::derive(repeatable.key.bytes(), kept.game, Seat::Host, &kept.salt);
    Ok(Identity { game: kept.game, token, token_salt: kept.salt, created_at: kept.created_at, is_new })
}

/// The same game under another id.
async fn elsewhere(
    session: &mut Session,
    identity: Identity,
    repeatable: Option<&Repeatable>,
) -> Result<Identity, Failure> {
    let game = entropy::game_id(identity.created_at)?;
    let Some(repeatable) = repeatable else { return Ok(Identity { game, ..identity }) };
    if !session.move_creation(&repeatable.creation(), identity.game, game).await? {
        return Err(Failure::Away);
    }
    let token = Token::derive(repeatable.key.bytes(), game, Seat::Host, &identity.token_salt);
    Ok(Identity { game, token, ..identity })
}
