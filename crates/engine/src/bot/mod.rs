//! Bots: the server as a seat.
//!
//! A bot chooses from a [`Sight`], which holds what its seat may see and can be had in no other
//! way than through the eyes of that seat. The other side's hidden ships and mines are not in it,
//! so there is nothing to peep at. The same sight and the same dice give the same choice.

mod chart;
mod easy;
mod give;
mod guesses;
mod hard;
mod hide;
mod level;
mod medium;
mod sight;

use arrayvec::ArrayVec;

use super::{Cells, Command, Coordinate, Dice, Given, MOST_SHOTS, Placement, random_placement};
use chart::Chart;

pub use level::Level;
pub use sight::Sight;

/// What a bot does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Hides these ships and mines.
    Place(Placement),
    /// Fires at these cells.
    Fire(ArrayVec<Coordinate, MOST_SHOTS>),
    /// Gives these cells away.
    Reveal(Given),
}

impl Choice {
    /// The choice as [`decide()`](super::decide()) takes it.
    pub fn command(&self) -> Command<'_> {
        match self {
            Self::Place(placement) => Command::Place(placement),
            Self::Fire(cells) => Command::Fire(cells),
            Self::Reveal(cells) => Command::Reveal(cells),
        }
    }
}

/// Does what is awaited of the seat, so well as the level can.
pub fn choose(level: Level, sight: &Sight, dice: &mut impl Dice) -> Choice {
    match sight.due() {
        sight::Due::Place => Choice::Place(match level {
            Level::Easy | Level::Medium => random_placement(sight.options(), dice),
            Level::Hard => hide::placement(sight.options(), dice),
        }),
        sight::Due::Fire(count) => Choice::Fire(fire(level, sight, count, dice)),
        sight::Due::Reveal(count) => Choice::Reveal(match level {
            Level::Easy | Level::Medium => {
                let mut left = sight.revealable();
                (0..count).map_while(|_| take(&mut left, dice)).take(super::MOST_GIVEN).collect()
            }
            Level::Hard => give::cells(sight, count, dice),
        }),
    }
}

/// So many cells to fire at.
fn fire(level: Level, sight: &Sight, count: u8, dice: &mut impl Dice) -> ArrayVec<Coordinate, MOST_SHOTS> {
    let chart = Chart::of(sight.enemy(), sight.options());
    let mut shots: ArrayVec<Coordinate, MOST_SHOTS> = ArrayVec::new();
    let mut unfired = sight.options().grid.cells() - chart.fired();
    if level == Level::Hard {
        shots = hard::volley(&chart, count, dice);
        unfired = shots.iter().fold(unfired, |unfired, &cell| unfired - cell.into());
    }
    while shots.len() < usize::from(count) {
        let shot = match level {
            Level::Easy => easy::shot(&chart, unfired, dice),
            Level::Medium => medium::shot(&chart, unfired, dice),
            // Nothing is left that is worth a shot, and a volley must be whole (R9).
            Level::Hard => pick(unfired, dice),
        };
        let Some(shot) = shot.filter(|_| !shots.is_full()) else { break };
        shots.push(shot);
        unfired = unfired - shot.into();
    }
    shots
}

/// A random cell of the set.
fn pick(cells: Cells, dice: &mut impl Dice) -> Option<Coordinate> {
    let count = std::num::NonZeroU16::new(cells.len().into())?;
    cells.nth(u8::try_from(dice.below(count)).ok()?)
}

/// A random cell of the set, taken out of it.
fn take(cells: &mut Cells, dice: &mut impl Dice) -> Option<Coordinate> {
    let cell = pick(*cells, dice)?;
    *cells = *cells - cell.into();
    Some(cell)
}
