//! Positions in which it is plain what a good player does.

use engine::SeededDice;
use engine::bot::{Choice, Level, SeatView, choose};
use engine::{Action, Cells, Command, FirstShot, Game, Grid, Options, Seat, join};

use crate::bots::games::set;
use testing::notation::{cells, placement, set as written_set};

/// A game over these layouts, the host first, in which both have fired and given in turn.
fn after(options: &Options, layouts: [(&str, &str); 2], moves: &[&str]) -> Game {
    let mut game = Game::new(Options { first: FirstShot::Host, ..*options }, Seat::Guest);
    game.apply(&join(&game, None, Seat::Host).unwrap()).unwrap();
    for (seat, (ships, mines)) in Seat::BOTH.into_iter().zip(layouts) {
        game.play(seat, Command::Place(&placement(ships, mines))).unwrap();
    }
    for line in moves {
        let awaited = game.awaiting().next().unwrap();
        let cells = cells(line);
        let command = match awaited.action {
            Action::Fire => Command::Fire(&cells),
            Action::Join | Action::Place | Action::Reveal => Command::Reveal(&cells),
        };
        game.play(awaited.seat, command).unwrap();
    }
    game
}

/// What this level does for the seat on turn, by several dice.
fn choices(level: Level, game: &Game) -> Vec<Cells> {
    let seat = game.awaiting().next().unwrap().seat;
    let sight = SeatView::of(game, seat).unwrap();
    let chosen = |seed| match choose(level, &sight, &mut SeededDice::from_number(seed)) {
        Choice::Fire(cells) => set(&cells),
        Choice::Reveal(cells) => set(&cells),
        Choice::Place(placement) => panic!("{placement:?}"),
    };
    (0..8).map(chosen).collect()
}

const FLEET: &str = "A1>5 A3>4 A5>3 A7>3 A9>2";

#[test]
fn a_ship_found_is_followed_up() {
    let options = Options { mines: false, ..Options::default() };
    let game = after(&options, [(FLEET, ""), (FLEET, "")], &["B3", "J10"]);

    for level in [Level::Medium, Level::Hard] {
        for chosen in choices(level, &game) {
            assert!((chosen - written_set("A3 C3 B2 B4")).is_empty(), "{level:?} fires at {chosen:?}");
        }
    }
}

#[test]
fn r20_a_cell_given_away_is_not_forgotten() {
    let options = Options { shoot_again: true, ..Options::default() };
    // The host strikes the guest's mine and gives C3 away.
    let game = after(&options, [(FLEET, "J10"), (FLEET, "J10")], &["J10", "C3"]);

    for chosen in choices(Level::Hard, &game) {
        assert_eq!(chosen, written_set("C3"), "a sure hit earns a shot");
    }
}

#[test]
fn r16_the_hard_bot_gives_the_cell_that_is_as_good_as_hit() {
    // The guest has hit three cells of the host's longest ship; the host strikes the mine.
    let moves = ["J9", "B1", "J8", "C1", "J7", "D1", "J10"];
    let game = after(&Options::default(), [(FLEET, "J10"), (FLEET, "J10")], &moves);

    for chosen in choices(Level::Hard, &game) {
        assert!((chosen - written_set("A1 E1")).is_empty(), "{chosen:?}");
    }
}

#[test]
fn the_hard_bot_fires_at_no_cell_that_holds_nothing() {
    let options = Options { grid: Grid::Eight, mines: false, salvo: true, ..Options::default() };
    let fleet = "A1>5 A3>4 A5>3 A7>3 G7>2";
    let game = after(&options, [(fleet, ""), (fleet, "")], &["A3 B3 C3 D3 H1", "H8 H5 H4 H3"]);
    let around = written_set("A2 B2 C2 D2 E2 E3 E4 A4 B4 C4 D4");

    for chosen in choices(Level::Hard, &game) {
        assert_eq!(chosen.len(), 5);
        assert!((chosen - around) == chosen, "{chosen:?} is beside a ship sunk");
    }
}

#[test]
fn r3_every_level_hides_with_variety() {
    for level in Level::ALL {
        let mut game = Game::new(Options::default(), Seat::Guest);
        game.apply(&join(&game, None, Seat::Host).unwrap()).unwrap();
        let sight = SeatView::of(&game, Seat::Guest).unwrap();
        let mut everywhere = Cells::EMPTY;
        for seed in 0..60 {
            let Choice::Place(placement) = choose(level, &sight, &mut SeededDice::from_number(seed)) else {
                panic!("a layout is due");
            };
            everywhere |= placement.check(&Options::default()).unwrap().ships();
        }

        assert!(everywhere.len() > 95, "{level:?} leaves {:?} empty", Grid::Ten.cells() - everywhere);
    }
}
