use super::battle::Ruling;
use super::{Battle, Board, BySeat, Cells, Due, Event, FirstShot, Given, Grid, Layout, Options, Seat, Shot, Volley};

/// A game: its options and how far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    pub(super) options: Options,
    pub(super) phase: Phase,
}

/// How far a game has come; each phase holds what exists in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// One seat is free.
    Waiting {
        /// The free seat: the guest's, or in a rematch the one that has not called.
        awaited: Seat,
        /// The board of the other seat, once it has placed.
        board: Option<Board>,
    },
    /// Both seats are taken, and at least one has not placed.
    Placing {
        /// Who will shoot first.
        first: Seat,
        /// The boards of those who have placed.
        boards: BySeat<Option<Board>>,
    },
    /// Both have placed, and neither has lost.
    Battle(Battle),
    /// The game has ended.
    Over {
        /// How the game ended.
        ending: Ending,
        /// Who shot or would have shot first, once that was settled.
        first: Option<Seat>,
        /// The boards of those who have placed.
        boards: BySeat<Option<Board>>,
    },
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Somebody won; both layouts are opened (R26).
    Won {
        /// The seat that won.
        winner: Seat,
        /// What won the game.
        by: Victory,
    },
    /// Nobody won; nothing hidden is ever opened (R26).
    Aborted(Abort),
}

/// How a game is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Victory {
    /// The last enemy ship was sunk (R23).
    FleetSunk,
    /// The other side resigned (R24).
    Resigned,
    /// The other side's time ran out (R25).
    TimedOut,
}

/// How a game ends without a winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abort {
    /// Resigned, or out of time, before the battle (R24, R25).
    Aborted,
    /// Nobody joined in time, or without a clock nothing happened for too long (R25).
    Expired,
}

/// The phase in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// One seat is free.
    Waiting,
    /// A layout is missing.
    Placing,
    /// Shots are fired.
    Battle,
    /// Won by one side.
    Finished,
    /// Ended with no winner.
    Aborted,
}

/// What a seat owes the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Awaiting {
    /// The seat that owes it.
    pub seat: Seat,
    /// What the seat owes.
    pub action: Action,
    /// How many: shots for a fire, cells for a reveal, else 1.
    pub count: u8,
}

/// What can be awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Take the free seat.
    Join,
    /// Hide ships and mines.
    Place,
    /// Fire a shot or volley.
    Fire,
    /// Give cells away.
    Reveal,
}

/// The event cannot follow on this game: the log is not a log of these layouts. It is displayed by its
/// name: sentences for people stand in the server's texts alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum Impossible {
    /// Such an event does not belong into this phase.
    WrongPhase,
    /// Another seat is to act.
    WrongSeat,
    /// Shots or cells are too few or too many.
    WrongCount,
    /// A cell is outside the grid, repeated, fired at before, or not to be given away.
    WrongCell,
    /// A shot's answer, or what is owed, is not what the boards say.
    WrongAnswer,
}

impl Game {
    /// A new game, created by the seat across from the awaited one.
    pub fn new(options: Options, awaited: Seat) -> Self {
        Self { options, phase: Phase::Waiting { awaited, board: None } }
    }

    /// The options of a rematch: as they were, but that the loser shoots first where there is one
    /// (R22); none before the end.
    pub fn rematch(&self) -> Option<Options> {
        let first = match self.ending()? {
            Ending::Won { winner: Seat::Guest, .. } => FirstShot::Host,
            Ending::Won { winner: Seat::Host, .. } => FirstShot::Guest,
            Ending::Aborted(_) => self.options.first,
        };
        Some(Options { first, ..self.options })
    }

    /// A game as it was written down.
    pub(super) fn restore(options: Options, phase: &Phase) -> Self {
        Self { options, phase: *phase }
    }

    /// What the host chose.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// How far the game has come.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// The phase in one word.
    pub fn status(&self) -> Status {
        match self.phase {
            Phase::Waiting { .. } => Status::Waiting,
            Phase::Placing { .. } => Status::Placing,
            Phase::Battle(_) => Status::Battle,
            Phase::Over { ending: Ending::Won { .. }, .. } => Status::Finished,
            Phase::Over { ending: Ending::Aborted(_), .. } => Status::Aborted,
        }
    }

    /// How the game ended, once it has.
    pub fn ending(&self) -> Option<Ending> {
        match self.phase {
            Phase::Over { ending, .. } => Some(ending),
            Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Battle(_) => None,
        }
    }

    /// Who shoots first, once that is settled.
    pub fn first(&self) -> Option<Seat> {
        match self.phase {
            Phase::Waiting { .. } => None,
            Phase::Placing { first, .. } => Some(first),
            Phase::Battle(ref battle) => Some(battle.first),
            Phase::Over { first, .. } => first,
        }
    }

    /// A seat's board, once placed.
    pub fn board(&self, seat: Seat) -> Option<&Board> {
        match self.phase {
            Phase::Waiting { awaited, ref board } => board.as_ref().filter(|_| seat != awaited),
            Phase::Placing { ref boards, .. } | Phase::Over { ref boards, .. } => boards.of(seat).as_ref(),
            Phase::Battle(ref battle) => Some(battle.boards.of(seat)),
        }
    }

    /// Who owes what, nothing once the game has ended: while a seat is free first the one that is taken,
    /// then the host first.
    pub fn awaiting(&self) -> impl Iterator<Item = Awaiting> {
        let owes = |seat, action, count| Some(Awaiting { seat, action, count });
        let entries = match self.phase {
            Phase::Waiting { awaited, board } => [
                board.is_none().then_some(Awaiting { seat: awaited.other(), action: Action::Place, count: 1 }),
                owes(awaited, Action::Join, 1),
            ],
            Phase::Placing { ref boards, .. } => Seat::BOTH
                .map(|seat| boards.of(seat).is_none().then_some(Awaiting { seat, action: Action::Place, count: 1 })),
            Phase::Battle(Battle { turn, due: Due::Fire(count), .. }) => [owes(turn, Action::Fire, count.get()), None],
            Phase::Battle(Battle { turn, due: Due::Reveal(count), .. }) => {
                [owes(turn, Action::Reveal, count.get()), None]
            }
            Phase::Over { .. } => [None, None],
        };
        entries.into_iter().flatten()
    }

    /// Goes on to the game after this event.
    ///
    /// # Errors
    ///
    /// [`Impossible`] when the event cannot follow; the game is then left as it was.
    pub fn apply(&mut self, event: &Event) -> Result<(), Impossible> {
        match *event {
            Event::Joined { seat, first } => self.join(seat, first),
            Event::Placed { seat, layout } => self.place(seat, layout),
            Event::Fired { seat, ref shots, owed } => self.fire(seat, shots, owed),
            Event::Revealed { seat, ref cells } => self.reveal(seat, cells),
            Event::Resigned { seat } => self.resign(seat),
            Event::TimedOut { seat } => self.time_out(seat),
            Event::Expired => self.expire(),
            Event::Extended { seconds: _ } => self.extend(),
        }
    }

    fn join(&mut self, seat: Seat, first: Seat) -> Result<(), Impossible> {
        let Phase::Waiting { awaited, board } = self.phase else { return Err(Impossible::WrongPhase) };
        if seat != awaited {
            return Err(Impossible::WrongSeat);
        }
        let boards = BySeat::from_fn(|owner| board.filter(|_| owner != awaited));
        self.phase = Phase::Placing { first, boards };
        Ok(())
    }

    fn place(&mut self, seat: Seat, layout: Layout) -> Result<(), Impossible> {
        let may_place = match self.phase {
            Phase::Waiting { awaited, board } => seat != awaited && board.is_none(),
            Phase::Placing { boards, .. } => boards.of(seat).is_none(),
            Phase::Battle(_) | Phase::Over { .. } => return Err(Impossible::WrongPhase),
        };
        if !may_place {
            return Err(Impossible::WrongSeat);
        }
        self.lay(seat, layout);
        Ok(())
    }

    fn fire(&mut self, seat: Seat, shots: &Volley, owed: Option<u8>) -> Result<(), Impossible> {
        let Phase::Battle(ref mut battle) = self.phase else { return Err(Impossible::WrongPhase) };
        let Due::Fire(due) = battle.due else { return Err(Impossible::WrongPhase) };
        if battle.turn != seat {
            return Err(Impossible::WrongSeat);
        }
        if shots.len() != usize::from(due.get()) {
            return Err(Impossible::WrongCount);
        }
        let mut ruling = battle.begin_volley();
        if let Err(impossible) = answers(battle, &mut ruling, self.options.grid, shots, owed) {
            battle.take_back(&ruling);
            return Err(impossible);
        }
        let wins = battle.wins(&ruling);
        battle.end_volley(&ruling, owed, &self.options);
        if wins {
            self.end(Ending::Won { winner: seat, by: Victory::FleetSunk });
        }
        Ok(())
    }

    fn reveal(&mut self, seat: Seat, cells: &Given) -> Result<(), Impossible> {
        let Phase::Battle(ref mut battle) = self.phase else { return Err(Impossible::WrongPhase) };
        let Due::Reveal(due) = battle.due else { return Err(Impossible::WrongPhase) };
        if battle.turn != seat {
            return Err(Impossible::WrongSeat);
        }
        if cells.len() != usize::from(due.get()) {
            return Err(Impossible::WrongCount);
        }
        let given: Cells = cells.iter().copied().collect();
        if given.len() != due.get() || !(given - battle.boards.of(seat).revealable()).is_empty() {
            return Err(Impossible::WrongCell);
        }
        battle.give(given, &self.options);
        Ok(())
    }

    fn resign(&mut self, seat: Seat) -> Result<(), Impossible> {
        match self.phase {
            Phase::Waiting { awaited, .. } if awaited == seat => return Err(Impossible::WrongSeat),
            Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Battle(_) => self.give_up(seat),
            Phase::Over { .. } => return Err(Impossible::WrongPhase),
        }
        Ok(())
    }

    fn time_out(&mut self, seat: Option<Seat>) -> Result<(), Impossible> {
        if seat != self.late_seat() {
            return Err(Impossible::WrongSeat);
        }
        match self.phase {
            Phase::Placing { .. } => self.end(Ending::Aborted(Abort::Aborted)),
            Phase::Battle(Battle { turn, .. }) => self.end(Ending::Won { winner: turn.other(), by: Victory::TimedOut }),
            Phase::Waiting { .. } | Phase::Over { .. } => return Err(Impossible::WrongPhase),
        }
        Ok(())
    }

    fn expire(&mut self) -> Result<(), Impossible> {
        if !self.can_expire() {
            return Err(Impossible::WrongPhase);
        }
        self.end(Ending::Aborted(Abort::Expired));
        Ok(())
    }

    /// More time changes nothing but the deadline, which is not the rules' to keep (R30).
    fn extend(&self) -> Result<(), Impossible> {
        if self.awaiting().next().is_none() { Err(Impossible::WrongPhase) } else { Ok(()) }
    }

    /// Whether the game ends where nothing happens: while nobody has joined, and later where no clock
    /// ends it (R25).
    pub(super) fn can_expire(&self) -> bool {
        match self.phase {
            Phase::Waiting { .. } => true,
            Phase::Placing { .. } | Phase::Battle(_) => self.options.turn_seconds.is_none(),
            Phase::Over { .. } => false,
        }
    }

    /// The one seat that is late when the clock runs out; none where both owe a layout (R25).
    pub(super) fn late_seat(&self) -> Option<Seat> {
        let mut awaited = self.awaiting();
        match (awaited.next(), awaited.next()) {
            (Some(only), None) => Some(only.seat),
            (None, _) | (Some(_), Some(_)) => None,
        }
    }

    /// Puts a seat's layout beside the boards placed so far; the second begins the battle (R6).
    pub(super) fn lay(&mut self, seat: Seat, layout: Layout) {
        match self.phase {
            Phase::Waiting { ref mut board, .. } => *board = Some(Board::new(layout)),
            Phase::Placing { first, ref mut boards } => {
                *boards.of_mut(seat) = Some(Board::new(layout));
                if let BySeat { host: Some(host), guest: Some(guest) } = *boards {
                    self.phase = Phase::Battle(Battle::begin(first, BySeat { host, guest }, &self.options));
                }
            }
            Phase::Battle(_) | Phase::Over { .. } => {}
        }
    }

    /// Ends the game as a seat gives up: the other wins, but not before the battle (R24).
    pub(super) fn give_up(&mut self, seat: Seat) {
        self.end(match self.phase {
            Phase::Battle(_) => Ending::Won { winner: seat.other(), by: Victory::Resigned },
            Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Over { .. } => Ending::Aborted(Abort::Aborted),
        });
    }

    /// Ends the game where it stands.
    pub(super) fn end(&mut self, ending: Ending) {
        let boards = BySeat::from_fn(|seat| self.board(seat).copied());
        self.phase = Phase::Over { ending, first: self.first(), boards };
    }
}

/// Fires a volley, up to a shot that cannot be fired or is not answered so.
fn answers(
    battle: &mut Battle,
    ruling: &mut Ruling,
    grid: Grid,
    shots: &[Shot],
    owed: Option<u8>,
) -> Result<(), Impossible> {
    for shot in shots {
        let outcome = battle.strike(ruling, grid, shot.cell).ok_or(Impossible::WrongCell)?;
        if outcome != shot.outcome {
            return Err(Impossible::WrongAnswer);
        }
    }
    if battle.owed(ruling) == owed { Ok(()) } else { Err(Impossible::WrongAnswer) }
}
