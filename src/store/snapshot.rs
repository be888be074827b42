use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::{Change, Known, NewGame};
use engine::{BySeat, Game, Level, Phase, Seat};
use record::proof::{self, Hash};

/// A game as it lies in the database, read at one moment.
#[derive(Clone)]
pub(crate) struct Snapshot {
    /// The id of the game.
    pub id: Uuid,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// The game of which it is the rematch.
    pub rematch_of: Option<Uuid>,
    /// Its own rematch, the last where there were several.
    pub next: Option<Uuid>,
    /// How many rematches it has had.
    pub rematches: u16,
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
    pub(super) tokens: BySeat<Option<Vec<u8>>>,
    pub(super) token_salt: Vec<u8>,
}

/// A request that was carried out before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Repeated {
    /// Its first event.
    pub seq: u32,
    /// How many events it appended.
    pub span: u16,
    /// What a repeat must be equal in.
    pub fingerprint: Vec<u8>,
}

impl Snapshot {
    /// The game as it lies in the database once a move is written.
    pub(crate) fn after(&self, step: &Change<'_>) -> Self {
        let mut after = self.clone();
        if let Some(last) = step.events.last() {
            (after.version, after.head) = (last.seq, last.head);
        }
        (after.game, after.due_at) = (*step.game, step.due_at);
        after
    }

    /// How far the game has come.
    pub(crate) fn known(&self) -> Known {
        Known { version: self.version, rematches: self.rematches.into() }
    }

    /// Whether somebody has this seat, a person or a bot.
    pub(crate) fn is_taken(&self, seat: Seat) -> bool {
        match *self.game.phase() {
            Phase::Waiting { awaited, .. } => seat != awaited,
            // Whoever ended a game that nobody had joined left its other seat free.
            Phase::Over { first: None, .. } => self.tokens.of(seat).is_some(),
            Phase::Placing { .. } | Phase::Battle(_) | Phase::Over { .. } => true,
        }
    }

    /// What the tokens of this game are derived with.
    pub(crate) fn token_salt(&self) -> &[u8] {
        &self.token_salt
    }

    /// The game before its first event, for folding its log again.
    pub(crate) fn before_everything(&self) -> Self {
        Self {
            next: None,
            rematches: 0,
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
    pub(crate) fn seat_of(&self, token: &[u8]) -> Option<Seat> {
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
            rematches: 0,
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
