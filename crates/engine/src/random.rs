//! Legal layouts by chance, every one as likely as any other.
//!
//! Ships are placed longest first, then mines, which take a cell as a ship of one cell would
//! (R4). For each a die is thrown whose faces are numbered places: a face that is the number of a
//! place still free puts the ship there, any other face begins the whole layout anew. As every die
//! has the same number of faces in each try, every layout comes of the same number of equally
//! likely throws, whatever room its ships leave each other; placing each ship on *any* free place
//! would favour layouts whose ships crowd together. So a player who reckons with anything but
//! chance is wrong, and room for all mines is there by construction, also where most fleets leave
//! none.
//!
//! A die needs as many faces as there can ever be places. Those of [`faces`] are fewer by what
//! only the roomiest layouts need, which makes the drawing many times faster: where there are more
//! places than faces, the die gets as many faces as places. Such a layout comes up more rarely
//! than its share, by the missing faces, and what it loses is spread over all the others:
//! `docs/layouts.md` tells how little that is, and by which command it was measured.

use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::places::Places;
use super::{Dice, Fleet, Grid, Options, Placement, Ship};

/// A random legal layout, the ships longest first.
///
/// It ends with probability one, after some thousand tries where room is scarcest.
pub fn random_placement(options: &Options, dice: &mut impl Dice) -> Placement {
    loop {
        if let Some(pieces) = draw(options, dice) {
            let (ships, mines) = pieces.split_at(options.fleet.ships().len().min(pieces.len()));
            return Placement { ships: ships.to_vec(), mines: mines.iter().map(|mine| mine.start()).collect() };
        }
    }
}

/// One try: the ships and, as if they were ships of one cell, the mines.
fn draw(options: &Options, dice: &mut impl Dice) -> Option<ArrayVec<Ship, MOST_PIECES>> {
    let mut pieces = ArrayVec::new();
    let mut free = options.grid.cells();
    let mines = [1; MOST_MINES];
    let mines = mines.iter().take(usize::from(options.mine_count()));
    let lengths = options.fleet.ships().iter().chain(mines);
    for (&length, &faces) in lengths.zip(faces(options.grid, options.fleet)) {
        let places = Places::on(free, length);
        let faces = NonZeroU16::new(places.count().max(faces))?;
        let piece = places.nth(dice.below(faces))?;
        free = free - piece.cells().with_neighbours();
        pieces.push(piece);
    }
    Some(pieces)
}

/// The Russian fleet on 15×15.
const MOST_PIECES: usize = 10 + MOST_MINES;

/// Those of 15×15.
const MOST_MINES: usize = 3;

/// The faces of the dice: for each ship, longest first, then for each mine.
///
/// In 997 of 1000 layouts (in 970 on 8×8 with the Russian fleet, where most tries are in vain) there
/// are no more places at this point. With more faces a layout takes longer, with fewer the
/// roomiest come up too rarely.
fn faces(grid: Grid, fleet: Fleet) -> &'static [u16] {
    match (grid, fleet) {
        (Grid::Eight, Fleet::Classic) => &[64, 58, 56, 44, 42, 20],
        (Grid::Eight, Fleet::Russian) => &[80, 76, 68, 66, 52, 38, 20, 16, 12, 10, 7],
        (Grid::Ten, Fleet::Classic) => &[120, 116, 116, 100, 98, 51],
        (Grid::Ten, Fleet::Russian) => &[140, 140, 126, 128, 112, 96, 51, 46, 41, 37, 32],
        (Grid::Twelve, Fleet::Classic) => &[192, 192, 196, 174, 174, 92, 85],
        (Grid::Twelve, Fleet::Russian) => &[216, 220, 204, 206, 188, 170, 91, 85, 79, 74, 68, 63],
        (Grid::Fifteen, Fleet::Classic) => &[330, 336, 342, 316, 320, 169, 162, 155],
        (Grid::Fifteen, Fleet::Russian) => &[360, 370, 350, 356, 335, 315, 167, 160, 154, 148, 141, 135, 129],
    }
}
