use super::super::{Cells, Coordinate, Dice};
use super::chart::Chart;
use super::pick;

/// Anywhere; every second time beside something found, if there is anything.
pub(super) fn shot(chart: &Chart, unfired: Cells, dice: &mut impl Dice) -> Option<Coordinate> {
    let follows_up = dice.next().is_multiple_of(2);
    let beside = chart.found().with_sides() & unfired;
    pick(if follows_up && !beside.is_empty() { beside } else { unfired }, dice)
}
