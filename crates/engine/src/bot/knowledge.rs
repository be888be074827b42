use arrayvec::ArrayVec;

use super::super::{BoardView, Cells, MOST_SHOTS, Mark, Options, Ship};

/// What the public record tells about one board.
///
/// Of a board seen whole it takes no more than that either, so it is also how the other side sees
/// one's own.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    /// The lengths of the ships not yet sunk, longest first.
    pub(crate) afloat: ArrayVec<u8, MOST_SHOTS>,
    /// How many mines have not been struck.
    pub(crate) mines: u8,
    /// The cells fired at.
    pub(crate) fired: Cells,
    /// The cells hit, of ships that are not sunk.
    pub(crate) hit: Cells,
    /// The cells known to hold a ship that is not sunk: hit or given away.
    pub(crate) found: Cells,
    /// The cells of which nothing is known.
    pub(crate) open: Cells,
}

impl Knowledge {
    /// What is known of a board.
    pub(crate) fn of(board: &BoardView, options: &Options) -> Self {
        let mut afloat: ArrayVec<u8, MOST_SHOTS> = options.fleet.ships().iter().copied().collect();
        for (ship, _) in board.ships.iter().filter(|(_, sunk)| *sunk) {
            if let Some(index) = afloat.iter().position(|length| *length == ship.length()) {
                afloat.remove(index);
            }
        }
        let fired: Cells = board.shots.iter().map(|(cell, _)| *cell).collect();
        let hit = board.shots.iter().filter(|(_, mark)| *mark == Mark::Hit).map(|(cell, _)| *cell).collect();
        let struck = (board.mines & fired).len();
        let found = hit | (board.revealed - fired);
        Self {
            afloat,
            mines: options.mine_count().saturating_sub(struck),
            fired,
            hit,
            found,
            open: options.grid.cells() - fired - board.known_empty - found,
        }
    }

    /// The cells known to hold a ship and not fired at.
    pub(crate) fn sure(&self) -> Cells {
        self.found - self.fired
    }

    /// Whether a ship not sunk can lie here, for all that is found.
    ///
    /// Its cells are open or found, it touches no found cell that is not its own, and one of its
    /// cells is not hit, else it would have been told as sunk.
    pub(crate) fn admits(&self, ship: Ship) -> bool {
        let cells = ship.cells();
        (cells - self.open - self.found).is_empty()
            && !(cells - self.hit).is_empty()
            && (self.found & (cells.with_neighbours() - cells)).is_empty()
    }
}
