use std::num::NonZeroU8;

use super::{Board, BySeat, Options, Outcome, Seat};

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

/// What a volley did, beyond the shots themselves.
pub(super) struct Aftermath {
    /// What comes next; none when the last ship was sunk (R17).
    pub next: Option<(Seat, Due)>,
    /// How many cells are owed; present whenever a mine was struck (R17, R18).
    pub owed: Option<u8>,
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

    /// What follows when the seat on turn has fired and `boards` show the shots (R14 to R18).
    pub(super) fn after<'a>(
        &self,
        boards: &BySeat<Board>,
        outcomes: impl Iterator<Item = &'a Outcome>,
        options: &Options,
    ) -> Aftermath {
        let (shooter, target) = (self.turn, self.turn.other());
        let (mines, successes) = tally(outcomes);
        if boards.of(target).is_lost() {
            return Aftermath { next: None, owed: (mines > 0).then_some(0) };
        }
        let owed = mines.min(boards.of(shooter).revealable().len());
        let next = if let Some(owed) = NonZeroU8::new(owed) {
            (shooter, Due::Reveal(owed))
        } else if let Some(earned) = NonZeroU8::new(successes).filter(|_| mines == 0 && options.shoot_again) {
            (shooter, Due::Fire(earned.min(unfired(options, boards.of(target)))))
        } else {
            (target, volley_due(options, target, boards))
        };
        Aftermath { next: Some(next), owed: (mines > 0).then_some(owed) }
    }
}

/// How many mines and how many successes a volley found. A single shot has at most one.
fn tally<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> (u8, u8) {
    outcomes.fold((0, 0), |(mines, successes), outcome| match outcome {
        Outcome::Mine => (mines + 1, successes),
        Outcome::Hit | Outcome::Sunk(_) => (mines, successes + 1),
        Outcome::Miss => (mines, successes),
    })
}

/// The shots of a turn that begins (R8, R9).
fn volley_due(options: &Options, shooter: Seat, boards: &BySeat<Board>) -> Due {
    let ships = if options.salvo { boards.of(shooter).afloat() } else { 1 };
    // In battle no fleet is lost, so there is always a ship.
    let shots = NonZeroU8::new(ships).unwrap_or(NonZeroU8::MIN);
    Due::Fire(shots.min(unfired(options, boards.of(shooter.other()))))
}

/// The cells not yet fired at. In battle a ship cell is always among them.
fn unfired(options: &Options, board: &Board) -> NonZeroU8 {
    NonZeroU8::new((options.grid.cells() - board.shots()).len()).unwrap_or(NonZeroU8::MIN)
}
