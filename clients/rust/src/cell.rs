use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A cell: column letter, then row number, as in `B7`.
///
/// Zero-based inside, one-based outside: `A1` is column 0, row 0. Every cell fits the largest grid,
/// which has 15 columns and rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    row: u8,
    column: u8,
}

/// A text that names no cell.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a cell is a letter from A to O and a row from 1 to 15, such as B7")]
pub struct NotACell;

/// Columns and rows of the largest grid.
const LARGEST: u8 = 15;

impl Cell {
    /// The cell in a column and row, both from 0; none beyond the largest grid.
    pub fn new(column: u8, row: u8) -> Option<Self> {
        (column < LARGEST && row < LARGEST).then_some(Self { row, column })
    }

    /// The column, from 0.
    pub fn column(self) -> u8 {
        self.column
    }

    /// The row, from 0.
    pub fn row(self) -> u8 {
        self.row
    }
}

impl FromStr for Cell {
    type Err = NotACell;

    /// Reads the one spelling that a cell has (R29).
    fn from_str(text: &str) -> Result<Self, NotACell> {
        let (column, digits) = match text.as_bytes() {
            [column @ b'A'..=b'O', digits @ ..] => (column - b'A', digits),
            _ => return Err(NotACell),
        };
        let row = match digits {
            [one @ b'1'..=b'9'] => one - b'0',
            [b'1', one @ b'0'..=b'5'] => 10 + (one - b'0'),
            _ => return Err(NotACell),
        };
        Ok(Self { row: row - 1, column })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", char::from(b'A' + self.column), self.row + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = Cell;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&NotACell, out)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Cell, E> {
                text.parse().map_err(E::custom)
            }
        }
        from.deserialize_str(Text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r29_every_cell_has_one_spelling() {
        for column in 0..LARGEST {
            for row in 0..LARGEST {
                let cell = Cell::new(column, row).unwrap();

                let text = cell.to_string();

                assert_eq!(text.parse(), Ok(cell));
                assert_eq!(serde_json::to_string(&cell).unwrap(), format!("\"{text}\""));
                assert_eq!(serde_json::from_str::<Cell>(&format!("\"{text}\"")).unwrap(), cell);
            }
        }
        for text in ["", "A", "A0", "A01", "A16", "P1", "a1", "A1 ", "1A", "A100", "\u{410}1"] {
            assert_eq!(text.parse::<Cell>(), Err(NotACell), "{text}");
        }
        assert_eq!((Cell::new(LARGEST, 0), Cell::new(0, LARGEST)), (None, None));
    }
}
