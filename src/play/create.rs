use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::keys::{has_passed, same};
use super::replay::fold;
use super::{Declined, Games, Repeatable, Seating, Seen};
use crate::engine::{BySeat, Game, Options, Seat};
use crate::entropy::{self, Token};
use crate::record::Entry;
use crate::store::{Failure, Logged, NewGame, Session, Stored};

/// What somebody who creates a game sends.
pub struct Creation {
    /// The options, defaults filled in.
    pub options: Options,
    /// Their name.
    pub name: Option<String>,
    /// Whether the game shows in the lobby.
    pub listed: bool,
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
    /// [`Declined::Mismatch`]; [`Failure`] when the database does not answer.
    pub async fn create<E>(&self, creation: Creation, repeatable: Option<Repeatable>) -> Result<Seating, E>
    where
        E: From<Declined> + From<Failure> + Send + 'static,
    {
        let games = self.clone();
        self.detached(None, async move |_| {
            let (mut session, now) = games.store.now().await?;
            let identity = match &repeatable {
                Some(repeatable) => claim(&mut session, repeatable, now).await??,
                None => draw(now)?,
            };
            if let Some(seen) = games.write_creation(&mut session, &creation, &identity).await? {
                return Ok(Seating { token: identity.token, seen });
            }
            Ok(games.kept_creation(session, identity).await??)
        })
        .await
    }

    /// Writes the game; none when a repeat of the same request did so first.
    async fn write_creation(
        &self,
        session: &mut Session,
        creation: &Creation,
        identity: &Identity,
    ) -> Result<Option<Seen>, Failure> {
        let created_at = identity.created_at;
        let name = creation.name.as_deref();
        let game = Game::new(creation.options, Seat::Guest);
        let options = &creation.options;
        let entry = Entry::Created { game: identity.game, seat: Seat::Host, options, name, rematch_of: None };
        let expires_at = self.expiry_of(created_at)?;
        let created = Logged::first(created_at, &entry, &game, Some(expires_at))?;
        let new = NewGame {
            id: identity.game,
            created_at,
            game: &game,
            listed: creation.listed,
            rematch_of: None,
            names: BySeat { host: name, guest: None },
            tokens: BySeat { host: Some(identity.token.bytes()), guest: None },
            token_salt: &identity.token_salt,
            due_at: Some(expires_at),
            events: std::slice::from_ref(&created),
            stamp: None,
            bot: None,
        };
        self.insert(session, &new, &entry).await
    }

    /// Writes a new game and shows it to who created it; none when it was there.
    pub(super) async fn insert(
        &self,
        session: &mut Session,
        new: &NewGame<'_>,
        entry: &Entry<'_>,
    ) -> Result<Option<Seen>, Failure> {
        if !session.insert_game(new).await? {
            return Ok(None);
        }
        self.meter.moved(entry.kind());
        self.meter.came_to(new.game.status().word());
        let creator = Seat::BOTH.into_iter().find(|seat| new.tokens.of(*seat).is_some());
        Ok(Some(Seen::by(Stored::from(new), creator)))
    }

    /// When a game expires that nobody joins.
    pub(super) fn expiry_of(&self, created_at: DateTime<Utc>) -> Result<DateTime<Utc>, Failure> {
        TimeDelta::from_std(self.expire_after)
            .ok()
            .and_then(|time| created_at.checked_add_signed(time))
            .ok_or(Failure::Program("games expire beyond the end of time"))
    }

    /// The reply that a creation got when it was carried out: the game as it stood then.
    async fn kept_creation(
        &self,
        mut session: Session,
        identity: Identity,
    ) -> Result<Result<Seating, Declined>, Failure> {
        let Identity { game: id, token, .. } = identity;
        let missing = || Failure::Nonsense { table: "creations", column: "game_id", game: id };
        let stored = session.find_game(id, None).await?.ok_or_else(missing)?;
        let log = session.list_log(id, CREATED).await?;
        if has_passed(&log, stored.now) {
            return Ok(Err(Declined::Mismatch));
        }
        let then = fold(&stored, &log, &BySeat::default())?;
        Ok(Ok(Seating { token, seen: Seen::by(then, Some(Seat::Host)) }))
    }
}

/// The `seq` of every game's `created`.
const CREATED: u32 = 1;

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
async fn claim(
    session: &mut Session,
    repeatable: &Repeatable,
    now: DateTime<Utc>,
) -> Result<Result<Identity, Declined>, Failure> {
    let key = repeatable.creation();
    let print = repeatable.creation_print();
    let (game, salt) = (entropy::game_id(now)?, entropy::bytes::<16>()?);
    session.claim_creation(&key, game, &salt, &print, now).await?;
    let kept = session.find_creation(&key).await?.ok_or(Failure::Program("a key was claimed by nobody"))?;
    if !same(&kept.print, &print) {
        return Ok(Err(Declined::Mismatch));
    }
    let token = Token::derive(repeatable.key.bytes(), kept.game, Seat::Host, &kept.salt);
    Ok(Ok(Identity { game: kept.game, token, token_salt: kept.salt, created_at: kept.created_at }))
}
