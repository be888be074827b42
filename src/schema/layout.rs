use std::fmt::Display;

use serde::Deserialize;
use utoipa::ToSchema;

use super::Misread;
use super::options::read_name;
use crate::text::Message;
use engine::{Coordinate, Placement, Ship};
use record::{Cell, DirectionWord, Name};

/// The guest's seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"name": "Boris"})))]
pub struct JoinRequest {
    /// The guest's name.
    #[schema(value_type = Option<Name>)]
    pub name: Option<String>,
}

impl JoinRequest {
    /// The name.
    ///
    /// # Errors
    ///
    /// [`Misread`] for what is no name.
    pub fn read(self) -> Result<Option<String>, Misread> {
        read_name(self.name)
    }
}

/// Nothing to say.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({})))]
pub struct EmptyRequest {}

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
    #[schema(value_type = Option<Vec<Cell>>, max_items = 225)]
    pub mines: Option<Vec<String>>,
}

/// A ship to hide.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShipRequest {
    /// The leftmost or topmost cell.
    #[schema(value_type = Cell)]
    pub start: String,
    /// How many cells.
    #[schema(minimum = 1, maximum = 15)]
    pub length: u8,
    /// Which way it lies. Default `across`.
    pub direction: Option<DirectionWord>,
}

/// Cells to fire at: one, with Salvo as many as `awaiting` says.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"shots": ["B7"]})))]
pub struct FireRequest {
    /// Distinct cells that were not fired at before.
    #[schema(value_type = Vec<Cell>, max_items = 225)]
    pub shots: Vec<String>,
}

/// Cells of one's own ships to give away: as many as `awaiting` says.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({"cells": ["B2"]})))]
pub struct RevealRequest {
    /// Distinct cells, neither hit nor given away before.
    #[schema(value_type = Vec<Cell>, max_items = 225)]
    pub cells: Vec<String>,
}

/// The longest list that is read: one entry for each cell of the largest grid.
const LONGEST_LIST: usize = 225;

impl PlaceRequest {
    /// The layout that is sent, perhaps illegal.
    ///
    /// # Errors
    ///
    /// [`Misread`] for what is no cell, and for a list or a length beyond all bounds.
    pub fn read(self) -> Result<Placement, Misread> {
        let ships = bounded("ships", self.ships)?
            .into_iter()
            .enumerate()
            .map(|(index, ship)| ship.read().map_err(|misread| misread.below(&format!("ships[{index}]"))))
            .collect::<Result<_, _>>()?;
        Ok(Placement { ships, mines: read_cells("mines", self.mines.unwrap_or_default())? })
    }
}

impl ShipRequest {
    fn read(self) -> Result<Ship, Misread> {
        let start = read_cell("start", &self.start)?;
        Ship::new(start, self.length, self.direction.map(|direction| direction.0).unwrap_or_default())
            .ok_or_else(|| Misread::at("length", Message::IsBetween { min: 1, max: Ship::LONGEST.into() }))
    }
}

impl FireRequest {
    /// The cells in the order sent.
    ///
    /// # Errors
    ///
    /// [`Misread`] for what is no cell, and for a list beyond all bounds.
    pub fn read(self) -> Result<Vec<Coordinate>, Misread> {
        read_cells("shots", self.shots)
    }
}

impl RevealRequest {
    /// The cells in the order sent.
    ///
    /// # Errors
    ///
    /// [`Misread`] for what is no cell, and for a list beyond all bounds.
    pub fn read(self) -> Result<Vec<Coordinate>, Misread> {
        read_cells("cells", self.cells)
    }
}

fn read_cells(name: &str, cells: Vec<String>) -> Result<Vec<Coordinate>, Misread> {
    let cells = bounded(name, cells)?;
    cells.iter().enumerate().map(|(index, cell)| read_cell(format_args!("{name}[{index}]"), cell)).collect()
}

/// Reads a cell in its one spelling (R29).
fn read_cell(place: impl Display, cell: &str) -> Result<Coordinate, Misread> {
    Coordinate::parse(cell).map_err(|_| Misread::at(place.to_string(), Message::IsCell))
}

fn bounded<T>(name: &str, list: Vec<T>) -> Result<Vec<T>, Misread> {
    let too_long = || Misread::at(name, Message::ListTooLong { most: LONGEST_LIST });
    if list.len() <= LONGEST_LIST { Ok(list) } else { Err(too_long()) }
}
