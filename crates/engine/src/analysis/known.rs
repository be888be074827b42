use arrayvec::ArrayVec;

use super::super::bot::knowledge::Knowledge;
use super::super::{Cells, Coordinate, Direction, Fleet, Grid, MOST_SHOTS, Ship};
use super::set::Set;

/// Where a ship can lie: its cells, and with them those that touch it.
#[derive(Clone, Copy)]
pub(super) struct Place<const WORDS: usize> {
    pub length: u8,
    pub cells: Set<WORDS>,
    pub taken: Set<WORDS>,
}

/// Every place of a grid, for ships of 1 to 5 cells: a list for each length.
pub(super) struct Atlas<const WORDS: usize> {
    side: u8,
    places: Vec<Vec<Place<WORDS>>>,
}

/// The lengths of ships, longest first.
pub(super) type Lengths = ArrayVec<u8, MOST_SHOTS>;

/// How many of them have one cell.
pub(super) fn singles(lengths: &Lengths) -> u8 {
    lengths.iter().fold(0, |singles, length| singles + u8::from(*length == 1))
}

/// In how many ways so many mines can be among the pieces, the others being ships of one cell.
pub(super) fn ways_of_mines(singles: u8, mines: u8) -> f64 {
    (1..=mines).fold(1.0, |ways, nth| ways * f64::from(singles + nth) / f64::from(nth))
}

/// What is known of a board, and where ships can lie for all that is known.
pub(super) struct Known<const WORDS: usize> {
    /// The lengths of the ships not sunk.
    pub lengths: Lengths,
    /// How many mines have not been struck.
    pub mines: u8,
    /// The cells that hold a ship that is not sunk.
    pub found: Set<WORDS>,
    /// Those, and the cells of which nothing is known.
    pub free: Set<WORDS>,
    /// The ships that can go through a cell found.
    pub through: Vec<Place<WORDS>>,
    /// The other places of each length, from 1.
    pub away: Vec<Vec<Place<WORDS>>>,
}

impl<const WORDS: usize> Known<WORDS> {
    /// Whether this is no less than is known later on.
    pub(super) fn is_same(&self, later: &Self) -> bool {
        // Places are only ever ruled out, so as many are the same ones.
        (self.free, self.found, self.mines) == (later.free, later.found, later.mines)
            && self.lengths == later.lengths
            && self.through.len() == later.through.len()
    }
}

impl<const WORDS: usize> Atlas<WORDS> {
    pub(super) fn of(grid: Grid) -> Self {
        let (side, cells) = (grid.side(), grid.cells());
        let of_length = |length: u8| {
            let directions: &[_] =
                if length == 1 { &[Direction::Across] } else { &[Direction::Across, Direction::Down] };
            let ships = directions
                .iter()
                .flat_map(|direction| cells.iter().filter_map(|start| Ship::new(start, length, *direction)));
            let inside = ships.filter(|ship| (ship.cells() & cells).len() == length);
            let place = |ship: Ship| Place {
                length,
                cells: Set::of(ship.cells().iter(), side),
                taken: Set::of((ship.cells().with_neighbours() & cells).iter(), side),
            };
            inside.map(place).collect()
        };
        Self { side, places: (1..=Fleet::LONGEST_SHIP).map(of_length).collect() }
    }

    /// The ways to turn and to mirror the grid: for each cell the one to which it goes.
    pub(super) fn turns(&self) -> Vec<Vec<Set<WORDS>>> {
        let last = self.side - 1;
        let way = |way: u8| {
            self.cells(|column, row| {
                let column = if way & 1 == 0 { column } else { last - column };
                let row = if way & 2 == 0 { row } else { last - row };
                if way & 4 == 0 { (column, row) } else { (row, column) }
            })
        };
        (0..8).map(way).collect()
    }

    /// The cells row by row, and column by column.
    pub(super) fn orders(&self) -> [Vec<Set<WORDS>>; 2] {
        [self.cells(|column, row| (column, row)), self.cells(|column, row| (row, column))]
    }

    /// For each cell, row by row, the one that it leads to.
    fn cells(&self, to: impl Fn(u8, u8) -> (u8, u8)) -> Vec<Set<WORDS>> {
        let cells = (0..self.side).flat_map(|row| (0..self.side).map(move |column| (column, row)));
        cells
            .map(|(column, row)| to(column, row))
            .map(|(column, row)| Set::of(Coordinate::new(column, row), self.side))
            .collect()
    }

    /// The place of a ship.
    pub(super) fn place_of(&self, ship: Ship) -> Option<Place<WORDS>> {
        let cells = self.set(ship.cells());
        self.places.iter().flatten().find(|place| place.cells == cells).copied()
    }

    /// The ships that would be told as sunk if they lay there: all of their cells are hit.
    pub(super) fn all_hit(&self, known: &Knowledge) -> Vec<Place<WORDS>> {
        let hit = self.set(known.hit);
        self.places.iter().flatten().filter(|place| hit.has(place.cells)).copied().collect()
    }

    /// What is known, and where ships can lie then.
    ///
    /// Their cells are open or found, they touch no found cell that is not their own, and one of their cells is not hit,
    /// else they would have been told as sunk.
    pub(super) fn known(&self, known: &Knowledge) -> Known<WORDS> {
        let (found, hit, open) = (self.set(known.found), self.set(known.hit), self.set(known.open));
        let free = open | found;
        let admitted = |place: &&Place<WORDS>| {
            free.has(place.cells) && ((place.taken - place.cells) & found).is_empty() && !hit.has(place.cells)
        };
        let is_afloat = |place: &&Place<WORDS>| known.afloat.contains(&place.length);
        let is_through = |place: &Place<WORDS>| !(place.cells & found).is_empty();
        Known {
            lengths: known.afloat.clone(),
            mines: known.mines,
            found,
            free,
            through: self
                .places
                .iter()
                .flatten()
                .filter(is_afloat)
                .filter(admitted)
                .filter(|one| is_through(one))
                .copied()
                .collect(),
            away: self
                .places
                .iter()
                .map(|places| places.iter().filter(admitted).filter(|one| !is_through(one)).copied().collect())
                .collect(),
        }
    }

    pub(super) fn set(&self, cells: Cells) -> Set<WORDS> {
        Set::of(cells.iter(), self.side)
    }
}
