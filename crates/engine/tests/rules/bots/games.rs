//! Whole games.

use engine::SeededDice;
use engine::bot::{Choice, Level, SeatView, choose};
use engine::{Action, BySeat, Cells, Coordinate, Dice, Direction, FirstShot, Game, GameView, Seat, Viewer, join};

use crate::mirror;
use testing::model::{self, Model};

/// Every pair of bots, the first as the host.
const PAIRS: [(Level, Level); 6] = [
    (Level::Easy, Level::Easy),
    (Level::Medium, Level::Easy),
    (Level::Medium, Level::Medium),
    (Level::Easy, Level::Hard),
    (Level::Hard, Level::Medium),
    (Level::Hard, Level::Hard),
];

#[test]
fn r1_to_r28_every_pair_of_bots_plays_every_configuration_to_its_end_on_8x8() {
    every_pair_plays(8);
}

#[test]
fn r1_to_r28_every_pair_of_bots_plays_every_configuration_to_its_end_on_10x10() {
    every_pair_plays(10);
}

#[test]
fn r1_to_r28_every_pair_of_bots_plays_every_configuration_to_its_end_on_12x12() {
    every_pair_plays(12);
}

#[test]
fn r1_to_r28_every_pair_of_bots_plays_every_configuration_to_its_end_on_15x15() {
    every_pair_plays(15);
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for (number, options) in (0..).zip(model::Options::all().iter().step_by(7)) {
        let levels = BySeat { host: Level::Hard, guest: Level::Medium };

        let [one, again, other] =
            [number, number, number + 1].map(|seed| Played::of(options, levels, SeededDice::from_number(seed)));

        assert_eq!(one.choices, again.choices);
        assert_ne!(one.choices, other.choices);
    }
}

#[test]
fn the_stronger_bot_wins_more_often() {
    let options = model::Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false };
    for (stronger, weaker, games, at_least) in
        [(Level::Medium, Level::Easy, 60, 45), (Level::Hard, Level::Easy, 24, 20), (Level::Hard, Level::Medium, 60, 32)]
    {
        let levels = BySeat { host: stronger, guest: weaker };

        let wins = (0..games)
            .map(|seed| Played::of(&options, levels, SeededDice::from_number(seed)))
            .filter(|played| played.game.ending().unwrap().winner() == Some(Seat::Host))
            .count();

        assert!(wins >= at_least, "{stronger:?} wins {wins} of {games} against {weaker:?}");
    }
}

fn every_pair_plays(grid: u8) {
    for options in model::Options::all().into_iter().filter(|options| options.grid == grid) {
        for (seed, (host, guest)) in (0..).zip(PAIRS) {
            let played = Played::of(&options, BySeat { host, guest }, SeededDice::from_number(seed));

            assert!(played.game.ending().is_some());
            let view = mirror::view(&played.game, None);
            assert_eq!(view, played.model.view(None), "{options:?}");
        }
    }
}

/// A game that two bots play, the model beside it.
pub(crate) struct Played {
    pub(crate) game: Game,
    pub(crate) model: Model,
    pub(crate) choices: Vec<(Seat, Choice)>,
}

impl Played {
    /// A game played to its end.
    pub(crate) fn of(options: &model::Options, levels: BySeat<Level>, mut dice: SeededDice) -> Self {
        let mut played = Self::begun(options, &mut dice);
        while played.goes_on(levels, &mut dice) {}
        played
    }

    /// A game that the guest has just joined.
    pub(crate) fn begun(options: &model::Options, dice: &mut impl Dice) -> Self {
        let mut game = Game::new(mirror::options(options, FirstShot::Random), Seat::Guest);
        let coin = if dice.next().is_multiple_of(2) { Seat::Host } else { Seat::Guest };
        game.apply(&join(&game, None, coin).unwrap()).unwrap();
        let mut model = Model::new(options.clone());
        model.joined(mirror::seat_back(coin));
        Self { game, model, choices: Vec::new() }
    }

    /// The next decision; the engine and the model must both accept it and say the same of it.
    pub(crate) fn goes_on(&mut self, levels: BySeat<Level>, dice: &mut impl Dice) -> bool {
        let Some(awaited) = self.game.awaiting().next() else { return false };
        let seat = awaited.seat;
        let sight = SeatView::of(&self.game, seat).unwrap();
        let choice = choose(*levels.of(seat), &sight, dice);
        match &choice {
            Choice::Place(_) => assert_eq!(awaited.action, Action::Place),
            Choice::Fire(_) => assert_eq!(awaited.action, Action::Fire),
            Choice::Reveal(_) => assert_eq!(awaited.action, Action::Reveal),
        }
        let event = self.game.play(seat, choice.command()).unwrap();
        let done = self.model.act(mirror::seat_back(seat), &told(&choice)).unwrap();
        assert_eq!(mirror::done(&event), done);
        assert_eq!(mirror::awaiting(&self.game), self.model.awaiting());
        assert_eq!(mirror::result(&self.game), self.model.result());
        self.choices.push((seat, choice));
        true
    }

    /// What this seat may see.
    pub(crate) fn view(&self, seat: Seat) -> GameView {
        GameView::new(&self.game, Viewer::Seat(seat))
    }
}

/// The choice as the model takes it.
fn told(choice: &Choice) -> model::Action {
    let texts = |cells: &[Coordinate]| cells.iter().map(ToString::to_string).collect();
    match choice {
        Choice::Fire(cells) => model::Action::Fire(texts(cells)),
        Choice::Reveal(cells) => model::Action::Reveal(texts(cells)),
        Choice::Place(placement) => {
            let mut ships = Vec::new();
            for ship in &placement.ships {
                let down = ship.direction() == Direction::Down;
                ships.push(model::ShipSent { start: ship.start().to_string(), length: ship.length(), down });
            }
            model::Action::Place(model::LayoutSent { ships, mines: texts(&placement.mines) })
        }
    }
}

/// A set of cells.
pub(crate) fn set(cells: &[Coordinate]) -> Cells {
    cells.iter().copied().collect()
}
