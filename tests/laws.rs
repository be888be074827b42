//! What holds in every game, held against random games of all 64 configurations.
//!
//! The engine plays side by side with the second model of the rules.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[path = "laws/endings.rs"]
mod endings;
#[path = "laws/impossible.rs"]
mod impossible;
#[path = "laws/mirror.rs"]
mod mirror;
#[allow(dead_code, unused_imports, reason = "the laws need a part of it")]
#[path = "common/model.rs"]
mod model;
#[allow(dead_code, reason = "the laws need a part of it")]
#[path = "common/notation.rs"]
mod notation;
#[path = "laws/packing.rs"]
mod packing;
#[path = "laws/playing.rs"]
mod playing;
#[path = "laws/refusals.rs"]
mod refusals;
#[path = "laws/table.rs"]
mod table;
#[path = "laws/twins.rs"]
mod twins;

use naval_battle::engine::{Eyes, Game, Seat, Status, View};
use rand::RngExt;
use rand::seq::IndexedRandom;
use table::of_every_configuration;

/// Everybody who can look at a game.
const EYES: [Option<model::Seat>; 3] = [Some(model::Seat::Host), Some(model::Seat::Guest), None];

#[test]
fn r8_to_r23_every_game_goes_as_the_model_says() {
    of_every_configuration(8, |mut table, steps| {
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
    of_every_configuration(4, |mut table, steps| {
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
    let all = View::new(game, Eyes::All);
    for seat in Seat::BOTH {
        assert_eq!(all.boards.of(seat), View::new(game, Eyes::Seat(seat)).boards.of(seat));
    }
    assert_eq!(all.revealable, None);
}
