//! What holds in every game, held against random games of all 64 configurations.
//!
//! The engine plays side by side with the second model of the rules.

mod endings;
mod impossible;
mod packing;
mod playing;
mod refusals;
mod table;
mod twins;

use engine::{Game, GameView, Seat, Status, Viewer};
use rand::RngExt;
use rand::seq::IndexedRandom;
use table::of_every_configuration;
use testing::model;

/// Everybody who can look at a game.
const EYES: [Option<model::Seat>; 3] = [Some(model::Seat::Host), Some(model::Seat::Guest), None];

#[test]
fn r8_to_r23_every_game_goes_as_the_model_says() {
    of_every_configuration(3, |mut table, steps| {
        for _ in 0..steps {
            let went_on = table.goes_on();

            table.agrees();
            if table.game.status() == Status::Battle {
                assert_eq!(table.game.awaiting().count(), 1, "in battle exactly one seat is to act");
            }
            if !went_on {
                break;
            }
        }
    });
}

#[test]
fn r26_to_r28_everybody_sees_what_the_model_shows() {
    of_every_configuration(2, |mut table, steps| {
        for _ in 0..steps {
            let went_on = table.goes_on();

            if table.rng.random_ratio(1, 6) || !went_on {
                let eyes = *EYES.choose(&mut table.rng).unwrap();
                table.shows_the_same(eyes);
                all_is_what_both_see_of_themselves(&table.game);
            }
            if !went_on {
                break;
            }
        }
    });
}

/// The eyes that see all see of each board what its owner does, and owe nothing.
fn all_is_what_both_see_of_themselves(game: &Game) {
    let all = GameView::new(game, Viewer::All);
    for seat in Seat::BOTH {
        assert_eq!(all.boards.of(seat), GameView::new(game, Viewer::Seat(seat)).boards.of(seat));
    }
    assert_eq!(all.revealable, None);
}
