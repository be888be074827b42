use super::super::{Dice, Grid};
use super::known::{Known, Place};
use super::layouts::{Drawer, Layouts};
use super::set::Set;

/// Layouts of one board that agree with what is known, drawn at random and weighed, so that together they stand for all.
#[derive(Clone)]
pub(super) struct Boards<const WORDS: usize>(Vec<Layouts<WORDS>>);

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
    /// Of so many shares of the tries that are left a turn may have one: on small grids few turns need any.
    pub shares: u32,
    /// With so many equally weighing layouts at hand, it is not counted.
    pub plenty: f64,
    /// How many steps it may take to count all that there are, or a whole game.
    pub steps: usize,
    /// How many steps for one turn.
    pub most_steps: usize,
    /// Of so many shares of the steps that are left a turn may have one.
    pub step_shares: usize,
}

impl Effort {
    /// What a whole game is worth: some 0.2 s. On 8×8 the chances are larger, and so would their errors be, but few turns
    /// are too many to count.
    pub(super) fn of(grid: Grid) -> Self {
        let (least, enough, tries, shares, steps) = match grid {
            Grid::Eight => (4_000.0, 7_000.0, 30_000, 4, 11_000_000),
            Grid::Ten => (1_000.0, 2_000.0, 30_000, 20, 4_000_000),
            Grid::Twelve => (800.0, 1_500.0, 15_000, 60, 3_000_000),
            Grid::Fifteen => (800.0, 1_500.0, 8_000, 80, 1_600_000),
        };
        let is_small = grid == Grid::Eight;
        Self {
            least,
            enough,
            tries,
            shares,
            plenty: if is_small { 10_000.0 } else { f64::INFINITY },
            steps,
            most_steps: if is_small { 1_300_000 } else { 900_000 },
            step_shares: if is_small { 1 } else { 3 },
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

impl<const WORDS: usize> Boards<WORDS> {
    /// Turns and mirrors each: where nothing is known of a board, that is as likely.
    pub(super) fn turn(&mut self, turns: &[Vec<Set<WORDS>>]) {
        let turned = |layouts: &Layouts<WORDS>, to: &[Set<WORDS>]| Layouts {
            ships: layouts.ships.map(to),
            pieces: layouts.pieces.map(to),
            room: layouts.room.map(to),
            ..*layouts
        };
        self.0 = turns.iter().flat_map(|to| self.0.iter().map(|layouts| turned(layouts, to))).collect();
    }

    /// None.
    pub(super) fn none() -> Self {
        Self(Vec::new())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps those that agree with the news, too.
    pub(super) fn hear(&mut self, news: &News<WORDS>) {
        let has = |ships: Set<WORDS>, place: &Place<WORDS>| {
            ships.has(place.cells) && ((place.taken - place.cells) & ships).is_empty()
        };
        self.0.retain_mut(|layouts| {
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

    /// Sees to it that there are enough to reckon with, as far as the tries reach; gives how many it took.
    pub(super) fn fill(&mut self, known: &Known<WORDS>, effort: &Effort, dice: &mut impl Dice) -> u32 {
        if self.worth() >= effort.least {
            return 0;
        }
        let mut drawer = Drawer::new(known);
        let mut drawn = Self::none();
        // Bold tries cost a twentieth, and are worth it as long as some succeed.
        drawn.0.extend((0..BOLD).filter_map(|_| drawer.bold(dice)));
        let is_bold = drawn.0.len() * 40 >= usize::try_from(BOLD).unwrap_or_default();
        let (at_a_time, cost) = if is_bold { (BOLD, BOLD / 20) } else { (CAREFUL, CAREFUL) };
        let mut spent = BOLD / 20;
        if !is_bold {
            drawn.0.clear();
        }
        // One careful round is made in any case.
        let mut owes_a_round = !is_bold;
        while owes_a_round || (drawn.worth() + self.worth() < effort.enough && spent < effort.tries) {
            owes_a_round = false;
            let one = |_| if is_bold { drawer.bold(dice) } else { drawer.one(dice) };
            drawn.0.extend((0..at_a_time).filter_map(one));
            spent += cost;
        }
        for boards in [&mut *self, &mut drawn] {
            // What tells more counts for more.
            let share = boards.worth() / boards.0.iter().map(|layouts| layouts.weight).sum::<f64>();
            boards.0.iter_mut().for_each(|layouts| layouts.weight *= share);
        }
        self.0.append(&mut drawn.0);
        spent
    }

    /// How many layouts of equal weight would tell as much.
    pub(super) fn worth(&self) -> f64 {
        let weights = || self.0.iter().map(|layouts| layouts.weight);
        let (sum, squares) = (weights().sum::<f64>(), weights().map(|weight| weight * weight).sum::<f64>());
        if squares > 0.0 { sum * sum / squares } else { 0.0 }
    }

    /// The chances for each of so many cells.
    #[expect(clippy::indexing_slicing, reason = "the cells are those of the grid")]
    pub(super) fn chances(&self, mines: u8, cells: usize) -> Chances {
        let mut chances = Chances { ships: vec![0.0; cells], mines: vec![0.0; cells] };
        let sum: f64 = self.0.iter().map(|layouts| layouts.weight).sum();
        let mines = f64::from(mines);
        for layouts in &self.0 {
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
