//! The rows of `games`: how a game is written, and how it is read back.
#![expect(clippy::as_conversions, reason = "how a statement is told that an array may hold nulls")]

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::event_row::{EventColumns, EventRow, number};
use super::seal::{Seals, Secret};
use super::{Failure, NewGame, Place, Repeated, Session, Snapshot};
use engine::{BySeat, FirstShot, Fleet, Game, Grid, Level, Options, Seat, UnpackError, Words as _};
use record::proof::{self, Hash};

/// A row of `games` with the event of a request beside it, as every load reads it.
struct GameRow {
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
    fingerprint: Option<Vec<u8>>,
    now: DateTime<Utc>,
}

/// Reads rows of games from what is said there, `g` being the games and `r` the events of requests.
macro_rules! rows {
    ($from:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            GameRow,
            r#"select g.game_id as "game_id!", g.created_at as "created_at!", g.turn_seconds, g.grid as "grid!",
                      g.fleet as "fleet!", g.first_shot as "first_shot!", g.mines as "mines!", g.salvo as "salvo!",
                      g.shoot_again as "shoot_again!", g.bot, g.rematch_of, g.next_game_id,
                      g.token_salt as "token_salt!", g.host_token, g.guest_token, g.host_name, g.guest_name,
                      g.host_commitment, g.guest_commitment, g.version as "version!", g.due_at, g.head as "head!",
                      g.state as "state!", r.seq as "repeated?", r.span as "span?", r.print as "fingerprint?",
                      statement_timestamp() as "now!""# + $from,
            $($argument),+
        )
    };
}

impl Session {
    /// Reads a game, the clock, and whether a request was carried out before, in one snapshot: who
    /// sees version n sees event n and the request behind it.
    pub(crate) async fn find_game(&mut self, id: Uuid, request: Option<&[u8]>) -> Result<Option<Snapshot>, Failure> {
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
        row.map(|row| row.read(self.pool.seals())).transpose()
    }

    /// Reads many games as [`Session::find_game`] reads one; they come in no order, and those that
    /// there are not are left out. No id may be there twice.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer; of a row that makes no sense beside its id.
    pub(crate) async fn find_games(
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
        Ok(rows.into_iter().map(|row| (row.game_id, row.read(self.pool.seals()))).collect())
    }

    /// Lists the games that can be joined, as `Store::list_offers` does.
    pub(super) async fn list_offers(&mut self, behind: Option<Place>, limit: u16) -> Result<Vec<Snapshot>, Failure> {
        let (at, id) = behind.map_or((None, Uuid::max()), |(at, id)| (Some(at), id));
        let rows = self
            .run(async |connection| {
                rows!(
                    " from lobby l join games g on g.game_id = l.game_id left join events r on false
                     where (l.created_at, l.game_id) < (coalesce($1, 'infinity'::timestamptz), $2)
                       and g.due_at > statement_timestamp()
                     order by l.created_at desc, l.game_id desc limit $3",
                    at,
                    id,
                    i64::from(limit)
                )
                .fetch_all(connection)
                .await
            })
            .await?;
        rows.into_iter().map(|row| row.read(self.pool.seals())).collect()
    }

    /// Writes a new game with its first events, its timer and, where listed, its place in the lobby;
    /// `false` when a game of this id was there. Without a deadline the timer leads to a look whether
    /// the game is over.
    pub(crate) async fn insert_game(&mut self, new: &NewGame<'_>) -> Result<bool, Failure> {
        let options = new.game.options();
        let turn_seconds = options
            .turn_seconds
            .map(i32::try_from)
            .transpose()
            .map_err(|_| Failure::Program("a turn is longer than its column"))?;
        let last = new.events.last().ok_or(Failure::Program("a game without events"))?;
        let version = number(last.seq)?;
        let hash = |seat| new.tokens.of(seat).map(|token| Sha256::digest(token).to_vec());
        let seal = |secret, plain: &[u8]| self.pool.seals().seal(new.id, secret, plain);
        let state = seal(Secret::State, &new.game.pack())?;
        let events: EventColumns = EventRow::rows(new.events, new.stamp)?.into_iter().collect();
        let bot = new.bot;
        let sealed = |secret, plain: Option<&[u8]>| plain.map(|plain| seal(secret, plain)).transpose();
        let cells = bot.map(|bot| bot.laid.layout.pack(options.grid));
        let cells = sealed(Secret::Cells(Seat::Guest), cells.as_deref())?;
        let salt = sealed(Secret::Salt(Seat::Guest), bot.map(|bot| bot.laid.salt.bytes().as_slice()))?;
        let seed = sealed(Secret::Seed, bot.map(|bot| bot.seed.bytes().as_slice()))?;
        let answer = self
            .write(async |connection| {
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
                     insert into timers (game_id, kind, check_at)
                     select game_id, case when $19::timestamptz is null then 1 else 0 end,
                            least($19::timestamptz, $2::timestamptz + make_interval(secs => $36)) from made),
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
                    state,
                    bot.map(|bot| level_number(bot.level)),
                    bot.map(|bot| bot.laid.commitment.as_slice()),
                    salt,
                    cells,
                    seed,
                    &events.seqs,
                    &events.spans,
                    &events.statuses,
                    &events.awaits,
                    &events.dues as &[Option<DateTime<Utc>>],
                    &events.heads,
                    &events.bodies,
                    &events.requests as &[Option<Vec<u8>>],
                    &events.fingerprints as &[Option<Vec<u8>>],
                    new.look_after.as_secs_f64()
                )
                .execute(connection)
                .await
            })
            .await?;
        Ok(answer.rows_affected() > 0)
    }
}

impl GameRow {
    fn read(self, seals: &Seals) -> Result<Snapshot, Failure> {
        let row = self;
        let id = row.game_id;
        let inconsistent = |column| move || Failure::Inconsistent { table: "games", column, game: id };
        let hash = |column, bytes: Option<Vec<u8>>| {
            bytes.map(|bytes| Hash::try_from(bytes).map_err(|_| inconsistent(column)())).transpose()
        };
        let options = Options {
            grid: u8::try_from(row.grid).ok().and_then(Grid::with_side).ok_or_else(inconsistent("grid"))?,
            fleet: fleet_of(row.fleet).ok_or_else(inconsistent("fleet"))?,
            mines: row.mines,
            salvo: row.salvo,
            shoot_again: row.shoot_again,
            first: first_of(row.first_shot).ok_or_else(inconsistent("first_shot"))?,
            turn_seconds: row
                .turn_seconds
                .map(u32::try_from)
                .transpose()
                .map_err(|_| inconsistent("turn_seconds")())?,
        };
        let state = seals.open(id, Secret::State, row.state)?;
        let game = Game::unpack(options, &state).map_err(|unreadable| match unreadable {
            UnpackError::UnknownForm(form) => Failure::LaterForm { table: "games", column: "state", form, game: id },
            UnpackError::Damaged => inconsistent("state")(),
        })?;
        Ok(Snapshot {
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
            repeated: repeated(id, row.repeated, row.span, row.fingerprint)?,
            tokens: BySeat { host: row.host_token, guest: row.guest_token },
            token_salt: row.token_salt,
        })
    }
}

pub(super) fn repeated(
    game: Uuid,
    seq: Option<i32>,
    span: Option<i16>,
    fingerprint: Option<Vec<u8>>,
) -> Result<Option<Repeated>, Failure> {
    let (Some(seq), Some(span)) = (seq, span) else { return Ok(None) };
    let inconsistent = |column| Failure::Inconsistent { table: "events", column, game };
    Ok(Some(Repeated {
        seq: u32::try_from(seq).map_err(|_| inconsistent("seq"))?,
        span: u16::try_from(span).map_err(|_| inconsistent("span"))?,
        fingerprint: fingerprint.ok_or_else(|| inconsistent("print"))?,
    }))
}

/// The number under which a fleet is kept.
fn fleet_number(fleet: Fleet) -> i16 {
    match fleet {
        Fleet::Classic => 0,
        Fleet::Russian => 1,
    }
}

fn fleet_of(number: i16) -> Option<Fleet> {
    Fleet::ALL.into_iter().find(|fleet| fleet_number(*fleet) == number)
}

/// The number under which a bot's level is kept.
fn level_number(level: Level) -> i16 {
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
fn first_number(first: FirstShot) -> i16 {
    match first {
        FirstShot::Host => 0,
        FirstShot::Guest => 1,
        FirstShot::Random => 2,
    }
}

fn first_of(number: i16) -> Option<FirstShot> {
    FirstShot::ALL.iter().copied().find(|first| first_number(*first) == number)
}

/// The number under which a seat's layout is kept.
pub(super) fn seat_number(seat: Seat) -> i16 {
    match seat {
        Seat::Host => 0,
        Seat::Guest => 1,
    }
}
