//! A log in which one thing is not as it was is no log of the game (R5 to R19).

use engine::{
    Action, Cells, Direction, Event, Game, Given, Impossible, MOST_GIVEN, MOST_SHOTS, Mark, Outcome, Seat, Ship, Shot,
    Status, Volley,
};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::laws::table::{Table, of_every_configuration};
use Impossible::{WrongAnswer, WrongCell, WrongCount, WrongSeat};

#[test]
fn an_event_with_one_thing_wrong_cannot_follow() {
    of_every_configuration(2, |mut table, steps| {
        for _ in 0..steps {
            let before = table.game;
            if !table.goes_on() {
                break;
            }
            if table.rng.random_ratio(1, 2) {
                continue;
            }
            let event = table.log.last().unwrap().0.clone();

            for (spoiled, expected) in spoiled(&event, &before, &mut table.rng) {
                let mut game = before;
                assert_ne!(spoiled, event);
                assert_eq!(game.apply(&spoiled), Err(expected), "{spoiled:?} instead of {event:?}");
                assert_eq!(game, before);
            }
        }
    });
}

#[test]
fn an_event_of_another_phase_cannot_follow() {
    of_every_configuration(2, |mut table, steps| {
        for _ in 0..steps {
            for event in out_of_place(&table) {
                let mut game = table.game;
                assert!(game.apply(&event).is_err(), "{event:?} cannot follow");
                assert_eq!(game, table.game);
            }
            if !table.goes_on() {
                break;
            }
        }
    });
}

#[test]
fn a_log_is_replayed_through_the_games_that_were() {
    of_every_configuration(2, |mut table, steps| {
        for _ in 0..steps {
            if !table.goes_on() {
                break;
            }
        }

        let mut replayed = table.fresh;
        for (event, live) in &table.log {
            assert_eq!(replayed.apply(event), Ok(()));
            assert_eq!(replayed, *live);
        }
        assert_eq!(replayed, table.game);
    });
}

/// The event with one thing wrong, in each way that there is at this point, and what is said.
fn spoiled(event: &Event, before: &Game, rng: &mut impl Rng) -> Vec<(Event, Impossible)> {
    match *event {
        Event::Joined { seat, first } => vec![(Event::Joined { seat: seat.other(), first }, WrongSeat)],
        // While nobody has placed, either may.
        Event::Placed { seat, layout } if before.board(seat.other()).is_some() => {
            vec![(Event::Placed { seat: seat.other(), layout }, WrongSeat)]
        }
        // More time is more time, however much.
        Event::Placed { .. } | Event::Extended { .. } => vec![],
        Event::Fired { seat, ref shots, owed } => spoiled_volley(seat, shots, owed, before, rng),
        Event::Revealed { seat, ref cells } => spoiled_gift(seat, cells, before, rng),
        Event::Resigned { .. } | Event::TimedOut { .. } | Event::Expired => panic!("{event:?} was not played"),
    }
}

fn spoiled_volley(
    seat: Seat,
    shots: &Volley,
    owed: Option<u8>,
    before: &Game,
    rng: &mut impl Rng,
) -> Vec<(Event, Impossible)> {
    let board = before.board(seat.other()).unwrap();
    let grid = before.options().grid.cells();
    let mut all = vec![(Event::Fired { seat: seat.other(), shots: shots.clone(), owed }, WrongSeat)];
    let mut add = |shots: Volley, owed, expected| all.push((Event::Fired { seat, shots, owed }, expected));

    // Too few, and with one more that is as it should be, too many.
    add(shots[..shots.len() - 1].iter().copied().collect(), owed, WrongCount);
    let aimed: Cells = shots.iter().map(|shot| shot.cell).collect();
    if shots.len() < MOST_SHOTS
        && let Some(cell) = (grid - board.ships() - board.mines() - board.shots() - aimed).first()
    {
        let mut more = shots.clone();
        more.push(Shot { cell, outcome: Outcome::Miss });
        add(more, owed, WrongCount);
    }

    // One shot that is another: a cell fired at before, one outside, one twice.
    let index = rng.random_range(0..shots.len());
    let mut instead = |shot: Shot, expected| {
        let mut shots = shots.clone();
        shots[index] = shot;
        add(shots, owed, expected);
    };
    let marks: Vec<_> = board.marks().collect();
    if let Some(&(cell, mark)) = marks.choose(rng) {
        let outcome = match mark {
            Mark::Miss => Outcome::Miss,
            Mark::Mine => Outcome::Mine,
            Mark::Hit | Mark::Sunk => Outcome::Hit,
        };
        instead(Shot { cell, outcome }, WrongCell);
    }
    if let Some(cell) = (Cells::ALL - grid).first() {
        instead(Shot { cell, outcome: Outcome::Miss }, WrongCell);
    }
    if let Some(earlier) = index.checked_sub(1) {
        instead(shots[earlier], WrongCell);
    }

    // One answer that is another.
    let Shot { cell, outcome } = shots[index];
    let ship = match outcome {
        Outcome::Sunk(ship) => ship,
        Outcome::Miss | Outcome::Hit | Outcome::Mine => Ship::new(cell, 2, Direction::Across).unwrap(),
    };
    let longer = Ship::new(ship.start(), ship.length() + 1, ship.direction()).unwrap();
    let elsewhere = Ship::new((grid - ship.cells()).first().unwrap(), ship.length(), ship.direction()).unwrap();
    let answers =
        [Outcome::Miss, Outcome::Hit, Outcome::Mine].into_iter().chain([ship, longer, elsewhere].map(Outcome::Sunk));
    for answer in answers.filter(|answer| *answer != outcome) {
        instead(Shot { cell, outcome: answer }, WrongAnswer);
    }

    // What is owed.
    for wrong in [None, Some(0), Some(1), Some(2), Some(3), Some(u8::MAX)] {
        if wrong != owed {
            add(shots.clone(), wrong, WrongAnswer);
        }
    }
    all
}

fn spoiled_gift(seat: Seat, given: &Given, before: &Game, rng: &mut impl Rng) -> Vec<(Event, Impossible)> {
    let board = before.board(seat).unwrap();
    let grid = before.options().grid.cells();
    let mut all = vec![(Event::Revealed { seat: seat.other(), cells: given.clone() }, WrongSeat)];
    let mut add = |cells: Given, expected| all.push((Event::Revealed { seat, cells }, expected));

    add(given[..given.len() - 1].iter().copied().collect(), WrongCount);
    if given.len() < MOST_GIVEN
        && let Some(cell) = (board.revealable() - given.iter().copied().collect()).first()
    {
        let mut more = given.clone();
        more.push(cell);
        add(more, WrongCount);
    }

    // One cell that is another: one twice, one outside, one that cannot be given.
    let water = grid - board.ships() - board.mines();
    let wrong = [Cells::ALL - grid, water, board.mines(), board.ships() & board.shots(), board.revealed()];
    for index in 0..given.len() {
        let twice = index.checked_sub(1).map(|earlier| given[earlier]);
        let wrong = wrong.map(|wrong| wrong.iter().collect::<Vec<_>>().choose(rng).copied());
        for cell in wrong.into_iter().chain([twice]).flatten() {
            let mut cells = given.clone();
            cells[index] = cell;
            add(cells, WrongCell);
        }
    }
    all
}

/// Events that cannot follow where the game stands: all that has been, and all that is not due.
fn out_of_place(table: &Table) -> Vec<Event> {
    let game = &table.game;
    let mut events: Vec<Event> = table.log.iter().rev().take(6).map(|(event, _)| event.clone()).collect();
    events.extend(table.log.iter().take(3).map(|(event, _)| event.clone()));
    let layouts = table.layouts();
    let status = game.status();
    let over = matches!(status, Status::Finished | Status::Aborted);
    let late: Vec<_> = game.awaiting().map(|awaited| awaited.seat).collect();
    for seat in Seat::BOTH {
        let may_place = game.awaiting().any(|awaited| awaited.seat == seat && awaited.action == Action::Place);
        let may_join = game.awaiting().any(|awaited| awaited.seat == seat && awaited.action == Action::Join);
        if !may_place {
            events.extend(layouts.iter().map(|layout| Event::Placed { seat, layout: *layout }));
        }
        if !may_join {
            events.push(Event::Joined { seat, first: Seat::Host });
        }
        if over || may_join {
            events.push(Event::Resigned { seat });
        }
        if over || status == Status::Waiting || late != [seat] {
            events.push(Event::TimedOut { seat: Some(seat) });
        }
        // No volley and no gift has no cells.
        events.push(Event::Fired { seat, shots: Volley::new(), owed: None });
        events.push(Event::Revealed { seat, cells: Given::new() });
    }
    if over || late.len() == 1 {
        events.push(Event::TimedOut { seat: None });
    }
    // Without a clock any game expires (R25).
    if over {
        events.push(Event::Expired);
    }
    if over {
        events.push(Event::Extended { seconds: 1 });
    }
    events
}
