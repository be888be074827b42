//! Cells, ships and what is wrong with a layout (R1 to R7, R29).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Options;

/// A cell: row, then column, both from 0, so that sets of cells are in the order of the rows.
pub type Cell = (u8, u8);

/// A fault of a layout: its code, then the index of the ship and of the mine that it is about, and of the earlier ones
/// of two.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Fault {
    pub code: String,
    pub ship: Option<usize>,
    pub mine: Option<usize>,
    pub other_ship: Option<usize>,
    pub other_mine: Option<usize>,
}

impl Fault {
    fn new(code: &str, ship: Option<usize>, mine: Option<usize>) -> Self {
        Self { code: code.to_owned(), ship, mine, ..Self::default() }
    }
}

/// A ship as a player sends it: `length` is 1 to 15, it may lie anywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShipSent {
    pub start: String,
    pub length: u8,
    pub down: bool,
}

impl ShipSent {
    /// The cells of the ship, also those beyond the grid (R1).
    pub fn cells(&self) -> Vec<Cell> {
        let (row, column) = cell(&self.start);
        let mut cells = Vec::new();
        for step in 0..self.length {
            cells.push(if self.down { (row + step, column) } else { (row, column + step) });
        }
        cells
    }

    /// The ship as it is sent.
    pub fn to_json(&self) -> Value {
        let direction = if self.down { "down" } else { "across" };
        json!({ "start": self.start, "length": self.length, "direction": direction })
    }

    /// The ship as it is shown: one of a single cell always `across`.
    pub fn shown(&self) -> Value {
        Self { down: self.down && self.length > 1, ..self.clone() }.to_json()
    }
}

/// Ships and mines in one request (R5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutSent {
    pub ships: Vec<ShipSent>,
    pub mines: Vec<String>,
}

impl LayoutSent {
    /// The layout as `place` takes it.
    pub fn to_json(&self) -> Value {
        let ships: Vec<_> = self.ships.iter().map(ShipSent::to_json).collect();
        json!({ "ships": ships, "mines": self.mines })
    }
}

/// The cell that a text names, `A1` to `O15`; other spellings are refused before the rules (R29).
pub fn cell(text: &str) -> Cell {
    assert!(is_spelled(text), "{text:?} is not spelled like a cell");
    (text[1..].parse::<u8>().expect("a row") - 1, text.as_bytes()[0] - b'A')
}

/// Whether a text is the name of one of the cells from `A1` to `O15` (R29).
pub fn is_spelled(text: &str) -> bool {
    (0..15).any(|row| (0..15).any(|column| name((row, column)) == text))
}

/// The name of a cell: a capital letter for the column, then the row from 1 (R29).
pub fn name((row, column): Cell) -> String {
    format!("{}{}", char::from(b'A' + column), row + 1)
}

/// Whether two cells are the same or neighbours, also at a corner (R2, R4).
pub fn touch(one: Cell, two: Cell) -> bool {
    one.0.abs_diff(two.0) <= 1 && one.1.abs_diff(two.1) <= 1
}

/// Whether two cells are neighbours at a corner alone (`known_empty`).
pub fn touch_at_a_corner(one: Cell, two: Cell) -> bool {
    one.0.abs_diff(two.0) == 1 && one.1.abs_diff(two.1) == 1
}

/// The cells around one, also those beyond the lower and the right edge.
pub fn around(cell: Cell) -> Vec<Cell> {
    let mut around = Vec::new();
    for row in cell.0.saturating_sub(1)..=cell.0 + 1 {
        for column in cell.1.saturating_sub(1)..=cell.1 + 1 {
            if (row, column) != cell {
                around.push((row, column));
            }
        }
    }
    around
}

/// Whether any cell of one list touches any of another (R2, R4).
fn any_touch(ones: &[Cell], twos: &[Cell]) -> bool {
    ones.iter().any(|&one| twos.iter().any(|&two| touch(one, two)))
}

/// Whether two lists have a cell in common (R1).
fn any_shared(ones: &[Cell], twos: &[Cell]) -> bool {
    ones.iter().any(|one| twos.contains(one))
}

/// Everything that is wrong with a layout, sorted (R1 to R7).
///
/// Open: only what lies inside the grid takes part in the comparisons of pairs; mines sent where
/// there are none are compared all the same.
pub fn faults(options: &Options, layout: &LayoutSent) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    let mut add = |code: &str, ship, mine| faults.push(Fault::new(code, ship, mine));
    let grid = options.cells();
    let inside = |cells: Vec<Cell>| -> Vec<Cell> { cells.into_iter().filter(|cell| grid.contains(cell)).collect() };
    let ships: Vec<Vec<Cell>> = layout.ships.iter().map(|ship| inside(ship.cells())).collect();
    let mines: Vec<Vec<Cell>> = layout.mines.iter().map(|mine| inside(vec![cell(mine)])).collect();

    // R1: whole inside the grid.
    for (index, ship) in layout.ships.iter().enumerate() {
        if ship.cells().iter().any(|&cell| !options.has(cell)) {
            add("outside_grid", Some(index), None);
        }
    }
    // R1: every length as often as the fleet has it, nothing more.
    for length in 1..=15 {
        let allowed = options.fleet().iter().filter(|&&other| other == length).count();
        let mut sent = 0;
        for (index, ship) in layout.ships.iter().enumerate() {
            if ship.length == length {
                sent += 1;
                if sent > allowed {
                    add("wrong_fleet", Some(index), None);
                }
            }
        }
        for _ in sent..allowed {
            add("wrong_fleet", None, None);
        }
    }
    // R1 and R2: cells of its own, and no neighbours; told once, at the later ship.
    let mut pairs = Vec::new();
    for later in 0..ships.len() {
        for earlier in 0..later {
            let code = if any_shared(&ships[earlier], &ships[later]) {
                "overlap"
            } else if any_touch(&ships[earlier], &ships[later]) {
                "touch"
            } else {
                continue;
            };
            pairs.push(Fault { other_ship: Some(earlier), ..Fault::new(code, Some(later), None) });
        }
    }

    // R3: as many mines as the grid asks for, none where the option is off.
    if layout.mines.len() != options.mine_count() {
        add("wrong_mine_count", None, None);
    }
    // R4: inside the grid, away from every ship and from every other mine.
    for later in 0..mines.len() {
        if mines[later].is_empty() {
            add("outside_grid", None, Some(later));
        }
        for (index, ship) in ships.iter().enumerate() {
            if any_shared(ship, &mines[later]) {
                add("mine_on_ship", Some(index), Some(later));
            } else if any_touch(ship, &mines[later]) {
                add("mine_touches", Some(index), Some(later));
            }
        }
        for earlier in 0..later {
            if any_touch(&mines[earlier], &mines[later]) {
                pairs.push(Fault { other_mine: Some(earlier), ..Fault::new("mine_touches", None, Some(later)) });
            }
        }
    }

    faults.append(&mut pairs);
    // R7: a legal fleet that leaves its mines no cell.
    let about_a_ship = |fault: &Fault| fault.mine.is_none() && fault.code != "wrong_mine_count";
    let fleet_alone = LayoutSent { ships: layout.ships.clone(), mines: Vec::new() };
    if !faults.iter().any(about_a_ship) && options.mine_count() > 0 && free_mine_cells(options, &fleet_alone).is_empty()
    {
        faults.push(Fault::new("no_room_for_mines", None, None));
    }
    faults.sort();
    faults
}

/// The cells where one more mine could lie beside the ships and mines sent (R4).
///
/// None where the game has no mines. Only what lies inside the grid counts, as in [`faults`].
pub fn free_mine_cells(options: &Options, layout: &LayoutSent) -> BTreeSet<Cell> {
    let mut taken: Vec<Cell> = layout.ships.iter().flat_map(ShipSent::cells).collect();
    taken.extend(layout.mines.iter().map(|mine| cell(mine)));
    taken.retain(|&cell| options.has(cell));
    let mut free = BTreeSet::new();
    for cell in options.cells() {
        if options.mines && !any_touch(&[cell], &taken) {
            free.insert(cell);
        }
    }
    free
}

/// A fleet from a line such as `A1>4 C3v2`: start, `>` across or `v` down, length.
pub fn ships(line: &str) -> Vec<ShipSent> {
    let mut ships = Vec::new();
    for word in line.split_whitespace() {
        let down = word.contains('v');
        let (start, length) = word.split_once(['>', 'v']).expect("a direction");
        let length = length.parse().expect("a length");
        ships.push(ShipSent { start: start.to_owned(), length, down });
    }
    ships
}

/// A legal Russian fleet on 8×8 that leaves no cell for a mine (R7).
pub fn blocked_russian_fleet() -> Vec<ShipSent> {
    ships("C1v4 H3v3 B7>3 E1v2 A3v2 F4v2 A1>1 H1>1 F7>1 H7>1")
}

/// A legal classic fleet on 8×8 that leaves no cell for a mine (R7).
pub fn blocked_classic_fleet() -> Vec<ShipSent> {
    ships("B3v5 G1v4 E2v3 E7>3 B1>2")
}
