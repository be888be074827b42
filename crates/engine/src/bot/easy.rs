use super::super::{Cells, Coordinate, Dice};
use super::knowledge::Knowledge;
use super::pick;

/// Anywhere; every second time beside something found, if there is anything.
pub(super) fn shot(knowledge: &Knowledge, unfired: Cells, dice: &mut impl Dice) -> Option<Coordinate> {
    let follows_up = dice.next().is_multiple_of(2);
    let beside = knowledge.found.with_sides() & unfired;
    pick(if follows_up && !beside.is_empty() { beside } else { unfired }, dice)
}
