use std::hint::black_box;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::games::{Pairing, Position, command, positions};
use engine::SeededDice;
use engine::{Action, Event, Fleet, Game, GameView, Grid, Options, Outcome, Seat, Viewer, random_placement};
use record::proof::{self, Salt};
use record::{Details, Happened, RecordedEvent};

/// Somebody who times or counts.
pub trait Measure {
    /// Measures `run`, which does something so many `times` with what `input` has made.
    fn measure<I>(&mut self, name: &str, times: u32, input: impl Fn() -> I, run: impl Fn(&mut I));
}

/// How many moments of games, or games, are gone through each time.
const MANY: usize = 64;

/// How many logs are folded.
const LOGS: usize = 4;

/// Has everything measured.
pub fn measure_all(measure: &mut impl Measure) {
    for options in [classic(), large()] {
        shots(measure, &options);
    }
    reveals(measure);
    volleys(measure);
    folds(measure);
    states(measure);
    layouts(measure);
    games(measure);
    proofs(measure);
    records(measure);
}

/// 10×10, the classic fleet, mines.
fn classic() -> Options {
    Options::default()
}

/// 15×15, the classic fleet, mines.
fn large() -> Options {
    Options { grid: Grid::Fifteen, ..Options::default() }
}

/// 15×15, the Russian fleet, mines, a shot for each ship.
fn salvo() -> Options {
    Options { fleet: Fleet::Russian, salvo: true, ..large() }
}

fn name(options: &Options) -> String {
    let side = options.grid.side();
    let salvo = if options.salvo { " salvo" } else { "" };
    format!("{side}x{side} {}{salvo}", options.fleet.word())
}

fn shots(measure: &mut impl Measure, options: &Options) {
    for kind in ["miss", "hit", "sunk", "mine"] {
        let moments = positions(options, MANY, |position| position.outcome().is_some_and(|found| found.word() == kind));
        moves(measure, &format!("shot: {kind}, {}", name(options)), &moments);
    }
}

fn reveals(measure: &mut impl Measure) {
    let options = classic();
    let moments = positions(&options, MANY, |position| position.action == Action::Reveal);
    moves(measure, &format!("reveal: {}", name(&options)), &moments);
}

fn volleys(measure: &mut impl Measure) {
    let options = salvo();
    let moments = positions(&options, MANY, |position| position.cells.len() == 10);
    moves(measure, &format!("volley of 10: {}", name(&options)), &moments);
}

/// Plays, in place.
fn moves(measure: &mut impl Measure, name: &str, moments: &[Position]) {
    measure.measure(
        name,
        number(moments.len()),
        || moments.to_vec(),
        |moments| {
            for Position { game, seat, action, cells, .. } in moments {
                let played = black_box(game).play(*seat, command(*action, cells));
                assert!(black_box(&played).is_ok(), "it is legal");
            }
        },
    );
}

fn folds(measure: &mut impl Measure) {
    for (events, options) in [(60, classic()), (400, large())] {
        let logs: Vec<Vec<Event>> = (0..)
            .map(|number| Pairing::draw(&options, number).log())
            .filter(|log| log.len() > events)
            .map(|mut log| {
                log.truncate(events);
                log
            })
            .take(LOGS)
            .collect();
        let options = Options { first: engine::FirstShot::Host, ..options };
        measure.measure(
            &format!("fold: {events} events, {}", name(&options)),
            number(LOGS),
            || logs.clone(),
            |logs| {
                for log in logs {
                    let mut game = Game::new(options, Seat::Guest);
                    for event in log.iter() {
                        game.apply(black_box(event)).expect("it follows");
                    }
                    black_box(&game);
                }
            },
        );
    }
}

/// What a request does with a state: reads it, looks at it, writes it.
fn states(measure: &mut impl Measure) {
    for options in [classic(), salvo()] {
        let games: Vec<Game> = positions(&options, MANY, |_| true).into_iter().map(|position| position.game).collect();
        let packed: Vec<_> = games.iter().map(|game| (*game.options(), game.pack())).collect();
        let (name, times) = (name(&options), number(MANY));
        measure.measure(
            &format!("pack: {name}"),
            times,
            || games.clone(),
            |games| {
                for game in games {
                    black_box(black_box(&*game).pack());
                }
            },
        );
        measure.measure(
            &format!("unpack: {name}"),
            times,
            || packed.clone(),
            |packed| {
                for (options, bytes) in packed {
                    black_box(Game::unpack(*options, black_box(bytes))).expect("it was packed");
                }
            },
        );
        for (eyes, whose) in [(Viewer::Seat(Seat::Host), "a player"), (Viewer::Spectator, "a spectator")] {
            measure.measure(
                &format!("view of {whose}: {name}"),
                times,
                || games.clone(),
                |games| {
                    for game in games {
                        black_box(GameView::new(black_box(game), eyes));
                    }
                },
            );
        }
    }
}

fn layouts(measure: &mut impl Measure) {
    for options in [classic(), Options { grid: Grid::Eight, fleet: Fleet::Russian, ..classic() }] {
        let name = format!("random layout: {}", name(&options));
        measure.measure(
            &name,
            number(MANY),
            || SeededDice::from_number(1),
            |dice| {
                for _ in 0..MANY {
                    black_box(random_placement(&options, dice));
                }
            },
        );
    }
}

/// Whole games: layouts and the orders of the shots are drawn beforehand.
fn games(measure: &mut impl Measure) {
    for options in [classic(), large()] {
        let pairings: Vec<_> = (0..).map(|number| Pairing::draw(&options, number)).take(MANY).collect();
        measure.measure(
            &format!("random game: {}", name(&options)),
            number(MANY),
            || pairings.clone(),
            |pairings| {
                for pairing in pairings {
                    black_box(black_box(&*pairing).play(|game, seat, command| {
                        assert!(black_box(&game.play(seat, command)).is_ok(), "it is legal");
                    }));
                }
            },
        );
    }
}

fn proofs(measure: &mut impl Measure) {
    measure.measure("head of an event", number(MANY), body, |body| {
        for _ in 0..MANY {
            black_box(proof::head(black_box(&proof::NO_HEAD), black_box(body)));
        }
    });
    for options in [classic(), large()] {
        let layout = random_placement(&options, &mut SeededDice::from_number(1)).check(&options).expect("it is legal");
        let salt = Salt::new([7; 32]);
        measure.measure(
            &format!("commitment: {}", name(&options)),
            1,
            || layout,
            |layout| {
                black_box(proof::commitment(Uuid::nil(), &options, Seat::Host, black_box(layout), &salt));
            },
        );
    }
}

fn records(measure: &mut impl Measure) {
    let shot = shot();
    measure.measure(
        "write an event",
        number(MANY),
        || shot.clone(),
        |event| {
            for _ in 0..MANY {
                black_box(write(black_box(event)));
            }
        },
    );
    measure.measure("read an event", number(MANY), body, |body| {
        for _ in 0..MANY {
            black_box(record::read(black_box(body))).expect("it was written");
        }
    });
}

/// A shot that misses.
fn shot() -> Event {
    let options = classic();
    let found = positions(&options, 1, |position| position.outcome() == Some(Outcome::Miss));
    found.into_iter().map(|position| position.event).next().expect("somebody misses")
}

fn body() -> String {
    write(&shot())
}

fn write(event: &Event) -> String {
    let happened = Happened::new(event, Details::None).expect("a shot has no details");
    RecordedEvent { seq: 42, at: DateTime::<Utc>::UNIX_EPOCH, happened, result: None }.write()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a number of moments or games")
}
