use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::stored::{first_number, fleet_number};
use super::{Failure, Logged, Session};
use crate::engine::Game;
use crate::proof;

/// A game that is about to exist.
pub struct NewGame<'a> {
    /// Its id.
    pub id: Uuid,
    /// When it is created, by the database's clock.
    pub created_at: DateTime<Utc>,
    /// Options and position.
    pub game: &'a Game,
    /// Whether it shows in the lobby.
    pub listed: bool,
    /// The host's name.
    pub host_name: Option<&'a str>,
    /// The host's token; its hash alone is kept.
    pub host_token: &'a [u8],
    /// What later tokens are derived with.
    pub token_salt: &'a [u8],
    /// When it expires unless somebody joins.
    pub expires_at: DateTime<Utc>,
    /// Its first event.
    pub created: &'a Logged,
}

/// A creation that was asked for under a key; whoever asks first settles id, salt and time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CreationKept {
    /// The game's id.
    pub game: Uuid,
    /// What its tokens are derived with.
    pub salt: Vec<u8>,
    /// What a repeat must be equal in.
    pub print: Vec<u8>,
    /// When.
    pub created_at: DateTime<Utc>,
}

impl Session {
    /// Claims a key for a creation, unless it was claimed before. Either way
    /// [`Session::find_creation`] then tells who has it.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub async fn claim_creation(
        &mut self,
        key: &[u8],
        game: Uuid,
        salt: &[u8],
        print: &[u8],
        at: DateTime<Utc>,
    ) -> Result<(), Failure> {
        self.run(async |connection| {
            sqlx::query!(
                "insert into creations (key, game_id, salt, request, created_at) values ($1, $2, $3, $4, $5)
                     on conflict (key) do nothing",
                key,
                game,
                salt,
                print,
                at
            )
            .execute(connection)
            .await
        })
        .await?;
        Ok(())
    }

    /// Reads a creation that was asked for under a key, in a new snapshot: it sees the winner's.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub async fn find_creation(&mut self, key: &[u8]) -> Result<Option<CreationKept>, Failure> {
        self.run(async |connection| {
            sqlx::query_as!(
                CreationKept,
                "select game_id as game, salt, request as print, created_at from creations where key = $1",
                key
            )
            .fetch_optional(connection)
            .await
        })
        .await
    }

    /// Writes a new game with its first event, its timer and, where listed, its place in the lobby;
    /// `false` when a game of this id was there.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub async fn insert_game(&mut self, new: &NewGame<'_>) -> Result<bool, Failure> {
        let options = new.game.options();
        let turn_seconds = options
            .turn_seconds
            .map(i32::try_from)
            .transpose()
            .map_err(|_| Failure::Program("a turn is longer than its column"))?;
        let token_hash = Sha256::digest(new.host_token);
        let state = new.game.pack();
        let written = self
            .run(async |connection| {
                sqlx::query!(
                    "with made as (
                     insert into games (game_id, created_at, turn_seconds, rules, grid, fleet, first_shot, mines, salvo,
                                        shoot_again, listed, token_salt, host_token, host_name,
                                        version, due_at, head, state)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 1, $15, $16, $17)
                     on conflict (game_id) do nothing returning game_id),
                 listing as (insert into lobby (game_id, created_at) select game_id, $2 from made where $11),
                 timed as (insert into timers (game_id, check_at) select game_id, $15 from made)
                 insert into events (game_id, seq, span, status, awaits, due_at, head, body)
                 select game_id, 1, 1, $18, $19, $15, $16, $20 from made",
                    new.id,
                    new.created_at,
                    turn_seconds,
                    i16::from(proof::RULES),
                    i16::from(options.grid.side()),
                    fleet_number(options.fleet),
                    first_number(options.first),
                    options.mines,
                    options.salvo,
                    options.shoot_again,
                    new.listed,
                    new.token_salt,
                    token_hash.as_slice(),
                    new.host_name,
                    new.expires_at,
                    new.created.head.as_slice(),
                    state.as_slice(),
                    new.created.standing.status_number(),
                    new.created.standing.awaits_number(),
                    new.created.body
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(written.rows_affected() > 0)
    }
}
