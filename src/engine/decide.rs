use super::battle::sinks;
use super::{
    Battle, Board, Cells, Coordinate, Due, Event, FirstShot, Game, Given, Options, Phase, Placement, Refusal, Seat,
    Shot, Volley,
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
    /// Give up.
    Resign,
}

/// Decides what comes of a seat's command. The game stays as it is until the event is applied.
///
/// # Errors
///
/// A [`Refusal`], judged in one order that never depends on what the caller may not see: phase
/// and turn, then the public record (count, repeated, outside, fired at before), then the
/// seat's own hidden board.
pub fn decide(game: &Game, seat: Seat, command: Command<'_>) -> Result<Event, Refusal> {
    match command {
        Command::Place(placement) => place(game, seat, placement),
        Command::Fire(cells) => fire(game.options(), on_turn(game, seat)?, cells),
        Command::Reveal(cells) => reveal(game.options(), on_turn(game, seat)?, cells),
        Command::Resign => resign(game, seat),
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
        (Phase::Waiting { awaited }, None) => {
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

fn first_shot(options: &Options, coin: Seat) -> Seat {
    match options.first {
        FirstShot::Host => Seat::Host,
        FirstShot::Guest => Seat::Guest,
        FirstShot::Random => coin,
    }
}

fn place(game: &Game, seat: Seat, placement: &Placement) -> Result<Event, Refusal> {
    match game.phase() {
        Phase::Waiting { .. } => Err(Refusal::NotJoined),
        Phase::Placing { boards, .. } if boards.of(seat).is_none() => {
            let layout = placement.check(game.options()).map_err(Refusal::IllegalLayout)?;
            Ok(Event::Placed { seat, layout })
        }
        Phase::Placing { .. } | Phase::Battle(_) => Err(Refusal::AlreadyPlaced),
        Phase::Over { .. } => Err(Refusal::GameOver),
    }
}

/// The battle in which this seat is to act.
fn on_turn(game: &Game, seat: Seat) -> Result<&Battle, Refusal> {
    match game.phase() {
        Phase::Waiting { .. } | Phase::Placing { .. } => Err(Refusal::NotInBattle),
        Phase::Battle(battle) if battle.turn == seat => Ok(battle),
        Phase::Battle(_) => Err(Refusal::NotYourTurn),
        Phase::Over { .. } => Err(Refusal::GameOver),
    }
}

fn fire(options: &Options, battle: &Battle, cells: &[Coordinate]) -> Result<Event, Refusal> {
    let due = match battle.due {
        Due::Fire(due) => due.get(),
        Due::Reveal(owed) => return Err(Refusal::RevealDue { expected: owed.get() }),
    };
    let target = battle.boards.of(battle.turn.other());
    if cells.len() != usize::from(due) {
        return Err(Refusal::WrongShotCount { expected: due, sent: cells.len() });
    }
    if !can_be_fired_at(options, target, cells) {
        let aimed = distinct_on_grid(options, cells)?;
        return Err(Refusal::AlreadyFired(aimed & target.shots()));
    }

    let mut fired = target.shots();
    let mut shots = Volley::new();
    // `due` is at most MOST_SHOTS, and `take` holds the volley to it.
    for &cell in cells.iter().take(super::MOST_SHOTS) {
        fired.insert(cell);
        shots.push(Shot { cell, outcome: target.answer(cell, &fired) });
    }
    let wins = sinks(&shots) && (target.ships() - fired).is_empty();
    let owed = battle.owed(&shots, wins);
    Ok(Event::Fired { seat: battle.turn, shots, owed })
}

fn reveal(options: &Options, battle: &Battle, cells: &[Coordinate]) -> Result<Event, Refusal> {
    let owed = match battle.due {
        Due::Fire(_) => return Err(Refusal::NoRevealDue),
        Due::Reveal(owed) => owed.get(),
    };
    if cells.len() != usize::from(owed) {
        return Err(Refusal::WrongRevealCount { expected: owed, sent: cells.len() });
    }
    let given = distinct_on_grid(options, cells)?;
    let not_revealable = given - battle.boards.of(battle.turn).revealable();
    if !not_revealable.is_empty() {
        return Err(Refusal::NotRevealable(not_revealable));
    }
    let cells: Given = cells.iter().copied().take(super::MOST_GIVEN).collect();
    Ok(Event::Revealed { seat: battle.turn, cells })
}

/// Whoever has a seat may give up at any time (R24).
fn resign(game: &Game, seat: Seat) -> Result<Event, Refusal> {
    match game.phase() {
        Phase::Waiting { awaited } if *awaited == seat => Err(Refusal::NotJoined),
        Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Battle(_) => Ok(Event::Resigned { seat }),
        Phase::Over { .. } => Err(Refusal::GameOver),
    }
}

/// Whether each cell lies on the grid, was not fired at before, and stands once.
fn can_be_fired_at(options: &Options, target: &Board, cells: &[Coordinate]) -> bool {
    let mut rest = cells;
    while let Some((&cell, others)) = rest.split_first() {
        if !options.grid.contains(cell) || target.was_fired_at(cell) || others.contains(&cell) {
            return false;
        }
        rest = others;
    }
    true
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
