use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{Failure, IdempotencyKey, NewLayout, Session};
use engine::{BySeat, Game, Level};
use record::Logged;
use record::proof::Seed;

/// A game that is about to exist.
pub(crate) struct NewGame<'a> {
    /// The id of the new game.
    pub id: Uuid,
    /// When it is created, by the database's clock.
    pub created_at: DateTime<Utc>,
    /// Options and position after its events.
    pub game: &'a Game,
    /// Whether it shows in the lobby.
    pub listed: bool,
    /// The game of which it is the rematch.
    pub rematch_of: Option<Uuid>,
    /// The players' names, as far as they are there.
    pub names: BySeat<Option<&'a str>>,
    /// The tokens of the seats that are taken by people; their hashes alone are kept.
    pub tokens: BySeat<Option<&'a [u8]>>,
    /// What later tokens are derived with.
    pub token_salt: &'a [u8],
    /// Until when what is then awaited is awaited.
    pub due_at: Option<DateTime<Utc>>,
    /// After how long it is looked whether it is over, where nothing is awaited until a time.
    pub look_after: Duration,
    /// Its first events.
    pub events: &'a [Logged],
    /// Under which name the request is kept, so that a repeat finds its reply.
    pub stamp: Option<IdempotencyKey>,
    /// The bot that is its guest, with the layout that it placed.
    pub bot: Option<Seated<'a>>,
}

/// A bot that is seated while the game is created.
#[derive(Clone, Copy)]
pub(crate) struct Seated<'a> {
    /// How well it plays.
    pub level: Level,
    /// Where its choices come from.
    pub seed: &'a Seed,
    /// What it placed.
    pub laid: NewLayout<'a>,
}

/// A creation that was asked for under a key; whoever asks first settles id, salt and time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CreationKept {
    /// The game's id.
    pub game: Uuid,
    /// What its tokens are derived with.
    pub salt: Vec<u8>,
    /// What a repeat must be equal in.
    pub fingerprint: Vec<u8>,
    /// When it was asked for first, by the database's clock.
    pub created_at: DateTime<Utc>,
}

impl Session {
    /// Claims a key for a creation, unless it was claimed before. Either way
    /// [`Session::find_creation`] then tells who has it.
    pub(crate) async fn claim_creation(
        &mut self,
        key: &[u8],
        game: Uuid,
        salt: &[u8],
        fingerprint: &[u8],
        at: DateTime<Utc>,
    ) -> Result<(), Failure> {
        self.write(async |connection| {
            sqlx::query!(
                "insert into creations (key, game_id, salt, request, created_at) values ($1, $2, $3, $4, $5)
                     on conflict (key) do nothing",
                key,
                game,
                salt,
                fingerprint,
                at
            )
            .execute(connection)
            .await
        })
        .await?;
        Ok(())
    }

    /// Reads a creation that was asked for under a key, in a new snapshot: it sees the winner's.
    pub(crate) async fn find_creation(&mut self, key: &[u8]) -> Result<Option<CreationKept>, Failure> {
        self.run(async |connection| {
            sqlx::query_as!(
                CreationKept,
                "select game_id as game, salt, request as fingerprint, created_at from creations where key = $1",
                key
            )
            .fetch_optional(connection)
            .await
        })
        .await
    }
}
