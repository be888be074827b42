use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::keys::{has_passed, same};
use super::replay::fold;
use super::{Declined, Games, Repeatable, Seating, Seen};
use crate::engine::{BySeat, Game, Options, Seat};
use crate::entropy::{self, Token};
use crate::proof;
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
            Ok(games.insert(session, creation, identity).await??)
        })
        .await
    }

    async fn insert(
        &self,
        mut session: Session,
        creation: Creation,
        identity: Identity,
    ) -> Result<Result<Seating, Declined>, Failure> {
        let Identity { game: id, token, token_salt, created_at } = identity;
        let game = Game::new(creation.options, Seat::Guest);
        let expires_at = TimeDelta::from_std(self.expire_after)
            .ok()
            .and_then(|time| created_at.checked_add_signed(time))
            .ok_or(Failure::Program("games expire beyond the end of time"))?;
        let entry = Entry::Created {
            game: id,
            seat: Seat::Host,
            options: &creation.options,
            name: creation.name.as_deref(),
            rematch_of: None,
        };
        let created = Logged::write(1, &proof::NO_HEAD, created_at, &entry, &game, Some(expires_at))?;
        let new = NewGame {
            id,
            created_at,
            game: &game,
            listed: creation.listed,
            host_name: creation.name.as_deref(),
            host_token: token.bytes(),
            token_salt: &token_salt,
            expires_at,
            created: &created,
        };
        if session.insert_game(&new).await? {
            self.meter.moved(entry.kind());
            self.meter.came_to(game.status().word());
            let seen = Seen::by(Stored::from(&new), Some(Seat::Host));
            return Ok(Ok(Seating { token, seen }));
        }
        self.kept_creation(session, id, token).await
    }

    /// The reply that a creation got when it was carried out: the game as it stood then.
    async fn kept_creation(
        &self,
        mut session: Session,
        id: Uuid,
        token: Token,
    ) -> Result<Result<Seating, Declined>, Failure> {
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
