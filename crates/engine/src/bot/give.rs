use super::super::{Cells, Coordinate, Dice, Given, MOST_GIVEN};
use super::SeatView;
use super::guesses::Guesses;
use super::knowledge::Knowledge;

/// How many boards are drawn to tell what the other side expects.
const TRIES: u32 = 120;

/// The cells that tell the other side least.
///
/// A ship that is found already will be sunk anyway: its next cell is as good as hit, so giving it
/// costs next to nothing. Where no ship is found, the longest goes first, since it would be found
/// soonest by itself; the small ones are what takes longest to find. Among the cells of such a ship
/// the one that the other side expects most, reckoning as this bot would, tells least.
pub(super) fn cells(view: &SeatView, count: u8, dice: &mut impl Dice) -> Given {
    let knowledge = Knowledge::of(&view.own, &view.options);
    let expected = Guesses::draw(&knowledge, TRIES, dice).chances(knowledge.mines);
    let (mut given, mut left, mut found) = (Given::new(), view.revealable, knowledge.found);
    while given.len() < usize::from(count).min(MOST_GIVEN) {
        let rank = |cell: Coordinate| {
            let ship = ship_with(view, cell);
            (!(ship & found).is_empty(), ship.len())
        };
        let best = left.iter().max_by(|&one, &other| {
            rank(one).cmp(&rank(other)).then(expected.ship(one).total_cmp(&expected.ship(other)))
        });
        let Some(best) = best else { break };
        given.push(best);
        left = left - best.into();
        found.insert(best);
    }
    given
}

/// The cells of the own ship that has this cell.
#[expect(
    clippy::expect_used,
    reason = "only a cell of an own ship can be given away, and the seat sees its ships whole"
)]
fn ship_with(view: &SeatView, cell: Coordinate) -> Cells {
    let mut ships = view.own.ships.iter().map(|(ship, _)| ship.cells());
    ships.find(|cells| cells.contains(cell)).expect("a ship that has the cell")
}
