//! Bots: the server as a seat.
//!
//! A bot chooses from a [`SeatView`], which holds what its seat may see and can be had in no other
//! way than through the eyes of that seat. The other side's hidden ships and mines are not in it,
//! so there is nothing to peep at. The same view and the same dice give the same choice.

mod easy;
mod give;
mod guesses;
mod hard;
mod hide;
pub(crate) mod knowledge;
mod level;
mod medium;
mod seat_view;

use arrayvec::ArrayVec;

use super::{Action, Awaiting, Cells, Command, Coordinate, Dice, Given, MOST_SHOTS, Placement, random_placement};
use knowledge::Knowledge;

pub use level::Level;
pub use seat_view::SeatView;

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
    /// The choice as [`Game::play`](super::Game::play) takes it.
    pub fn command(&self) -> Command<'_> {
        match self {
            Self::Place(placement) => Command::Place(placement),
            Self::Fire(cells) => Command::Fire(cells),
            Self::Reveal(cells) => Command::Reveal(cells),
        }
    }
}

/// Does what is awaited of the seat, so well as the level can.
#[expect(clippy::unreachable, reason = "no view is taken of a seat that has to join")]
pub fn choose(level: Level, view: &SeatView, dice: &mut impl Dice) -> Choice {
    let Awaiting { action, count, .. } = view.awaited;
    match action {
        Action::Join => unreachable!("nobody sees a game that they have not joined"),
        Action::Place => Choice::Place(match level {
            Level::Easy | Level::Medium => random_placement(&view.options, dice),
            Level::Hard => hide::placement(&view.options, dice),
        }),
        Action::Fire => Choice::Fire(fire(level, view, count, dice)),
        Action::Reveal => Choice::Reveal(match level {
            Level::Easy | Level::Medium => {
                let mut left = view.revealable;
                (0..count).map_while(|_| take(&mut left, dice)).take(super::MOST_GIVEN).collect()
            }
            Level::Hard => give::cells(view, count, dice),
        }),
    }
}

/// So many cells to fire at.
fn fire(level: Level, view: &SeatView, count: u8, dice: &mut impl Dice) -> ArrayVec<Coordinate, MOST_SHOTS> {
    let knowledge = Knowledge::of(&view.enemy, &view.options);
    let mut shots: ArrayVec<Coordinate, MOST_SHOTS> = ArrayVec::new();
    let mut unfired = view.options.grid.cells() - knowledge.fired;
    if level == Level::Hard {
        shots = hard::volley(&knowledge, count, dice);
        unfired = shots.iter().fold(unfired, |unfired, &cell| unfired - cell.into());
    }
    while shots.len() < usize::from(count) {
        let shot = match level {
            Level::Easy => easy::shot(&knowledge, unfired, dice),
            Level::Medium => medium::shot(&knowledge, unfired, dice),
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
