use arrayvec::ArrayVec;

use super::super::{Coordinate, Dice, MOST_SHOTS, Ship};
use super::guesses::Guesses;
use super::knowledge::Knowledge;

/// How many boards are drawn for a turn: more make it a little stronger and take that much longer.
const TRIES: u32 = 120;

/// What a mine costs, in hits: a cell of one's own is given away, which is a hit for the other side.
const COST_OF_A_MINE: f64 = 1.0;

/// What a second hit on a ship not found before is worth beside the first, in a volley: once the
/// ship is found, its other cells can be had later with little waste.
const FURTHER_HIT: f64 = 0.5;

/// The cells from which most is to be expected, together.
///
/// Each cell is worth its chance of a ship less that of a mine times its cost. What is known to be
/// a ship is worth a whole hit, so a cell given away is fired at first, and with `shoot_again` it
/// is a turn that goes on. The shots of a volley are chosen one after the other, each in view of
/// the last: in the boards in which one finds a ship, others at that ship count less, so a volley
/// searches widely and closes in on what is found.
pub(super) fn volley(knowledge: &Knowledge, count: u8, dice: &mut impl Dice) -> ArrayVec<Coordinate, MOST_SHOTS> {
    let guesses = Guesses::draw(knowledge, TRIES, dice);
    let mut shots = ArrayVec::new();
    let mut left = knowledge.open | knowledge.sure();
    let chances = guesses.chances(knowledge.mines);
    let mut worth: Vec<(Coordinate, f64)> =
        left.iter().map(|cell| (cell, chances.ship(cell) - COST_OF_A_MINE * chances.mine(cell))).collect();
    let total: f64 = guesses.iter().map(|guess| guess.weight).sum();
    while shots.len() < usize::from(count) {
        let Some(&(best, _)) =
            worth.iter().filter(|(cell, _)| left.contains(*cell)).max_by(|one, other| one.1.total_cmp(&other.1))
        else {
            break;
        };
        if shots.try_push(best).is_err() {
            break;
        }
        left = left - best.into();
        if shots.len() < usize::from(count) && !knowledge.found.contains(best) {
            // In the boards in which this shot finds a ship, that ship's other cells are worth less.
            for guess in guesses.iter().filter(|guess| guess.ships.contains(best)) {
                let ship = Ship::from(guess.ships.run_through(best)).cells();
                if (ship & knowledge.found).is_empty() {
                    for (_, worth) in worth.iter_mut().filter(|(cell, _)| ship.contains(*cell)) {
                        *worth -= (1.0 - FURTHER_HIT) * guess.weight / total;
                    }
                }
            }
        }
    }
    shots
}
