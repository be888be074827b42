use super::super::places::Places;
use super::super::{Cells, Coordinate, Dice};
use super::knowledge::Knowledge;
use super::pick;

/// What is known to be a ship, else beside something found, else in the pattern that no ship
/// afloat slips through.
pub(super) fn shot(knowledge: &Knowledge, unfired: Cells, dice: &mut impl Dice) -> Option<Coordinate> {
    let open = knowledge.open & unfired;
    let choices =
        [knowledge.sure() & unfired, knowledge.found.with_sides() & open, pattern(knowledge, open), open, unfired];
    pick(choices.into_iter().find(|cells| !cells.is_empty())?, dice)
}

/// Every second, third … diagonal, by the shortest ship afloat, where that ship has room.
///
/// Of the patterns possible it is that which has the most cells fired at: the one begun.
fn pattern(knowledge: &Knowledge, open: Cells) -> Cells {
    let Some(&shortest) = knowledge.afloat.last() else { return Cells::EMPTY };
    let room = Places::on(knowledge.open, shortest).cells() & open;
    let diagonals =
        |offset: u8| move |cell: &Coordinate| (cell.column() + cell.row() + offset).is_multiple_of(shortest);
    let begun = (0..shortest).max_by_key(|&offset| knowledge.fired.iter().filter(diagonals(offset)).count());
    room.iter().filter(diagonals(begun.unwrap_or_default())).collect()
}
