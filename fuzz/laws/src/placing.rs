//! What is said of a layout is what a second, naive model of the rules says (R1 to R7).

use engine::{
    Command, Coordinate, Direction, Event, Fault, FirstShot, Fleet, Game, Grid, MOST_PAIRS, Options, Placement,
    Refusal, Seat, Ship,
};
use naval_battle::schema::{self, FaultBody, FaultCode, PlaceRequest};
use naval_battle::text::Language;
use serde_json::{Value, json};

use testing::{decide, model};

/// Above so many ships and mines the model, which compares cell with cell, takes too long; now and
/// then there may be as many as have more pairs than are told.
const MOST_COMPARED: [usize; 4] = [14, 14, 14, 32];

/// What the document says of the longest list of faults.
const MOST_FAULTS: usize = 1000;

/// A layout made from bytes, which is sent as JSON and judged: the options, how many ships, three bytes
/// for each of them and one for each mine.
pub fn layout(bytes: &[u8]) {
    let [choice, ships, rest @ ..] = bytes else { return };
    let (sent, mines) = rest.split_at(rest.len().min(3 * usize::from(*ships)));
    let placement = Placement {
        ships: sent.as_chunks::<3>().0.iter().map(|&[cell, length, direction]| ship(cell, length, direction)).collect(),
        mines: mines.iter().map(|byte| coordinate(*byte)).collect(),
    };

    let read = schema::read(written(&placement).to_string().as_bytes()).and_then(PlaceRequest::read);

    if placement.ships.len().max(placement.mines.len()) <= 225 {
        assert_eq!(read.as_ref(), Ok(&placement));
    } else {
        assert!(read.is_err(), "a list is too long");
    }
    is_judged_like_the_model(&placement, usize::from(*choice));
}

/// A layout is legal exactly where the model finds no fault; else both find the same.
pub(super) fn is_judged_like_the_model(placement: &Placement, choice: usize) {
    let options = options(choice);

    let checked = placement.check(&options);

    let length = checked.as_ref().err().map_or(0, Vec::len);
    assert!(length <= MOST_FAULTS || placement.ships.len().max(placement.mines.len()) > 225, "{length} faults");
    if placement.ships.len() + placement.mines.len() <= MOST_COMPARED[choice / 64 % 4] {
        let found = checked.as_ref().err().map(|faults| told(faults)).unwrap_or_default();
        are_those_of_the_model(&found, &model::faults(&model_options(&options), &sent(placement)));
    }
    for fault in checked.as_ref().err().into_iter().flatten() {
        let body = FaultBody::new(Language::English, fault);
        assert!(!body.message.is_empty() && body.message.len() < 80, "{}", body.message);
        assert!(fault.kind.ship().is_none_or(|index| index < placement.ships.len()));
        assert!(fault.kind.mine().is_none_or(|index| index < placement.mines.len()));
    }

    let mut game = Game::new(options, Seat::Guest);
    game.apply(&Event::Joined { seat: Seat::Guest, first: Seat::Host }).unwrap();
    match (decide(&game, Seat::Host, Command::Place(placement)), checked) {
        (Ok(event), Ok(layout)) => {
            assert_eq!(event, Event::Placed { seat: Seat::Host, layout });
            game.apply(&event).unwrap();
            assert_eq!(Game::unpack(options, &game.pack()), Ok(game));
            let ships: Vec<Ship> = game.board(Seat::Host).unwrap().ships_in_order().collect();
            assert_eq!(ships.len(), placement.ships.len());
            assert!(placement.ships.iter().all(|ship| ships.contains(ship)), "{ships:?} for {placement:?}");
        }
        (Err(Refusal::IllegalLayout(refused)), Err(faults)) => assert!(!faults.is_empty() && refused == faults),
        (decided, checked) => panic!("{decided:?}, but {checked:?}"),
    }
}

/// All that the model finds, but for pairs beyond the first so many.
fn are_those_of_the_model(found: &[model::Fault], expected: &[model::Fault]) {
    let is_pair = |fault: &&model::Fault| ["overlap", "touch", "mine_on_ship", "mine_touches"].contains(&&*fault.code);
    let pairs = found.iter().filter(is_pair).count();
    if pairs < MOST_PAIRS {
        assert_eq!(found, expected);
    } else {
        assert_eq!(pairs, MOST_PAIRS);
        let singles =
            |faults: &[model::Fault]| -> Vec<_> { faults.iter().filter(|fault| !is_pair(fault)).cloned().collect() };
        assert_eq!(singles(found), singles(expected));
        let times = |faults: &[model::Fault], wanted| faults.iter().filter(|fault| *fault == wanted).count();
        assert!(found.iter().all(|fault| times(found, fault) <= times(expected, fault)));
    }
}

/// One of the choices of grid, fleet and the rest.
pub(super) fn options(choice: usize) -> Options {
    let bit = |bit: u32| (choice >> bit) & 1 == 1;
    Options {
        grid: Grid::ALL[choice % 4],
        fleet: if bit(2) { Fleet::Russian } else { Fleet::Classic },
        mines: !bit(3),
        salvo: bit(4),
        shoot_again: bit(5),
        first: FirstShot::Random,
        turn_seconds: None,
    }
}

/// The same choices for the model.
pub(super) fn model_options(options: &Options) -> model::Options {
    model::Options {
        grid: options.grid.side(),
        russian: options.fleet == Fleet::Russian,
        mines: options.mines,
        salvo: options.salvo,
        shoot_again: options.shoot_again,
    }
}

fn coordinate(byte: u8) -> Coordinate {
    Coordinate::new(byte % 15, byte / 15 % 15).unwrap()
}

fn ship(cell: u8, length: u8, direction: u8) -> Ship {
    let direction = if direction.is_multiple_of(2) { Direction::Across } else { Direction::Down };
    Ship::new(coordinate(cell), length % 15 + 1, direction).unwrap()
}

fn written(placement: &Placement) -> Value {
    let ship = |ship: &Ship| {
        let direction = ship.direction().word();
        json!({ "start": ship.start().to_string(), "length": ship.length(), "direction": direction })
    };
    let ships: Vec<Value> = placement.ships.iter().map(ship).collect();
    let mines: Vec<String> = placement.mines.iter().map(ToString::to_string).collect();
    json!({ "ships": ships, "mines": mines })
}

fn sent(placement: &Placement) -> model::LayoutSent {
    let ship = |ship: &Ship| model::ShipSent {
        start: ship.start().to_string(),
        length: ship.length(),
        down: ship.direction() == Direction::Down,
    };
    model::LayoutSent {
        ships: placement.ships.iter().map(ship).collect(),
        mines: placement.mines.iter().map(ToString::to_string).collect(),
    }
}

/// Faults as the model tells them.
fn told(faults: &[Fault]) -> Vec<model::Fault> {
    let code = |fault: &Fault| match FaultCode::from(fault.kind) {
        FaultCode::OutsideGrid => "outside_grid",
        FaultCode::WrongFleet => "wrong_fleet",
        FaultCode::Overlap => "overlap",
        FaultCode::Touch => "touch",
        FaultCode::MineOnShip => "mine_on_ship",
        FaultCode::MineTouches => "mine_touches",
        FaultCode::WrongMineCount => "wrong_mine_count",
        FaultCode::NoRoomForMines => "no_room_for_mines",
    };
    let mut told: Vec<model::Fault> = faults
        .iter()
        .map(|fault| model::Fault {
            code: code(fault).to_owned(),
            ship: fault.kind.ship(),
            mine: fault.kind.mine(),
            other_ship: fault.kind.other_ship(),
            other_mine: fault.kind.other_mine(),
        })
        .collect();
    told.sort();
    told
}
