use serde::Serialize;
use utoipa::ToSchema;

use crate::service::{Seating, ShownGame};
use engine::{BySeat, Seat};
use record::proof::Seed;
use record::{
    AwaitedBody, BoardBody, BoardsBody, Cell, GameBody, GameStatus, LevelWord, Name, PlayerBody, PlayersBody,
    RecordedResult, SeatWord, SetupBody, Time,
};

/// A seat, the token that opens it, and the game through its eyes.
#[derive(Serialize, ToSchema)]
#[schema(as = Seating)]
pub struct SeatingBody {
    /// The seat.
    pub seat: SeatWord,
    /// The seat's secret, shown this once: send it as `Authorization: Bearer …`.
    #[schema(pattern = "^[A-Za-z0-9_-]{43}$")]
    pub token: String,
    /// The game.
    pub game: GameBody,
}

impl SeatingBody {
    /// The reply to who took this seat.
    pub(crate) fn new(seat: Seat, seating: &Seating) -> Self {
        Self { seat: seat.into(), token: seating.token.to_text(), game: GameBody::from(&seating.seen) }
    }
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
            setup: SetupBody::of(game.options()),
            created_at: Time(stored.created_at),
            you: seen.seat.map(SeatWord::from),
            first: game.first().map(SeatWord::from),
            awaiting: AwaitedBody::list(&GameStatus::of(game, stored.due_at)),
            revealable: seen.view.revealable.map(Cell::list),
            result: game.ending().map(RecordedResult::from),
            rematch_of: Some(stored.rematch_of),
            next: stored.next,
            players: PlayersBody { host: players.host, guest: players.guest },
            boards: BoardsBody { host: board(Seat::Host), guest: board(Seat::Guest) },
        }
    }
}

fn player(seen: &ShownGame, seat: Seat) -> PlayerBody {
    let stored = &seen.stored;
    PlayerBody {
        name: stored.names.of(seat).clone().map(Name),
        bot: stored.bot.filter(|_| seat == Seat::Guest).map(LevelWord::from),
        bot_seed: seen.bot_seed.filter(|_| seat == Seat::Guest).as_ref().map(Seed::hex),
        placed: stored.game.board(seat).is_some(),
        commitment: stored.commitments.of(seat).map(hex::encode),
        ships_afloat: *seen.view.ships_afloat.of(seat),
    }
}
