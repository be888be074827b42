use super::{
    Battle, Cells, Coordinate, Due, Ending, Event, FirstShot, Game, MOST_SHOTS, Options, Phase, Placement, Refusal,
    Seat, Shot, Victory, Volley,
};

/// What a seat asks for.
#[derive(Clone, Copy, Debug)]
pub enum Command<'a> {
    /// Hide these ships and mines.
    Place(&'a Placement),
    /// Fire at these cells, in this order.
    Fire(&'a [Coordinate]),
    /// Give these cells away.
    Reveal(&'a [Coordinate]),
    /// Give the game up (R24).
    Resign,
}

impl Game {
    /// Decides what comes of a seat's command, and goes on to the game after it.
    ///
    /// # Errors
    ///
    /// A [`Refusal`], judged in one order that never depends on what the caller may not see: phase
    /// and turn, then the public record (count, repeated, outside, fired at before), then the
    /// seat's own hidden board. The game is then left as it was.
    pub fn play(&mut self, seat: Seat, command: Command<'_>) -> Result<Event, Refusal> {
        match command {
            Command::Place(placement) => place(self, seat, placement),
            Command::Fire(cells) => fire(self, seat, cells),
            Command::Reveal(cells) => reveal(self, seat, cells),
            Command::Resign => resign(self, seat),
        }
    }
}

/// Decides whether somebody may take the free seat; `caller` is the seat that they have already.
///
/// `coin` is who shoots first where that is left to chance (R22).
///
/// # Errors
///
/// [`Refusal::GameOver`], [`Refusal::OwnGame`] or [`Refusal::GameFull`], in this order.
pub fn join(game: &Game, caller: Option<Seat>, coin: Seat) -> Result<Event, Refusal> {
    match (game.phase(), caller) {
        (Phase::Over { .. }, _) => Err(Refusal::GameOver),
        (_, Some(_)) => Err(Refusal::OwnGame),
        (Phase::Waiting { awaited, .. }, None) => {
            Ok(Event::Joined { seat: *awaited, first: first_shot(game.options(), coin) })
        }
        (Phase::Placing { .. } | Phase::Battle(_), None) => Err(Refusal::GameFull),
    }
}

/// What happens when the time of the action that is due has run out (R25).
///
/// # Errors
///
/// [`Refusal::GameOver`] when nothing is due any more.
pub fn time_out(game: &Game) -> Result<Event, Refusal> {
    match game.phase() {
        Phase::Waiting { .. } => Ok(Event::Expired),
        Phase::Placing { .. } | Phase::Battle(_) => Ok(Event::TimedOut { seat: game.late_seat() }),
        Phase::Over { .. } => Err(Refusal::GameOver),
    }
}

/// What happens when that time has run out, but nobody could act for so many seconds of it (R30).
///
/// # Errors
///
/// [`Refusal::GameOver`] when nothing is due any more.
pub fn extend(game: &Game, seconds: u32) -> Result<Event, Refusal> {
    match game.phase() {
        Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Battle(_) => Ok(Event::Extended { seconds }),
        Phase::Over { .. } => Err(Refusal::GameOver),
    }
}

/// What comes of it where nothing has happened for too long; none where a clock runs, and where the game
/// is over (R25).
pub fn expire(game: &Game) -> Option<Event> {
    game.can_expire().then_some(Event::Expired)
}

fn first_shot(options: &Options, coin: Seat) -> Seat {
    match options.first {
        FirstShot::Host => Seat::Host,
        FirstShot::Guest => Seat::Guest,
        FirstShot::Random => coin,
    }
}

fn place(game: &mut Game, seat: Seat, placement: &Placement) -> Result<Event, Refusal> {
    match game.phase {
        Phase::Waiting { awaited, .. } if awaited == seat => return Err(Refusal::NotJoined),
        Phase::Waiting { board: None, .. } => {}
        Phase::Placing { boards, .. } if boards.of(seat).is_none() => {}
        Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Battle(_) => return Err(Refusal::AlreadyPlaced),
        Phase::Over { .. } => return Err(Refusal::GameOver),
    }
    let layout = placement.check(&game.options).map_err(Refusal::IllegalLayout)?;
    game.lay(seat, layout);
    Ok(Event::Placed { seat, layout })
}

/// The battle in which this seat is to act.
fn on_turn(phase: &mut Phase, seat: Seat) -> Result<&mut Battle, Refusal> {
    match phase {
        Phase::Waiting { .. } | Phase::Placing { .. } => Err(Refusal::NotInBattle),
        Phase::Battle(battle) if battle.turn == seat => Ok(battle),
        Phase::Battle(_) => Err(Refusal::NotYourTurn),
        Phase::Over { .. } => Err(Refusal::GameOver),
    }
}

fn fire(game: &mut Game, seat: Seat, cells: &[Coordinate]) -> Result<Event, Refusal> {
    let battle = on_turn(&mut game.phase, seat)?;
    let due = match battle.due {
        Due::Fire(due) => due.get(),
        Due::Reveal(owed) => return Err(Refusal::RevealDue { expected: owed.get() }),
    };
    if cells.len() != usize::from(due) {
        return Err(Refusal::WrongShotCount { expected: due, sent: cells.len() });
    }
    let (mut ruling, mut shots) = (battle.begin_volley(), Volley::new());
    // As many as are due, at most MOST_SHOTS; where the compiler knows that, no shot checks for room.
    for &cell in cells.iter().take(MOST_SHOTS) {
        let Some(outcome) = battle.strike(&mut ruling, game.options.grid, cell) else {
            battle.take_back(&ruling);
            let aimed = distinct_on_grid(&game.options, cells)?;
            return Err(Refusal::AlreadyFired(aimed & battle.target().shots()));
        };
        shots.push(Shot { cell, outcome });
    }
    let (wins, owed) = (battle.wins(&ruling), battle.owed(&ruling));
    battle.end_volley(&ruling, owed, &game.options);
    if wins {
        game.end(Ending::Won { winner: seat, by: Victory::FleetSunk });
    }
    Ok(Event::Fired { seat, shots, owed })
}

fn reveal(game: &mut Game, seat: Seat, cells: &[Coordinate]) -> Result<Event, Refusal> {
    let battle = on_turn(&mut game.phase, seat)?;
    let owed = match battle.due {
        Due::Fire(_) => return Err(Refusal::NoRevealDue),
        Due::Reveal(owed) => owed.get(),
    };
    if cells.len() != usize::from(owed) {
        return Err(Refusal::WrongRevealCount { expected: owed, sent: cells.len() });
    }
    let given = distinct_on_grid(&game.options, cells)?;
    let not_revealable = given - battle.boards.of(seat).revealable();
    if !not_revealable.is_empty() {
        return Err(Refusal::NotRevealable(not_revealable));
    }
    battle.give(given, &game.options);
    Ok(Event::Revealed { seat, cells: cells.iter().copied().collect() })
}

/// Whoever has a seat may give up at any time (R24).
fn resign(game: &mut Game, seat: Seat) -> Result<Event, Refusal> {
    match game.phase {
        Phase::Waiting { awaited, .. } if awaited == seat => Err(Refusal::NotJoined),
        Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Battle(_) => {
            game.give_up(seat);
            Ok(Event::Resigned { seat })
        }
        Phase::Over { .. } => Err(Refusal::GameOver),
    }
}

/// The cells as a set, once it is sure that each stands once and lies on the grid.
fn distinct_on_grid(options: &Options, cells: &[Coordinate]) -> Result<Cells, Refusal> {
    let mut set = Cells::EMPTY;
    let mut repeated = Cells::EMPTY;
    for &cell in cells {
        if set.contains(cell) {
            repeated.insert(cell);
        }
        set.insert(cell);
    }
    let outside = set - options.grid.cells();
    if !repeated.is_empty() {
        Err(Refusal::RepeatedCell(repeated))
    } else if !outside.is_empty() {
        Err(Refusal::OutsideGrid(outside))
    } else {
        Ok(set)
    }
}
