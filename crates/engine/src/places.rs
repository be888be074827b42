use super::{Cells, Direction, Ship};

/// Where a ship of one length can lie: the cells at which it may start, by its direction.
///
/// A ship of one cell lies across.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Places {
    length: u8,
    across: Cells,
    down: Cells,
}

impl Places {
    /// The places of a ship of this length whole on free cells.
    pub(super) fn on(free: Cells, length: u8) -> Self {
        let (mut across, mut down) = (free, free);
        for _ in 1..length {
            across = across.left() & free;
            down = down.up() & free;
        }
        Self { length, across, down: if length > 1 { down } else { Cells::EMPTY } }
    }

    /// How many there are: at most 420, those of two cells on 15×15.
    pub(super) fn count(&self) -> u16 {
        u16::from(self.across.len()) + u16::from(self.down.len())
    }

    /// The cells that a ship in one of them has.
    pub(super) fn cells(&self) -> Cells {
        let (mut across, mut down) = (self.across, self.down);
        for _ in 1..self.length {
            across |= across.right();
            down |= down.down();
        }
        across | down
    }

    /// One of them by its number, from 0, those across first.
    pub(super) fn nth(&self, index: u16) -> Option<Ship> {
        let across = u16::from(self.across.len());
        let (starts, index, direction) = match index.checked_sub(across) {
            None => (self.across, index, Direction::Across),
            Some(rest) => (self.down, rest, Direction::Down),
        };
        Some(Ship::on_cells(starts.nth(u8::try_from(index).ok()?)?, self.length, direction))
    }
}
