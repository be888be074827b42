use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::boards::Chances;
use super::known::{Known, Place, singles, ways_of_mines};
use super::set::Set;

/// Counts all layouts that agree with what is known, without going through them one by one.
///
/// Going over the cells in order, what can still be laid depends on nothing but the cells to come that are still free
/// and on what is left to lay, so layouts that agree in both are counted as one. Once from the first cell and once from
/// the last, and each place has as many layouts as there are before it times as many as there are after.
pub(super) struct Count<const WORDS: usize> {
    /// How many ships of one cell are not sunk.
    singles: u8,
    mines: u8,
    free: Set<WORDS>,
    left: Left,
    /// The free cells in the order in which they are gone over.
    levels: Vec<Level<WORDS>>,
}

/// One cell on the way.
struct Level<const WORDS: usize> {
    cell: Set<WORDS>,
    is_found: bool,
    /// What may begin at this cell.
    begins: Vec<Begin<WORDS>>,
    /// Of the cells to come, those found.
    found: Set<WORDS>,
    /// Of the cells to come, those that something that begins there can have, for each set of lengths left.
    useful: Vec<Set<WORDS>>,
}

/// A ship or piece that may begin at a cell.
struct Begin<const WORDS: usize> {
    place: Place<WORDS>,
    /// What it takes from what is left, and the bit of its length.
    takes: Left,
    kind: usize,
    /// What it adds to the ships of one cell on cells found.
    adds: Left,
    /// Whether a mine may lie there as well.
    is_piece: bool,
}

/// How many of each length are left to lay, four bits for each from 1; mines are among those of length 1. The next four
/// are how many of length 1 were laid on cells found, and so are no mines.
type Left = u32;

const DIGIT: u32 = 4;
const LENGTHS: u32 = 5;
/// How many sets of lengths there are.
const KINDS: usize = 1 << LENGTHS;
/// One of length 1 on a cell found.
const FOUND: Left = 1 << (DIGIT * LENGTHS);

/// One of this length.
fn one(length: u8) -> Left {
    1 << (DIGIT * u32::from(length.saturating_sub(1)))
}

/// Of which lengths something is left: a bit for each.
fn kinds(left: Left) -> usize {
    let any = left | left >> 1 | left >> 2 | left >> 3;
    index((0..LENGTHS).fold(0, |kinds, nth| kinds | ((any >> (DIGIT * nth)) & 1) << nth))
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Layouts that are alike for all that is to come.
struct State<const WORDS: usize> {
    free: Set<WORDS>,
    left: Left,
    /// How many they are.
    ways: f64,
}

/// From a state to one at the next cell.
struct Step {
    to: u32,
    /// What begins at the cell, by its number from 1; 0 where nothing does.
    begins: u32,
}

/// What was gone over at one cell.
struct Passed {
    /// For each state how many layouts it stands for, and where its steps end.
    states: Vec<(f64, usize)>,
    steps: Vec<Step>,
}

/// In how many ways what is left can be laid, and in how many of them a certain one of the pieces is a mine.
#[derive(Clone, Copy, Default)]
struct Rest {
    all: f64,
    mine: f64,
}

type Numbers<const WORDS: usize> = HashMap<(Set<WORDS>, Left), u32, BuildHasherDefault<Mix>>;

impl<const WORDS: usize> Count<WORDS> {
    /// A guess at how many steps it takes to go over the cells in this order.
    pub(super) fn guess(known: &Known<WORDS>, order: &[Set<WORDS>]) -> f64 {
        let mut around = vec![Set::EMPTY; order.len()];
        for place in known.away.first().into_iter().flatten() {
            for cell in place.cells.iter() {
                if let Some(around) = around.get_mut(cell) {
                    *around = place.taken & known.free;
                }
            }
        }
        let (mut sum, mut touched, mut gone) = (0.0, Set::EMPTY, Set::EMPTY);
        for cell in order.iter().filter(|cell| known.free.has(**cell)) {
            gone = gone | *cell;
            touched = cell.iter().filter_map(|cell| around.get(cell)).fold(touched, |touched, cells| touched | *cells);
            // What lies on the cells gone over tells little of the cells that it may touch, and each of those may be so or
            // so.
            sum += (0..(touched - gone).len()).fold(1.0, |ways, _| ways * 1.5);
        }
        sum * sum / 2.0
    }

    /// Goes over the cells of the grid in this order.
    pub(super) fn new(known: &Known<WORDS>, order: &[Set<WORDS>]) -> Self {
        let mut levels: Vec<Level<WORDS>> = Vec::new();
        let mut numbers = vec![usize::MAX; order.len()];
        for cell in order.iter().filter(|cell| known.free.has(**cell)) {
            cell.iter().filter_map(|cell| numbers.get_mut(cell).map(|number| *number = levels.len())).for_each(drop);
            let is_found = known.found.has(*cell);
            levels.push(Level { cell: *cell, is_found, begins: Vec::new(), found: Set::EMPTY, useful: Vec::new() });
        }
        let left = known.lengths.iter().fold(Left::from(known.mines), |left, length| left + one(*length));
        for place in known.through.iter().chain(known.away.iter().flatten()) {
            let takes = one(place.length);
            let kind = kinds(takes);
            let first = place.cells.iter().filter_map(|cell| numbers.get(cell)).min();
            let Some(level) = first.and_then(|first| levels.get_mut(*first)) else { continue };
            if kinds(left) & kind != 0 {
                let is_single = place.length == 1;
                let is_found = !(place.cells & known.found).is_empty();
                let adds = if is_single && is_found { FOUND } else { 0 };
                level.begins.push(Begin { place: *place, takes, kind, adds, is_piece: is_single && !is_found });
            }
        }
        let (mut found, mut useful) = (Set::EMPTY, vec![Set::EMPTY; KINDS]);
        for level in levels.iter_mut().rev() {
            level.found = found;
            level.useful.clone_from(&useful);
            if level.is_found {
                found = found | level.cell;
            }
            for begin in &level.begins {
                for (kinds_left, useful) in (0..).zip(&mut useful) {
                    if kinds_left & begin.kind != 0 {
                        *useful = *useful | begin.place.cells;
                    }
                }
            }
        }
        Self { singles: singles(&known.lengths), mines: known.mines, free: known.free, left, levels }
    }

    /// The chances for each of so many cells, unless it takes more steps than so many; and how many were made.
    pub(super) fn chances(&self, cells: usize, most: usize) -> (Option<Chances>, usize) {
        let mut made = 0;
        let mut states = vec![State { free: self.free, left: self.left, ways: 1.0 }];
        let mut passed = Vec::with_capacity(self.levels.len());
        let mut numbers = Numbers::default();
        for level in &self.levels {
            numbers.clear();
            let (next, here) = level.pass(&states, &mut numbers);
            made += here.steps.len();
            if made > most {
                return (None, made);
            }
            passed.push(here);
            states = next;
        }
        let rests = states.iter().map(|state| self.rest(state.left)).collect();
        (self.back(rests, &passed, cells), made)
    }

    /// What is left at the end: nothing, if it is a layout; then any of the pieces may be the mines.
    fn rest(&self, left: Left) -> Rest {
        let found = u8::try_from(left / FOUND).unwrap_or(u8::MAX);
        let Some(singles) = self.singles.checked_sub(found).filter(|_| left.is_multiple_of(FOUND)) else {
            return Rest::default();
        };
        let all = ways_of_mines(singles, self.mines);
        let pieces = f64::from(singles + self.mines);
        Rest { all, mine: if pieces > 0.0 { all * f64::from(self.mines) / pieces } else { 0.0 } }
    }

    /// Goes back, and adds up for each place what goes through it; `None` where there is no layout at all.
    fn back(&self, mut rests: Vec<Rest>, passed: &[Passed], cells: usize) -> Option<Chances> {
        let mut shares = Vec::new();
        for (level, passed) in self.levels.iter().zip(passed).rev() {
            let mut through = vec![Rest::default(); level.begins.len() + 1];
            let mut before = Vec::with_capacity(passed.states.len());
            let mut first = 0;
            for (ways, end) in &passed.states {
                let mut rest = Rest::default();
                for step in passed.steps.get(first..*end).unwrap_or_default() {
                    let after = rests.get(index(step.to)).copied().unwrap_or_default();
                    rest.all += after.all;
                    rest.mine += after.mine;
                    if let Some(through) = through.get_mut(index(step.begins)) {
                        through.all += ways * after.all;
                        through.mine += ways * after.mine;
                    }
                }
                first = *end;
                before.push(rest);
            }
            shares.extend(through.into_iter().skip(1).zip(&level.begins));
            rests = before;
        }
        let all = rests.first().map(|rest| rest.all).filter(|all| *all > 0.0)?;
        let mut chances = Chances { ships: vec![0.0; cells], mines: vec![0.0; cells] };
        for (through, begin) in shares {
            let mines = if begin.is_piece { through.mine } else { 0.0 };
            for cell in begin.place.cells.iter() {
                for (chances, share) in [(&mut chances.ships, through.all - mines), (&mut chances.mines, mines)] {
                    if let Some(chance) = chances.get_mut(cell) {
                        *chance += share / all;
                    }
                }
            }
        }
        Some(chances)
    }
}

impl<const WORDS: usize> Level<WORDS> {
    /// The states after this cell.
    fn pass(&self, states: &[State<WORDS>], numbers: &mut Numbers<WORDS>) -> (Vec<State<WORDS>>, Passed) {
        let mut next: Vec<State<WORDS>> = Vec::with_capacity(states.len());
        let mut passed =
            Passed { states: Vec::with_capacity(states.len()), steps: Vec::with_capacity(2 * states.len()) };
        for state in states {
            let mut step = |free: Set<WORDS>, left: Left, begins: u32| {
                let Some(useful) = self.useful.get(kinds(left)) else { return };
                // What is found has to be a ship's.
                if !useful.has(free & self.found) {
                    return;
                }
                let free = free & *useful;
                let to = *numbers.entry((free, left)).or_insert_with(|| {
                    next.push(State { free, left, ways: 0.0 });
                    u32::try_from(next.len() - 1).unwrap_or(u32::MAX)
                });
                if let Some(next) = next.get_mut(index(to)) {
                    next.ways += state.ways;
                }
                passed.steps.push(Step { to, begins });
            };
            let (is_free, of_kinds) = (state.free.has(self.cell), kinds(state.left));
            if !(self.is_found && is_free) {
                step(state.free, state.left, 0);
            }
            for (number, begin) in (1..).zip(&self.begins).filter(|_| is_free) {
                if state.free.has(begin.place.cells) && of_kinds & begin.kind != 0 {
                    step(state.free - begin.place.taken, state.left - begin.takes + begin.adds, number);
                }
            }
            passed.states.push((state.ways, passed.steps.len()));
        }
        (next, passed)
    }
}

/// Mixes words quickly; what is hashed is not of anybody's choosing.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
