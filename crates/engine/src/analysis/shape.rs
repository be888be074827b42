use super::super::{Coordinate, Grid};
use super::set::Set;

/// The sides of a grid, for sets of its cells.
pub(super) struct Shape<const WORDS: usize> {
    side: u32,
    all: Set<WORDS>,
    last_column: Set<WORDS>,
    last_row: Set<WORDS>,
}

impl<const WORDS: usize> Shape<WORDS> {
    pub(super) fn of(grid: Grid) -> Self {
        let last = grid.side() - 1;
        let those =
            |are: &dyn Fn(Coordinate) -> bool| Set::of(grid.cells().iter().filter(|cell| are(*cell)), grid.side());
        Self {
            side: grid.side().into(),
            all: those(&|_| true),
            last_column: those(&|cell| cell.column() == last),
            last_row: those(&|cell| cell.row() == last),
        }
    }

    /// How many cells these are with those to the right of them, below, and below to the right, also outside of the grid.
    ///
    /// Ships that do not touch have none of these in common.
    pub(super) fn room(&self, cells: Set<WORDS>) -> u32 {
        let wide = cells | self.right(cells);
        let in_last_column = cells & self.last_column;
        (wide | self.below(wide)).len()
            + (wide & self.last_row).len()
            + (in_last_column | self.below(in_last_column)).len()
            + (in_last_column & self.last_row).len()
    }

    /// Those of the cells that lie in a line of so many of them, across or down.
    pub(super) fn lines(&self, cells: Set<WORDS>, length: u32) -> Set<WORDS> {
        // First the last cells of such lines, then all of them.
        let (mut across, mut down) = (cells, cells);
        for _ in 1..length {
            (across, down) = (cells & self.right(across), cells & self.below(down));
        }
        for _ in 1..length {
            across = across | (across - self.first_column()).down(1);
            down = down | down.down(self.side);
        }
        across | down
    }

    fn right(&self, cells: Set<WORDS>) -> Set<WORDS> {
        (cells - self.last_column).up(1)
    }

    fn below(&self, cells: Set<WORDS>) -> Set<WORDS> {
        cells.up(self.side) & self.all
    }

    fn first_column(&self) -> Set<WORDS> {
        self.last_column.down(self.side - 1)
    }
}
