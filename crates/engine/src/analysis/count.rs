use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::boards::Chances;
use super::known::{Known, Place, singles};
use super::left::{Left, Sums};
use super::set::Set;
use super::shape::Shape;

/// Counts all layouts that agree with what is known, without going through them one by one.
///
/// Going over the cells in order, what can still be laid depends on nothing but the cells to come that are still free,
/// the *front*, and on what is left to lay, so layouts that agree in both are counted as one *state*. Once from the first
/// cell and once from the last, and each place has as many layouts as there are before it times as many as there are after.
///
/// It is kept from one count to the next, so that its memory is.
pub(super) struct Count<const WORDS: usize> {
    shape: Shape<WORDS>,
    left: Left,
    /// The free cells in the order in which they are gone over.
    levels: Vec<Level<WORDS>>,
    /// What may begin at the cells; first nothing, which may begin at all of them.
    begins: Vec<Begin<WORDS>>,
    /// Where the states of each front begin, and where the steps to it do.
    fronts: Vec<Front>,
    /// What is left in each state, and how many layouts it stands for.
    states: Vec<u16>,
    ways: Vec<f64>,
    steps: Vec<Step>,
}

/// One cell on the way.
struct Level<const WORDS: usize> {
    cell: Set<WORDS>,
    is_found: bool,
    /// What may begin at this cell.
    begins: Range<usize>,
    /// Of the cells to come, those found.
    found: Set<WORDS>,
    /// Of the cells to come, those that something that begins there can have.
    useful: Set<WORDS>,
}

/// A ship or piece that may begin at a cell.
struct Begin<const WORDS: usize> {
    place: Place<WORDS>,
    kind: usize,
    /// The chance that it is a mine.
    mine: f64,
}

/// Layouts that leave the same cells to come free.
#[derive(Clone, Copy)]
struct Front {
    states: usize,
    steps: usize,
}

/// From a front to one at the next cell.
#[derive(Clone, Copy, Default)]
struct Step {
    from: u32,
    /// What begins at the cell.
    begins: u32,
}

/// A front with what is needed on the way only: its cells, and which kinds are left in some of its states.
#[derive(Clone, Copy)]
struct Open<const WORDS: usize> {
    free: Set<WORDS>,
    kinds: u8,
}

type Numbers<const WORDS: usize> = HashMap<Set<WORDS>, u32, BuildHasherDefault<Mix>>;

/// What a step from a front takes beside what it takes for each of its states, in steps from one state to another.
const STEP: usize = 6;

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[expect(clippy::indexing_slicing, reason = "all numbers are of what was put there")]
impl<const WORDS: usize> Count<WORDS> {
    pub(super) fn new(shape: Shape<WORDS>) -> Self {
        Self {
            shape,
            left: Left::new(&[]),
            levels: Vec::new(),
            begins: Vec::new(),
            fronts: Vec::new(),
            states: Vec::new(),
            ways: Vec::new(),
            steps: Vec::new(),
        }
    }

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

    /// The chances for each cell, going over the grid in this order, unless that takes more steps than so many or there is
    /// no layout; and how many were made.
    pub(super) fn chances(
        &mut self,
        known: &Known<WORDS>,
        order: &[Set<WORDS>],
        most: usize,
    ) -> (Option<Chances>, usize) {
        self.prepare(known, order);
        let (is_over, made) = self.forward(known.free, most);
        (if is_over { self.back(order.len()) } else { None }, made)
    }

    fn prepare(&mut self, known: &Known<WORDS>, order: &[Set<WORDS>]) {
        // Where a ship of one cell may be found, it is told from a mine; else they are alike.
        let is_told = known.mines > 0 && known.through.iter().any(|place| place.length == 1);
        let (singles, mines) = (singles(&known.lengths), known.mines);
        let of_length = |length: u8| known.lengths.iter().fold(0, |many, one| many + u8::from(*one == length));
        let mut kinds: Vec<(u8, u8)> = (1..=5).map(|length| (length, of_length(length))).collect();
        let alike = if is_told { 0 } else { mines };
        kinds[0].1 += alike;
        let told = kinds.len();
        kinds.push((1, mines - alike));
        self.left = Left::new(&kinds);
        let mine = if alike > 0 { f64::from(mines) / f64::from(singles + mines) } else { 0.0 };

        let free = || order.iter().filter(|cell| known.free.has(**cell));
        let mut numbers = vec![usize::MAX; order.len()];
        for (number, cell) in free().enumerate() {
            cell.iter().for_each(|cell| numbers[cell] = number);
        }
        let places = known.through.iter().chain(known.away.iter().flatten());
        let mut places: Vec<_> = places
            .filter(|place| kinds[usize::from(place.length) - 1].1 > 0 || place.length == 1 && is_told)
            .filter_map(|place| Some((place.cells.iter().map(|cell| numbers[cell]).min()?, place)))
            .collect();
        places.sort_by_key(|(first, _)| *first);
        let nothing = Place { length: 0, cells: Set::EMPTY, taken: Set::EMPTY };
        self.begins.clear();
        self.begins.push(Begin { place: nothing, kind: Left::NOTHING, mine: 0.0 });
        self.levels.clear();
        let mut places = places.into_iter().peekable();
        for (number, cell) in free().enumerate() {
            let first = self.begins.len();
            while let Some((_, place)) = places.next_if(|(first, _)| *first == number) {
                let is_single = place.length == 1;
                let mine = if is_single { mine } else { 0.0 };
                self.begins.push(Begin { place: *place, kind: usize::from(place.length) - 1, mine });
                if is_told && is_single && (place.cells & known.found).is_empty() {
                    self.begins.push(Begin { place: *place, kind: told, mine: 1.0 });
                }
            }
            let (is_found, begins) = (known.found.has(*cell), first..self.begins.len());
            self.levels.push(Level { cell: *cell, is_found, begins, found: Set::EMPTY, useful: Set::EMPTY });
        }
        let (mut found, mut useful) = (Set::EMPTY, Set::EMPTY);
        for level in self.levels.iter_mut().rev() {
            (level.found, level.useful) = (found, useful);
            found = if level.is_found { found | level.cell } else { found };
            let begins = &self.begins[level.begins.clone()];
            useful = begins.iter().fold(useful, |useful, begin| useful | begin.place.cells);
        }
    }

    /// Goes over the cells from the first; whether that leads to the end in so many steps, and how many were made.
    fn forward(&mut self, free: Set<WORDS>, most: usize) -> (bool, usize) {
        let all = self.left.all();
        (self.states, self.ways) = (recycled(&mut self.states, all), recycled(&mut self.ways, 1.0));
        self.steps.clear();
        self.fronts = recycled(&mut self.fronts, Front { states: 0, steps: 0 });
        let mut open = vec![Open { free, kinds: self.left.kinds(all) }];
        let (mut next, mut steps, mut counts, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Numbers::default());
        let mut sums = self.left.sums();
        let (mut made, mut first) = (0, 0);
        // The end of the last.
        self.fronts.push(Front { states: 1, steps: 0 });
        for level in std::mem::take(&mut self.levels) {
            numbers.clear();
            next.clear();
            steps.clear();
            counts.clear();
            for (from, front) in (first..).zip(&open) {
                let states = self.fronts[from + 1].states - self.fronts[from].states;
                if states == 0 {
                    continue;
                }
                let shortest = self.left.shortest(front.kinds);
                let mut step = |free: Set<WORDS>, begins: usize| {
                    let useful = free & level.useful;
                    let useful = if shortest > 1 { self.shape.lines(useful, shortest) } else { useful };
                    // What is found has to be a ship's.
                    if !useful.has(free & level.found) {
                        return;
                    }
                    let to = *numbers.entry(useful).or_insert_with(|| {
                        next.push(Open { free: useful, kinds: 0 });
                        counts.push(0);
                        number(next.len() - 1)
                    });
                    made += states + STEP;
                    counts[index(to)] += 1;
                    steps.push((to, Step { from: number(from), begins: number(begins) }));
                };
                let is_free = front.free.has(level.cell);
                if !(level.is_found && is_free) {
                    step(front.free, 0);
                }
                for begins in level.begins.clone().filter(|_| is_free) {
                    let Begin { place, kind, .. } = &self.begins[begins];
                    if front.free.has(place.cells) && front.kinds >> kind & 1 == 1 {
                        step(front.free - place.taken, begins);
                    }
                }
            }
            if made > most {
                return (false, made);
            }
            first += open.len();
            self.gather(&mut next, &steps, &mut counts, &mut sums);
            std::mem::swap(&mut open, &mut next);
        }
        (!open.is_empty(), made)
    }

    /// Adds up what leads to each front.
    fn gather(&mut self, next: &mut [Open<WORDS>], steps: &[(u32, Step)], counts: &mut [usize], sums: &mut Sums) {
        // First the steps in the order of where they lead.
        let mut sum = self.steps.len();
        for count in &mut *counts {
            (sum, *count) = (sum + *count, sum);
        }
        self.steps.resize(sum, Step::default());
        for (to, step) in steps {
            let place = &mut counts[index(*to)];
            self.steps[*place] = *step;
            *place += 1;
        }
        let mut first = self.steps.len() - steps.len();
        for (front, end) in next.iter_mut().zip(counts) {
            for step in &self.steps[first..*end] {
                let after = self.left.after(self.begins[index(step.begins)].kind);
                let from = self.from(*step);
                for (left, ways) in self.states[from.clone()].iter().zip(&self.ways[from]) {
                    sums.add(after[usize::from(*left)], *ways);
                }
            }
            first = *end;
            let room = self.shape.room(front.free);
            sums.take(|left, ways| {
                if self.left.room(left) <= room {
                    front.kinds |= self.left.kinds(left);
                    self.states.push(left);
                    self.ways.push(ways);
                }
            });
            self.fronts.push(Front { states: self.states.len(), steps: *end });
        }
    }

    /// The states from which a step leads.
    fn from(&self, step: Step) -> Range<usize> {
        let from = index(step.from);
        self.fronts[from].states..self.fronts[from + 1].states
    }

    /// Goes back, and adds up for each place what goes through it; `None` where there is no layout at all.
    fn back(&self, cells: usize) -> Option<Chances> {
        let mut through = vec![0.0; self.begins.len()];
        // In how many ways what is left in each state can be laid.
        let mut rests = vec![0.0; self.states.len()];
        let last = self.fronts.len().checked_sub(2)?;
        if self.fronts[last].states < self.states.len() {
            // Where all is gone over, there is one front, and in it one state with nothing left.
            rests[self.fronts[last].states] = if self.states[self.fronts[last].states] == 0 { 1.0 } else { 0.0 };
        }
        let mut dense = self.left.sums();
        for pair in self.fronts.windows(2).rev() {
            let [front, end] = pair else { continue };
            let states = front.states..end.states;
            if states.is_empty() {
                continue;
            }
            dense.put(&self.states[states.clone()], &rests[states.clone()]);
            for step in &self.steps[front.steps..end.steps] {
                let begins = index(step.begins);
                let after = self.left.after(self.begins[begins].kind);
                let from = self.from(*step);
                let (mut sum, ways) = (0.0, &self.ways[from.clone()]);
                for ((left, ways), before) in self.states[from.clone()].iter().zip(ways).zip(&mut rests[from]) {
                    let rest = dense.at(after[usize::from(*left)]);
                    *before += rest;
                    sum += ways * rest;
                }
                through[begins] += sum;
            }
            dense.clear(&self.states[states]);
        }
        let all = rests.first().copied().filter(|all| *all > 0.0)?;
        let mut chances = Chances { ships: vec![0.0; cells], mines: vec![0.0; cells] };
        for (through, begin) in through.into_iter().zip(&self.begins) {
            for cell in begin.place.cells.iter() {
                chances.ships[cell] += through * (1.0 - begin.mine) / all;
                chances.mines[cell] += through * begin.mine / all;
            }
        }
        Some(chances)
    }
}

/// The same memory, with this alone in it.
fn recycled<T>(memory: &mut Vec<T>, one: T) -> Vec<T> {
    memory.clear();
    memory.push(one);
    std::mem::take(memory)
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

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
