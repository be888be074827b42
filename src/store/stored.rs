use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::{Failure, Move, NewGame, Session};
use crate::engine::{BySeat, FirstShot, Fleet, Game, Grid, Options, Seat, Unreadable};
use crate::proof::{self, Hash};

/// A game as it lies in the database, read at one moment.
#[derive(Clone)]
pub struct Stored {
    /// Its id.
    pub id: Uuid,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// The game of which it is the rematch.
    pub rematch_of: Option<Uuid>,
    /// Its own rematch.
    pub next: Option<Uuid>,
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

impl Stored {
    /// The game as it lies in the database once a move is written.
    pub fn after(&self, step: &Move<'_>) -> Self {
        let mut after = self.clone();
        if let Some(last) = step.events.last() {
            (after.version, after.head) = (last.seq, last.head);
        }
        (after.game, after.due_at) = (*step.game, step.due_at);
        after
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
impl From<&NewGame<'_>> for Stored {
    fn from(new: &NewGame<'_>) -> Self {
        Self {
            id: new.id,
            created_at: new.created_at,
            rematch_of: None,
            next: None,
            names: BySeat { host: new.host_name.map(str::to_owned), guest: None },
            commitments: BySeat::default(),
            version: new.created.seq,
            due_at: Some(new.expires_at),
            head: new.created.head,
            game: *new.game,
            now: new.created_at,
            repeated: None,
            tokens: BySeat { host: Some(Sha256::digest(new.host_token).to_vec()), guest: None },
            token_salt: new.token_salt.to_vec(),
        }
    }
}

impl Session {
    /// Reads a game, the clock, and whether a request was carried out before, in one snapshot: who
    /// sees version n sees event n and the request behind it.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the database does not answer or the row makes no sense.
    pub async fn find_game(&mut self, id: Uuid, request: Option<&[u8]>) -> Result<Option<Stored>, Failure> {
        let row = self
            .run(async |connection| {
                sqlx::query!(
                    r#"select g.game_id, g.created_at, g.turn_seconds, g.grid, g.fleet, g.first_shot, g.mines, g.salvo,
                              g.shoot_again, g.rematch_of, g.next_game_id, g.token_salt, g.host_token, g.guest_token,
                              g.host_name, g.guest_name, g.host_commitment, g.guest_commitment, g.version, g.due_at,
                              g.head, g.state, r.seq as "repeated?", r.span as "span?", r.print as "print?",
                              statement_timestamp() as "now!"
                         from games g left join events r on r.game_id = g.game_id and r.request = $2
                        where g.game_id = $1"#,
                    id,
                    request
                )
                .fetch_optional(connection)
                .await
            })
            .await?;
        let Some(row) = row else { return Ok(None) };

        let nonsense = |column| move || Failure::Nonsense { table: "games", column, game: id };
        let hash = |column, bytes: Option<Vec<u8>>| {
            bytes.map(|bytes| Hash::try_from(bytes).map_err(|_| nonsense(column)())).transpose()
        };
        let options = Options {
            grid: u8::try_from(row.grid).ok().and_then(Grid::with_side).ok_or_else(nonsense("grid"))?,
            fleet: fleet_of(row.fleet).ok_or_else(nonsense("fleet"))?,
            mines: row.mines,
            salvo: row.salvo,
            shoot_again: row.shoot_again,
            first: first_of(row.first_shot).ok_or_else(nonsense("first_shot"))?,
            turn_seconds: row.turn_seconds.map(u32::try_from).transpose().map_err(|_| nonsense("turn_seconds")())?,
        };
        let game = Game::unpack(options, &row.state).map_err(|unreadable| match unreadable {
            Unreadable::UnknownForm(form) => Failure::LaterForm { table: "games", column: "state", form, game: id },
            Unreadable::Damaged => nonsense("state")(),
        })?;
        Ok(Some(Stored {
            id: row.game_id,
            created_at: row.created_at,
            rematch_of: row.rematch_of,
            next: row.next_game_id,
            names: BySeat { host: row.host_name, guest: row.guest_name },
            commitments: BySeat {
                host: hash("host_commitment", row.host_commitment)?,
                guest: hash("guest_commitment", row.guest_commitment)?,
            },
            version: u32::try_from(row.version).map_err(|_| nonsense("version")())?,
            due_at: row.due_at,
            head: Hash::try_from(row.head).map_err(|_| nonsense("head")())?,
            game,
            now: row.now,
            repeated: repeated(id, row.repeated, row.span, row.print)?,
            tokens: BySeat { host: row.host_token, guest: row.guest_token },
            token_salt: row.token_salt,
        }))
    }
}

fn repeated(
    game: Uuid,
    seq: Option<i32>,
    span: Option<i16>,
    print: Option<Vec<u8>>,
) -> Result<Option<Repeated>, Failure> {
    let (Some(seq), Some(span)) = (seq, span) else { return Ok(None) };
    let nonsense = |column| Failure::Nonsense { table: "events", column, game };
    Ok(Some(Repeated {
        seq: u32::try_from(seq).map_err(|_| nonsense("seq"))?,
        span: u16::try_from(span).map_err(|_| nonsense("span"))?,
        print: print.ok_or_else(|| nonsense("print"))?,
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
