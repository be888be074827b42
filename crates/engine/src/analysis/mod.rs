//! What a seat could reckon before each of its shots, and how lucky it was.
//!
//! The chances are those of the legal layouts that agree with all that the seat knew, each as likely as any other. Where
//! that does not take too long all are counted, and the chances are exact. Else some are drawn and weighed, and kept
//! while they agree with what the shots tell. `docs/analysis.md` says how far that is from exact counting.

mod boards;
mod count;
mod known;
mod layouts;
mod left;
mod set;
mod shape;

use super::bot::knowledge::Knowledge;
use super::{
    BySeat, Cells, Coordinate, Event, Game, GameView, Grid, Impossible, Outcome, Seat, SeededDice, Shot, Viewer,
};
use boards::{Boards, Chances, Effort, News};
use count::Count;
use known::{Atlas, Known};
use set::Set;
use shape::Shape;

/// A chance in ten-thousandths, so that every machine tells the same four decimals: 0 to 10,000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Chance(u16);

/// What came of a game, shot by shot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// How many boards were gone through, all turns together; those that were counted as one are one.
    pub boards_drawn: u64,
    /// What each seat could reckon before each turn in which it fired, in the order of the log.
    pub turns: Vec<Turn>,
}

/// What a seat could reckon before a shot or volley.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The event with the shots.
    pub seq: u32,
    /// Who fired.
    pub seat: Seat,
    /// The cell most likely to hold a ship, of those not fired at; the first where there are several.
    pub best: Coordinate,
    /// The shots, in the order sent, with what each found.
    pub shots: Vec<Shot>,
    grid: Grid,
    /// Row by row.
    ships: Vec<Chance>,
    mines: Vec<Chance>,
}

/// One percent: a choice that is so near to the best is as good.
const POINT: u16 = Chance::ONE / 100;

/// How lucky a seat was in a game. What is reckoned is the sum of its chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fortune {
    /// How many shots it fired.
    pub shots: u32,
    /// How many found a ship.
    pub hits: u32,
    /// How many were to be expected to, in ten-thousandths.
    pub expected_hits: u32,
    /// How many found a mine.
    pub mines: u32,
    /// How many were to be expected to, in ten-thousandths.
    pub expected_mines: u32,
    /// How many shots were within one percent of the best cell.
    pub as_good: u32,
}

impl Chance {
    /// One, in these parts.
    pub const ONE: u16 = 10_000;

    /// How many of ten thousand.
    pub fn parts(self) -> u16 {
        self.0
    }

    /// The nearest to this share.
    fn of(share: f64) -> Self {
        // Halves go up, so that it takes no function of the machine's.
        let parts = share.clamp(0.0, 1.0) * f64::from(Self::ONE) + 0.5;
        let (mut low, mut high) = (0, Self::ONE);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if f64::from(middle) <= parts { low = middle } else { high = middle - 1 }
        }
        Self(low)
    }
}

impl Turn {
    /// The chances of a ship, a list for each row.
    pub fn ships(&self) -> impl Iterator<Item = &[Chance]> {
        self.ships.chunks(self.grid.side().into())
    }

    /// The chances of a mine, a list for each row.
    pub fn mines(&self) -> impl Iterator<Item = &[Chance]> {
        self.mines.chunks(self.grid.side().into())
    }

    /// The chance that a cell held a ship.
    pub fn ship(&self, cell: Coordinate) -> Chance {
        self.at(&self.ships, cell)
    }

    /// The chance that a cell held a mine.
    pub fn mine(&self, cell: Coordinate) -> Chance {
        self.at(&self.mines, cell)
    }

    fn at(&self, chances: &[Chance], cell: Coordinate) -> Chance {
        let index = usize::from(cell.row()) * usize::from(self.grid.side()) + usize::from(cell.column());
        chances.get(index).copied().unwrap_or_default()
    }
}

impl Analysis {
    /// How lucky a seat was.
    pub fn fortune(&self, seat: Seat) -> Fortune {
        let mut fortune = Fortune::default();
        for turn in self.turns.iter().filter(|turn| turn.seat == seat) {
            for shot in &turn.shots {
                let (ship, mine) = (turn.ship(shot.cell), turn.mine(shot.cell));
                let (hit, struck) = match shot.outcome {
                    Outcome::Miss => (false, false),
                    Outcome::Hit | Outcome::Sunk(_) => (true, false),
                    Outcome::Mine => (false, true),
                };
                fortune.shots += 1;
                fortune.hits += u32::from(hit);
                fortune.mines += u32::from(struck);
                fortune.expected_hits += u32::from(ship.parts());
                fortune.expected_mines += u32::from(mine.parts());
                fortune.as_good += u32::from(ship.parts() + POINT >= turn.ship(turn.best).parts());
            }
        }
        fortune
    }

    /// Goes through a game from its beginning; the dice are seeded by this.
    ///
    /// # Errors
    ///
    /// [`Impossible`] where an event cannot follow.
    pub fn of(game: &Game, log: &[(u32, Event)], seed: [u8; 32]) -> Result<Self, Impossible> {
        match game.options().grid {
            Grid::Eight => Course::<1>::new(game, seed).run(log),
            Grid::Ten => Course::<2>::new(game, seed).run(log),
            Grid::Twelve => Course::<3>::new(game, seed).run(log),
            Grid::Fifteen => Course::<4>::new(game, seed).run(log),
        }
    }
}

/// So many steps are always made: that takes a millisecond.
const FEW_STEPS: usize = 60_000;

/// So many are made where no layout could be drawn: that takes a tenth of a second.
const LAST_STEPS: usize = 8_000_000;

/// A game on the way through its log.
struct Course<const WORDS: usize> {
    game: Game,
    dice: SeededDice,
    atlas: Atlas<WORDS>,
    counting: Count<WORDS>,
    /// What each seat reckons with about the other's board; none where that has to begin anew.
    boards: BySeat<Option<Boards<WORDS>>>,
    analysis: Analysis,
    /// What the other seat can begin with.
    opening: Option<Boards<WORDS>>,
    /// What may still be done for the whole game, and for how many turns.
    budget: Effort,
    turns_left: u32,
    /// What each seat knew before its last turn, and the chances then.
    last: BySeat<Option<(Known<WORDS>, Chances)>>,
    /// The cells row by row, and column by column.
    orders: [Vec<Set<WORDS>>; 2],
    /// What it seems to take to count what was too much for each seat.
    too_much: BySeat<f64>,
}

impl<const WORDS: usize> Course<WORDS> {
    fn new(game: &Game, seed: [u8; 32]) -> Self {
        let grid = game.options().grid;
        let (atlas, budget) = (Atlas::of(grid), Effort::of(grid));
        let orders = atlas.orders();
        let analysis = Analysis { boards_drawn: 0, turns: Vec::new() };
        Self {
            game: *game,
            dice: SeededDice::from_seed(seed),
            atlas,
            counting: Count::new(Shape::of(grid)),
            boards: BySeat { host: None, guest: None },
            analysis,
            opening: None,
            budget,
            turns_left: 0,
            last: BySeat { host: None, guest: None },
            orders,
            too_much: BySeat { host: f64::INFINITY, guest: f64::INFINITY },
        }
    }

    fn run(mut self, log: &[(u32, Event)]) -> Result<Analysis, Impossible> {
        let turns = log.iter().filter(|(_, event)| matches!(event, Event::Fired { .. })).count();
        self.turns_left = u32::try_from(turns).unwrap_or(u32::MAX);
        for (seq, event) in log {
            if let Event::Fired { seat, shots, .. } = event {
                self.turn(*seq, *seat, shots);
            }
            self.game.apply(event)?;
            match event {
                Event::Fired { seat, shots, .. } => self.hear(*seat, shots),
                Event::Revealed { seat, .. } => *self.boards.of_mut(seat.other()) = None,
                Event::Joined { .. }
                | Event::Placed { .. }
                | Event::Resigned { .. }
                | Event::TimedOut { .. }
                | Event::Expired
                | Event::Extended { .. } => {}
            }
        }
        Ok(self.analysis)
    }

    /// Reckons what a seat could reckon before it fired.
    fn turn(&mut self, seq: u32, seat: Seat, shots: &[Shot]) {
        let knowledge = seen_by(&self.game, seat);
        let known = self.atlas.known(&knowledge);
        let is_opening = knowledge.fired.is_empty() && knowledge.found.is_empty();
        let last = self.last.of_mut(seat).take().filter(|(last, _)| last.is_same(&known));
        let boards = self.boards.of(seat).as_ref().or(self.opening.as_ref().filter(|_| is_opening));
        let has_plenty = boards.is_some_and(|boards| boards.worth() >= self.budget.plenty);
        let chances = last
            .map(|(_, chances)| chances)
            .or_else(|| if has_plenty { None } else { self.count(seat, &known) })
            .unwrap_or_else(|| self.draw(seat, &known, is_opening));
        self.turns_left = self.turns_left.saturating_sub(1);
        self.analysis.turns.push(Turn::new(&self.game, (seq, seat), shots, &chances));
        *self.last.of_mut(seat) = Some((known, chances));
    }

    /// Counts all layouts, where that does not take too long.
    fn count(&mut self, seat: Seat, known: &Known<WORDS>) -> Option<Chances> {
        let guesses = self.orders.iter().map(|order| (Count::guess(known, order), order));
        let (guess, order) = guesses.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let most = (self.budget.steps / self.budget.step_shares).clamp(FEW_STEPS, self.budget.most_steps);
        // A guess is hardly ever further off than this.
        let worth_trying = 0.85 * f64::from(u32::try_from(most).unwrap_or(u32::MAX));
        if guess > worth_trying.min(*self.too_much.of(seat)) {
            return None;
        }
        let (counted, steps) = self.counting.chances(known, order, most);
        self.budget.steps = self.budget.steps.saturating_sub(steps);
        match counted {
            Some(_) => {
                self.analysis.boards_drawn += u64::try_from(steps).unwrap_or(u64::MAX);
                *self.boards.of_mut(seat) = None;
            }
            None => *self.too_much.of_mut(seat) = guess * 0.95,
        }
        counted
    }

    /// Draws some layouts, where there are too many.
    fn draw(&mut self, seat: Seat, known: &Known<WORDS>, is_opening: bool) -> Chances {
        let tries = self.budget.tries / self.budget.shares.min(self.turns_left.div_ceil(3)).max(1);
        let effort = Effort { tries, ..self.budget };
        if is_opening && let Some(opening) = self.opening.take() {
            *self.boards.of_mut(seat) = Some(opening);
        }
        let boards = self.boards.of_mut(seat).get_or_insert_with(Boards::none);
        let tries = boards.fill(known, &effort, &mut self.dice);
        if is_opening && tries > 0 {
            boards.turn(&self.atlas.turns());
            self.opening = Some(boards.clone());
        }
        self.budget.tries = self.budget.tries.saturating_sub(tries);
        self.analysis.boards_drawn += u64::try_from(boards.len()).unwrap_or(u64::MAX);
        let [order, _] = &self.orders;
        if !boards.is_empty() {
            return boards.chances(known.mines, order.len());
        }
        // Where no try succeeds little is possible, and that is soon counted.
        let (counted, _) = self.counting.chances(known, order, LAST_STEPS);
        counted.unwrap_or_else(|| self.as_it_was(seat))
    }

    /// One layout that agrees with all that is known: the one that was there.
    fn as_it_was(&self, seat: Seat) -> Chances {
        let board = self.game.board(seat.other());
        let (ships, mines) = board.map(|board| (board.ships(), board.mines())).unwrap_or_default();
        let cells = self.game.options().grid.cells();
        let of = |those: Cells| cells.iter().map(|cell| f64::from(u8::from(those.contains(cell)))).collect();
        Chances { ships: of(ships), mines: of(mines) }
    }

    /// Keeps what a seat goes on to reckon with once it knows what its shots found.
    fn hear(&mut self, seat: Seat, shots: &[Shot]) {
        let of = |is: fn(Outcome) -> bool| shots.iter().filter(|shot| is(shot.outcome)).map(|shot| shot.cell).collect();
        let misses: Cells = of(|outcome| outcome == Outcome::Miss);
        let hits: Cells = of(|outcome| outcome == Outcome::Hit);
        let (mut sunk, mut of_several) = (Vec::new(), Cells::EMPTY);
        for shot in shots {
            match shot.outcome {
                Outcome::Miss | Outcome::Hit => {}
                Outcome::Sunk(ship) if ship.length() > 1 => {
                    sunk.extend(self.atlas.place_of(ship));
                    of_several |= ship.cells();
                }
                // What is told of a piece makes the others lie otherwise.
                Outcome::Sunk(_) | Outcome::Mine => return *self.boards.of_mut(seat) = None,
            }
        }
        let hits = hits - of_several;
        let not_sunk = if hits.is_empty() { Vec::new() } else { self.atlas.all_hit(&seen_by(&self.game, seat)) };
        let news = News { misses: self.atlas.set(misses), hits: self.atlas.set(hits), sunk, not_sunk };
        if let Some(boards) = self.boards.of_mut(seat) {
            boards.hear(&news);
        }
    }
}

/// What a seat knows of the other board.
fn seen_by(game: &Game, seat: Seat) -> Knowledge {
    let GameView { boards, .. } = GameView::new(game, Viewer::Seat(seat));
    Knowledge::of(boards.of(seat.other()), game.options())
}

impl Turn {
    fn new(game: &Game, (seq, seat): (u32, Seat), shots: &[Shot], chances: &Chances) -> Self {
        let grid = game.options().grid;
        let board = game.board(seat.other());
        let (fired, ships, mines) =
            board.map(|board| (board.shots(), board.ships(), board.mines())).unwrap_or_default();
        let sure = |is: bool| Chance(if is { Chance::ONE } else { 0 });
        let all: Vec<(Coordinate, Chance, Chance)> = grid
            .cells()
            .iter()
            .zip(chances.ships.iter().zip(&chances.mines))
            .map(|(cell, (ship, mine))| {
                if fired.contains(cell) {
                    (cell, sure(ships.contains(cell)), sure(mines.contains(cell)))
                } else {
                    (cell, Chance::of(*ship), Chance::of(*mine))
                }
            })
            .collect();
        let open = all.iter().filter(|(cell, ..)| !fired.contains(*cell));
        // The first of the highest.
        let best = open.rev().max_by_key(|(_, ship, _)| *ship).map(|(cell, ..)| *cell);
        Self {
            seq,
            seat,
            best: best.or(shots.first().map(|shot| shot.cell)).unwrap_or(Coordinate::of_bit(0)),
            shots: shots.to_vec(),
            grid,
            ships: all.iter().map(|(_, ship, _)| *ship).collect(),
            mines: all.iter().map(|(_, _, mine)| *mine).collect(),
        }
    }
}
