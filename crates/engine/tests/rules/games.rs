//! The games of `tests/games`, played by the engine.

use engine::{
    Action, BoardView, Cells, Command, Coordinate, Direction, Event, FirstShot, Fleet, Game, GameView, Grid, Options,
    Outcome, Placement, Refusal, Ship, Viewer,
};
use serde_json::{Value, json};
use testing::game_file::{Deed, Setup};
use testing::model::{self, Seat};
use testing::notation::{fault_code, refusal_code};
use testing::referee::{Player, all_games, play_at_once};

#[test]
fn the_engine_plays_every_game_as_it_is_written() {
    for (_, game) in all_games() {
        play_at_once(&game, &mut ByEngine::new(&game.setup));
    }
}

/// A game by the engine.
struct ByEngine {
    game: Game,
    /// The game that ended, once somebody has asked for a rematch.
    ended: Option<Game>,
}

impl ByEngine {
    fn new(setup: &Setup) -> Self {
        let model::Options { grid, russian, mines, salvo, shoot_again } = setup.options;
        let options = Options {
            grid: Grid::with_side(grid).expect("a grid"),
            fleet: if russian { Fleet::Russian } else { Fleet::Classic },
            mines,
            salvo,
            shoot_again,
            first: if setup.first == Seat::Host { FirstShot::Host } else { FirstShot::Guest },
            turn_seconds: None,
        };
        let mut this = Self { game: Game::new(options, engine::Seat::Guest), ended: None };
        if setup.joined {
            this.join(None).expect("the seat is free");
        }
        this
    }

    fn join(&mut self, caller: Option<engine::Seat>) -> Result<Value, Value> {
        let event = engine::join(&self.game, caller, engine::Seat::Host).map_err(|refusal| problem(&refusal))?;
        self.game.apply(&event).expect("what is decided can follow");
        Ok(json!({}))
    }

    fn play(&mut self, seat: engine::Seat, command: Command<'_>) -> Result<Value, Value> {
        // Decided upon a copy it is the same, and can follow on the game.
        let mut followed = self.game;
        let event = self.game.play(seat, command).map_err(|refusal| problem(&refusal))?;
        followed.apply(&event).expect("what is decided can follow");
        assert_eq!(followed, self.game);
        Ok(told(&event))
    }

    /// The second seat to ask joins the game that the first one asked for.
    fn rematch(&mut self, seat: engine::Seat) -> Result<Value, Value> {
        if self.ended.is_some() {
            return self.join(None);
        }
        let options = self.game.rematch().ok_or_else(|| json!({"code": "not_over"}))?;
        if self.game.first().is_none() {
            return Err(problem(&Refusal::NotJoined));
        }
        self.ended = Some(self.game);
        self.game = Game::new(options, seat.other());
        Ok(json!({}))
    }
}

impl Player for ByEngine {
    async fn act(&mut self, who: Option<Seat>, deed: &Deed) -> Result<Value, Value> {
        let malformed = |_| json!({"code": "malformed"});
        let read = |cells: &[String]| cells.iter().map(|cell| Coordinate::parse(cell)).collect::<Result<Vec<_>, _>>();
        let seat = who.map(in_engine);
        match (deed, seat) {
            (Deed::Join, _) => self.join(seat),
            (Deed::Rematch, Some(seat)) => self.rematch(seat),
            (Deed::Place(layout), Some(seat)) => {
                let mines = read(&layout.mines).map_err(malformed)?;
                let ships = layout.ships.iter().map(|ship| {
                    let direction = if ship.down { Direction::Down } else { Direction::Across };
                    Ok(Ship::new(Coordinate::parse(&ship.start)?, ship.length, direction))
                });
                let ships = ships.collect::<Result<Vec<_>, _>>().map_err(malformed)?;
                self.play(seat, Command::Place(&Placement { ships, mines }))
            }
            (Deed::Fire(shots), Some(seat)) => self.play(seat, Command::Fire(&read(shots).map_err(malformed)?)),
            (Deed::Reveal(cells), Some(seat)) => self.play(seat, Command::Reveal(&read(cells).map_err(malformed)?)),
            (Deed::Resign, Some(seat)) => self.play(seat, Command::Resign),
            (_, None) => panic!("a stranger cannot {deed:?}"),
        }
    }

    async fn time_out(&mut self) -> Value {
        let event = engine::time_out(&self.game).expect("something is due");
        self.game.apply(&event).expect("what is decided can follow");
        told(&event)
    }

    async fn view(&mut self, eyes: Option<Seat>) -> Value {
        let view = GameView::new(&self.game, eyes.map_or(Viewer::Spectator, |seat| Viewer::Seat(in_engine(seat))));
        let action = |action| match action {
            Action::Join => "join",
            Action::Place => "place",
            Action::Fire => "fire",
            Action::Reveal => "reveal",
        };
        let awaiting: Vec<_> = self
            .game
            .awaiting()
            .map(|due| json!({"seat": due.seat.word(), "action": action(due.action), "count": due.count}))
            .collect();
        let result = self.game.ending().map(
            |ending| json!({"winner": ending.winner().map(engine::Seat::word), "reason": ending.reason().to_string()}),
        );
        let afloat = |seat| json!({"ships_afloat": view.ships_afloat.of(seat)});
        json!({
            "options": {"grid": self.game.options().grid.side()},
            "awaiting": awaiting,
            "result": result,
            "revealable": view.revealable.map(names),
            "players": {"host": afloat(engine::Seat::Host), "guest": afloat(engine::Seat::Guest)},
            "boards": {
                "host": board(view.boards.of(engine::Seat::Host)),
                "guest": board(view.boards.of(engine::Seat::Guest)),
            },
        })
    }
}

fn in_engine(seat: Seat) -> engine::Seat {
    match seat {
        Seat::Host => engine::Seat::Host,
        Seat::Guest => engine::Seat::Guest,
    }
}

fn board(view: &BoardView) -> Value {
    let ships = view.ships.iter().map(|(ship, sunk)| {
        let mut shown = self::ship(*ship);
        shown["sunk"] = json!(sunk);
        shown
    });
    let shots = view.shots.iter().map(|(cell, mark)| json!({"cell": cell.to_string(), "outcome": mark.word()}));
    json!({
        "ships": ships.collect::<Vec<_>>(),
        "mines": names(view.mines),
        "shots": shots.collect::<Vec<_>>(),
        "revealed": names(view.revealed),
        "known_empty": names(view.known_empty),
    })
}

fn ship(ship: Ship) -> Value {
    let direction = match ship.direction() {
        Direction::Across => "across",
        Direction::Down => "down",
    };
    json!({"start": ship.start().to_string(), "length": ship.length(), "direction": direction})
}

fn names(cells: Cells) -> Value {
    cells.iter().map(|cell| cell.to_string()).collect()
}

/// What of an event the notation tells.
fn told(event: &Event) -> Value {
    match event {
        Event::Fired { shots, owed, .. } => {
            let shots = shots.iter().map(|shot| match shot.outcome {
                Outcome::Sunk(sunk) => json!({"outcome": "sunk", "ship": ship(sunk)}),
                outcome => json!({"outcome": outcome.word()}),
            });
            let mut told = json!({"shots": shots.collect::<Vec<_>>()});
            if let Some(owed) = owed {
                told["owed"] = json!(owed);
            }
            told
        }
        Event::TimedOut { seat } => json!({"seat": seat.map(engine::Seat::word)}),
        Event::Joined { .. }
        | Event::Placed { .. }
        | Event::Revealed { .. }
        | Event::Resigned { .. }
        | Event::Expired => {
            json!({})
        }
    }
}

/// A refusal as the API has it.
fn problem(refusal: &Refusal) -> Value {
    let mut problem = json!({"code": refusal_code(refusal)});
    match refusal {
        Refusal::WrongShotCount { expected, .. } | Refusal::WrongRevealCount { expected, .. } => {
            problem["expected"] = json!(expected);
        }
        Refusal::RepeatedCell(cells)
        | Refusal::OutsideGrid(cells)
        | Refusal::AlreadyFired(cells)
        | Refusal::NotRevealable(cells) => problem["cells"] = names(*cells),
        Refusal::IllegalLayout(faults) => {
            let fault = |fault: &engine::Fault| json!({"code": fault_code(fault.kind), "ship": fault.ship, "mine": fault.mine, "cells": names(fault.cells)});
            problem["faults"] = faults.iter().map(fault).collect();
        }
        _ => {}
    }
    problem
}
