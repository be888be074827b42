use std::fmt::{self, Write as _};

/// A cell: column letter, then row number, as in `B7` (R29).
///
/// Zero-based inside, one-based outside: `A1` is column 0, row 0. Every coordinate fits the
/// largest grid; whether it fits *this* one is asked of [`Grid::contains`](super::Grid::contains).
/// The order is row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coordinate {
    /// Sixteen to a row, of which the last is never a cell.
    index: u8,
}

const ROW: u8 = 16;

/// The text is not a cell between `A1` and `O15` in the one spelling that R29 allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a cell is a column A to O and a row 1 to 15, such as B7, in capitals and without spaces or leading zeros")]
pub struct NotACell;

impl Coordinate {
    /// Columns and rows of the largest grid.
    pub const LIMIT: u8 = 15;

    /// The cell at a zero-based `column` and `row`; `None` beyond the largest grid.
    pub fn new(column: u8, row: u8) -> Option<Self> {
        (column < Self::LIMIT && row < Self::LIMIT).then_some(Self { index: row * ROW + column })
    }

    /// The cell of a bit of [`Cells`](super::Cells), of which only those of cells are ever set.
    pub(super) const fn of_bit(index: u8) -> Self {
        Self { index }
    }

    /// Its bit in [`Cells`](super::Cells).
    pub(super) const fn bit(self) -> u8 {
        self.index
    }

    /// Parses one capital Latin letter and a row without leading zero (R29).
    ///
    /// # Errors
    ///
    /// [`NotACell`] for anything else, and beyond `O15`.
    pub fn parse(text: &str) -> Result<Self, NotACell> {
        let (letter, row) = match *text.as_bytes() {
            [letter, units @ b'1'..=b'9'] => (letter, units - b'0'),
            [letter, b'1', units @ b'0'..=b'5'] => (letter, 10 + units - b'0'),
            _ => return Err(NotACell),
        };
        let column = letter.checked_sub(b'A').ok_or(NotACell)?;
        Self::new(column, row - 1).ok_or(NotACell)
    }

    /// Zero-based, from the left.
    pub fn column(self) -> u8 {
        self.index % ROW
    }

    /// Zero-based, from the top.
    pub fn row(self) -> u8 {
        self.index / ROW
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Letter by letter, since most of what an event costs to write are its cells.
        out.write_char(char::from(b'A' + self.column()))?;
        let number = self.row() + 1;
        if number >= 10 {
            out.write_char('1')?;
        }
        out.write_char(char::from(b'0' + number % 10))
    }
}

impl fmt::Debug for Coordinate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}
