//! What holds in every game, held against random games of all 64 configurations.
//!
//! The engine plays side by side with the second model of the rules; what is said here of the
//! engine alone needs no model and is checked on the way.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests, which stop where something is not as it should be"
)]

#[path = "laws/mirror.rs"]
mod mirror;
#[allow(dead_code, reason = "the laws need a part of it")]
#[path = "common/model.rs"]
mod model;
#[allow(dead_code, reason = "the laws need a part of it")]
#[path = "common/notation.rs"]
mod notation;
#[path = "laws/table.rs"]
mod table;

use rand::RngExt;
use table::of_every_configuration;

const EYES: [Option<model::Seat>; 3] = [Some(model::Seat::Host), Some(model::Seat::Guest), None];

#[test]
fn r8_to_r23_every_game_goes_as_the_model_says() {
    of_every_configuration(4, |mut table, steps| {
        for _ in 0..steps {
            if table.rng.random_ratio(1, 3) {
                table.hears_nonsense();
            }
            let went_on = table.goes_on();

            table.agrees();
            if !went_on {
                break;
            }
        }
    });
}

#[test]
fn r26_to_r28_everybody_sees_what_the_model_shows() {
    of_every_configuration(1, |mut table, steps| {
        for _ in 0..steps {
            let went_on = table.goes_on();

            for eyes in EYES {
                table.shows_the_same(eyes);
            }
            if !went_on {
                break;
            }
        }
    });
}
