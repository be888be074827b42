//! The games of `tests/games`, played by the engine.

use engine::{Coordinate, Event, FirstShot, Game, Refusal, Seat, expire, extend, join, time_out};
use serde_json::{Value, json};
use testing::game_file::Setup;
use testing::model::{self, Action};
use testing::notation::fault_code;
use testing::referee::{Answer, Player, all_games, play_at_once};

use crate::mirror::{self, Told};

#[test]
fn the_engine_plays_every_game_as_it_is_written() {
    for (_, game) in all_games() {
        play_at_once(&game, &mut ByEngine::new(&game.setup));
    }
}

/// A game by the engine.
struct ByEngine {
    game: Game,
    /// Whether somebody has asked for a rematch.
    asked: bool,
}

impl ByEngine {
    fn new(setup: &Setup) -> Self {
        let first = if setup.first == model::Seat::Host { FirstShot::Host } else { FirstShot::Guest };
        let mut this = Self { game: Game::new(mirror::options(&setup.options, first), Seat::Guest), asked: false };
        if setup.joined {
            this.follows(join(&this.game, None, Seat::Host)).expect("the seat is free");
        }
        this
    }

    /// What is accepted happens.
    fn follows(&mut self, decided: Result<Event, Refusal>) -> Answer {
        let event = decided.map_err(|refusal| problem(&refusal))?;
        self.game.apply(&event).expect("what is decided can follow");
        let done = mirror::done(&event);
        let mut told = json!({ "shots": done.shots });
        if let Some(owed) = done.owed {
            told["owed"] = json!(owed);
        }
        if let Event::TimedOut { seat } = event {
            told["seat"] = json!(seat.map(Seat::word));
        }
        Ok(told)
    }
}

impl Player for ByEngine {
    async fn act(&mut self, seat: model::Seat, action: &Action) -> Answer {
        if let Action::Fire(cells) | Action::Reveal(cells) = action
            && cells.iter().any(|cell| Coordinate::parse(cell).is_err())
        {
            return Err(json!({ "code": "malformed" }));
        }
        let decided = mirror::ask(&self.game, mirror::seat(seat), action);
        self.follows(decided)
    }

    async fn join(&mut self) -> Answer {
        self.follows(join(&self.game, None, Seat::Host))
    }

    async fn rematch(&mut self, seat: model::Seat) -> Answer {
        if self.asked {
            return self.join().await;
        }
        let options = self.game.rematch().ok_or_else(|| json!({ "code": "not_over" }))?;
        if self.game.first().is_none() {
            return Err(problem(&Refusal::NotJoined));
        }
        *self = Self { game: Game::new(options, mirror::seat(seat.other())), asked: true };
        Ok(json!({}))
    }

    async fn time_out(&mut self) -> Value {
        self.follows(time_out(&self.game)).expect("something is due")
    }

    async fn extend(&mut self, seconds: u32) -> Answer {
        self.follows(extend(&self.game, seconds))
    }

    async fn expire(&mut self) {
        let event = expire(&self.game).expect("no clock runs");
        self.follows(Ok(event)).expect("nothing is refused");
    }

    async fn view(&mut self, eyes: Option<model::Seat>) -> Value {
        let mut view = mirror::view(&self.game, eyes);
        view["options"] = json!({ "grid": self.game.options().grid.side() });
        view
    }
}

/// A refusal as the API has it.
fn problem(refusal: &Refusal) -> Value {
    let told = Told::from(refusal);
    let mut problem = json!({ "code": told.code });
    if let Some(expected) = told.expected {
        problem["expected"] = json!(expected);
    }
    if let Some(cells) = told.cells {
        problem["cells"] = json!(cells);
    }
    if let Refusal::IllegalLayout(faults) = refusal {
        let fault = |fault: &engine::Fault| {
            let cells = mirror::texts_of(fault.cells);
            json!({
                "code": fault_code(fault.kind), "ship": fault.kind.ship(), "mine": fault.kind.mine(), "cells": cells,
                "other_ship": fault.kind.other_ship(), "other_mine": fault.kind.other_mine(),
            })
        };
        problem["faults"] = faults.iter().map(fault).collect();
    }
    problem
}
