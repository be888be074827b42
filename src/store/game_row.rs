//! The rows of `games`: how a game is written, and how it is read back.
#![expect(clippy::as_conversions, reason = "how a statement is told that an array may hold nulls")]

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::event_row::{EventColumns, EventRow};
use super::seal::{Seals, Secret};
use super::{Failure, NewGame, Place, Repeated, Session, Snapshot};
use engine::{BySeat, FirstShot, Fleet, Game, Grid, Layout, Level, Options, Seat, UnpackError, Words as _};
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
    rematches: i16,
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

/// Reads rows of games from what is said there, `g` being the games and `r` the events of requests; `alone` where no
/// request is looked for.
macro_rules! rows {
    (@ $created_at:literal, $due_at:literal, $repeated:literal, $from:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            GameRow,
            r#"select g.game_id as "game_id!", "# + $created_at + r#" as "created_at!", g.turn_seconds, g.grid as "grid!",
                      g.fleet as "fleet!", g.first_shot as "first_shot!", g.mines as "mines!", g.salvo as "salvo!",
                      g.shoot_again as "shoot_again!", g.bot, g.rematch_of, g.next_game_id, g.rematches as "rematches!",
                      g.token_salt as "token_salt!", g.host_token, g.guest_token, g.host_name, g.guest_name,
                      g.host_commitment, g.guest_commitment, g.version as "version!", "# + $due_at + r#" as due_at, g.head as "head!",
                      g.state as "state!", statement_timestamp() as "now!", "# + $repeated + $from,
            $($argument),+
        )
    };
    (alone, $created_at:literal, $due_at:literal, $from:literal, $($argument:expr),+) => {
        rows!(@ $created_at, $due_at,
              r#"null::int4 as "repeated?", null::int2 as "span?", null::bytea as "fingerprint?""#, $from, $($argument),+)
    };
    (alone, $from:literal, $($argument:expr),+) => {
        rows!(alone, "g.created_at", "g.due_at", $from, $($argument),+)
    };
    ($from:literal, $($argument:expr),+) => {
        rows!(@ "g.created_at", "g.due_at",
              r#"r.seq as "repeated?", r.span as "span?", r.print as "fingerprint?""#, $from, $($argument),+)
    };
}

impl Session {
    /// Reads a game, the clock, and whether a request was carried out before, in one snapshot: who
    /// sees version n sees event n and the request behind it.
    ///
    /// Without a request nothing is joined: that costs less, and a distributed Postgres plans it once.
    pub(crate) async fn find_game(&mut self, id: Uuid, request: Option<&[u8]>) -> Result<Option<Snapshot>, Failure> {
        let row = self
            .run(async |connection| match request {
                None => rows!(alone, " from games g where g.game_id = $1", id).fetch_optional(connection).await,
                Some(request) => {
                    rows!(
                        " from games g
                          left join lateral (select e.seq, e.span, e.print from events e
                                              where e.game_id = g.game_id and e.request = $2) r on true
                         where g.game_id = $1",
                        id,
                        request
                    )
                    .fetch_optional(connection)
                    .await
                }
            })
            .await?;
        row.map(|row| row.read(self.pool.seals())).transpose()
    }

    /// Reads a game of which any column may make no sense, and which of them do not.
    pub(super) async fn find_game_as_it_lies(
        &mut self,
        id: Uuid,
    ) -> Result<Option<(Snapshot, Vec<&'static str>)>, Failure> {
        let row = self
            .run(async |connection| {
                rows!(
                    alone,
                    "case when isfinite(g.created_at) then g.created_at else 'epoch' end",
                    "case when isfinite(g.due_at) then g.due_at when g.due_at is not null then 'epoch' end",
                    " from games g where g.game_id = $1",
                    id
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        let Some(row) = row else { return Ok(None) };
        let mut unreadable = Vec::new();
        let found = row.snapshot(self.pool.seals(), &mut |column, _| {
            unreadable.push(column);
            Ok(())
        })?;
        Ok(Some((found, unreadable)))
    }

    /// Reads many games as [`Session::find_game`] reads one; they come in no order, and those that
    /// there are not are left out. No id may be there twice.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer; of a row that makes no sense beside its id.
    pub(crate) async fn find_games(&mut self, ids: &[Uuid]) -> Result<Found, Failure> {
        let rows = self
            .run(async |connection| {
                rows!(alone, " from games g where g.game_id = any($1)", ids).fetch_all(connection).await
            })
            .await?;
        Ok(rows.into_iter().map(|row| (row.game_id, row.read(self.pool.seals()))).collect())
    }

    /// The same, and whether a request was carried out in each: one for each game, if not none.
    pub(super) async fn find_games_with(
        &mut self,
        ids: &[Uuid],
        requests: &[Option<Vec<u8>>],
    ) -> Result<Found, Failure> {
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
    pub(super) async fn list_offers(
        &mut self,
        behind: Option<Place>,
        limit: u16,
    ) -> Result<Vec<(Place, Option<Snapshot>)>, Failure> {
        let (at, id) = behind.map_or((None, Uuid::max()), |(at, id)| (Some(at), id));
        let rows = self
            .run(async |connection| {
                rows!(
                    alone,
                    " from lobby l join games g on g.game_id = l.game_id
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
        let seals = self.pool.seals();
        let offer = |row: GameRow| {
            let place = (row.created_at, row.game_id);
            // One game that makes no sense must not hide the others.
            let game = row.read(seals).inspect_err(|failure| log::error!("a game is not listed: {failure}"));
            (place, game.ok())
        };
        Ok(rows.into_iter().map(offer).collect())
    }

    /// Writes a new game with its first events, its timer and, where listed, its place in the lobby; `false` when a game of this id was there. Without a deadline the timer leads to a look whether
    /// the game is over.
    pub(crate) async fn insert_game(&mut self, new: &NewGame<'_>) -> Result<bool, Failure> {
        let options = new.game.options();
        let turn_seconds = options
            .turn_seconds
            .map(i32::try_from)
            .transpose()
            .map_err(|_| Failure::Program("a turn is longer than its column"))?;
        if new.events.is_empty() {
            return Err(Failure::Program("a game without events"));
        }
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
        self.write(async |connection| {
            sqlx::query_scalar!(
                r#"select insert_game($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                                      $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33) as "made!""#,
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
                new.due_at,
                state,
                bot.map(|bot| level_number(bot.level)),
                bot.map(|bot| bot.laid.commitment.as_slice()),
                salt,
                cells,
                seed,
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
            .fetch_one(connection)
            .await
        })
        .await
    }
}

/// Games by their ids, each read or with what makes no sense in it.
type Found = Vec<(Uuid, Result<Snapshot, Failure>)>;

/// What becomes of a column that makes no sense: a failure, or something harmless in its place.
type OnNonsense<'a> = &'a mut dyn FnMut(&'static str, Failure) -> Result<(), Failure>;

impl GameRow {
    fn read(self, seals: &Seals) -> Result<Snapshot, Failure> {
        self.snapshot(seals, &mut |_, failure| Err(failure))
    }

    fn snapshot(self, seals: &Seals, nonsense: OnNonsense<'_>) -> Result<Snapshot, Failure> {
        let id = self.game_id;
        let options = self.options(nonsense)?;
        let opened = seals.open(id, Secret::State, self.state).and_then(|state| {
            Game::unpack(options, &state).map_err(|unreadable| of_packed("games", "state", id, unreadable))
        });
        let game = match opened {
            Ok(game) => game,
            Err(unreadable) => {
                nonsense("state", unreadable)?;
                Game::new(options, Seat::Guest)
            }
        };
        let mut sense = Sense { id, nonsense };
        Ok(Snapshot {
            id,
            created_at: self.created_at,
            rematch_of: self.rematch_of,
            next: self.next_game_id,
            // Those of before were not counted, and there was one at most.
            rematches: self.next_game_id.map_or(0, |_| u16::try_from(self.rematches).unwrap_or(1).max(1)),
            bot: sense.of_some("bot", self.bot, |number| level_of(*number))?,
            names: BySeat { host: self.host_name, guest: self.guest_name },
            commitments: BySeat {
                host: sense.of_some("host_commitment", self.host_commitment, |bytes| hash(bytes))?,
                guest: sense.of_some("guest_commitment", self.guest_commitment, |bytes| hash(bytes))?,
            },
            version: sense.of("version", u32::try_from(self.version).ok(), 0)?,
            due_at: self.due_at,
            head: sense.of("head", hash(&self.head), proof::NO_HEAD)?,
            game,
            now: self.now,
            repeated: repeated(id, self.repeated, self.span, self.fingerprint)?,
            tokens: BySeat { host: self.host_token, guest: self.guest_token },
            token_salt: self.token_salt,
        })
    }

    fn options(&self, nonsense: OnNonsense<'_>) -> Result<Options, Failure> {
        let usual = Options::default();
        let mut sense = Sense { id: self.game_id, nonsense };
        let grid = u8::try_from(self.grid).ok().and_then(Grid::with_side);
        Ok(Options {
            grid: sense.of("grid", grid, usual.grid)?,
            fleet: sense.of("fleet", fleet_of(self.fleet), usual.fleet)?,
            mines: self.mines,
            salvo: self.salvo,
            shoot_again: self.shoot_again,
            first: sense.of("first_shot", first_of(self.first_shot), usual.first)?,
            turn_seconds: sense.of_some("turn_seconds", self.turn_seconds, |seconds| u32::try_from(*seconds).ok())?,
        })
    }
}

/// Insists that the columns of a game make sense.
struct Sense<'a> {
    id: Uuid,
    nonsense: OnNonsense<'a>,
}

impl Sense<'_> {
    /// What a column was read as, or something in its place.
    fn of<T>(&mut self, column: &'static str, read: Option<T>, in_its_place: T) -> Result<T, Failure> {
        if let Some(read) = read {
            return Ok(read);
        }
        (self.nonsense)(column, Failure::Inconsistent { table: "games", column, game: self.id })?;
        Ok(in_its_place)
    }

    /// The same of a column that may hold nothing.
    fn of_some<C, T>(
        &mut self,
        column: &'static str,
        kept: Option<C>,
        read: impl Fn(&C) -> Option<T>,
    ) -> Result<Option<T>, Failure> {
        match kept {
            None => Ok(None),
            Some(kept) => self.of(column, read(&kept).map(Some), None),
        }
    }
}

fn hash(bytes: &[u8]) -> Option<Hash> {
    Hash::try_from(bytes).ok()
}

/// Why something packed cannot be read.
fn of_packed(table: &'static str, column: &'static str, game: Uuid, unreadable: UnpackError) -> Failure {
    match unreadable {
        UnpackError::UnknownForm(form) => Failure::LaterForm { table, column, form, game },
        UnpackError::Damaged => Failure::Inconsistent { table, column, game },
    }
}

/// A layout as its row holds it.
pub(super) fn unpacked(game: Uuid, options: &Options, cells: &[u8]) -> Result<Layout, Failure> {
    Layout::unpack(options, cells).map_err(|unreadable| of_packed("layouts", "cells", game, unreadable))
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

pub(super) fn seat_of(number: i16) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| seat_number(*seat) == number)
}
