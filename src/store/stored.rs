#![expect(clippy::as_conversions, reason = "how a statement is told that an array may hold nulls")]

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::{Change, Failure, NewGame, Session};
use engine::{BySeat, FirstShot, Fleet, Game, Grid, Level, Options, Phase, Seat, Unreadable};
use record::proof::{self, Hash};

/// A game as it lies in the database, read at one moment.
#[derive(Clone)]
pub struct Snapshot {
    /// Its id.
    pub id: Uuid,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// The game of which it is the rematch.
    pub rematch_of: Option<Uuid>,
    /// Its own rematch.
    pub next: Option<Uuid>,
    /// The bot that is its guest.
    pub bot: Option<Level>,
    /// The players' names, as they were sent.
    pub names: BySeat<Option<String>>,
    /// The commitments to the layouts, once placed.
    pub commitments: BySeat<Option<Hash>>,
    /// The `seq` of its last event.
    pub version: u32,
    /// Until when what is awaited is awaited.
    pub due_at: Option<DateTime<Utc>>,
    /// The chain's head.
    pub head: Hash,
    /// Options and position.
    pub game: Game,
    /// The database's clock when it was read.
    pub now: DateTime<Utc>,
    /// The request that was asked for with it, if it was carried out before.
    pub repeated: Option<Repeated>,
    tokens: BySeat<Option<Vec<u8>>>,
    token_salt: Vec<u8>,
}

/// A request that was carried out before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repeated {
    /// Its first event.
    pub seq: u32,
    /// How many events it appended.
    pub span: u16,
    /// What a repeat must be equal in.
    pub print: Vec<u8>,
}

impl Snapshot {
    /// The game as it lies in the database once a move is written.
    pub fn after(&self, step: &Change<'_>) -> Self {
        let mut after = self.clone();
        if let Some(last) = step.events.last() {
            (after.version, after.head) = (last.seq, last.head);
        }
        (after.game, after.due_at) = (*step.game, step.due_at);
        after
    }

    /// Whether somebody has this seat, a person or a bot.
    pub fn is_taken(&self, seat: Seat) -> bool {
        match *self.game.phase() {
            Phase::Waiting { awaited } => seat != awaited,
            // Whoever ended a game that nobody had joined left its other seat free.
            Phase::Over { first: None, .. } => self.tokens.of(seat).is_some(),
            Phase::Placing { .. } | Phase::Battle(_) | Phase::Over { .. } => true,
        }
    }

    /// What the tokens of this game are derived with.
    pub fn token_salt(&self) -> &[u8] {
        &self.token_salt
    }

    /// The game before its first event, for folding its log again.
    pub fn before_everything(&self) -> Self {
        Self {
            next: None,
            commitments: BySeat::default(),
            version: 0,
            due_at: None,
            head: proof::NO_HEAD,
            game: Game::new(*self.game.options(), Seat::Guest),
            ..self.clone()
        }
    }

    /// The seat that this token opens.
    ///
    /// Both hashes are compared in constant time; a seat that is free or a bot's never matches.
    pub fn seat_of(&self, token: &[u8]) -> Option<Seat> {
        let hash = Sha256::digest(token);
        let opens = |seat: Seat| {
            let kept = self.tokens.of(seat).as_deref();
            bool::from(kept.unwrap_or_default().ct_eq(hash.as_slice()))
        };
        let (host, guest) = (opens(Seat::Host), opens(Seat::Guest));
        if host {
            Some(Seat::Host)
        } else if guest {
            Some(Seat::Guest)
        } else {
            None
        }
    }
}

/// The game as it lies in the database once it is written.
impl From<&NewGame<'_>> for Snapshot {
    fn from(new: &NewGame<'_>) -> Self {
        let last = new.events.last();
        let bot = new.bot.as_ref();
        Self {
            id: new.id,
            created_at: new.created_at,
            rematch_of: new.rematch_of,
            next: None,
            bot: bot.map(|bot| bot.level),
            names: BySeat::from_fn(|seat| new.names.of(seat).map(str::to_owned)),
            commitments: BySeat { host: None, guest: bot.map(|bot| *bot.laid.commitment) },
            version: last.map_or(0, |last| last.seq),
            due_at: new.due_at,
            head: last.map_or(proof::NO_HEAD, |last| last.head),
            game: *new.game,
            now: new.created_at,
            repeated: None,
            tokens: BySeat::from_fn(|seat| new.tokens.of(seat).map(|token| Sha256::digest(token).to_vec())),
            token_salt: new.token_salt.to_vec(),
        }
    }
}

/// A row of `games` with the event of a request beside it, as every load reads it.
struct Row {
    game_id: Uuid,
    created_at: DateTime<Utc>,
    turn_seconds: Option<i32>,
    grid: i16,
    fleet: i16,
    first_shot: i16,
    mines: bool,
    salvo: bool,
    shoot_again: bool,
    bot: Option<i16>,
    rematch_of: Option<Uuid>,
    next_game_id: Option<Uuid>,
    token_salt: Vec<u8>,
    host_token: Option<Vec<u8>>,
    guest_token: Option<Vec<u8>>,
    host_name: Option<String>,
    guest_name: Option<String>,
    host_commitment: Option<Vec<u8>>,
    guest_commitment: Option<Vec<u8>>,
    version: i32,
    due_at: Option<DateTime<Utc>>,
    head: Vec<u8>,
    state: Vec<u8>,
    repeated: Option<i32>,
    span: Option<i16>,
    print: Option<Vec<u8>>,
    now: DateTime<Utc>,
}

/// Reads rows of games from what is said there, `g` being the games and `r` the events of requests.
macro_rules! rows {
    ($from:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            Row,
            r#"select g.game_id as "game_id!", g.created_at as "created_at!", g.turn_seconds, g.grid as "grid!",
                      g.fleet as "fleet!", g.first_shot as "first_shot!", g.mines as "mines!", g.salvo as "salvo!",
                      g.shoot_again as "shoot_again!", g.bot, g.rematch_of, g.next_game_id,
                      g.token_salt as "token_salt!", g.host_token, g.guest_token, g.host_name, g.guest_name,
                      g.host_commitment, g.guest_commitment, g.version as "version!", g.due_at, g.head as "head!",
                      g.state as "state!", r.seq as "repeated?", r.span as "span?", r.print as "print?",
                      statement_timestamp() as "now!""# + $from,
            $($argument),+
        )
    };
}

impl Session {
    /// Reads a game, the clock, and whether a request was carried out before, in one snapshot: who
    /// sees version n sees event n and the request behind it.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer or the row makes no sense.
    pub async fn find_game(&mut self, id: Uuid, request: Option<&[u8]>) -> Result<Option<Snapshot>, Failure> {
        let row = self
            .run(async |connection| {
                rows!(
                    " from games g left join events r on r.game_id = g.game_id and r.request = $2
                     where g.game_id = $1",
                    id,
                    request
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        row.map(Snapshot::try_from).transpose()
    }

    /// Reads many games as [`Session::find_game`] reads one; they come in no order, and those that
    /// there are not are left out. No id may be there twice.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer; of a row that makes no sense beside its id.
    pub(super) async fn find_games(
        &mut self,
        ids: &[Uuid],
        requests: &[Option<Vec<u8>>],
    ) -> Result<Vec<(Uuid, Result<Snapshot, Failure>)>, Failure> {
        let rows = self
            .run(async |connection| {
                rows!(
                    " from unnest($1::uuid[], $2::bytea[]) as w (id, request)
                      join games g on g.game_id = w.id
                      left join events r on r.game_id = w.id and r.request = w.request",
                    ids,
                    requests as &[Option<Vec<u8>>]
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        Ok(rows.into_iter().map(|row| (row.game_id, row.try_into())).collect())
    }
}

impl TryFrom<Row> for Snapshot {
    type Error = Failure;

    fn try_from(row: Row) -> Result<Self, Failure> {
        let id = row.game_id;
        let inconsistent = |column| move || Failure::Inconsistent { table: "games", column, game: id };
        let hash = |column, bytes: Option<Vec<u8>>| {
            bytes.map(|bytes| Hash::try_from(bytes).map_err(|_| inconsistent(column)())).transpose()
        };
        let options = OptionColumns {
            grid: row.grid,
            fleet: row.fleet,
            first_shot: row.first_shot,
            mines: row.mines,
            salvo: row.salvo,
            shoot_again: row.shoot_again,
            turn_seconds: row.turn_seconds,
        };
        let options = options.read(id)?;
        let game = Game::unpack(options, &row.state).map_err(|unreadable| match unreadable {
            Unreadable::UnknownForm(form) => Failure::LaterForm { table: "games", column: "state", form, game: id },
            Unreadable::Damaged => inconsistent("state")(),
        })?;
        Ok(Self {
            id,
            created_at: row.created_at,
            rematch_of: row.rematch_of,
            next: row.next_game_id,
            bot: row.bot.map(|number| level_of(number).ok_or_else(inconsistent("bot"))).transpose()?,
            names: BySeat { host: row.host_name, guest: row.guest_name },
            commitments: BySeat {
                host: hash("host_commitment", row.host_commitment)?,
                guest: hash("guest_commitment", row.guest_commitment)?,
            },
            version: u32::try_from(row.version).map_err(|_| inconsistent("version")())?,
            due_at: row.due_at,
            head: Hash::try_from(row.head).map_err(|_| inconsistent("head")())?,
            game,
            now: row.now,
            repeated: repeated(id, row.repeated, row.span, row.print)?,
            tokens: BySeat { host: row.host_token, guest: row.guest_token },
            token_salt: row.token_salt,
        })
    }
}

/// The columns that hold a game's options.
pub(super) struct OptionColumns {
    pub grid: i16,
    pub fleet: i16,
    pub first_shot: i16,
    pub mines: bool,
    pub salvo: bool,
    pub shoot_again: bool,
    pub turn_seconds: Option<i32>,
}

impl OptionColumns {
    /// The options.
    ///
    /// # Errors
    ///
    /// [`Failure::Inconsistent`] that names the column.
    pub(super) fn read(self, game: Uuid) -> Result<Options, Failure> {
        let inconsistent = |column| move || Failure::Inconsistent { table: "games", column, game };
        Ok(Options {
            grid: u8::try_from(self.grid).ok().and_then(Grid::with_side).ok_or_else(inconsistent("grid"))?,
            fleet: fleet_of(self.fleet).ok_or_else(inconsistent("fleet"))?,
            mines: self.mines,
            salvo: self.salvo,
            shoot_again: self.shoot_again,
            first: first_of(self.first_shot).ok_or_else(inconsistent("first_shot"))?,
            turn_seconds: self
                .turn_seconds
                .map(u32::try_from)
                .transpose()
                .map_err(|_| inconsistent("turn_seconds")())?,
        })
    }
}

pub(super) fn repeated(
    game: Uuid,
    seq: Option<i32>,
    span: Option<i16>,
    print: Option<Vec<u8>>,
) -> Result<Option<Repeated>, Failure> {
    let (Some(seq), Some(span)) = (seq, span) else { return Ok(None) };
    let inconsistent = |column| Failure::Inconsistent { table: "events", column, game };
    Ok(Some(Repeated {
        seq: u32::try_from(seq).map_err(|_| inconsistent("seq"))?,
        span: u16::try_from(span).map_err(|_| inconsistent("span"))?,
        print: print.ok_or_else(|| inconsistent("print"))?,
    }))
}

/// The number under which a fleet is kept.
pub(super) fn fleet_number(fleet: Fleet) -> i16 {
    match fleet {
        Fleet::Classic => 0,
        Fleet::Russian => 1,
    }
}

fn fleet_of(number: i16) -> Option<Fleet> {
    Fleet::ALL.into_iter().find(|fleet| fleet_number(*fleet) == number)
}

/// The number under which a bot's level is kept.
pub(super) fn level_number(level: Level) -> i16 {
    match level {
        Level::Easy => 0,
        Level::Medium => 1,
        Level::Hard => 2,
    }
}

fn level_of(number: i16) -> Option<Level> {
    Level::ALL.into_iter().find(|level| level_number(*level) == number)
}

/// The number under which it is kept who shoots first.
pub(super) fn first_number(first: FirstShot) -> i16 {
    match first {
        FirstShot::Host => 0,
        FirstShot::Guest => 1,
        FirstShot::Random => 2,
    }
}

fn first_of(number: i16) -> Option<FirstShot> {
    [FirstShot::Host, FirstShot::Guest, FirstShot::Random].into_iter().find(|first| first_number(*first) == number)
}

/// The number under which a seat's layout is kept.
pub(super) fn seat_number(seat: Seat) -> i16 {
    match seat {
        Seat::Host => 0,
        Seat::Guest => 1,
    }
}
