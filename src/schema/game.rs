use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{AwaitedBody, BoardBody, Cell, Level, Name, OptionsBody, ResultBody, Seat, Status, Time};
use crate::service::GameStatus;
use crate::service::{Seating, ShownGame};
use engine::BySeat;
use record::proof::Seed;

/// A seat, the token that opens it, and the game through its eyes.
#[derive(Serialize, ToSchema)]
#[schema(as = Seating)]
pub struct SeatingBody {
    /// The seat.
    pub seat: Seat,
    /// The seat's secret, shown this once: send it as `Authorization: Bearer …`.
    #[schema(pattern = "^[A-Za-z0-9_-]{43}$")]
    pub token: String,
    /// The game.
    pub game: GameBody,
}

impl SeatingBody {
    /// The reply to who took this seat.
    pub fn new(seat: engine::Seat, seating: &Seating) -> Self {
        Self { seat: seat.into(), token: seating.token.to_text(), game: GameBody::from(&seating.seen) }
    }
}

/// A game as the caller may see it. Every field is always there.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Game)]
pub struct GameBody {
    /// Its id, which is also the link to share.
    pub id: Uuid,
    /// The `seq` of the last event.
    #[schema(minimum = 1, maximum = 2_147_483_647)]
    pub version: u32,
    /// The chain's head: SHA-256 in hex.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
    /// How far the game has come.
    pub status: Status,
    /// What is played.
    pub options: OptionsBody,
    /// What each side places.
    pub setup: SetupBody,
    /// When it was created.
    pub created_at: Time,
    /// The caller's seat; `null` for a spectator.
    #[schema(required)]
    pub you: Option<Seat>,
    /// Who shoots first; `null` until the guest has joined.
    #[schema(required)]
    pub first: Option<Seat>,
    /// Who owes what.
    #[schema(max_items = 2)]
    pub awaiting: Vec<AwaitedBody>,
    /// For the seat that owes cells, those that it may give; `null` for everybody else.
    #[schema(required, max_items = 20)]
    pub revealable: Option<Vec<Cell>>,
    /// How the game ended; `null` until then.
    #[schema(required)]
    pub result: Option<ResultBody>,
    /// The rematch's id, once there is one.
    #[schema(required)]
    pub next: Option<Uuid>,
    /// Both players.
    pub players: PlayersBody,
    /// Both boards.
    pub boards: BoardsBody,
}

/// What each side places.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Setup)]
pub struct SetupBody {
    /// The lengths of the ships, longest first.
    #[schema(max_items = 10)]
    pub ships: Vec<Length>,
    /// How many mines.
    #[schema(minimum = 0, maximum = 3)]
    pub mines: u8,
}

/// The length of a ship in cells.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(minimum = 1, maximum = 5)]
pub struct Length(u8);

impl Length {
    /// The lengths of a fleet, longest first.
    pub fn of_fleet(fleet: engine::Fleet) -> Vec<Self> {
        fleet.ships().iter().copied().map(Self).collect()
    }
}

/// Both players.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Players)]
pub struct PlayersBody {
    /// Who created the game; `null` in a rematch until they have called.
    #[schema(required)]
    pub host: Option<PlayerBody>,
    /// Who joined; `null` until then.
    #[schema(required)]
    pub guest: Option<PlayerBody>,
}

/// A player.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Player)]
pub struct PlayerBody {
    /// The name, if given.
    #[schema(required)]
    pub name: Option<Name>,
    /// The bot's strength; `null` for a person.
    #[schema(required)]
    pub bot: Option<Level>,
    /// Where a bot's choices come from, its layout's too: 64 hex digits, shown with both layouts
    /// when the game is finished; `null` before that and for a person.
    #[schema(required, pattern = "^[0-9a-f]{64}$")]
    pub bot_seed: Option<String>,
    /// Whether ships and mines are placed.
    pub placed: bool,
    /// The commitment to the layout, once placed: SHA-256 in hex.
    #[schema(required, pattern = "^[0-9a-f]{64}$")]
    pub commitment: Option<String>,
    /// Ships not yet announced as sunk, the whole fleet from the start.
    #[schema(minimum = 0, maximum = 10)]
    pub ships_afloat: usize,
}

/// Both boards.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Boards)]
pub struct BoardsBody {
    /// The host's.
    pub host: BoardBody,
    /// The guest's.
    pub guest: BoardBody,
}

impl From<&ShownGame> for GameBody {
    fn from(seen: &ShownGame) -> Self {
        let stored = &seen.stored;
        let game = &stored.game;
        let board = |seat| BoardBody::new(seen.view.boards.of(seat), seen.salts.of(seat).as_ref());
        let players = BySeat::from_fn(|seat| stored.is_taken(seat).then(|| player(seen, seat)));
        Self {
            id: stored.id,
            version: stored.version,
            head: hex::encode(stored.head),
            status: game.status().into(),
            options: game.options().into(),
            setup: SetupBody { ships: Length::of_fleet(game.options().fleet), mines: game.options().mine_count() },
            created_at: Time(stored.created_at),
            you: seen.seat.map(Seat::from),
            first: game.first().map(Seat::from),
            awaiting: AwaitedBody::list(&GameStatus::of(game, stored.due_at)),
            revealable: seen.view.revealable.map(Cell::list),
            result: game.ending().map(ResultBody::from),
            next: stored.next,
            players: PlayersBody { host: players.host, guest: players.guest },
            boards: BoardsBody { host: board(engine::Seat::Host), guest: board(engine::Seat::Guest) },
        }
    }
}

fn player(seen: &ShownGame, seat: engine::Seat) -> PlayerBody {
    let stored = &seen.stored;
    PlayerBody {
        name: stored.names.of(seat).clone().map(Name),
        bot: stored.bot.filter(|_| seat == engine::Seat::Guest).map(Level::from),
        bot_seed: seen.bot_seed.filter(|_| seat == engine::Seat::Guest).as_ref().map(Seed::hex),
        placed: stored.game.board(seat).is_some(),
        commitment: stored.commitments.of(seat).map(hex::encode),
        ships_afloat: *seen.view.ships_afloat.of(seat),
    }
}
