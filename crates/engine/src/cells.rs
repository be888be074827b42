use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

use super::{Coordinate, Direction, Ship};

/// A set of cells, as a board of bits: sixteen to a row, of which the last is never a cell, and
/// four rows to a word.
///
/// The spare column keeps sideways shifts from wrapping into the next row; what a shift puts
/// there, or below the last row, is cut off at once or by the caller's grid.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Cells([u64; 4]);

/// Cells in a straight line.
#[derive(Clone, Copy)]
pub(super) struct Run {
    start: Coordinate,
    length: u8,
    /// From bit to bit.
    step: u8,
}

impl From<Run> for Ship {
    fn from(run: Run) -> Self {
        Self::on_cells(run.start, run.length, if run.step == DOWN { Direction::Down } else { Direction::Across })
    }
}

const ACROSS: u8 = 1;
const DOWN: u8 = 16;
const ROW: u32 = 16;
const WORD: u8 = 64;
/// One row without its spare column, on all four rows of a word.
const COLUMNS: u64 = 0x7fff_7fff_7fff_7fff;
/// One row without its spare column, on the first row of a word.
const FIRST_COLUMNS: u64 = 0x7fff;
/// The first column on all four rows of a word.
const FIRST_COLUMN: u64 = 0x0001_0001_0001_0001;
/// Moves the bits of that column, by a product, next to each other from bit 48 on.
const GATHER: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
/// Rows 13 to 15 without their spare column.
const LAST_COLUMNS: u64 = COLUMNS >> ROW;

impl Cells {
    /// The set without a cell.
    pub const EMPTY: Self = Self([0; 4]);

    /// All cells of the largest grid.
    pub const ALL: Self = Self([COLUMNS, COLUMNS, COLUMNS, LAST_COLUMNS]);

    /// The cells of the upper left square with `side` rows and columns.
    pub const fn square(side: u8) -> Self {
        let columns: u64 = (1 << side) - 1;
        let [mut first, mut second, mut third, mut fourth] = Self::EMPTY.0;
        let mut row = 0;
        while row < side {
            let word = match row / 4 {
                0 => &mut first,
                1 => &mut second,
                2 => &mut third,
                _ => &mut fourth,
            };
            *word = (*word << ROW) | columns;
            row += 1;
        }
        Self([first, second, third, fourth])
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: Coordinate) {
        let bit = cell.bit();
        if let Some(word) = self.0.get_mut(usize::from(bit / WORD)) {
            *word |= 1 << (bit % WORD);
        }
    }

    /// Whether the cell is in the set.
    pub fn contains(&self, cell: Coordinate) -> bool {
        self.has(cell.bit())
    }

    fn has(&self, bit: u8) -> bool {
        self.0.get(usize::from(bit / WORD)).is_some_and(|word| (word >> (bit % WORD)) & 1 == 1)
    }

    /// Whether there is no cell in the set.
    pub fn is_empty(self) -> bool {
        let [first, second, third, fourth] = self.0;
        (first | second | third | fourth) == 0
    }

    /// How many cells: 0 to 225.
    pub fn len(self) -> u8 {
        small(self.0.iter().map(|word| word.count_ones()).sum())
    }

    /// The cells one to the right of these.
    pub fn right(self) -> Self {
        Self(self.0.map(|word| (word << 1) & COLUMNS))
    }

    /// The cells one to the left of these.
    pub fn left(self) -> Self {
        Self(self.0.map(|word| (word >> 1) & COLUMNS))
    }

    /// The cells one below these.
    pub fn down(self) -> Self {
        let [first, second, third, fourth] = self.0;
        let below = |above: u64, word: u64| (word << ROW) | (above >> (3 * ROW));
        Self([first << ROW, below(first, second), below(second, third), below(third, fourth) & LAST_COLUMNS])
    }

    /// The cells one above these.
    pub fn up(self) -> Self {
        let [first, second, third, fourth] = self.0;
        let above = |word: u64, below: u64| (word >> ROW) | (below << (3 * ROW));
        Self([above(first, second), above(second, third), above(third, fourth), fourth >> ROW])
    }

    /// These cells and the four beside each of them.
    pub fn with_sides(self) -> Self {
        self | self.left() | self.right() | self.up() | self.down()
    }

    /// These cells and all that touch them, be it at a corner.
    pub fn with_neighbours(self) -> Self {
        let rows = self | self.left() | self.right();
        rows | rows.up() | rows.down()
    }

    /// The cells that touch one of these at a corner.
    pub fn corners(self) -> Self {
        let beside = self.left() | self.right();
        beside.up() | beside.down()
    }

    /// So many cells from this one to the right, as far as the largest grid goes; at most 15.
    pub(super) fn run_across(start: Coordinate, length: u8) -> Self {
        let mut cells = Self::EMPTY;
        let columns = ((1 << length) - 1) << start.column();
        if let Some(word) = cells.0.get_mut(usize::from(start.row() / 4)) {
            *word = (columns & FIRST_COLUMNS) << (u32::from(start.row() % 4) * ROW);
        }
        cells
    }

    /// So many cells from this one downwards, as far as the largest grid goes; at most 15.
    pub(super) fn run_down(start: Coordinate, length: u8) -> Self {
        let rows = start.row()..(start.row() + length).min(Coordinate::LIMIT);
        rows.filter_map(|row| Coordinate::new(start.column(), row)).collect()
    }

    /// The straight run of cells of the set that goes through this one of them. A cell alone goes across.
    pub(super) fn run_through(&self, cell: Coordinate) -> Run {
        match self.run_along(cell, ACROSS) {
            Run { length: 1, .. } => match self.run_along(cell, DOWN) {
                Run { length: 1, .. } => Run { start: cell, length: 1, step: ACROSS },
                run => run,
            },
            run => run,
        }
    }

    fn run_along(&self, cell: Coordinate, step: u8) -> Run {
        let (line, place) = self.line(cell, step);
        let before = small((line << (15 - place) << 1).leading_ones());
        let after = small((line >> place >> 1).trailing_ones());
        Run { start: Coordinate::of_bit(cell.bit() - before * step), length: before + 1 + after, step }
    }

    /// Whether all cells of a run are in the set.
    pub(super) fn has_run(&self, run: Run) -> bool {
        let (line, place) = self.line(run.start, run.step);
        let cells = (1 << run.length) - 1;
        (line >> place) & cells == cells
    }

    /// The row or column of a cell, and the cell's place in it.
    fn line(&self, cell: Coordinate, step: u8) -> (u16, u8) {
        if step == ACROSS { (self.row(cell.row()), cell.column()) } else { (self.column(cell.column()), cell.row()) }
    }

    /// A row as the bits of its columns, A lowest.
    fn row(&self, row: u8) -> u16 {
        let word = self.0.get(usize::from(row / 4)).copied().unwrap_or_default();
        first_row(word >> (u32::from(row % 4) * ROW))
    }

    /// A column as the bits of its rows, the first lowest.
    fn column(&self, column: u8) -> u16 {
        let four_rows = |word: &u64| ((word >> column) & FIRST_COLUMN).wrapping_mul(GATHER) >> (3 * ROW) & 0xf;
        first_row(self.0.iter().rev().fold(0, |rows, word| rows << 4 | four_rows(word)))
    }

    /// The cells row by row, each row from the left.
    pub fn iter(self) -> impl Iterator<Item = Coordinate> {
        let [bits, rest @ ..] = self.0;
        Walk { first: 0, bits, rest: rest.into_iter() }
    }

    /// The first cell, row by row.
    pub fn first(self) -> Option<Coordinate> {
        self.iter().next()
    }

    /// The cell with so many others before it, row by row.
    pub(super) fn nth(self, index: u8) -> Option<Coordinate> {
        let mut index = u32::from(index);
        for (first, bits) in [0, WORD, 2 * WORD, 3 * WORD].into_iter().zip(self.0) {
            let count = bits.count_ones();
            if index < count {
                return Some(Coordinate::of_bit(first + nth_in_word(bits, index)));
            }
            index -= count;
        }
        None
    }

    /// The rows from the top, each as the bits of its columns, A lowest.
    pub(super) fn rows(self) -> impl Iterator<Item = u16> {
        self.0.into_iter().flat_map(|word| [0, ROW, 2 * ROW, 3 * ROW].map(|shift| first_row(word >> shift)))
    }

    /// The set with these columns in these rows; what lies outside the largest grid is dropped.
    pub(super) fn from_rows(rows: [u16; 16]) -> Self {
        let mut cells = Self::EMPTY;
        for (word, rows) in cells.0.iter_mut().zip(rows.as_chunks::<4>().0) {
            *word = rows.iter().rev().fold(0, |word, row| (word << ROW) | u64::from(*row));
        }
        cells & Self::ALL
    }

    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let mut joined = self.0;
        for (word, other) in joined.iter_mut().zip(other.0) {
            *word = join(*word, other);
        }
        Self(joined)
    }
}

/// A set on its way, row by row.
struct Walk {
    /// The place of the word's first bit.
    first: u8,
    /// What is left of the word.
    bits: u64,
    rest: std::array::IntoIter<u64, 3>,
}

impl Iterator for Walk {
    type Item = Coordinate;

    fn next(&mut self) -> Option<Coordinate> {
        loop {
            let bit = self.bits.trailing_zeros();
            if let Some(below) = self.bits.checked_sub(1) {
                self.bits &= below;
                // A set bit lies below 64, so it fits.
                return Some(Coordinate::of_bit(self.first + u8::try_from(bit).ok()?));
            }
            self.bits = self.rest.next()?;
            self.first += WORD;
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.bits.count_ones() + self.rest.as_slice().iter().map(|word| word.count_ones()).sum::<u32>();
        usize::try_from(left).map_or((0, None), |left| (left, Some(left)))
    }
}

/// The first row of a word.
fn first_row(word: u64) -> u16 {
    let [low, high, ..] = word.to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// A count of bits, of which there are at most 225.
fn small(count: u32) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// The place of the bit with so many set bits below it; there must be one.
fn nth_in_word(mut bits: u64, mut index: u32) -> u8 {
    let mut place = 0;
    // Halves what may hold the bit down to a single one.
    for width in [32, 16, 8, 4, 2, 1] {
        let below = (bits & ((1 << width) - 1)).count_ones();
        if index >= below {
            index -= below;
            bits >>= width;
            place += width;
        }
    }
    place
}

impl From<Coordinate> for Cells {
    fn from(cell: Coordinate) -> Self {
        let mut cells = Self::EMPTY;
        cells.insert(cell);
        cells
    }
}

impl FromIterator<Coordinate> for Cells {
    fn from_iter<I: IntoIterator<Item = Coordinate>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl BitOr for Cells {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.zip(other, |one, other| one | other)
    }
}

impl BitOrAssign for Cells {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for Cells {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.zip(other, |one, other| one & other)
    }
}

/// The cells of the first set that are not in the second.
impl Sub for Cells {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.zip(other, |one, other| one & !other)
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_cell_has_so_many_before_it() {
        for (index, cell) in (0..).zip(Cells::ALL.iter()) {
            assert_eq!(Cells::ALL.nth(index), Some(cell));
        }
        assert_eq!(Cells::ALL.nth(225), None);
    }

    #[test]
    fn a_set_is_what_its_rows_say() {
        let cells = ["A1", "O1", "H8", "A9", "O15"].map(|cell| Coordinate::parse(cell).unwrap());
        let set = Cells::from_iter(cells);

        assert_eq!(Cells::from_rows(set.rows().collect::<Vec<_>>().try_into().unwrap()), set);
        assert_eq!(Cells::from_rows([u16::MAX; 16]), Cells::ALL);
    }
}
