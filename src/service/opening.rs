use std::borrow::Cow;
use std::slice;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::step::{Step, seal_with};
use super::{Games, ShownGame};
use crate::entropy::{self, Token};
use crate::store::{Failure, IdempotencyKey, NewGame, NewLayout, Seated, Session, Snapshot};
use engine::{BySeat, Event, Game, Layout, Level, Options, Seat};
use record::proof::{self, Hash, Salt, Seed};
use record::{Details, Happened, Logged};

/// A game that is about to begin.
pub(super) struct Opening<'a> {
    pub id: Uuid,
    pub created_at: DateTime<Utc>,
    pub options: Options,
    /// Who creates it.
    pub seat: Seat,
    pub name: Option<&'a str>,
    pub token: &'a Token,
    pub token_salt: &'a [u8],
    /// Whether it shows in the lobby.
    pub listed: bool,
    /// The game of which it is the rematch.
    pub rematch_of: Option<Uuid>,
    /// The bot that is its guest.
    pub bot: Option<Level>,
    pub stamp: Option<IdempotencyKey>,
}

/// A bot that has joined and placed.
struct Bot {
    seed: Seed,
    layout: Layout,
    salt: Salt,
    commitment: Hash,
    step: Step,
}

impl Games {
    /// Writes a new game with all that happens in its first moment: a bot joins and places at once.
    /// None when a game of this id was there.
    pub(super) async fn open(
        &self,
        session: &mut Session,
        opening: &Opening<'_>,
    ) -> Result<Option<ShownGame>, Failure> {
        let Opening { id, created_at, ref options, seat, name, rematch_of, .. } = *opening;
        let game = Game::new(*options, seat.other());
        let expires_at = self.expiry_of(created_at)?;
        let happened = Happened::Created {
            seat,
            game: id,
            rules: proof::RULES,
            options: *options,
            name: name.map(Cow::Borrowed),
            rematch_of,
        };
        let kind = happened.kind();
        let created = Logged::write(1, &proof::NO_HEAD, created_at, happened, &game, Some(expires_at));
        let of_creator = |owner| owner == seat;
        let new = NewGame {
            id,
            created_at,
            game: &game,
            listed: opening.listed && opening.bot.is_none(),
            rematch_of,
            names: BySeat::from_fn(|owner| name.filter(|_| of_creator(owner))),
            tokens: BySeat::from_fn(|owner| of_creator(owner).then_some(opening.token.bytes())),
            token_salt: opening.token_salt,
            due_at: Some(expires_at),
            look_after: self.look_after(),
            events: slice::from_ref(&created),
            stamp: opening.stamp,
            bot: None,
        };
        let Some(level) = opening.bot else {
            return self.write_opening(session, &new, &[kind], seat).await;
        };
        let bot = Bot::sit_down(level, &Snapshot::from(&new))?;
        let events = [slice::from_ref(&created), &bot.step.events].concat();
        let kinds = [&[kind], &*bot.step.kinds].concat();
        let laid = NewLayout { seat: Seat::Guest, layout: &bot.layout, salt: &bot.salt, commitment: &bot.commitment };
        let with_bot = NewGame {
            game: &bot.step.game,
            due_at: bot.step.due_at,
            events: &events,
            bot: Some(Seated { level, seed: &bot.seed, laid }),
            ..new
        };
        self.write_opening(session, &with_bot, &kinds, seat).await
    }

    async fn write_opening(
        &self,
        session: &mut Session,
        new: &NewGame<'_>,
        kinds: &[&'static str],
        creator: Seat,
    ) -> Result<Option<ShownGame>, Failure> {
        if !session.insert_game(new).await? {
            return Ok(None);
        }
        self.count(kinds, None, new.game.status());
        self.is_due(new.id, new.due_at);
        Ok(Some(ShownGame::by(Snapshot::from(new), Some(creator))))
    }

    /// When a game expires that nobody joins.
    fn expiry_of(&self, created_at: DateTime<Utc>) -> Result<DateTime<Utc>, Failure> {
        TimeDelta::from_std(self.expire_after)
            .ok()
            .and_then(|time| created_at.checked_add_signed(time))
            .ok_or(Failure::Program("games expire beyond the end of time"))
    }
}

impl Bot {
    /// Joins a game that has just been created, and places.
    fn sit_down(level: Level, created: &Snapshot) -> Result<Self, Failure> {
        let seed = entropy::bot_seed()?;
        let joined = engine::join(&created.game, None, entropy::coin()?)
            .map_err(|_| Failure::Program("a bot was not let into its game"))?;
        let mut step = Step::take(created, &joined, Details::Player { name: None, bot: Some(level) })?;
        let event =
            step.let_bot_move(level, &seed, created)?.ok_or(Failure::Program("nothing was awaited of a bot"))?;
        let Event::Placed { layout, .. } = event else {
            return Err(Failure::Program("a bot did something else than to place"));
        };
        let salt = proof::bot_salt(&seed);
        let commitment = seal_with(salt, created, Seat::Guest, &layout);
        step.record(created, &event, Details::Commitment(commitment))?;
        Ok(Self { seed, layout, salt, commitment, step })
    }
}

/// The `seq` of the last event that the creation of a game wrote.
pub(super) fn opened_with(bot: Option<Level>) -> u32 {
    if bot.is_some() { PLACED_BY_BOT } else { CREATED }
}

/// The `seq` of every game's `created`.
const CREATED: u32 = 1;

/// The `seq` of a bot's `placed`.
const PLACED_BY_BOT: u32 = 3;
