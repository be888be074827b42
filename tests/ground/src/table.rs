//! A game to play over HTTP, by its two seats and whoever watches.

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use testing::model::{Action, LayoutSent, Options, Seat, ShipSent, ships};

/// A game on a server, with both tokens where both seats are taken.
#[derive(Clone, Debug)]
pub struct Table {
    /// The game's id.
    pub id: String,
    /// The host's token.
    pub host: String,
    /// The guest's token; empty until somebody has joined.
    pub guest: String,
}

/// A classic fleet with room to spare on every grid: A1 to E1, A3 to D3, A5 to C5, A7 to C7, E7 to F7.
pub const FLEET: &str = "A1>5 A3>4 A5>3 A7>3 E7>2";

/// Cells of which none holds a mine of [`usual`] and some hold ships, but not all of them do:
/// whoever fires at these alone strikes no mine and ends no game.
pub const HARMLESS: &str = "A1 B1 C1 D1 E1 F1 G1 H1 I1 J1 A2 B2 C2 D2 E2 F2 G2 H2 I2 J2 \
                            A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 A4 B4 C4 D4 E4 F4 G4 H4 I4 J4 \
                            A5 B5 C5 D5 E5 F5 G5 H5 I5 J5 A9 B9 C9 D9 E9 F9 G9 H9 I9 J9";

/// The layout of both seats of [`Table::in_battle`].
pub fn usual() -> LayoutSent {
    layout(FLEET, "J10")
}

impl Table {
    /// Creates a game with this body.
    pub async fn create(server: &Server, body: &Value) -> Self {
        Self::of(server.post("/v1/games", None, body).await.expect(201))
    }

    /// The game that a reply to its creation is about.
    pub fn of(created: &Value) -> Self {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        Self { id: text(&created["game"]["id"]), host: text(&created["token"]), guest: String::new() }
    }

    /// Creates a game with these options and joins it.
    pub async fn joined(server: &Server, options: &Value) -> Self {
        let mut table = Self::create(server, &json!({ "options": options })).await;
        table.join(server).await;
        table
    }

    /// A 10×10 game in battle: both have [`FLEET`] and a mine on J10, the host fires first.
    pub async fn in_battle(server: &Server) -> Self {
        Self::in_battle_with(server, &json!({"first": "host"}), &usual(), &usual()).await
    }

    /// A game in battle with these options and layouts.
    pub async fn in_battle_with(server: &Server, options: &Value, host: &LayoutSent, guest: &LayoutSent) -> Self {
        let table = Self::joined(server, options).await;
        table.place(server, Seat::Host, host).await.expect(200);
        table.place(server, Seat::Guest, guest).await.expect(200);
        table
    }

    /// Takes the guest's seat.
    pub async fn join(&mut self, server: &Server) {
        let reply = server.post(&self.path("/join"), None, &json!({})).await;
        reply.expect(201)["token"].as_str().expect("a token").clone_into(&mut self.guest);
    }

    /// A path below the game.
    pub fn path(&self, below: &str) -> String {
        format!("/v1/games/{}{below}", self.id)
    }

    /// A seat's token.
    pub fn token(&self, seat: Seat) -> &str {
        match seat {
            Seat::Host => &self.host,
            Seat::Guest => &self.guest,
        }
    }

    /// Sends an action of the model's.
    pub async fn act(&self, server: &Server, seat: Seat, action: &Action) -> Reply {
        let (below, body) = sent(action);
        server.post(&self.path(below), Some(self.token(seat)), &body).await
    }

    /// Looks at the game, through a seat's eyes or as a spectator.
    pub async fn look(&self, server: &Server, eyes: Option<Seat>) -> Reply {
        server.get(&self.path(""), eyes.map(|seat| self.token(seat))).await
    }

    /// The game through a seat's eyes or as a spectator sees it.
    pub async fn see(&self, server: &Server, eyes: Option<Seat>) -> Value {
        self.look(server, eyes).await.expect(200).clone()
    }

    /// Reads the whole log.
    pub async fn log(&self, server: &Server) -> Vec<Value> {
        let reply = server.get(&self.path("/events?limit=500"), None).await;
        reply.expect(200)["events"].as_array().expect("a list").clone()
    }

    /// Places a layout.
    pub async fn place(&self, server: &Server, seat: Seat, layout: &LayoutSent) -> Reply {
        server.post(&self.path("/place"), Some(self.token(seat)), &layout.to_json()).await
    }

    /// Fires at cells, written with spaces between them.
    pub async fn fire(&self, server: &Server, seat: Seat, cells: &str) -> Reply {
        server.post(&self.path("/fire"), Some(self.token(seat)), &json!({ "shots": words(cells) })).await
    }

    /// Gives cells away, written with spaces between them.
    pub async fn reveal(&self, server: &Server, seat: Seat, cells: &str) -> Reply {
        server.post(&self.path("/reveal"), Some(self.token(seat)), &json!({ "cells": words(cells) })).await
    }

    /// Resigns.
    pub async fn resign(&self, server: &Server, seat: Seat) -> Reply {
        server.post(&self.path("/resign"), Some(self.token(seat)), &json!({})).await
    }
}

/// Where below the game an action of the model's is sent, and with which body.
pub fn sent(action: &Action) -> (&'static str, Value) {
    match action {
        Action::Join => ("/join", json!({})),
        Action::Place(layout) => ("/place", layout.to_json()),
        Action::Fire(shots) => ("/fire", json!({ "shots": shots })),
        Action::Reveal(cells) => ("/reveal", json!({ "cells": cells })),
        Action::Resign => ("/resign", json!({})),
    }
}

/// A layout in short: ships as `A1>5 C3v2`, mines with spaces between them.
pub fn layout(fleet: &str, mines: &str) -> LayoutSent {
    LayoutSent { ships: ships(fleet), mines: words(mines) }
}

/// The words of a text.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The cells of a fleet in the order of its ships.
pub fn cells_of(fleet: &[ShipSent]) -> Vec<String> {
    fleet.iter().flat_map(ShipSent::cells).map(testing::model::name).collect()
}

/// The options of a configuration, with who fires first.
pub fn options_with_first(options: &Options, first: Seat) -> Value {
    let mut json = options.to_json();
    json["first"] = json!(first.name());
    json
}
