use serde::{Deserialize, Serialize};

use crate::{Action, Bot, Cell, Direction, FirstShot, Fleet, Mark, Reason, Seat, Status, Token};

/// A seat, the token that opens it, and the game through its eyes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Seating {
    /// The seat.
    pub seat: Seat,
    /// The seat's secret, shown this once.
    pub token: Token,
    /// The game.
    pub game: Game,
}

/// A game as the caller may see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Game {
    /// Its id, which is also the link to share.
    pub id: String,
    /// The `seq` of the last event.
    pub version: u32,
    /// The chain's head: SHA-256 in hex.
    pub head: String,
    /// How far the game has come.
    pub status: Status,
    /// What is played.
    pub options: Options,
    /// What each side places.
    pub setup: Setup,
    /// When it was created (RFC 3339).
    pub created_at: String,
    /// The caller's seat; none for a spectator.
    pub you: Option<Seat>,
    /// Who shoots first; none until the guest has joined.
    pub first: Option<Seat>,
    /// Who owes what.
    pub awaiting: Vec<Awaited>,
    /// For the seat that owes cells, those that it may give.
    pub revealable: Option<Vec<Cell>>,
    /// How the game ended; none until then.
    pub result: Option<GameResult>,
    /// The id of the game of which this is the rematch.
    pub rematch_of: Option<String>,
    /// The rematch's id, once there is one.
    pub next: Option<String>,
    /// Both players; none in a seat that nobody has taken.
    pub players: BySeat<Option<Player>>,
    /// Both boards.
    pub boards: BySeat<Board>,
}

/// One for each seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BySeat<T> {
    /// The host's.
    pub host: T,
    /// The guest's.
    pub guest: T,
}

/// The options of a game, every default filled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Options {
    /// How many columns, and as many rows: 8, 10, 12 or 15.
    pub grid: u8,
    /// The ships of each side.
    pub fleet: Fleet,
    /// Whether each side hides mines.
    pub mines: bool,
    /// Whether a turn has one shot for each of one's ships afloat.
    pub salvo: bool,
    /// Whether a hit earns another shot.
    pub shoot_again: bool,
    /// Who shoots first.
    pub first: FirstShot,
    /// Seconds for each placing, firing and revealing; none without a clock.
    pub turn_seconds: Option<u32>,
}

/// What each side places.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The lengths of the ships, longest first.
    pub ships: Vec<u8>,
    /// How many mines.
    pub mines: u8,
}

/// What a seat owes the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Awaited {
    /// Who.
    pub seat: Seat,
    /// What.
    pub action: Action,
    /// How many shots or cells; 1 for the others.
    pub count: u8,
    /// Until when (RFC 3339); none without a clock.
    pub until: Option<String>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// Who won; none after an abort.
    pub winner: Option<Seat>,
    /// Why it ended.
    pub reason: Reason,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The name, if given.
    pub name: Option<String>,
    /// How strong the server plays; none for a person.
    pub bot: Option<Bot>,
    /// Where a bot's choices come from: 64 hex digits, shown when the game is finished.
    #[serde(default)]
    pub bot_seed: Option<String>,
    /// Whether ships and mines are placed.
    pub placed: bool,
    /// The commitment to the layout, once placed: SHA-256 in hex.
    pub commitment: Option<String>,
    /// Ships not yet announced as sunk, the whole fleet from the start.
    pub ships_afloat: u8,
}

/// One side's board, filled with what the caller may see. Every list is row by row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Board {
    /// One's own ships; of the other side those sunk, until the end opens all.
    pub ships: Vec<SeenShip>,
    /// One's own mines; of the other side those struck, until the end opens all.
    pub mines: Vec<Cell>,
    /// The cells fired at on this board, with what each is now.
    pub shots: Vec<SeenShot>,
    /// Every cell that this side has given away, also those fired at since.
    pub revealed: Vec<Cell>,
    /// Cells not fired at that hold neither ship nor mine.
    pub known_empty: Vec<Cell>,
    /// One's own salt once placed, both when the game is finished: 64 hex digits.
    pub salt: Option<String>,
}

/// A ship as it is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeenShip {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    pub length: u8,
    /// Which way it lies.
    pub direction: Direction,
    /// Whether every cell of it is hit.
    pub sunk: bool,
}

/// A cell fired at, with what it is now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeenShot {
    /// Where.
    pub cell: Cell,
    /// What it is now: every cell of a sunk ship is `sunk`.
    pub outcome: Mark,
}

impl Game {
    /// What a seat owes at the moment.
    pub fn owes(&self, seat: Seat) -> Option<&Awaited> {
        self.awaiting.iter().find(|awaited| awaited.seat == seat)
    }

    /// Whether nothing can happen in it any more.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }
}

impl<T> BySeat<T> {
    /// One seat's.
    pub fn of(&self, seat: Seat) -> &T {
        match seat {
            Seat::Host => &self.host,
            Seat::Guest => &self.guest,
        }
    }
}
