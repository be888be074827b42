//! The second model of the rules, held against the games of `tests/games` and against itself.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use testing::game_file::Setup;
use testing::model::*;
use testing::referee::{Answer, Player, all_games, play_at_once};

use Seat::{Guest, Host};

#[test]
fn it_plays_every_game_as_it_is_written() {
    for (_, game) in all_games() {
        play_at_once(&game, &mut ByModel::new(&game.setup));
    }
}

#[test]
fn there_are_64_configurations() {
    let all = Options::all();

    let distinct: BTreeSet<String> = all.iter().map(|one| one.to_json().to_string()).collect();
    assert_eq!(distinct.len(), 64);
}

#[test]
fn r5_a_layout_is_sent_as_one_body() {
    let sent = layout("A1v1 C1>4", "H3").to_json();

    let ships = json!([
        { "start": "A1", "length": 1, "direction": "down" },
        { "start": "C1", "length": 4, "direction": "across" },
    ]);
    assert_eq!(sent, json!({ "ships": ships, "mines": ["H3"] }));
}

#[test]
fn random_games_of_every_configuration_end() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut nothing_owed = 0;
    for options in Options::all() {
        for _ in 0..20 {
            let mut model = Model::new(options.clone());
            model.joined(if rng.random() { Host } else { Guest });
            let mut actions = 0;
            while let Some(&(seat, ..)) = model.awaited().first() {
                let action = random_action(&model, seat, &mut rng);
                let done = model.act(seat, &action).expect("a random action is legal");
                if done.owed == Some(0) && model.status() == "battle" {
                    nothing_owed += 1; // R18
                }
                actions += 1;
                assert!(actions < 600, "{options:?} goes on and on");
            }
            assert_eq!(model.status(), "finished");
            assert_eq!(model.result()["reason"], "fleet_sunk");
            let players = &model.view(None)["players"];
            let afloat = |seat: &str| players[seat]["ships_afloat"].as_u64().unwrap();
            let lost = if model.result()["winner"] == "host" { "guest" } else { "host" };
            assert_eq!(afloat(lost), 0);
            assert_ne!(afloat("host") + afloat("guest"), 0);
        }
    }
    assert_ne!(nothing_owed, 0, "random play reaches R18");
}

#[test]
fn random_nonsense_meets_every_refusal_and_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut refusals, mut layout_faults) = (BTreeSet::new(), BTreeSet::new());
    let (mut refused, mut taken) = (0, 0);
    for options in Options::all() {
        let mut model = Model::new(options.clone());
        let mut joined = false;
        for _ in 0..200 {
            let before = model.clone();
            let (seat, action) = random_nonsense(&model, &mut rng);
            match model.act(seat, &action) {
                Err(refusal) => {
                    refused += 1;
                    assert_eq!(model, before, "{action:?} is refused with {}", refusal.code);
                    refusals.insert(refusal.code);
                    layout_faults.extend(refusal.faults.into_iter().map(|fault| fault.code));
                }
                Ok(_) => taken += 1,
            }
            if !joined && rng.random_ratio(1, 5) {
                model.joined(Host);
                joined = true;
            } else if joined
                && rng.random_bool(0.5)
                && let Some(&(seat, ..)) = model.awaited().first()
            {
                model.act(seat, &random_action(&model, seat, &mut rng)).expect("it is legal");
            }
        }
    }

    let expected = BTreeSet::from([
        "already_fired",
        "already_placed",
        "game_over",
        "illegal_layout",
        "no_reveal_due",
        "not_in_battle",
        "not_revealable",
        "not_your_turn",
        "outside_grid",
        "own_game",
        "repeated_cell",
        "reveal_due",
        "wrong_reveal_count",
        "wrong_shot_count",
    ]);
    assert_eq!(refusals, expected);
    let expected = [
        "mine_on_ship",
        "mine_touches",
        "no_room_for_mines",
        "outside_grid",
        "overlap",
        "touch",
        "wrong_fleet",
        "wrong_mine_count",
    ];
    assert_eq!(layout_faults.into_iter().collect::<Vec<_>>(), expected);
    assert!(taken * 10 < refused, "{taken} of {refused} were no nonsense");
}

/// A game by the naive model.
struct ByModel {
    model: Model,
    first: Seat,
    /// Whether somebody has asked for a rematch.
    asked: bool,
}

impl ByModel {
    fn new(setup: &Setup) -> Self {
        let mut model = Model::new(setup.options.clone());
        if setup.joined {
            model.joined(setup.first);
        }
        Self { model, first: setup.first, asked: false }
    }
}

impl Player for ByModel {
    const TELLS_FAULTS_IN_FULL: bool = false;

    async fn act(&mut self, seat: Seat, action: &Action) -> Answer {
        if let Action::Fire(cells) | Action::Reveal(cells) = action
            && !cells.iter().all(|cell| is_spelled(cell))
        {
            return Err(json!({ "code": "malformed" }));
        }
        let done = self.model.act(seat, action).map_err(refused)?;
        let mut event = json!({ "shots": done.shots });
        if let Some(owed) = done.owed {
            event["owed"] = json!(owed);
        }
        Ok(event)
    }

    async fn join(&mut self) -> Answer {
        self.model.stranger_joins().map_err(refused)?;
        self.model.joined(self.first);
        Ok(json!({}))
    }

    async fn rematch(&mut self, seat: Seat) -> Answer {
        if self.asked {
            return self.join().await;
        }
        (self.model, self.first) = self.model.rematch(seat, self.first).map_err(refused)?;
        self.asked = true;
        Ok(json!({}))
    }

    async fn time_out(&mut self) -> Value {
        json!({"seat": self.model.time_out().map(Seat::name)})
    }

    async fn extend(&mut self, _: u32) -> Answer {
        self.model.extend();
        Ok(json!({}))
    }

    async fn expire(&mut self) {
        self.model.expire();
    }

    async fn view(&mut self, eyes: Option<Seat>) -> Value {
        let mut view = self.model.view(eyes);
        view["options"] = self.model.options().to_json();
        view
    }
}

/// A refusal of the model as the API has it, cells row by row.
fn refused(refused: Refused) -> Value {
    let mut problem = json!({"code": refused.code});
    if let Some(expected) = refused.expected {
        problem["expected"] = json!(expected);
    }
    if let Some(mut cells) = refused.cells {
        cells.sort_by_key(|text| cell(text));
        problem["cells"] = json!(cells);
    }
    if !refused.faults.is_empty() {
        let fault = |fault: &Fault| {
            json!({"code": fault.code, "ship": fault.ship, "mine": fault.mine, "cells": [],
                   "other_ship": fault.other_ship, "other_mine": fault.other_mine})
        };
        problem["faults"] = refused.faults.iter().map(fault).collect();
    }
    problem
}

/// A layout from its short form.
fn layout(fleet: &str, mines: &str) -> LayoutSent {
    LayoutSent { ships: ships(fleet), mines: words(mines) }
}

/// The words of a line.
fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
