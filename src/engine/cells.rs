use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

use super::Coordinate;

/// A set of cells, as a board of bits: sixteen to a row, of which the last is never a cell.
///
/// The spare column keeps sideways shifts from wrapping into the next row; what a shift puts
/// there, or below the last row, is cut off at once or by the caller's grid.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Cells {
    /// Rows 1 to 8.
    upper: u128,
    /// Rows 9 to 15, and sixteen bits that are never set.
    lower: u128,
}

const ROW: u32 = 16;
const ROWS_IN_HALF: u8 = 8;
/// One row without its spare column, on all eight rows of a half.
const COLUMNS: u128 = 0x7fff_7fff_7fff_7fff_7fff_7fff_7fff_7fff;

impl Cells {
    /// No cell.
    pub const EMPTY: Self = Self { upper: 0, lower: 0 };

    /// All cells of the largest grid.
    pub const ALL: Self = Self { upper: COLUMNS, lower: COLUMNS >> ROW };

    /// The cells of the upper left square with `side` rows and columns.
    pub const fn square(side: u8) -> Self {
        let mut square = Self::EMPTY;
        let mut row = 0;
        while row < side {
            let columns: u128 = (1 << side) - 1;
            if row < ROWS_IN_HALF {
                square.upper = (square.upper << ROW) | columns;
            } else {
                square.lower = (square.lower << ROW) | columns;
            }
            row += 1;
        }
        square
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: Coordinate) {
        *self |= cell.into();
    }

    /// Whether the cell is in the set.
    pub fn contains(self, cell: Coordinate) -> bool {
        let bit = u32::from(cell.row() % ROWS_IN_HALF) * ROW + u32::from(cell.column());
        let half = if cell.row() < ROWS_IN_HALF { self.upper } else { self.lower };
        (half >> bit) & 1 == 1
    }

    /// Whether there is no cell in the set.
    pub fn is_empty(self) -> bool {
        (self.upper | self.lower) == 0
    }

    /// How many cells: 0 to 225.
    pub fn len(self) -> u8 {
        // At most 225 bits are ever set.
        u8::try_from(self.upper.count_ones() + self.lower.count_ones()).unwrap_or(u8::MAX)
    }

    /// The cells one to the right of these.
    pub fn right(self) -> Self {
        Self { upper: (self.upper << 1) & COLUMNS, lower: (self.lower << 1) & COLUMNS }
    }

    /// The cells one to the left of these.
    pub fn left(self) -> Self {
        Self { upper: (self.upper >> 1) & COLUMNS, lower: (self.lower >> 1) & COLUMNS }
    }

    /// The cells one below these.
    pub fn down(self) -> Self {
        let carried = self.upper >> (7 * ROW);
        Self { upper: self.upper << ROW, lower: ((self.lower << ROW) | carried) & (COLUMNS >> ROW) }
    }

    /// The cells one above these.
    pub fn up(self) -> Self {
        let carried = self.lower << (7 * ROW);
        Self { upper: (self.upper >> ROW) | carried, lower: self.lower >> ROW }
    }

    /// These cells and the four beside each of them.
    pub fn with_sides(self) -> Self {
        self | self.left() | self.right() | self.up() | self.down()
    }

    /// These cells and all that touch them, be it at a corner.
    pub fn with_neighbours(self) -> Self {
        let row = |half: u128| half | ((half << 1) & COLUMNS) | ((half >> 1) & COLUMNS);
        let (upper, lower) = (row(self.upper), row(self.lower));
        Self {
            upper: upper | (upper << ROW) | (upper >> ROW) | (lower << (7 * ROW)),
            lower: (lower | (lower << ROW) | (lower >> ROW) | (upper >> (7 * ROW))) & (COLUMNS >> ROW),
        }
    }

    /// The cells that touch one of these at a corner.
    pub fn corners(self) -> Self {
        let beside = self.left() | self.right();
        beside.up() | beside.down()
    }

    /// The cells row by row, each row from the left.
    pub fn iter(self) -> impl Iterator<Item = Coordinate> {
        let half = |mut bits: u128, first_row: u8| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.checked_sub(1)?;
                // A set bit lies below 128, so both parts fit.
                let row = u8::try_from(bit / ROW).ok()? + first_row;
                Coordinate::new(u8::try_from(bit % ROW).ok()?, row)
            })
        };
        half(self.upper, 0).chain(half(self.lower, ROWS_IN_HALF))
    }

    /// The first cell, row by row.
    pub fn first(self) -> Option<Coordinate> {
        self.iter().next()
    }

    /// The cell with so many others before it, row by row.
    pub(super) fn nth(self, index: u8) -> Option<Coordinate> {
        let in_upper = self.upper.count_ones();
        let index = u32::from(index);
        match index.checked_sub(in_upper) {
            None => nth_in_half(self.upper, index, 0),
            Some(index) => nth_in_half(self.lower, index, ROWS_IN_HALF),
        }
    }

    /// The rows from the top, each as the bits of its columns, A lowest.
    pub(super) fn rows(self) -> impl Iterator<Item = u16> {
        let half = |bits: u128| {
            (0..u32::from(ROWS_IN_HALF)).map(move |row| {
                let [columns, more_columns, ..] = (bits >> (row * ROW)).to_le_bytes();
                u16::from_le_bytes([columns, more_columns])
            })
        };
        half(self.upper).chain(half(self.lower))
    }

    /// The set with these columns in these rows; what lies outside the largest grid is dropped.
    pub(super) fn from_rows(rows: impl IntoIterator<Item = u16>) -> Self {
        let mut cells = Self::EMPTY;
        for (row, columns) in (0..Coordinate::LIMIT).zip(rows) {
            let bits = u128::from(columns) << (u32::from(row % ROWS_IN_HALF) * ROW);
            if row < ROWS_IN_HALF { cells.upper |= bits } else { cells.lower |= bits }
        }
        cells.clipped()
    }

    fn clipped(self) -> Self {
        self & Self::ALL
    }
}

/// The bit with so many set bits below it, as a cell of a half that begins with this row.
fn nth_in_half(half: u128, mut index: u32, first_row: u8) -> Option<Coordinate> {
    let mut bits = half;
    let mut bit = 0;
    // Halves what may hold the bit down to a single one.
    for width in [64, 32, 16, 8, 4, 2, 1] {
        let below = (bits & ((1 << width) - 1)).count_ones();
        if index >= below {
            index -= below;
            bits >>= width;
            bit += width;
        }
    }
    let row = u8::try_from(bit / ROW).ok()? + first_row;
    Coordinate::new(u8::try_from(bit % ROW).ok()?, row).filter(|_| bits & 1 == 1)
}

impl From<Coordinate> for Cells {
    fn from(cell: Coordinate) -> Self {
        let bit = 1 << (u32::from(cell.row() % ROWS_IN_HALF) * ROW + u32::from(cell.column()));
        if cell.row() < ROWS_IN_HALF { Self { upper: bit, lower: 0 } } else { Self { upper: 0, lower: bit } }
    }
}

impl FromIterator<Coordinate> for Cells {
    fn from_iter<I: IntoIterator<Item = Coordinate>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, |set, cell| set | cell.into())
    }
}

impl BitOr for Cells {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self { upper: self.upper | other.upper, lower: self.lower | other.lower }
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
        Self { upper: self.upper & other.upper, lower: self.lower & other.lower }
    }
}

/// The cells of the first set that are not in the second.
impl Sub for Cells {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { upper: self.upper & !other.upper, lower: self.lower & !other.lower }
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

    fn every_cell() -> impl Iterator<Item = Coordinate> {
        (0..15).flat_map(|row| (0..15).map(move |column| Coordinate::new(column, row).unwrap()))
    }

    fn distance(one: Coordinate, other: Coordinate) -> (u8, u8) {
        (one.column().abs_diff(other.column()), one.row().abs_diff(other.row()))
    }

    #[test]
    fn neighbours_sides_and_corners_are_those_that_counting_finds() {
        for cell in every_cell() {
            let set = Cells::from(cell);
            for other in every_cell() {
                let (across, down) = distance(cell, other);
                assert_eq!(set.with_neighbours().contains(other), across <= 1 && down <= 1, "{cell} {other}");
                assert_eq!(set.with_sides().contains(other), across + down <= 1, "{cell} {other}");
                assert_eq!(set.corners().contains(other), across == 1 && down == 1, "{cell} {other}");
            }
        }
    }

    #[test]
    fn a_set_is_walked_row_by_row() {
        let all: Vec<_> = Cells::ALL.iter().collect();

        assert_eq!(all, every_cell().collect::<Vec<_>>());
        assert!(all.is_sorted());
        assert_eq!(Cells::ALL.len(), 225);
        for (index, cell) in (0..).zip(all) {
            assert_eq!(Cells::ALL.nth(index), Some(cell));
        }
        assert_eq!(Cells::ALL.nth(225), None);
        assert_eq!(Cells::square(15), Cells::ALL);
        for side in [8, 10, 12] {
            let square: Vec<_> = every_cell().filter(|cell| cell.column() < side && cell.row() < side).collect();
            assert_eq!(Cells::square(side).iter().collect::<Vec<_>>(), square);
        }
    }

    #[test]
    fn a_set_is_what_its_rows_say() {
        let set: Cells =
            ["A1", "O1", "H8", "A9", "O15"].map(|cell| Coordinate::parse(cell).unwrap()).into_iter().collect();

        assert_eq!(Cells::from_rows(set.rows()), set);
        assert_eq!(Cells::from_rows([u16::MAX; 16]), Cells::ALL);
    }
}
