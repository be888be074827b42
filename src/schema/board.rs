use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Cell, Direction, Mark};
use engine::BoardView;
use record::proof::Salt;

/// One side's board, filled with what the viewer may see. Every list is row by row.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
#[schema(as = Board)]
pub struct BoardBody {
    /// One's own ships; of the other side those sunk, until the end opens all.
    #[schema(max_items = 10)]
    pub ships: Vec<SeenShip>,
    /// One's own mines; of the other side those struck, until the end opens all.
    #[schema(max_items = 3)]
    pub mines: Vec<Cell>,
    /// The cells fired at on this board, with what each is now.
    #[schema(max_items = 225)]
    pub shots: Vec<SeenShot>,
    /// Every cell that this side has given away, also those fired at since.
    #[schema(max_items = 225)]
    pub revealed: Vec<Cell>,
    /// Cells not fired at that hold neither ship nor mine: around sunk ships and struck mines, and
    /// at the corners of cells hit or given away.
    #[schema(max_items = 225)]
    pub known_empty: Vec<Cell>,
    /// One's own salt once placed, both when the game is finished: 64 hex digits.
    #[schema(required, pattern = "^[0-9a-f]{64}$")]
    pub salt: Option<String>,
}

/// A ship as it is seen.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
pub struct SeenShip {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    #[schema(minimum = 1, maximum = 5)]
    pub length: u8,
    /// Which way it lies; a ship of one cell always `across`.
    pub direction: Direction,
    /// Whether every cell of it is hit.
    pub sunk: bool,
}

/// A cell fired at, with what it is now: every cell of a sunk ship is `sunk`.
#[derive(Serialize, Deserialize, ToSchema, PartialEq, Debug)]
pub struct SeenShot {
    /// Where.
    pub cell: Cell,
    /// What it is now.
    pub outcome: Mark,
}

impl BoardBody {
    /// The board as it is seen, with its salt where the viewer is entitled to it.
    pub fn new(view: &BoardView, salt: Option<&Salt>) -> Self {
        let ship = |&(ship, sunk): &(engine::Ship, bool)| SeenShip {
            start: Cell(ship.start()),
            length: ship.length(),
            direction: ship.direction().into(),
            sunk,
        };
        let shot = |&(cell, mark)| SeenShot { cell: Cell(cell), outcome: Mark::from(mark) };
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
