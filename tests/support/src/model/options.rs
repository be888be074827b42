//! The seats and the choices of a game.

use serde_json::{Value, json};

use super::Cell;

/// One of the two players; the host created the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    Host,
    Guest,
}

impl Seat {
    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::Host => Self::Guest,
            Self::Guest => Self::Host,
        }
    }

    /// The name of the seat in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Guest => "guest",
        }
    }
}

/// The four choices and the grid ("Options").
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are the choices of the page")]
pub struct Options {
    pub grid: u8,
    pub russian: bool,
    pub mines: bool,
    pub salvo: bool,
    pub shoot_again: bool,
}

impl Options {
    /// All 64 combinations.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for grid in [8, 10, 12, 15] {
            for russian in [false, true] {
                for mines in [false, true] {
                    for salvo in [false, true] {
                        for shoot_again in [false, true] {
                            all.push(Self { grid, russian, mines, salvo, shoot_again });
                        }
                    }
                }
            }
        }
        all
    }

    /// The options as `create` takes them.
    pub fn to_json(&self) -> Value {
        json!({
            "grid": self.grid,
            "fleet": if self.russian { "russian" } else { "classic" },
            "mines": self.mines,
            "salvo": self.salvo,
            "shoot_again": self.shoot_again,
        })
    }

    /// The lengths of the ships of one side, longest first (R1).
    pub fn fleet(&self) -> Vec<u8> {
        if self.russian { vec![4, 3, 3, 2, 2, 2, 1, 1, 1, 1] } else { vec![5, 4, 3, 3, 2] }
    }

    /// How many mines each side lays (R3).
    pub fn mine_count(&self) -> usize {
        match (self.mines, self.grid) {
            (false, _) => 0,
            (true, 8 | 10) => 1,
            (true, 12) => 2,
            (true, 15) => 3,
            (true, grid) => panic!("there is no grid of {grid}"),
        }
    }

    /// Every cell of the grid, row by row.
    pub fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for row in 0..self.grid {
            for column in 0..self.grid {
                cells.push((row, column));
            }
        }
        cells
    }

    /// Whether a cell lies on the grid.
    pub fn has(&self, (row, column): Cell) -> bool {
        row < self.grid && column < self.grid
    }
}
