//! The chances of all layouts that agree with what is known of a board, by exact counting.
//!
//! Going over the grid cell by cell, what can still be laid depends on nothing but the cells that nothing lies on or
//! touches yet and on what is left to lay, so layouts that agree in both are counted as one. Once from the first cell
//! and once from the last, and each place has as many layouts as there are before it times as many as there are after.

use std::collections::HashMap;

use engine::{BoardView, Cells, Coordinate, Mark, Options};

/// A chance for each cell, row by row.
pub struct Exact {
    /// Of a ship.
    pub ships: Vec<f64>,
    /// Of a mine.
    pub mines: Vec<f64>,
    /// How many layouts there are.
    pub layouts: f64,
}

/// The cells of a grid up to 10×10 as bits, row by row.
type Bits = u128;

/// What may be laid somewhere: what it is, its cells, and those that it lies on or touches.
struct Place {
    kind: usize,
    cells: Bits,
    taken: Bits,
}

/// What is left to lay, each kind a digit: its length (0 a mine), how many, and the weight of its digit.
struct Kinds(Vec<(u8, usize, usize)>);

/// Counts the layouts that agree with a board as it is seen, on a grid of at most 10×10.
pub fn chances(board: &BoardView, options: &Options) -> Exact {
    let side = usize::from(options.grid.side());
    let bit = |cell: Coordinate| 1 << (usize::from(cell.row()) * side + usize::from(cell.column()));
    let bits = |cells: Cells| cells.iter().fold(0, |bits: Bits, cell| bits | bit(cell));
    let grid = options.grid.cells();
    let around = |cells: Cells| bits(cells.with_neighbours() & grid);
    let marked = |mark| board.shots.iter().filter(move |shot| shot.1 == mark).map(|shot| shot.0).collect::<Cells>();
    let (miss, hit, sunk, struck) = (marked(Mark::Miss), marked(Mark::Hit), marked(Mark::Sunk), marked(Mark::Mine));
    let fired = miss | hit | sunk | struck;
    let found = bits(hit) | bits(board.revealed - fired);
    let barred = bits(miss) | around(sunk) | around(struck);
    let mut left: Vec<u8> = options.fleet.ships().to_vec();
    for (ship, _) in board.ships.iter().filter(|(ship, _)| sunk.contains(ship.start())) {
        left.remove(left.iter().position(|length| *length == ship.length()).expect("it is of the fleet"));
    }
    left.extend(vec![0; usize::from(options.mine_count() - struck.len())]);
    let kinds = Kinds::of(&left);
    let places: Vec<Vec<Place>> = (0..side * side)
        .map(|at| {
            let mut places = kinds.places(at, side);
            places.retain(|place| {
                let is_apart = (place.taken & !place.cells) & found == 0;
                let is_hidden = place.cells & !bits(hit) != 0;
                let is_mine = kinds.0[place.kind].0 == 0;
                place.cells & barred == 0 && is_apart && is_hidden && !(is_mine && place.cells & found != 0)
            });
            places
        })
        .collect();

    let all: Bits = (0..side * side).fold(0, |all, at| all | 1 << at);
    let later = |at: usize, free: Bits| if at + 1 < 128 { free & (Bits::MAX << (at + 1)) } else { 0 };
    let may_pass = |at: usize, free: Bits| found & free & (1 << at) == 0;
    let none_laid = kinds.0.iter().map(|(_, many, weight)| many * weight).sum::<usize>();
    let mut forward: Vec<HashMap<(Bits, usize), f64>> = vec![HashMap::from([((all, none_laid), 1.0)])];
    for (at, places) in places.iter().enumerate() {
        let mut next: HashMap<(Bits, usize), f64> = HashMap::new();
        for (&(free, left), &count) in &forward[at] {
            if may_pass(at, free) {
                *next.entry((later(at, free), left)).or_default() += count;
            }
            for place in places.iter().filter(|place| place.cells & !free == 0) {
                if let Some(left) = kinds.without(left, place.kind) {
                    *next.entry((later(at, free & !place.taken), left)).or_default() += count;
                }
            }
        }
        forward.push(next);
    }
    let layouts = forward[side * side].get(&(0, 0)).copied().unwrap_or_default();
    let mut exact = Exact { ships: vec![0.0; side * side], mines: vec![0.0; side * side], layouts };
    let mut backward = HashMap::from([((0, 0), 1.0)]);
    for (at, places) in places.iter().enumerate().rev() {
        let mut before = HashMap::new();
        for (&(free, left), &count) in &forward[at] {
            let mut ways = 0.0;
            if may_pass(at, free) {
                ways += backward.get(&(later(at, free), left)).copied().unwrap_or_default();
            }
            for place in places.iter().filter(|place| place.cells & !free == 0) {
                let Some(left) = kinds.without(left, place.kind) else { continue };
                let after: f64 = backward.get(&(later(at, free & !place.taken), left)).copied().unwrap_or_default();
                ways += after;
                let share = after * count / layouts;
                let of = if kinds.0[place.kind].0 == 0 { &mut exact.mines } else { &mut exact.ships };
                for (cell, chance) in of.iter_mut().enumerate() {
                    *chance += if place.cells >> cell & 1 == 1 { share } else { 0.0 };
                }
            }
            if ways > 0.0 {
                before.insert((free, left), ways);
            }
        }
        backward = before;
        forward[at + 1] = HashMap::new();
    }
    for cell in sunk.iter() {
        exact.ships[usize::from(cell.row()) * side + usize::from(cell.column())] = 1.0;
    }
    for cell in struck.iter() {
        exact.mines[usize::from(cell.row()) * side + usize::from(cell.column())] = 1.0;
    }
    exact
}

impl Kinds {
    fn of(left: &[u8]) -> Self {
        let (mut kinds, mut weight) = (Vec::new(), 1);
        for length in 0..=5 {
            let many = left.iter().filter(|one| **one == length).count();
            if many > 0 {
                kinds.push((length, many, weight));
                weight *= many + 1;
            }
        }
        Self(kinds)
    }

    /// What is left when one of a kind is laid; `None` where none is left.
    fn without(&self, left: usize, kind: usize) -> Option<usize> {
        let (_, many, weight) = self.0[kind];
        (!(left / weight).is_multiple_of(many + 1)).then(|| left - weight)
    }

    /// Everything that can begin at a cell.
    fn places(&self, at: usize, side: usize) -> Vec<Place> {
        let (row, column) = (at / side, at % side);
        let mut places = Vec::new();
        for (kind, &(length, ..)) in self.0.iter().enumerate() {
            let length = usize::from(length.max(1));
            for down in [false, true].into_iter().take(if length == 1 { 1 } else { 2 }) {
                let (rows, columns) = if down { (length, 1) } else { (1, length) };
                if row + rows > side || column + columns > side {
                    continue;
                }
                let (mut cells, mut taken) = (0, 0);
                for cell in 0..side * side {
                    let (of_row, of_column) = (cell / side, cell % side);
                    if (row..row + rows).contains(&of_row) && (column..column + columns).contains(&of_column) {
                        cells |= 1 << cell;
                    }
                    if (row..row + rows + 2).contains(&(of_row + 1))
                        && (column..column + columns + 2).contains(&(of_column + 1))
                    {
                        taken |= 1 << cell;
                    }
                }
                places.push(Place { kind, cells, taken });
            }
        }
        places
    }
}
