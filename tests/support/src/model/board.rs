//! One seat's board: what lies there and what befell it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Cell, Options, ShipSent, around, name, touch_at_a_corner};

/// One seat's board: what lies there and what befell it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Side {
    pub placed: bool,
    pub ships: Vec<Ship>,
    pub mines: BTreeSet<Cell>,
    /// The cells that the opponent has fired at (R10).
    pub fired: BTreeSet<Cell>,
    /// The cells that this side has given away, ever (R16).
    pub given: BTreeSet<Cell>,
}

/// A ship as it lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ship {
    pub sent: ShipSent,
    pub cells: Vec<Cell>,
}

impl Side {
    /// The cells of all ships.
    pub fn ship_cells(&self) -> BTreeSet<Cell> {
        self.ships.iter().flat_map(|ship| ship.cells.clone()).collect()
    }

    /// The ship that lies on a cell.
    pub fn ship_on(&self, cell: Cell) -> Option<&Ship> {
        self.ships.iter().find(|ship| ship.cells.contains(&cell))
    }

    /// Whether every cell of a ship has been fired at (R12).
    pub fn is_sunk(&self, ship: &Ship) -> bool {
        ship.cells.iter().all(|cell| self.fired.contains(cell))
    }

    /// How many ships have a cell left (R9).
    pub fn afloat(&self) -> usize {
        self.ships.iter().filter(|ship| !self.is_sunk(ship)).count()
    }

    /// The cells that this side may give away: of ships, neither hit nor given yet (R16).
    pub fn revealable(&self) -> BTreeSet<Cell> {
        let mut cells = BTreeSet::new();
        for cell in self.ship_cells() {
            if !self.fired.contains(&cell) && !self.given.contains(&cell) {
                cells.insert(cell);
            }
        }
        cells
    }

    /// What a cell that was fired at is now: every cell of a sunk ship is `sunk`.
    pub fn outcome_now(&self, cell: Cell) -> &'static str {
        match self.ship_on(cell) {
            Some(ship) if self.is_sunk(ship) => "sunk",
            Some(_) => "hit",
            None if self.mines.contains(&cell) => "mine",
            None => "miss",
        }
    }

    /// The cells that the public record alone proves empty (R13, `known_empty`).
    pub fn known_empty(&self, options: &Options) -> BTreeSet<Cell> {
        let mut known = BTreeSet::new();
        for &seen in self.fired.union(&self.given) {
            // A given cell that was not fired at yet proves what a hit does.
            let outcome = if self.fired.contains(&seen) { self.outcome_now(seen) } else { "hit" };
            for cell in around(seen) {
                let proved = match outcome {
                    "sunk" | "mine" => true,
                    "hit" => touch_at_a_corner(cell, seen),
                    _ => false,
                };
                if proved && options.has(cell) && !self.fired.contains(&cell) {
                    known.insert(cell);
                }
            }
        }
        known
    }

    /// The board as it is shown: `open` with all that lies there, else with what was found (R27).
    pub fn board(&self, options: &Options, open: bool) -> Value {
        let mut ships = Vec::new();
        let mut mines = BTreeSet::new();
        let mut shots = Vec::new();
        // Going over the grid puts every list into the order of the rows.
        for at in options.cells() {
            for ship in &self.ships {
                // The first cell of a ship is its start.
                if ship.cells[0] == at && (open || self.is_sunk(ship)) {
                    let mut shown = ship.sent.shown();
                    shown["sunk"] = json!(self.is_sunk(ship));
                    ships.push(shown);
                }
            }
            if self.mines.contains(&at) && (open || self.fired.contains(&at)) {
                mines.insert(at);
            }
            if self.fired.contains(&at) {
                shots.push(json!({ "cell": name(at), "outcome": self.outcome_now(at) }));
            }
        }
        json!({
            "ships": ships,
            "mines": names(&mines),
            "shots": shots,
            "revealed": names(&self.given),
            "known_empty": names(&self.known_empty(options)),
        })
    }
}

/// A set of cells as a JSON list, row by row.
pub fn names(cells: &BTreeSet<Cell>) -> Value {
    cells.iter().map(|&cell| Value::from(name(cell))).collect()
}
