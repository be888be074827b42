use super::super::{BoardView, Dice, Options, Placement, random_placement};
use super::chart::Chart;
use super::guesses::Guesses;

/// From so many random layouts the best is taken.
const CANDIDATES: u32 = 4;

/// How many boards are drawn to tell where a ship is expected.
const TRIES: u32 = 120;

/// The layout, of a few drawn at random, whose ships lie where they are least expected and whose
/// mines lie where shots will fall first.
///
/// No layout is more than [`CANDIDATES`] times as likely as any other would be by chance alone, so
/// whoever knows this rule has hardly more to reckon with.
pub(super) fn placement(options: &Options, dice: &mut impl Dice) -> Placement {
    let chart = Chart::of(&BoardView::default(), options);
    let expected = Guesses::draw(&chart, TRIES, dice).chances(chart.mines());
    let mut best = random_placement(options, dice);
    let exposure = |placement: &Placement| -> f64 {
        let ships = placement.ships.iter().flat_map(|ship| ship.cells().iter().collect::<Vec<_>>());
        let ships: f64 = ships.map(|cell| expected.ship(cell)).sum();
        let mines: f64 = placement.mines.iter().map(|mine| expected.ship(*mine)).sum();
        ships - mines
    };
    for _ in 1..CANDIDATES {
        let other = random_placement(options, dice);
        if exposure(&other) < exposure(&best) {
            best = other;
        }
    }
    best
}
