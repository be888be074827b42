use std::num::NonZeroU8;

use super::{Board, BySeat, Options, Outcome, Seat, Shot};

/// Both fleets are placed and neither is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Battle {
    /// Who shot first (R22).
    pub first: Seat,
    /// Both boards.
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

impl Battle {
    /// The battle as the second layout starts it.
    pub(super) fn begin(first: Seat, boards: BySeat<Board>, options: &Options) -> Self {
        let due = volley_due(options, first, &boards);
        Self { first, boards, turn: first, due }
    }

    /// Passes the turn to this seat, with a fresh volley (R9).
    pub(super) fn pass_to(&mut self, seat: Seat, options: &Options) {
        self.turn = seat;
        self.due = volley_due(options, seat, &self.boards);
    }

    /// What the seat on turn owes after a volley that sinks the last ship or does not; present
    /// whenever it struck a mine (R17, R18).
    #[inline]
    pub(super) fn owed(&self, shots: &[Shot], wins: bool) -> Option<u8> {
        let mines = count(shots, |outcome| outcome == Outcome::Mine);
        match mines {
            0 => None,
            _ if wins => Some(0),
            _ => Some(mines.min(self.boards.of(self.turn).revealable().len())),
        }
    }

    /// Who does what after a volley that has not won, and after which so much is owed (R14 to R18).
    #[inline]
    pub(super) fn next(&self, shots: &[Shot], owed: Option<u8>, options: &Options) -> (Seat, Due) {
        let target = self.turn.other();
        if let Some(owed) = owed.and_then(NonZeroU8::new) {
            return (self.turn, Due::Reveal(owed));
        }
        if options.shoot_again && owed.is_none() {
            let successes = count(shots, |outcome| matches!(outcome, Outcome::Hit | Outcome::Sunk(_)));
            if let Some(earned) = NonZeroU8::new(successes) {
                return (self.turn, Due::Fire(at_most_unfired(earned, options, self.boards.of(target))));
            }
        }
        (target, volley_due(options, target, &self.boards))
    }
}

/// How many shots of a volley found such a thing. A single shot found one thing at most.
fn count(shots: &[Shot], is_one: impl Fn(Outcome) -> bool) -> u8 {
    shots.iter().map(|shot| u8::from(is_one(shot.outcome))).sum()
}

/// Whether a volley sank a ship: no other can have won.
pub(super) fn sinks(shots: &[Shot]) -> bool {
    shots.iter().any(|shot| matches!(shot.outcome, Outcome::Sunk(_)))
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
