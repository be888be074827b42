use super::super::{BoardView, Cells, Dice, Options, Placement, random_placement};
use super::guesses::Guesses;
use super::knowledge::Knowledge;

/// From so many random layouts the best is taken.
const CANDIDATES: u32 = 8;

/// How many boards are drawn to tell where a ship is expected.
const TRIES: u32 = 120;

/// What a cell beside a ship costs, as a chance to be hit: once the ship is sunk, it is known to be
/// water, which is a shot saved.
const COST_OF_WATER_TOLD: f64 = 0.1;

/// The layout, of a few drawn at random, whose ships lie where they are least expected and tell
/// least water, as ships along the edges do, and whose mines lie where shots will fall first.
///
/// No layout is more than [`CANDIDATES`] times as likely as any other would be by chance alone, so
/// whoever knows this rule has hardly more to reckon with.
pub(super) fn placement(options: &Options, dice: &mut impl Dice) -> Placement {
    let knowledge = Knowledge::of(&BoardView::default(), options);
    let expected = Guesses::draw(&knowledge, TRIES, dice).chances(knowledge.mines);
    let mut best = random_placement(options, dice);
    let exposure = |placement: &Placement| -> f64 {
        let ships = placement.ships.iter().fold(Cells::EMPTY, |ships, ship| ships | ship.cells());
        let told = ((ships.with_neighbours() - ships) & options.grid.cells()).len();
        let hit: f64 = ships.iter().map(|cell| expected.ship(cell)).sum();
        let struck: f64 = placement.mines.iter().map(|mine| expected.ship(*mine)).sum();
        hit + COST_OF_WATER_TOLD * f64::from(told) - struck
    };
    for _ in 1..CANDIDATES {
        let other = random_placement(options, dice);
        if exposure(&other) < exposure(&best) {
            best = other;
        }
    }
    best
}
