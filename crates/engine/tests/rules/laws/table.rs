//! A table at which the engine and the model play the same random game side by side.

use engine::{Event, FirstShot, Game, Layout, Refusal, Seat, expire, extend, join, time_out};
use proptest::prelude::{ProptestConfig, Strategy, any};
use proptest::test_runner::TestRunner;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::mirror::{self, Told};
use testing::campaign;
use testing::model::{self, Model, random_action, random_nonsense};

/// More than any game has steps, often enough that most games are played to their end.
const MOST_STEPS: usize = 1200;

/// Holds a law against so many random games of each of the 64 configurations, in a campaign ten times as many.
///
/// The law gets the table and after how many steps it may stop; where it fails, the least number
/// of steps is looked for.
pub(crate) fn of_every_configuration(games: u32, law: impl Fn(Table, usize)) {
    for options in model::Options::all() {
        let config = ProptestConfig {
            cases: campaign(games, 10 * games),
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let seeds_and_steps = (any::<u64>().no_shrink(), 0..MOST_STEPS);
        let outcome = TestRunner::new(config).run(&seeds_and_steps, |(seed, steps)| {
            law(Table::set(&options, seed), steps);
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{options:?}: {failure}");
        }
    }
}

/// One game, played by both.
pub(crate) struct Table {
    pub(crate) model: Model,
    pub(crate) game: Game,
    /// The game before anything happened.
    pub(crate) fresh: Game,
    /// What happened, and the game after each event.
    pub(crate) log: Vec<(Event, Game)>,
    pub(crate) rng: ChaCha8Rng,
}

impl Table {
    /// A game just created, the dice and who shoots first by the seed.
    fn set(options: &model::Options, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let first = *[FirstShot::Host, FirstShot::Guest, FirstShot::Random].choose(&mut rng).unwrap();
        let game = Game::new(mirror::options(options, first), Seat::Guest);
        Self { model: Model::new(options.clone()), game, fresh: game, log: Vec::new(), rng }
    }

    /// A second table that stands where this one does, with dice of its own.
    pub(crate) fn fork(&mut self) -> Self {
        let rng = ChaCha8Rng::from_rng(&mut self.rng);
        Self { model: self.model.clone(), log: self.log.clone(), rng, ..*self }
    }

    /// The next legal event of the game; false once it has ended.
    pub(crate) fn goes_on(&mut self) -> bool {
        let Some(&(seat, action, _)) = self.model.awaited().choose(&mut self.rng) else { return false };
        if action == "join" {
            self.is_joined();
        } else {
            let action = random_action(&self.model, seat, &mut self.rng);
            assert_eq!(self.hears(seat, &action), Ok(()), "{action:?} is legal");
        }
        true
    }

    /// Goes on until the battle begins.
    pub(crate) fn goes_to_battle(&mut self) {
        while self.model.status() != "battle" {
            self.goes_on();
        }
    }

    /// Somebody takes the free seat (R22).
    pub(crate) fn is_joined(&mut self) {
        let coin = if self.rng.random() { Seat::Host } else { Seat::Guest };
        let event = join(&self.game, None, coin).unwrap();
        let Event::Joined { seat: Seat::Guest, first } = event else { panic!("{event:?} is no joining") };
        let expected = match self.game.options().first {
            FirstShot::Host => Seat::Host,
            FirstShot::Guest => Seat::Guest,
            FirstShot::Random => coin,
        };
        assert_eq!(first, expected);
        self.model.joined(mirror::seat_back(first));
        self.follows(event);
    }

    /// Something that is likely to be refused.
    pub(crate) fn hears_nonsense(&mut self) {
        let (seat, action) = random_nonsense(&self.model, &mut self.rng);
        // What is no nonsense after all is an action like any other.
        let _ = self.hears(seat, &action);
    }

    /// Both hear the same action and must say the same; what is accepted happens.
    pub(crate) fn hears(&mut self, seat: model::Seat, action: &model::Action) -> Result<(), Refusal> {
        let (before, decided) = (self.game, mirror::ask(&self.game, mirror::seat(seat), action));
        assert_eq!(self.game, before, "deciding changes nothing");
        match (decided, self.model.act(seat, action)) {
            (Ok(event), Ok(done)) => {
                assert_eq!(mirror::done(&event), done);
                self.follows(event);
                Ok(())
            }
            (Err(refusal), Err(refused)) => {
                assert_eq!(Told::from(&refusal), Told::from(&refused), "{action:?}");
                Err(refusal)
            }
            (decided, expected) => panic!("{action:?} is {decided:?} to the engine and {expected:?} to the model"),
        }
    }

    /// A stranger asks for a seat.
    pub(crate) fn hears_a_stranger(&self) {
        let told = join(&self.game, None, Seat::Host).map(drop);
        let expected = self.model.stranger_joins();
        assert_eq!(told.map_err(|refusal| Told::from(&refusal)), expected.map_err(|refused| Told::from(&refused)));
    }

    /// The time of what is due runs out, be it the clock's or the invitation's (R25).
    pub(crate) fn runs_out_of_time(&mut self) {
        let event = time_out(&self.game).unwrap();
        if self.model.status() == "waiting" {
            self.model.expire();
            assert_eq!(event, Event::Expired);
        } else {
            let seat = self.model.time_out().map(mirror::seat);
            assert_eq!(event, Event::TimedOut { seat });
        }
        self.follows(event);
    }

    /// For a part of that time nobody could act (R30).
    pub(crate) fn gets_more_time(&mut self) {
        let event = extend(&self.game, self.rng.random_range(1..=u32::MAX)).unwrap();
        self.model.extend();
        self.follows(event);
    }

    /// Nothing happens for too long, and no clock runs (R25).
    pub(crate) fn is_left_alone(&mut self) {
        let event = expire(&self.game).unwrap();
        self.model.expire();
        assert_eq!(event, Event::Expired);
        self.follows(event);
    }

    /// Somebody who has a seat gives up (R24).
    pub(crate) fn is_resigned(&mut self) -> Seat {
        let joined = self.game.first().is_some();
        let seat = if joined && self.rng.random() { model::Seat::Guest } else { model::Seat::Host };
        assert_eq!(self.hears(seat, &model::Action::Resign), Ok(()));
        mirror::seat(seat)
    }

    /// The layouts placed so far.
    pub(crate) fn layouts(&self) -> Vec<Layout> {
        let mut layouts = Vec::new();
        for (event, _) in &self.log {
            if let Event::Placed { layout, .. } = event {
                layouts.push(*layout);
            }
        }
        layouts
    }

    /// The event happens.
    fn follows(&mut self, event: Event) {
        assert_eq!(self.game.apply(&event), Ok(()), "what is decided can follow: {event:?}");
        self.log.push((event, self.game));
    }

    /// Whether both stand at the same point: who owes what, who began, how it ended.
    pub(crate) fn agrees(&self) {
        assert_eq!(self.game.status().word(), self.model.status());
        assert_eq!(mirror::awaiting(&self.game), self.model.awaiting());
        assert_eq!(mirror::result(&self.game), self.model.result());
    }

    /// Whether both show the same to these eyes (R26 to R28).
    pub(crate) fn shows_the_same(&self, eyes: Option<model::Seat>) {
        assert_eq!(mirror::view(&self.game, eyes), self.model.view(eyes), "through the eyes of {eyes:?}");
    }
}
