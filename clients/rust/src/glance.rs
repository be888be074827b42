use serde::{Deserialize, Serialize};

use crate::{Awaited, BySeat, Cell, Mark, Seat, Status, Token};

/// A game to glance at, with the token of one's seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Known {
    /// Its id.
    pub id: String,
    /// What opens one's seat; none from beside the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
}

/// A game at a glance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Glance {
    /// Its id.
    pub id: String,
    /// The `seq` of the last event.
    pub version: u32,
    /// How far the game has come.
    pub status: Status,
    /// The seat that the token opens.
    pub you: Option<Seat>,
    /// Who owes what.
    pub awaiting: Vec<Awaited>,
    /// The rematch's id, once there is one.
    pub next: Option<String>,
}

/// How well a finished game was played, and how luckily.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Analysis {
    /// How many boards the chances were counted over.
    pub boards_drawn: u64,
    /// Each side's play.
    pub seats: BySeat<Skill>,
    /// Each shot, in the order of the log.
    pub shots: Vec<JudgedShot>,
}

/// How one side played.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Skill {
    /// How many shots.
    pub shots: u32,
    /// How many of them hit.
    pub hits: u32,
    /// How many would have hit on the average.
    pub expected_hits: f64,
    /// `hits` less `expected_hits`.
    pub luck: f64,
    /// How many mines were struck.
    pub mines: u32,
    /// How many would have been struck on the average.
    pub expected_mines: f64,
    /// The share of shots within 1 point of the best; none without shots.
    pub choices_as_good: Option<f64>,
}

/// A shot, and what could be known before it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct JudgedShot {
    /// The event.
    pub seq: u32,
    /// Who fired.
    pub seat: Seat,
    /// Where.
    pub cell: Cell,
    /// What was there.
    pub outcome: Mark,
    /// How likely a ship was, from 0 to 1.
    pub ship_chance: f64,
    /// How likely a mine was, from 0 to 1.
    pub mine_chance: f64,
    /// The cell where a ship was likeliest.
    pub best: Best,
}

/// The cell where a ship was likeliest.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Best {
    /// Which cell.
    pub cell: Cell,
    /// How likely a ship was there, from 0 to 1.
    pub ship_chance: f64,
}

/// What a seat could reckon before a shot or volley: chances from 0 to 1, row by row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Chances {
    /// The event.
    pub seq: u32,
    /// Who fired.
    pub seat: Seat,
    /// How likely a ship is in each cell.
    pub ship_chances: Vec<Vec<f64>>,
    /// How likely a mine is in each cell.
    pub mine_chances: Vec<Vec<f64>>,
}
