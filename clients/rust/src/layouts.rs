use serde::{Deserialize, Serialize};

use crate::{Cell, Choice, Fault, Fleet, Layout};

/// For which game a layout is to be drawn. What is left out has its default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Wanted {
    /// Columns and rows: 8, 10, 12 or 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<u8>,
    /// The ships.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet: Option<Fleet>,
    /// Whether mines are hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mines: Option<bool>,
    /// What the layout hangs on, 0 to 2⁵³ − 1; for tests and puzzles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A layout that was drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawn {
    /// The layout.
    pub layout: Layout,
    /// The seed that was sent, if any.
    pub seed: Option<u64>,
}

/// A layout to check, for a game with these options.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ToCheck {
    /// The options.
    pub options: Choice,
    /// The layout, perhaps illegal.
    pub layout: Layout,
}

/// What is wrong with a layout, and what is still free.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Checked {
    /// Whether it could be placed.
    pub legal: bool,
    /// What is wrong with it.
    pub faults: Vec<Fault>,
    /// The cells where one more mine could lie.
    pub free_mine_cells: Vec<Cell>,
}
