use super::super::places::Places;
use super::super::{Cells, Coordinate, Dice};
use super::chart::Chart;
use super::pick;

/// What is known to be a ship, else beside something found, else in the pattern that no ship
/// afloat slips through.
pub(super) fn shot(chart: &Chart, unfired: Cells, dice: &mut impl Dice) -> Option<Coordinate> {
    let open = chart.open() & unfired;
    let choices = [chart.sure() & unfired, chart.found().with_sides() & open, pattern(chart, open), open, unfired];
    pick(choices.into_iter().find(|cells| !cells.is_empty())?, dice)
}

/// Every second, third … diagonal, by the shortest ship afloat, where that ship has room.
///
/// Of the patterns possible it is that which has the most cells fired at: the one begun.
fn pattern(chart: &Chart, open: Cells) -> Cells {
    let Some(&shortest) = chart.afloat().last() else { return Cells::EMPTY };
    let room = Places::on(chart.open(), shortest).cells() & open;
    let diagonals =
        |offset: u8| move |cell: &Coordinate| (cell.column() + cell.row() + offset).is_multiple_of(shortest);
    let begun = (0..shortest).max_by_key(|&offset| chart.fired().iter().filter(diagonals(offset)).count());
    room.iter().filter(diagonals(begun.unwrap_or_default())).collect()
}
