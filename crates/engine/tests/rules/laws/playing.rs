//! What a move makes of a game is what its event makes of it.

use std::cell::Cell;

use engine::{Command, Seat};
use rand::RngExt;

use crate::laws::table::{Table, of_every_configuration};
use crate::mirror;
use testing::model::{random_action, random_nonsense};

#[test]
fn the_event_of_a_move_leads_from_the_same_game_to_the_same() {
    let (played, refused) = (Cell::new(0), Cell::new(0));
    let tally = |went_on: bool| if went_on { &played } else { &refused }.update(|count: u32| count + 1);
    of_every_configuration(1, |mut table, steps| {
        for _ in 0..steps {
            let (seat, nonsense) = random_nonsense(&table.model, &mut table.rng);
            mirror::with_command(&nonsense, |command| {
                command.map(|command| tally(is_the_same(&table, mirror::seat(seat), command)))
            });
            for awaited in table.game.awaiting() {
                if table.rng.random_ratio(1, 8) {
                    tally(is_the_same(&table, awaited.seat, Command::Resign));
                }
            }
            if table.game.first().is_some() && table.game.ending().is_none() {
                let awaited = table.game.awaiting().next().unwrap();
                let action = random_action(&table.model, mirror::seat_back(awaited.seat), &mut table.rng);
                mirror::with_command(&action, |command| {
                    assert!(is_the_same(&table, awaited.seat, command.unwrap()), "{action:?} is legal");
                });
            }
            if !table.goes_on() {
                break;
            }
        }
    });

    assert!(played.get() > 0 && refused.get() > 0);
}

/// Plays on a copy, and applies the event to another; whether the game went on.
fn is_the_same(table: &Table, seat: Seat, command: Command<'_>) -> bool {
    let (mut played, mut applied) = (table.game, table.game);

    let told = played.play(seat, command);

    if let Ok(event) = &told {
        assert_eq!(applied.apply(event), Ok(()), "{event:?}");
    }
    assert_eq!(played, applied, "{command:?}");
    told.is_ok()
}
