//! The rules allocate nothing per shot: neither deciding nor applying, neither folding a log nor
//! packing nor unpacking asks for memory. A view asks for its lists alone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::hint::black_box;

use engine::{
    Action, Command, Coordinate, Due, Event, FirstShot, Fleet, Game, GameView, Grid, Options, Phase, Seat, Viewer,
    join, time_out,
};
use testing::decide;
use testing::notation::{cells, placement, refusal_code};

#[test]
fn what_is_allocated_is_counted() {
    let boxed = allocations(|| drop(black_box(Box::new(1))));
    let listed = allocations(|| drop(black_box(vec![1, 2, 3])));

    assert_eq!((boxed, listed), (1, 1));
}

#[test]
fn a_whole_game_of_single_shots_allocates_nothing() {
    for shoot_again in [false, true] {
        let (volleys, gifts) = play_through(&Options { shoot_again, ..Options::default() });

        // Down to F7, the last of the first fleet, and the other side a shot less or much less.
        assert!((66..=131).contains(&volleys), "{volleys} shots");
        assert_eq!(gifts, 2);
    }
}

#[test]
fn a_whole_game_of_volleys_allocates_nothing() {
    for shoot_again in [false, true] {
        let options =
            Options { fleet: Fleet::Russian, grid: Grid::Fifteen, salvo: true, shoot_again, ..Options::default() };

        let (volleys, gifts) = play_through(&options);

        assert!((10..=98).contains(&volleys), "{volleys} volleys");
        assert!(gifts >= 2, "{gifts} times cells were given");
    }
}

#[test]
fn a_refused_volley_or_gift_allocates_nothing() {
    let battle = battle(&Options { salvo: true, ..Options::default() });
    let mut owing = battle;
    owing.play(Seat::Host, Command::Fire(&cells("J1 I8 I7 I6 I5"))).unwrap();
    let [one, two, three, four] = ["A1", "A1 A1 B1 C1 D1", "A1 K1 B1 C1 D1", "J1"].map(cells);

    for (game, command, code) in [
        (battle, Command::Fire(&one), "wrong_shot_count"),
        (battle, Command::Fire(&two), "repeated_cell"),
        (battle, Command::Fire(&three), "outside_grid"),
        (battle, Command::Reveal(&one), "no_reveal_due"),
        (owing, Command::Reveal(&four), "not_revealable"),
        (owing, Command::Fire(&one), "reveal_due"),
    ] {
        let mut refusal = None;
        let allocated = allocations(|| refusal = decide(black_box(&game), Seat::Host, command).err());

        assert_eq!(refusal.as_ref().map(refusal_code), Some(code));
        assert_eq!(allocated, 0, "{code}");
    }
}

#[test]
fn the_ends_of_a_game_allocate_nothing() {
    for end in [|game: &Game| decide(game, Seat::Guest, Command::Resign), time_out] {
        let game = battle(&Options::default());

        let mut ended = game;
        let allocated = allocations(|| ended.apply(&end(black_box(&game)).unwrap()).unwrap());

        assert!(ended.ending().is_some());
        assert_eq!(allocated, 0);
    }
}

/// Plays a game to its end, each side going over the grid row by row, and tells how often somebody fired and gave.
fn play_through(options: &Options) -> (u32, u32) {
    let begin = battle(options);
    let (mut game, mut log) = (begin, Vec::new());
    let (mut volleys, mut gifts) = (0, 0);
    loop {
        let before = game;
        let Some(awaited) = before.awaiting().next() else {
            let mut folded = begin;
            let folding = allocations(|| log.iter().for_each(|event| folded.apply(event).expect("it can follow")));

            assert_eq!((folded, folding), (game, 0));
            return (volleys, gifts);
        };
        let (action, cells) = (awaited.action, next_cells(&game, awaited.seat, awaited.count));
        let command = match action {
            Action::Fire => {
                volleys += 1;
                Command::Fire(&cells)
            }
            Action::Reveal => {
                gifts += 1;
                Command::Reveal(&cells)
            }
            Action::Join | Action::Place => panic!("the battle has begun"),
        };
        let (mut event, mut read, mut view) = (None, None, None);

        let deciding = allocations(|| event = decide(black_box(&before), awaited.seat, command).ok());
        let event: Event = event.expect("it is legal");
        let applying = allocations(|| game.apply(black_box(&event)).expect("it can follow"));
        let packing = allocations(|| read = Game::unpack(*before.options(), &black_box(&game).pack()).ok());

        let looking = allocations(|| view = Some(GameView::new(black_box(&game), Viewer::Seat(awaited.seat))));
        log.push(event);

        assert_eq!(read, Some(game));
        assert_eq!((deciding, applying, packing), (0, 0, 0), "{log:?}");
        // The lists of ships and shots of two boards, of which that of the sunk ships grows.
        let sunk = view.map_or(0, |view| view.boards.of(awaited.seat.other()).ships.len());
        assert!(looking <= 4 + u64::from(sunk > 4) + u64::from(sunk > 8), "{looking} with {sunk} sunk");
    }
}

/// The first cells at which the seat can fire, or which it can give.
fn next_cells(game: &Game, seat: Seat, count: u8) -> Vec<Coordinate> {
    let Phase::Battle(battle) = game.phase() else { panic!("the battle has begun") };
    let possible = match battle.due {
        Due::Fire(_) => game.options().grid.cells() - battle.boards.of(seat.other()).shots(),
        Due::Reveal(_) => battle.boards.of(seat).revealable(),
    };
    possible.iter().take(count.into()).collect()
}

/// A battle that the host begins.
fn battle(options: &Options) -> Game {
    let options = Options { first: FirstShot::Host, ..*options };
    let mut game = Game::new(options, Seat::Guest);
    let joined = join(&game, None, Seat::Host).unwrap();
    game.apply(&joined).unwrap();
    let ships = match options.fleet {
        Fleet::Classic => "A1>5 A3>4 A5>3 A7>3 E7>2",
        Fleet::Russian => "A1>4 A3>3 A5>3 A7>2 D7>2 G7>2 F1>1 H1>1 F3>1 H3>1",
    };
    let mines = if options.grid == Grid::Fifteen { "J1 L1 N1" } else { "J1" };
    for seat in Seat::BOTH {
        game.play(seat, Command::Place(&placement(ships, mines))).unwrap();
    }
    game
}

/// How many times memory was asked for.
fn allocations(run: impl FnOnce()) -> u64 {
    allocation_counter::measure(run).count_total
}
