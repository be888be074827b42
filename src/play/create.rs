use chrono::TimeDelta;

use super::{Declined, Games, Seating, Seen};
use crate::engine::{Game, Options, Seat};
use crate::entropy::{self, Token};
use crate::proof;
use crate::record::Entry;
use crate::store::{Failure, Logged, NewGame, Stored};

/// What somebody who creates a game sends.
pub struct Creation {
    /// The options, defaults filled in.
    pub options: Options,
    /// Their name.
    pub name: Option<String>,
    /// Whether the game shows in the lobby.
    pub listed: bool,
}

impl Games {
    /// Creates a game and seats its host.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub async fn create<E>(&self, creation: Creation) -> Result<Seating, E>
    where
        E: From<Declined> + From<Failure> + Send + 'static,
    {
        let games = self.clone();
        self.detached(None, async move { Ok(games.insert(creation).await?) }).await
    }

    async fn insert(&self, creation: Creation) -> Result<Seating, Failure> {
        let mut session = self.store.session().await?;
        let now = session.now().await?;
        let id = entropy::game_id(now)?;
        let game = Game::new(creation.options, Seat::Guest);
        let expires_at = TimeDelta::from_std(self.expire_after)
            .ok()
            .and_then(|time| now.checked_add_signed(time))
            .ok_or(Failure::Program("games expire beyond the end of time"))?;
        let entry = Entry::Created {
            game: id,
            seat: Seat::Host,
            options: &creation.options,
            name: creation.name.as_deref(),
            rematch_of: None,
        };
        let created = Logged::write(1, &proof::NO_HEAD, now, &entry, &game, Some(expires_at))?;
        let token = Token::draw()?;
        let new = NewGame {
            id,
            created_at: now,
            game: &game,
            listed: creation.listed,
            host_name: creation.name.as_deref(),
            host_token: token.bytes(),
            token_salt: &entropy::bytes::<16>()?,
            expires_at,
            created: &created,
        };
        session.insert_game(&new).await?;
        let seen = Seen::by(Stored::from(&new), Some(Seat::Host));
        Ok(Seating { token, seen })
    }
}
