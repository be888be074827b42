//! The model's values as the engine's, and the engine's as the model tells them.

use engine::{
    Action, BoardView, Cells, Command, Coordinate, Direction, Event, FirstShot, Fleet, Game, GameView, Grid, Options,
    Outcome, Placement, Refusal, Seat, Ship, Viewer, Volley, join,
};
use serde_json::{Value, json};

use testing::notation::{fault_code, refusal_code};
use testing::{decide, model};

/// The options of the model, with who shoots first.
pub(crate) fn options(options: &model::Options, first: FirstShot) -> Options {
    Options {
        grid: Grid::with_side(options.grid).unwrap(),
        fleet: if options.russian { Fleet::Russian } else { Fleet::Classic },
        mines: options.mines,
        salvo: options.salvo,
        shoot_again: options.shoot_again,
        first,
        turn_seconds: None,
    }
}

/// The seat of the model.
pub(crate) fn seat(seat: model::Seat) -> Seat {
    match seat {
        model::Seat::Host => Seat::Host,
        model::Seat::Guest => Seat::Guest,
    }
}

/// The seat for the model.
pub(crate) fn seat_back(seat: Seat) -> model::Seat {
    match seat {
        Seat::Host => model::Seat::Host,
        Seat::Guest => model::Seat::Guest,
    }
}

/// Ships and mines as the engine takes them.
pub(crate) fn placement(layout: &model::LayoutSent) -> Placement {
    let ship = |ship: &model::ShipSent| {
        let direction = if ship.down { Direction::Down } else { Direction::Across };
        Ship::new(Coordinate::parse(&ship.start).unwrap(), ship.length, direction).unwrap()
    };
    Placement { ships: layout.ships.iter().map(ship).collect(), mines: cells(&layout.mines) }
}

/// Cells in the order sent.
pub(crate) fn cells(texts: &[String]) -> Vec<Coordinate> {
    texts.iter().map(|text| Coordinate::parse(text).unwrap()).collect()
}

/// What the engine decides on an action of the model.
pub(crate) fn ask(game: &Game, seat: Seat, action: &model::Action) -> Result<Event, Refusal> {
    with_command(action, |command| match command {
        Some(command) => decide(game, seat, command),
        None => join(game, Some(seat), seat),
    })
}

/// Hands an action of the model over as a command; joining is none.
pub(crate) fn with_command<T>(action: &model::Action, hear: impl FnOnce(Option<Command<'_>>) -> T) -> T {
    match action {
        model::Action::Place(layout) => hear(Some(Command::Place(&placement(layout)))),
        model::Action::Fire(shots) => hear(Some(Command::Fire(&cells(shots)))),
        model::Action::Reveal(given) => hear(Some(Command::Reveal(&cells(given)))),
        model::Action::Resign => hear(Some(Command::Resign)),
        model::Action::Join => hear(None),
    }
}

/// What the model reports beside an event.
pub(crate) fn done(event: &Event) -> model::Done {
    match event {
        Event::Fired { shots: volley, owed, .. } => {
            model::Done { shots: Some(shots(volley)), owed: owed.map(u64::from), cells: None }
        }
        Event::Revealed { cells, .. } => model::Done { cells: Some(texts(cells)), ..model::Done::default() },
        Event::Joined { .. }
        | Event::Placed { .. }
        | Event::Resigned { .. }
        | Event::TimedOut { .. }
        | Event::Expired
        | Event::Extended { .. } => model::Done::default(),
    }
}

/// A refusal as both can tell it.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Told {
    pub(crate) code: &'static str,
    pub(crate) expected: Option<u64>,
    /// Row by row.
    pub(crate) cells: Option<Vec<String>>,
    pub(crate) faults: Vec<model::Fault>,
}

impl From<&model::Refused> for Told {
    fn from(refused: &model::Refused) -> Self {
        Self {
            code: refused.code,
            expected: refused.expected,
            cells: refused.cells.as_ref().map(|cells| texts_of(self::cells(cells).into_iter().collect())),
            faults: refused.faults.clone(),
        }
    }
}

impl From<&Refusal> for Told {
    fn from(refusal: &Refusal) -> Self {
        let (mut expected, mut cells, mut faults) = (None, None, Vec::new());
        match refusal {
            Refusal::WrongShotCount { expected: count, .. } | Refusal::WrongRevealCount { expected: count, .. } => {
                expected = Some(u64::from(*count));
            }
            Refusal::RepeatedCell(set)
            | Refusal::OutsideGrid(set)
            | Refusal::AlreadyFired(set)
            | Refusal::NotRevealable(set) => cells = Some(texts_of(*set)),
            Refusal::IllegalLayout(found) => {
                faults = found
                    .iter()
                    .map(|fault| model::Fault {
                        code: fault_code(fault.kind).to_owned(),
                        ship: fault.kind.ship(),
                        mine: fault.kind.mine(),
                        other_ship: fault.kind.other_ship(),
                        other_mine: fault.kind.other_mine(),
                    })
                    .collect::<Vec<_>>();
                faults.sort();
            }
            // The API tells nothing beside the code of these.
            Refusal::GameFull
            | Refusal::OwnGame
            | Refusal::AlreadyPlaced
            | Refusal::NotJoined
            | Refusal::NotInBattle
            | Refusal::NotYourTurn
            | Refusal::RevealDue { .. }
            | Refusal::NoRevealDue
            | Refusal::GameOver => {}
        }
        Self { code: refusal_code(refusal), expected, cells, faults }
    }
}

/// The answers to a volley.
fn shots(volley: &Volley) -> Value {
    let mut answers = Vec::new();
    for shot in volley {
        let mut answer = json!({ "cell": shot.cell.to_string(), "outcome": shot.outcome.word() });
        if let Outcome::Sunk(ship) = shot.outcome {
            answer["ship"] = ship_shown(ship);
        }
        answers.push(answer);
    }
    answers.into()
}

/// Who owes what.
pub(crate) fn awaiting(game: &Game) -> Value {
    let word = |action| match action {
        Action::Join => "join",
        Action::Place => "place",
        Action::Fire => "fire",
        Action::Reveal => "reveal",
    };
    let mut entries = Vec::new();
    for awaited in game.awaiting() {
        let (seat, action) = (awaited.seat.word(), word(awaited.action));
        entries.push(json!({ "seat": seat, "action": action, "count": awaited.count, "until": null }));
    }
    entries.into()
}

/// How the game ended, or `null`.
pub(crate) fn result(game: &Game) -> Value {
    game.ending().map_or(
        Value::Null,
        |ending| json!({ "winner": ending.winner().map(Seat::word), "reason": ending.reason().word() }),
    )
}

/// A game as some eyes may see it.
pub(crate) fn view(game: &Game, eyes: Option<model::Seat>) -> Value {
    let view = GameView::new(game, eyes.map_or(Viewer::Spectator, |eyes| Viewer::Seat(seat(eyes))));
    let player = |seat: Seat| {
        let ships_afloat = *view.ships_afloat.of(seat);
        json!({ "placed": game.board(seat).is_some(), "ships_afloat": ships_afloat })
    };
    let guest = if game.first().is_some() { player(Seat::Guest) } else { Value::Null };
    json!({
        "status": game.status().word(),
        "awaiting": awaiting(game),
        "revealable": view.revealable.map(texts_of),
        "result": result(game),
        "first": game.first().map(Seat::word),
        "setup": { "ships": game.options().fleet.ships(), "mines": game.options().mine_count() },
        "players": { "host": player(Seat::Host), "guest": guest },
        "boards": { "host": board(&view.boards.host), "guest": board(&view.boards.guest) },
    })
}

/// One board of a view.
fn board(board: &BoardView) -> Value {
    let mut ships = Vec::new();
    for (ship, sunk) in &board.ships {
        let mut shown = ship_shown(*ship);
        shown["sunk"] = (*sunk).into();
        ships.push(shown);
    }
    let shots: Vec<Value> =
        board.shots.iter().map(|(cell, mark)| json!({ "cell": cell.to_string(), "outcome": mark.word() })).collect();
    json!({
        "ships": ships,
        "mines": texts_of(board.mines),
        "shots": shots,
        "revealed": texts_of(board.revealed),
        "known_empty": texts_of(board.known_empty),
    })
}

/// A ship as the API shows it.
fn ship_shown(ship: Ship) -> Value {
    json!({ "start": ship.start().to_string(), "length": ship.length(), "direction": ship.direction().word() })
}

/// Cells by their names, in their order.
fn texts(cells: &[Coordinate]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// A set of cells by their names, row by row.
pub(crate) fn texts_of(cells: Cells) -> Vec<String> {
    cells.iter().map(|cell| cell.to_string()).collect()
}
