use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

use crate::proof::Salt;
use crate::{
    AwaitedBody, Cell, DirectionWord, Length, LevelWord, MarkWord, Name, RecordedOptions, RecordedResult, SeatWord,
    StatusWord, Time,
};
use engine::{BoardView, Mark, Options, Ship};

/// A game as the caller may see it. Every field is always there.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Game))]
pub struct GameBody {
    /// Its id, which is also the link to share.
    pub id: Uuid,
    /// The `seq` of the last event.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 2_147_483_647))]
    pub version: u32,
    /// The chain's head: SHA-256 in hex.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub head: String,
    /// How far the game has come.
    pub status: StatusWord,
    /// What is played.
    pub options: RecordedOptions,
    /// What each side places.
    pub setup: SetupBody,
    /// When it was created.
    pub created_at: Time,
    /// The caller's seat; `null` for a spectator.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub you: Option<SeatWord>,
    /// Who shoots first; `null` until the guest has joined.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub first: Option<SeatWord>,
    /// Who owes what.
    #[cfg_attr(feature = "openapi", schema(max_items = 2))]
    pub awaiting: Vec<AwaitedBody>,
    /// For the seat that owes cells, those that it may give; `null` for everybody else.
    #[cfg_attr(feature = "openapi", schema(required, max_items = 20))]
    pub revealable: Option<Vec<Cell>>,
    /// How the game ended; `null` until then.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub result: Option<RecordedResult>,
    /// The id of the game of which this is the rematch; `null` where it is none.
    ///
    /// None where the game is told by a release that did not speak of it.
    #[serde(default, deserialize_with = "told", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<Uuid>))]
    pub rematch_of: Option<Option<Uuid>>,
    /// The rematch's id, once there is one.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub next: Option<Uuid>,
    /// Both players.
    pub players: PlayersBody,
    /// Both boards.
    pub boards: BoardsBody,
}

/// Reads a field that is there.
fn told<'a, T: Deserialize<'a>, D: Deserializer<'a>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// What each side places.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Setup))]
pub struct SetupBody {
    /// The lengths of the ships, longest first.
    #[cfg_attr(feature = "openapi", schema(max_items = 10))]
    pub ships: Vec<Length>,
    /// How many mines.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 3))]
    pub mines: u8,
}

impl SetupBody {
    /// What a game of these options needs.
    pub fn of(options: &Options) -> Self {
        Self { ships: Length::of_fleet(options.fleet), mines: options.mine_count() }
    }
}

/// Both players.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Players))]
pub struct PlayersBody {
    /// Who created the game; `null` in a rematch until they have called.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub host: Option<PlayerBody>,
    /// Who joined; `null` until then.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub guest: Option<PlayerBody>,
}

/// A player.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Player))]
pub struct PlayerBody {
    /// The name, if given.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub name: Option<Name>,
    /// The bot's strength; `null` for a person.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub bot: Option<LevelWord>,
    /// Where a bot's choices come from, its layout's too: 64 hex digits, shown with both layouts
    /// when the game is finished; `null` before that and for a person.
    #[cfg_attr(feature = "openapi", schema(required, pattern = "^[0-9a-f]{64}$"))]
    pub bot_seed: Option<String>,
    /// Whether ships and mines are placed.
    pub placed: bool,
    /// The commitment to the layout, once placed: SHA-256 in hex.
    #[cfg_attr(feature = "openapi", schema(required, pattern = "^[0-9a-f]{64}$"))]
    pub commitment: Option<String>,
    /// Ships not yet announced as sunk, the whole fleet from the start.
    #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 10))]
    pub ships_afloat: usize,
}

/// Both boards.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Boards))]
pub struct BoardsBody {
    /// The host's.
    pub host: BoardBody,
    /// The guest's.
    pub guest: BoardBody,
}

/// One side's board, filled with what the viewer may see. Every list is row by row.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Board))]
pub struct BoardBody {
    /// One's own ships; of the other side those sunk, until the end opens all.
    #[cfg_attr(feature = "openapi", schema(max_items = 10))]
    pub ships: Vec<ShownShip>,
    /// One's own mines; of the other side those struck, until the end opens all.
    #[cfg_attr(feature = "openapi", schema(max_items = 3))]
    pub mines: Vec<Cell>,
    /// The cells fired at on this board, with what each is now.
    #[cfg_attr(feature = "openapi", schema(max_items = 225))]
    pub shots: Vec<ShownShot>,
    /// Every cell that this side has given away, also those fired at since.
    #[cfg_attr(feature = "openapi", schema(max_items = 225))]
    pub revealed: Vec<Cell>,
    /// Cells not fired at that hold neither ship nor mine: around sunk ships and struck mines, and
    /// at the corners of cells hit or given away.
    #[cfg_attr(feature = "openapi", schema(max_items = 225))]
    pub known_empty: Vec<Cell>,
    /// One's own salt once placed, both when the game is finished: 64 hex digits.
    #[cfg_attr(feature = "openapi", schema(required, pattern = "^[0-9a-f]{64}$"))]
    pub salt: Option<String>,
}

/// A ship as it is seen.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SeenShip))]
pub struct ShownShip {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 5))]
    pub length: u8,
    /// Which way it lies; a ship of one cell always `across`.
    pub direction: DirectionWord,
    /// Whether every cell of it is hit.
    pub sunk: bool,
}

/// A cell fired at, with what it is now: every cell of a sunk ship is `sunk`.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SeenShot))]
pub struct ShownShot {
    /// Where.
    pub cell: Cell,
    /// What it is now.
    pub outcome: MarkWord,
}

impl ShownShip {
    /// The ship; none of a length that no ship has.
    pub(crate) fn ship(&self) -> Option<Ship> {
        Ship::new(self.start.0, self.length, self.direction.0)
    }
}

impl BoardBody {
    /// The board as it is seen, with its salt where the viewer is entitled to it.
    pub fn new(view: &BoardView, salt: Option<&Salt>) -> Self {
        let ship = |&(ship, sunk): &(Ship, bool)| ShownShip {
            start: Cell(ship.start()),
            length: ship.length(),
            direction: ship.direction().into(),
            sunk,
        };
        let shot = |&(cell, mark): &(_, Mark)| ShownShot { cell: Cell(cell), outcome: mark.into() };
        Self {
            ships: view.ships.iter().map(ship).collect(),
            mines: Cell::list(view.mines),
            shots: view.shots.iter().map(shot).collect(),
            revealed: Cell::list(view.revealed),
            known_empty: Cell::list(view.known_empty),
            salt: salt.map(Salt::hex),
        }
    }
}
