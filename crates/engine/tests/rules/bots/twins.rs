//! Two games are twins for a seat when they differ in nothing but what it cannot see.

use engine::SeededDice;
use engine::bot::{Choice, Level, SeatView, choose};
use engine::{BySeat, Command, Dice, Event, Game, GameView, Layout, Placement, Seat, Viewer, random_placement};

use crate::bots::games::Played;
use testing::{decide, model};

/// How many moves of a game are looked at.
const MOVES: usize = 14;

/// How many layouts are tried for a twin.
const TRIES: usize = 60;

#[test]
fn r27_a_bot_chooses_the_same_whatever_it_cannot_see() {
    let mut found = 0;
    for (number, options) in (0..).zip(model::Options::all()) {
        let mut dice = SeededDice::from_number(number);
        let mut played = Played::begun(&options, &mut dice);
        let mut layouts: BySeat<Option<Placement>> = BySeat::default();
        for _ in 0..MOVES {
            let Some(awaited) = played.game.awaiting().next() else { break };
            if let Some(twin) = twin_of(&played, &layouts, awaited.seat, &mut dice) {
                found += 1;
                alike(&played.game, &twin, awaited.seat, dice.next());
            }
            let level = BySeat { host: Level::Medium, guest: Level::Easy };
            played.goes_on(level, &mut dice);
            if let Some((seat, Choice::Place(placement))) = played.choices.last() {
                *layouts.of_mut(*seat) = Some(placement.clone());
            }
        }
    }
    assert!(found > 200, "{found} twins");
}

/// Every level chooses the same in both games.
fn alike(game: &Game, twin: &Game, seat: Seat, seed: u64) {
    assert_ne!(game.board(seat.other()), twin.board(seat.other()), "the twins differ");
    let [sight, twins_sight] = [game, twin].map(|game| SeatView::of(game, seat).unwrap());
    assert_eq!(sight, twins_sight);
    for level in Level::ALL {
        let [choice, twins_choice] =
            [&sight, &twins_sight].map(|sight| choose(level, sight, &mut SeededDice::from_number(seed)));
        assert_eq!(choice, twins_choice, "{level:?} sees through the other board");
    }
}

/// The same game over another layout of the other side, with which all that happened can happen.
fn twin_of(played: &Played, layouts: &BySeat<Option<Placement>>, seat: Seat, dice: &mut impl Dice) -> Option<Game> {
    let own = layouts.of(seat);
    let before: Layout = layouts.of(seat.other()).as_ref()?.check(played.game.options()).ok()?;
    (0..TRIES).find_map(|_| {
        let other = random_placement(played.game.options(), dice);
        if other.check(played.game.options()).ok()? == before {
            return None;
        }
        let mut twin = Game::new(*played.game.options(), Seat::Guest);
        let first = played.game.first()?;
        twin.apply(&Event::Joined { seat: Seat::Guest, first }).ok()?;
        for (who, choice) in &played.choices {
            let layout = if *who == seat { own.as_ref() } else { Some(&other) };
            let event = match choice.command() {
                Command::Place(_) => decide(&twin, *who, Command::Place(layout?)).ok()?,
                command @ (Command::Fire(_) | Command::Reveal(_) | Command::Resign) => {
                    decide(&twin, *who, command).ok()?
                }
            };
            twin.apply(&event).ok()?;
        }
        (played.view(seat) == GameView::new(&twin, Viewer::Seat(seat))).then_some(twin)
    })
}
