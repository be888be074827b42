use super::super::{Dice, Grid};
use super::known::{Known, Place};
use super::layouts::{Drawer, Layouts, Limits, all};
use super::set::Set;

/// What stands for all layouts of one board that agree with what is known, each as likely as any other.
pub(super) struct Boards<const WORDS: usize> {
    all: Vec<Layouts<WORDS>>,
    /// Whether they are all that there are, so that nothing is left to chance.
    complete: bool,
}

/// What one turn told of a board, beside what makes a new beginning.
pub(super) struct News<const WORDS: usize> {
    pub misses: Set<WORDS>,
    pub hits: Set<WORDS>,
    pub sunk: Vec<Place<WORDS>>,
    /// The ships that cannot lie there, since they would have been told as sunk.
    pub not_sunk: Vec<Place<WORDS>>,
}

/// How much may be done for one knowledge.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// With fewer than so many equally weighing layouts left, more are drawn.
    pub least: f64,
    /// Until there are so many.
    pub enough: f64,
    /// How many tries that may take, or a whole game.
    pub tries: u32,
    /// The most that are gone through where they are all that there are.
    pub most: u32,
}

impl Effort {
    /// What a whole game is worth: some 0.2 s. On small grids the chances are larger, and so are their errors.
    pub(super) fn of(grid: Grid) -> Self {
        match grid {
            Grid::Eight => Self { least: 4_000.0, enough: 7_000.0, tries: 85_000, most: 200_000 },
            Grid::Ten => Self { least: 1_000.0, enough: 2_000.0, tries: 45_000, most: 30_000 },
            Grid::Twelve => Self { least: 800.0, enough: 1_500.0, tries: 20_000, most: 15_000 },
            Grid::Fifteen => Self { least: 800.0, enough: 1_500.0, tries: 12_000, most: 10_000 },
        }
    }
}

/// How many tries are made before it is looked what came of them: of those that look for room, and of those that do not.
const CAREFUL: u32 = 250;
const BOLD: u32 = 2_000;

/// The chance of a ship and of a mine for each cell, row by row.
pub(super) struct Chances {
    pub ships: Vec<f64>,
    pub mines: Vec<f64>,
}

impl<const WORDS: usize> Clone for Boards<WORDS> {
    fn clone(&self) -> Self {
        Self { all: self.all.clone(), complete: self.complete }
    }
}

impl<const WORDS: usize> Boards<WORDS> {
    /// Turns and mirrors each: where nothing is known of a board, that is as likely.
    pub(super) fn turn(&mut self, turns: &[Vec<Set<WORDS>>]) {
        let turned = |layouts: &Layouts<WORDS>, to: &[Set<WORDS>]| Layouts {
            ships: layouts.ships.map(to),
            pieces: layouts.pieces.map(to),
            room: layouts.room.map(to),
            ..*layouts
        };
        self.all = turns.iter().flat_map(|to| self.all.iter().map(|layouts| turned(layouts, to))).collect();
    }

    /// None.
    pub(super) fn none() -> Self {
        Self { all: Vec::new(), complete: false }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Keeps those that agree with the news, too.
    pub(super) fn hear(&mut self, news: &News<WORDS>) {
        let has = |ships: Set<WORDS>, place: &Place<WORDS>| {
            ships.has(place.cells) && ((place.taken - place.cells) & ships).is_empty()
        };
        self.all.retain_mut(|layouts| {
            let ships = layouts.ships;
            let agrees = ((ships | layouts.pieces) & news.misses).is_empty()
                && ships.has(news.hits)
                && news.sunk.iter().all(|place| has(ships, place))
                && !news.not_sunk.iter().any(|place| has(ships, place));
            let before = layouts.room.len();
            layouts.room = layouts.room - news.misses;
            if layouts.room.len() < before {
                layouts.weight *= f64::from(layouts.room.len()) / f64::from(before);
            }
            agrees && layouts.weight > 0.0
        });
    }

    /// Sees to it that there are enough to reckon with: all that there are, if they are not too many, or some by chance.
    /// Gives how many tries it took.
    pub(super) fn fill(&mut self, known: impl FnOnce() -> Known<WORDS>, effort: &Effort, dice: &mut impl Dice) -> u32 {
        if self.complete || self.worth() >= effort.least {
            return 0;
        }
        let known = &known();
        let mut drawer = Drawer::new(known);
        let mut drawn = Self::none();
        // Bold tries cost a twentieth, and are worth it as long as some succeed.
        drawn.all.extend((0..BOLD).filter_map(|_| drawer.bold(dice)));
        let is_bold = drawn.all.len() * 40 >= usize::try_from(BOLD).unwrap_or_default();
        let (at_a_time, cost) = if is_bold { (BOLD, BOLD / 20) } else { (CAREFUL, CAREFUL) };
        let (mut tries, mut spent) = (if is_bold { BOLD } else { 0 }, BOLD / 20);
        if !is_bold {
            drawn.all.clear();
        }
        let mut is_first = true;
        loop {
            if !(is_first && is_bold) {
                let one = |drawer: &mut Drawer<'_, WORDS>, dice: &mut _| {
                    if is_bold { drawer.bold(dice) } else { drawer.one(dice) }
                };
                drawn.all.extend((0..at_a_time).filter_map(|_| one(&mut drawer, dice)));
                tries += at_a_time;
                spent += cost;
            }
            let ways: f64 = drawn.all.iter().map(|layouts| layouts.ways).sum::<f64>() / f64::from(tries);
            if is_first && ways < f64::from(effort.most) {
                let limits = Limits { entries: effort.most, laid: effort.most.saturating_mul(3) };
                if let Some(all) = all(known, limits) {
                    *self = Self { all, complete: true };
                    return spent;
                }
            }
            is_first = false;
            if drawn.worth() + self.worth() >= effort.enough || spent >= effort.tries {
                break;
            }
        }
        for boards in [&mut *self, &mut drawn] {
            // What tells more counts for more.
            let share = boards.worth() / boards.all.iter().map(|layouts| layouts.weight).sum::<f64>();
            boards.all.iter_mut().for_each(|layouts| layouts.weight *= share);
        }
        self.all.append(&mut drawn.all);
        spent
    }

    /// How many layouts of equal weight would tell as much.
    pub(super) fn worth(&self) -> f64 {
        let weights = || self.all.iter().map(|layouts| layouts.weight);
        let (sum, squares) = (weights().sum::<f64>(), weights().map(|weight| weight * weight).sum::<f64>());
        if squares > 0.0 { sum * sum / squares } else { 0.0 }
    }

    /// The chances for each of so many cells.
    #[expect(clippy::indexing_slicing, reason = "the cells are those of the grid")]
    pub(super) fn chances(&self, mines: u8, cells: usize) -> Chances {
        let mut chances = Chances { ships: vec![0.0; cells], mines: vec![0.0; cells] };
        let sum: f64 = self.all.iter().map(|layouts| layouts.weight).sum();
        let mines = f64::from(mines);
        for layouts in &self.all {
            let share = layouts.weight / sum;
            for cell in layouts.ships.iter() {
                chances.ships[cell] += share;
            }
            let count = f64::from(layouts.singles) + mines;
            if count == 0.0 {
                continue;
            }
            let of_the_last = share / f64::from(layouts.room.len());
            for (cells, of_each) in [(layouts.pieces, share), (layouts.room, of_the_last)] {
                let (single, mine) = (of_each * f64::from(layouts.singles) / count, of_each * mines / count);
                for cell in cells.iter() {
                    chances.ships[cell] += single;
                    chances.mines[cell] += mine;
                }
            }
        }
        chances
    }
}
