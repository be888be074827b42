use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use ground::server::{Reply, Server};
use ground::table::Table;
use testing::model::{self, LayoutSent, Options, Seat, ShipSent, random_layout};

/// Somebody who plays against a bot, at random but by the rules.
pub(crate) struct Solo {
    pub(crate) table: Table,
    pub(crate) layout: LayoutSent,
    pub(crate) created: Reply,
    /// The last Progress.
    pub(crate) progress: Value,
    untried: Vec<String>,
}

impl Solo {
    /// Creates a game against a bot.
    pub(crate) async fn create(server: &Server, level: &str, options: &Options, seed: u64) -> Self {
        let body = json!({"bot": level, "options": options.to_json(), "name": "Anna", "listed": true});
        let created = server.post("/v1/games", None, &body).await;
        let table = Table::of(created.expect(201));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut untried: Vec<String> = options.cells().into_iter().map(model::name).collect();
        untried.shuffle(&mut rng);
        // Some players win against some bots.
        if rng.random_bool(0.5) {
            untried.sort();
        }
        Self { layout: random_layout(options, &mut rng), progress: json!({}), table, created, untried }
    }

    /// Places.
    pub(crate) async fn place(&mut self, server: &Server) -> Reply {
        let reply = self.table.place(server, Seat::Host, &self.layout).await;
        reply.expect(200).clone_into(&mut self.progress);
        reply
    }

    /// Does what is awaited, if anything is: `false` at the end.
    pub(crate) async fn step(&mut self, server: &Server) -> bool {
        let Some(awaited) = self.progress["awaiting"].get(0).cloned() else { return false };
        assert_eq!(awaited["seat"], "host", "a bot never lets anybody wait: {awaited}");
        let count = usize::try_from(awaited["count"].as_u64().expect("a count")).expect("a small number");
        let reply = if awaited["action"] == "reveal" {
            let game = self.table.see(server, Some(Seat::Host)).await;
            let cells = &game["revealable"].as_array().expect("cells")[..count];
            server.post(&self.table.path("/reveal"), Some(&self.table.host), &json!({ "cells": cells })).await
        } else {
            let shots = self.untried.split_off(self.untried.len() - count);
            server.post(&self.table.path("/fire"), Some(&self.table.host), &json!({ "shots": shots })).await
        };
        reply.expect(200).clone_into(&mut self.progress);
        true
    }

    /// Plays on until somebody has won.
    pub(crate) async fn play_to_the_end(&mut self, server: &Server) {
        while self.step(server).await {}
    }
}

/// The layout that an opened board, or a layout drawn, shows.
pub(crate) fn shown_layout(board: &Value) -> LayoutSent {
    let list = |name: &str| board[name].as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let ship = |ship: &Value| ShipSent {
        start: text(&ship["start"]),
        length: ship["length"].as_u64().and_then(|length| length.try_into().ok()).expect("a small number"),
        down: ship["direction"] == "down",
    };
    LayoutSent { ships: list("ships").iter().map(ship).collect(), mines: list("mines").iter().map(text).collect() }
}
