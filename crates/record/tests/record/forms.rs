//! What is written is what is read, and its bytes are canonical JSON (RFC 8785).

use std::borrow::Cow;

use chrono::{DateTime, TimeDelta, Utc};
use engine::{
    Abort, Coordinate, Direction, Ending, FirstShot, Fleet, Grid, Level, Options, Outcome, Seat, Ship, Shot, Victory,
};
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use record::{Happened, RecordedEvent, proof};
use serde_json::Value;
use uuid::Uuid;

#[test]
fn every_event_that_there_can_be_is_canonical_and_is_written_as_it_is_read() {
    let mut rng = ChaCha8Rng::seed_from_u64(70);
    for _ in 0..3_000 {
        let (happened, result) = (any_happened(&mut rng), any_ending(&mut rng));
        let at = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::microseconds(rng.random_range(0..4_000_000_000_000_000));
        let event = RecordedEvent { seq: rng.random_range(1..=2_147_483_647), at, happened, result };

        let body = event.write();

        is_read_as_it_was_written(&body);
        assert_eq!(record::read(&body), Ok(event));
    }
}

/// Insists on the bytes of RFC 8785, by which the order of the keys is guarded, and on the way there and back.
fn is_read_as_it_was_written(body: &str) {
    let parsed: Value = serde_json::from_str(body).unwrap();
    assert_eq!(serde_json_canonicalizer::to_string(&parsed).unwrap(), body);

    assert_eq!(record::read(body).unwrap().write(), body);
}

fn any_ending(rng: &mut ChaCha8Rng) -> Option<Ending> {
    let winner = any_seat(rng);
    *[
        None,
        Some(Ending::Won { winner, by: Victory::FleetSunk }),
        Some(Ending::Won { winner, by: Victory::Resigned }),
        Some(Ending::Won { winner, by: Victory::TimedOut }),
        Some(Ending::Aborted(Abort::Aborted)),
        Some(Ending::Aborted(Abort::Expired)),
    ]
    .choose(rng)
    .unwrap()
}

fn any_seat(rng: &mut ChaCha8Rng) -> Seat {
    *Seat::BOTH.choose(rng).unwrap()
}

fn any_level(rng: &mut ChaCha8Rng) -> Option<Level> {
    [None, Some(Level::Easy), Some(Level::Medium), Some(Level::Hard)].choose(rng).copied().flatten()
}

fn any_cell(rng: &mut ChaCha8Rng) -> Coordinate {
    Coordinate::new(rng.random_range(0..15), rng.random_range(0..15)).unwrap()
}

fn any_name(rng: &mut ChaCha8Rng) -> Option<Cow<'static, str>> {
    let letters =
        ['a', 'Z', '"', '\\', '/', ' ', 'é', '\u{2028}', '\u{2029}', '\u{feff}', '\u{1f6a2}', '\u{e000}', '<'];
    let length = rng.random_range(0..=32);
    (length > 0).then(|| (0..length).map(|_| letters.choose(rng).unwrap()).collect::<String>().into())
}

fn any_happened(rng: &mut ChaCha8Rng) -> Happened<'static> {
    let seat = any_seat(rng);
    match rng.random_range(0..9) {
        0 => Happened::Created {
            game: Uuid::from_bytes(rng.random()),
            seat,
            rules: proof::RULES,
            options: Options {
                grid: *Grid::ALL.choose(rng).unwrap(),
                fleet: *[Fleet::Classic, Fleet::Russian].choose(rng).unwrap(),
                mines: rng.random(),
                salvo: rng.random(),
                shoot_again: rng.random(),
                first: *[FirstShot::Host, FirstShot::Guest, FirstShot::Random].choose(rng).unwrap(),
                turn_seconds: rng.random_bool(0.5).then(|| rng.random_range(10..=1_209_600)),
            },
            name: any_name(rng),
            rematch_of: rng.random_bool(0.3).then(|| Uuid::from_bytes(rng.random())),
        },
        1 => Happened::Joined { seat, first: any_seat(rng), name: any_name(rng), bot: any_level(rng) },
        2 => Happened::Placed { seat, commitment: rng.random() },
        3 => Happened::Fired {
            seat,
            shots: Cow::Owned(
                (0..rng.random_range(1..=10))
                    .map(|_| Shot { cell: any_cell(rng), outcome: any_outcome(rng) })
                    .collect(),
            ),
            owed: rng.random_bool(0.3).then(|| rng.random_range(0..=3)),
        },
        4 => Happened::Revealed { seat, cells: (0..rng.random_range(1..=3)).map(|_| any_cell(rng)).collect() },
        5 => Happened::Resigned { seat },
        6 => Happened::TimedOut { seat: rng.random_bool(0.5).then_some(seat) },
        7 => Happened::Extended { seconds: rng.random_range(1..=u32::MAX) },
        _ => Happened::Expired,
    }
}

fn any_outcome(rng: &mut ChaCha8Rng) -> Outcome {
    let direction = *[Direction::Across, Direction::Down].choose(rng).unwrap();
    let ship = Ship::new(any_cell(rng), rng.random_range(1..=5), direction).unwrap();
    *[Outcome::Miss, Outcome::Hit, Outcome::Mine, Outcome::Sunk(ship)].choose(rng).unwrap()
}
