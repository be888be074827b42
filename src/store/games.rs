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
    /// Claims a key for a creation, unless it was claimed before; tells who has it, and whether that is new.
    ///
    /// On a distributed database the claim is kept on two nodes, so that one may be away. Where both answer, the first
    /// tells who has the key.
    pub(crate) async fn claim_creation(
        &mut self,
        key: &[u8],
        claim: &CreationKept,
    ) -> Result<(CreationKept, bool), Failure> {
        let Some(other) = self.other_slot(key).await? else { return self.claim_slot(key, claim).await };
        let second = self.claim_slot(&other, claim).await;
        if let Err(failure) = &second
            && !matches!(failure, Failure::Away)
        {
            return second;
        }
        let kept = second.as_ref().map_or(claim, |(kept, _)| kept);
        match self.claim_slot(key, kept).await {
            Ok((kept, is_new)) => Ok((kept, is_new && second.map_or(true, |(_, is_new)| is_new))),
            Err(Failure::Away) => second,
            Err(failure) => Err(failure),
        }
    }

    /// Has a key that was claimed just now, and for which nothing was created, lead to another game; `false` where it
    /// leads elsewhere by now.
    pub(crate) async fn move_creation(&mut self, key: &[u8], from: Uuid, to: Uuid) -> Result<bool, Failure> {
        let other = self.other_slot(key).await?;
        let mut moved = false;
        for slot in other.as_deref().into_iter().chain([key]) {
            match self.move_slot(slot, from, to).await {
                Err(Failure::Away) => {}
                answer => moved = answer?,
            }
        }
        Ok(moved)
    }

    async fn claim_slot(&mut self, slot: &[u8], claim: &CreationKept) -> Result<(CreationKept, bool), Failure> {
        let answer = self
            .write(async |connection| {
                sqlx::query!(
                    "insert into creations (key, game_id, salt, request, created_at) values ($1, $2, $3, $4, $5)
                         on conflict (key) do nothing",
                    slot,
                    claim.game,
                    claim.salt,
                    claim.fingerprint,
                    claim.created_at
                )
                .execute(connection)
                .await
            })
            .await?;
        let kept = self.find_creation(slot).await?.ok_or(Failure::Program("a key was claimed by nobody"))?;
        Ok((kept, answer.rows_affected() > 0))
    }

    async fn move_slot(&mut self, slot: &[u8], from: Uuid, to: Uuid) -> Result<bool, Failure> {
        let answer = self
            .write(async |connection| {
                sqlx::query!("update creations set game_id = $3 where key = $1 and game_id = $2", slot, from, to)
                    .execute(connection)
                    .await
            })
            .await?;
        Ok(answer.rows_affected() > 0)
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
