use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use super::super::places::Places;
use super::super::{Cells, Coordinate, Dice, Direction, MOST_SHOTS, Ship};
use super::knowledge::Knowledge;

/// Boards that agree with a knowledge, drawn at random and weighed, so that together they stand for
/// all such boards, each as likely as any other.
pub(super) struct Guesses(Vec<Guess>);

/// One board that agrees with the knowledge.
pub(super) struct Guess {
    /// Where the ships afloat lie, but for those left open.
    pub ships: Cells,
    /// Where the mines, and the ships of one cell left open, may lie.
    pub room: Cells,
    /// How many ships of one cell are left open: they lie anywhere in the room.
    pub singles: u8,
    /// How many boards it stands for, up to a factor that is the same for all.
    pub weight: f64,
}

/// The chance of a ship and of a mine for each cell.
pub(super) struct Chances {
    ships: [f64; CELLS],
    mines: [f64; CELLS],
}

const CELLS: usize = 225;

/// Where there are so many cells for each ship of one cell, they hardly get in each other's way,
/// and every cell is as likely as any other: nothing is gained by drawing some.
const ROOMY: usize = 8;

impl Guesses {
    /// Draws so many boards, fewer where some tries fail.
    ///
    /// A try first lays a ship through each cell found, then the other ships longest first, each
    /// on any place with equal chance. That would favour boards with few places, so a board
    /// weighs as much as the numbers of its places multiplied; ships of one length, which come up
    /// in each order, are divided out.
    pub(super) fn draw(knowledge: &Knowledge, tries: u32, dice: &mut impl Dice) -> Self {
        let through = ships_through(knowledge);
        Self((0..tries).filter_map(|_| guess(knowledge, &through, dice)).collect())
    }

    /// Goes through the boards in the order drawn.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Guess> {
        self.0.iter()
    }

    /// The chances for each cell, all mines together.
    pub(super) fn chances(&self, mines: u8) -> Chances {
        let mut chances = Chances { ships: [0.0; CELLS], mines: [0.0; CELLS] };
        let all: f64 = self.0.iter().map(|guess| guess.weight).sum();
        for guess in &self.0 {
            let share = guess.weight / all;
            add(&mut chances.ships, guess.ships, share);
            let of_a_piece = share / f64::from(guess.room.len().max(1));
            if guess.singles > 0 {
                add(&mut chances.ships, guess.room, of_a_piece * f64::from(guess.singles));
            }
            if mines > 0 {
                add(&mut chances.mines, guess.room, of_a_piece * f64::from(mines));
            }
        }
        chances
    }
}

#[expect(clippy::indexing_slicing, reason = "every cell has an index below CELLS")]
impl Chances {
    /// The chance of a ship.
    pub(super) fn ship(&self, cell: Coordinate) -> f64 {
        self.ships[index(cell)]
    }

    /// The chance of a mine.
    pub(super) fn mine(&self, cell: Coordinate) -> f64 {
        self.mines[index(cell)]
    }
}

fn index(cell: Coordinate) -> usize {
    usize::from(cell.row()) * usize::from(Coordinate::LIMIT) + usize::from(cell.column())
}

#[expect(clippy::indexing_slicing, reason = "every cell has an index below CELLS")]
fn add(sums: &mut [f64; CELLS], cells: Cells, share: f64) {
    for cell in cells.iter() {
        sums[index(cell)] += share;
    }
}

/// A ship that goes through a cell found.
struct Through {
    length: u8,
    cells: Cells,
}

/// All ships that can go through the cells found.
fn ships_through(knowledge: &Knowledge) -> Vec<Through> {
    let mut through = Vec::new();
    let mut lengths: ArrayVec<u8, MOST_SHOTS> = knowledge.afloat.iter().copied().collect();
    let mut last = 0;
    lengths.retain(|length| std::mem::replace(&mut last, *length) != *length);
    let mut starts = knowledge.found;
    if starts.is_empty() {
        return through;
    }
    let longest = lengths.first().copied().unwrap_or(1);
    for _ in 1..longest {
        starts = starts | starts.left() | starts.up();
    }
    for start in starts.iter() {
        for &length in &lengths {
            let directions: &[_] =
                if length > 1 { &[Direction::Across, Direction::Down] } else { &[Direction::Across] };
            for &direction in directions {
                let Some(ship) = Ship::new(start, length, direction) else { continue };
                let cells = ship.cells();
                if cells.len() == length && !(cells & knowledge.found).is_empty() && knowledge.admits(ship) {
                    through.push(Through { length, cells });
                }
            }
        }
    }
    through
}

/// One try; `None` where something finds no place.
fn guess(knowledge: &Knowledge, through: &[Through], dice: &mut impl Dice) -> Option<Guess> {
    let mut lengths: ArrayVec<u8, MOST_SHOTS> = knowledge.afloat.iter().copied().collect();
    let (mut ships, mut found, mut free) = (Cells::EMPTY, knowledge.found, knowledge.open | knowledge.found);
    let mut weight = 1.0;
    while let Some(cell) = found.first() {
        let fits = |ship: &&Through| {
            ship.cells.contains(cell) && (ship.cells - free).is_empty() && lengths.contains(&ship.length)
        };
        let places = NonZeroU16::new(u16::try_from(through.iter().filter(fits).count()).ok()?)?;
        let ship = through.iter().filter(fits).nth(dice.below(places).into())?;
        weight *= f64::from(places.get());
        lengths.remove(lengths.iter().position(|length| *length == ship.length)?);
        ships |= ship.cells;
        found = found - ship.cells;
        free = free - ship.cells.with_neighbours();
    }
    let (mut last, mut alike, mut singles) = (0, 0, 0);
    for (index, &length) in lengths.iter().enumerate() {
        let left = lengths.len() - index;
        if length == 1 && usize::from(free.len()) >= ROOMY * (left + usize::from(knowledge.mines)) {
            singles = u8::try_from(left).ok()?;
            weight *= (1..=singles).fold(1.0, |sets, nth| sets * f64::from(free.len()) / f64::from(nth));
            break;
        }
        alike = if length == last { alike + 1 } else { 1 };
        last = length;
        let places = Places::on(free, length);
        let count = NonZeroU16::new(places.count())?;
        let cells = places.nth(dice.below(count))?.cells();
        weight *= f64::from(count.get()) / f64::from(alike);
        ships |= cells;
        free = free - cells.with_neighbours();
    }
    if knowledge.mines > 0 {
        let room = f64::from(free.len());
        weight *= (0..knowledge.mines).fold(1.0, |sets, _| sets * room);
    }
    (weight > 0.0).then_some(Guess { ships, room: free, singles, weight })
}
