use std::num::NonZeroU8;

use super::{Board, BySeat, Cells, Coordinate, Grid, Options, Outcome, Seat};

/// Both fleets are placed and neither is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Battle {
    /// Who shot first (R22).
    pub first: Seat,
    /// The board of each seat.
    pub boards: BySeat<Board>,
    /// Whose turn it is.
    pub turn: Seat,
    /// What that seat must do.
    pub due: Due,
}

/// What the seat on turn must do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// Fire exactly so many shots (R8, R9).
    Fire(NonZeroU8),
    /// Give exactly so many cells away (R19).
    Reveal(NonZeroU8),
}

/// What the rules say of a volley, as far as it has been fired.
pub(super) struct Ruling {
    /// The target's cells fired at before.
    before: Cells,
    /// How many mines it struck.
    mines: u8,
    /// How many of its shots hit or sank.
    successes: u8,
    /// Whether it sank a ship.
    sinks: bool,
}

impl Battle {
    /// The battle as the second layout starts it.
    pub(super) fn begin(first: Seat, boards: BySeat<Board>, options: &Options) -> Self {
        let due = volley_due(options, first, &boards);
        Self { first, boards, turn: first, due }
    }

    /// The board that the seat on turn fires at.
    pub(super) fn target(&self) -> &Board {
        self.boards.of(self.turn.other())
    }

    /// Begins a volley of the seat on turn.
    pub(super) fn begin_volley(&self) -> Ruling {
        Ruling { before: self.target().shots(), mines: 0, successes: 0, sinks: false }
    }

    /// Fires the next shot and tells what it found; none where its cell cannot be fired at (R10 to R12).
    #[inline]
    pub(super) fn strike(&mut self, ruling: &mut Ruling, grid: Grid, cell: Coordinate) -> Option<Outcome> {
        let target = self.boards.of_mut(self.turn.other());
        if !grid.contains(cell) || target.was_fired_at(cell) {
            return None;
        }
        let outcome = target.strike(cell);
        match outcome {
            Outcome::Miss => {}
            Outcome::Hit => ruling.successes += 1,
            Outcome::Sunk(_) => {
                ruling.successes += 1;
                ruling.sinks = true;
            }
            Outcome::Mine => ruling.mines += 1,
        }
        Some(outcome)
    }

    /// Takes the shots of a volley back.
    pub(super) fn take_back(&mut self, ruling: &Ruling) {
        self.boards.of_mut(self.turn.other()).take_back_to(ruling.before);
    }

    /// Whether the volley sank the last ship (R23).
    #[inline]
    pub(super) fn wins(&self, ruling: &Ruling) -> bool {
        ruling.sinks && self.target().is_lost()
    }

    /// What the seat on turn owes after the volley; present whenever it struck a mine (R17, R18).
    #[inline]
    pub(super) fn owed(&self, ruling: &Ruling) -> Option<u8> {
        match ruling.mines {
            0 => None,
            _ if self.wins(ruling) => Some(0),
            mines => Some(mines.min(self.boards.of(self.turn).revealable().len())),
        }
    }

    /// Says who does what after the volley (R14 to R18).
    #[inline]
    pub(super) fn end_volley(&mut self, ruling: &Ruling, owed: Option<u8>, options: &Options) {
        if let Some(owed) = owed.and_then(NonZeroU8::new) {
            self.due = Due::Reveal(owed);
        } else if let (true, None, Some(earned)) = (options.shoot_again, owed, NonZeroU8::new(ruling.successes)) {
            self.due = Due::Fire(at_most_unfired(earned, options, self.target()));
        } else {
            self.pass(options);
        }
    }

    /// Gives cells of the seat on turn away, and passes the turn (R16, R19).
    pub(super) fn give(&mut self, cells: Cells, options: &Options) {
        self.boards.of_mut(self.turn).reveal(cells);
        self.pass(options);
    }

    /// Passes the turn to the other seat, with a fresh volley (R9).
    fn pass(&mut self, options: &Options) {
        self.turn = self.turn.other();
        self.due = volley_due(options, self.turn, &self.boards);
    }
}

/// The shots of a turn that begins (R8, R9).
#[inline]
fn volley_due(options: &Options, shooter: Seat, boards: &BySeat<Board>) -> Due {
    let ships = if options.salvo { boards.of(shooter).afloat() } else { 1 };
    // In battle no fleet is lost, so there is always a ship.
    let shots = NonZeroU8::new(ships).unwrap_or(NonZeroU8::MIN);
    Due::Fire(at_most_unfired(shots, options, boards.of(shooter.other())))
}

/// So many shots, or as many as there are cells not yet fired at. In battle a ship cell is always among them.
fn at_most_unfired(shots: NonZeroU8, options: &Options, board: &Board) -> NonZeroU8 {
    if shots == NonZeroU8::MIN {
        return shots;
    }
    NonZeroU8::new((options.grid.cells() - board.shots()).len()).map_or(NonZeroU8::MIN, |unfired| shots.min(unfired))
}
