use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Cell, Direction, Misread, Name};
use crate::text::Message;
use engine::{Coordinate, Placement, Ship};

/// The guest's seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"name": "Boris"})))]
pub struct JoinRequest {
    /// The guest's name.
    pub name: Option<Name>,
}

/// Nothing to say.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({})))]
pub struct Nothing {}

/// Ships and mines to hide, in one request and for good.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "ships": [
        {"start": "B2", "length": 5, "direction": "across"},
        {"start": "B4", "length": 4, "direction": "across"},
        {"start": "B6", "length": 3, "direction": "across"},
        {"start": "F6", "length": 3, "direction": "down"},
        {"start": "B8", "length": 2, "direction": "across"}
    ],
    "mines": ["J10"]
})))]
pub struct PlaceRequest {
    /// The fleet, each ship once.
    #[schema(max_items = 225)]
    pub ships: Vec<ShipRequest>,
    /// The mines; may be left out where none are played.
    #[schema(max_items = 225)]
    pub mines: Option<Vec<Cell>>,
}

/// A ship to hide.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShipRequest {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    #[schema(minimum = 1, maximum = 15)]
    pub length: u8,
    /// Which way it lies. Default `across`.
    pub direction: Option<Direction>,
}

/// Cells to fire at: one, with Salvo as many as `awaiting` says.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"shots": ["B7"]})))]
pub struct FireRequest {
    /// Distinct cells that were not fired at before.
    #[schema(max_items = 225)]
    pub shots: Vec<Cell>,
}

/// Cells of one's own ships to give away: as many as `awaiting` says.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"cells": ["B2"]})))]
pub struct RevealRequest {
    /// Distinct cells, neither hit nor given away before.
    #[schema(max_items = 225)]
    pub cells: Vec<Cell>,
}

/// The longest list that is read: one entry for each cell of the largest grid.
const LONGEST_LIST: usize = 225;

impl PlaceRequest {
    /// The layout that is sent, perhaps illegal.
    ///
    /// # Errors
    ///
    /// [`Misread`] for a list or a length beyond all bounds.
    pub fn read(self) -> Result<Placement, Misread> {
        let ships = bounded("ships", self.ships)?
            .into_iter()
            .enumerate()
            .map(|(index, ship)| ship.read().map_err(|misread| misread.below(&format!("ships[{index}]"))))
            .collect::<Result<_, _>>()?;
        let mines = bounded("mines", self.mines.unwrap_or_default())?.into_iter().map(|cell| cell.0).collect();
        Ok(Placement { ships, mines })
    }
}

impl ShipRequest {
    fn read(self) -> Result<Ship, Misread> {
        Ship::new(self.start.0, self.length, self.direction.map(Into::into).unwrap_or_default())
            .ok_or_else(|| Misread::at("length", Message::IsBetween { min: 1, max: Ship::LONGEST.into() }))
    }
}

impl FireRequest {
    /// The cells in the order sent.
    ///
    /// # Errors
    ///
    /// [`Misread`] for a list beyond all bounds.
    pub fn read(self) -> Result<Vec<Coordinate>, Misread> {
        Ok(bounded("shots", self.shots)?.into_iter().map(|cell| cell.0).collect())
    }
}

impl RevealRequest {
    /// The cells in the order sent.
    ///
    /// # Errors
    ///
    /// [`Misread`] for a list beyond all bounds.
    pub fn read(self) -> Result<Vec<Coordinate>, Misread> {
        Ok(bounded("cells", self.cells)?.into_iter().map(|cell| cell.0).collect())
    }
}

fn bounded<T>(name: &str, list: Vec<T>) -> Result<Vec<T>, Misread> {
    let too_long = || Misread::at(name, Message::ListTooLong { most: LONGEST_LIST });
    if list.len() <= LONGEST_LIST { Ok(list) } else { Err(too_long()) }
}

/// A ship: its leftmost or topmost cell, how many cells it has and which way it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Ship)]
pub struct ShipBody {
    /// The leftmost or topmost cell.
    pub start: Cell,
    /// How many cells.
    #[schema(minimum = 1, maximum = 5)]
    pub length: u8,
    /// Which way it lies; a ship of one cell always `across`.
    pub direction: Direction,
}

impl From<Ship> for ShipBody {
    fn from(ship: Ship) -> Self {
        Self { start: Cell(ship.start()), length: ship.length(), direction: ship.direction().into() }
    }
}
