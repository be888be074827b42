#![expect(clippy::as_conversions, reason = "how a statement is told that an array may hold nulls")]

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::event_row::{EventColumns, EventRow, number};
use super::stored::{first_number, fleet_number, level_number};
use super::{Failure, IdempotencyKey, NewLayout, Session};
use engine::{BySeat, Game, Level, Seat};
use record::Logged;
use record::proof::{self, Seed};

/// A game that is about to exist.
pub struct NewGame<'a> {
    /// Its id.
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
    /// Its first events.
    pub events: &'a [Logged],
    /// Under which name the request is kept, so that a repeat finds its reply.
    pub stamp: Option<IdempotencyKey>,
    /// The bot that is its guest, with the layout that it placed.
    pub bot: Option<Seated<'a>>,
}

/// A bot that is seated while the game is created.
#[derive(Clone, Copy)]
pub struct Seated<'a> {
    /// How well it plays.
    pub level: Level,
    /// Where its choices come from.
    pub seed: &'a Seed,
    /// What it placed.
    pub laid: NewLayout<'a>,
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

    /// Writes a new game with its first events, its timer and, where listed, its place in the lobby;
    /// `false` when a game of this id was there. Without a deadline the timer leads to a look whether
    /// the game is over.
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
        let last = new.events.last().ok_or(Failure::Program("a game without events"))?;
        let version = number(last.seq)?;
        let hash = |seat| new.tokens.of(seat).map(|token| Sha256::digest(token).to_vec());
        let state = new.game.pack();
        let events: EventColumns = EventRow::rows(new.events, new.stamp)?.into_iter().collect();
        let bot = new.bot;
        let cells = bot.map(|bot| bot.laid.layout.pack(options.grid));
        let answer = self
            .run(async |connection| {
                sqlx::query!(
                    "with made as (
                     insert into games (game_id, created_at, turn_seconds, rules, grid, fleet, first_shot, mines, salvo,
                                        shoot_again, listed, rematch_of, token_salt, host_token, guest_token,
                                        host_name, guest_name, version, due_at, head, state, bot, guest_commitment)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
                             $21, $22, $23)
                     on conflict (game_id) do nothing returning game_id),
                 listing as (insert into lobby (game_id, created_at) select game_id, $2 from made where $11),
                 timed as (
                     insert into timers (game_id, check_at)
                     select game_id, coalesce($19::timestamptz, $2::timestamptz + interval '1 day') from made),
                 laid as (
                     insert into layouts (game_id, seat, salt, cells, bot_seed)
                     select game_id, 1, $24, $25, $26 from made where $22::int2 is not null)
                 insert into events (game_id, seq, span, status, awaits, due_at, head, body, request, print)
                 select made.game_id, e.*
                   from made, unnest($27::int4[], $28::int2[], $29::int2[], $30::int2[], $31::timestamptz[],
                                     $32::bytea[], $33::text[], $34::bytea[], $35::bytea[]) as e",
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
                    new.rematch_of,
                    new.token_salt,
                    hash(Seat::Host),
                    hash(Seat::Guest),
                    new.names.host,
                    new.names.guest,
                    version,
                    new.due_at,
                    last.head.as_slice(),
                    state.as_slice(),
                    bot.map(|bot| level_number(bot.level)),
                    bot.map(|bot| bot.laid.commitment.as_slice()),
                    bot.map(|bot| bot.laid.salt.bytes().as_slice()),
                    cells.as_deref(),
                    bot.map(|bot| bot.seed.bytes().as_slice()),
                    &events.seqs,
                    &events.spans,
                    &events.statuses,
                    &events.awaits,
                    &events.dues as &[Option<DateTime<Utc>>],
                    &events.heads,
                    &events.bodies,
                    &events.requests as &[Option<Vec<u8>>],
                    &events.prints as &[Option<Vec<u8>>]
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(answer.rows_affected() > 0)
    }

    /// Points an ended game to its rematch, unless it points to one already.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer.
    pub async fn set_next(&mut self, game: Uuid, next: Uuid) -> Result<(), Failure> {
        self.run(async |connection| {
            sqlx::query!("update games set next_game_id = $2 where game_id = $1 and next_game_id is null", game, next)
                .execute(connection)
                .await
        })
        .await?;
        Ok(())
    }
}
