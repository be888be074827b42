//! Whole games played at random over HTTP: the model of the rules says what may be sent next.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::table::Table;
use testing::model::{Action, Model, Options, Seat, random_action};

/// A game that is played at random.
pub struct RandomGame {
    /// Its id and both tokens.
    pub table: Table,
    /// What both players together know.
    pub model: Model,
    rng: ChaCha8Rng,
}

/// What two requests give to whoever wants to check a game at home, as they came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Download {
    /// The game, as a spectator sees it.
    pub game: String,
    /// Its whole log.
    pub events: String,
}

impl RandomGame {
    /// Creates a game. `more` is put into the options beside those of the rules.
    pub async fn create(server: &Server, options: Options, more: &Value, name: Option<&str>, seed: u64) -> Self {
        let mut sent = options.to_json();
        for (key, value) in more.as_object().into_iter().flatten() {
            sent[key] = value.clone();
        }
        let table = Table::create(server, &json!({ "options": sent, "name": name })).await;
        Self { table, model: Model::new(options), rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Has somebody take the guest's seat.
    pub async fn join(&mut self, server: &Server, name: Option<&str>) {
        let reply = server.post(&self.table.path("/join"), None, &json!({ "name": name })).await;
        let joined = reply.expect(201);
        joined["token"].as_str().expect("a token").clone_into(&mut self.table.guest);
        let first = if joined["game"]["first"] == "host" { Seat::Host } else { Seat::Guest };
        self.model.joined(first);
    }

    /// Has somebody who is awaited do something that the rules allow; `false` when nobody is.
    pub async fn step(&mut self, server: &Server) -> bool {
        let awaited = self.model.awaited();
        if awaited.is_empty() {
            return false;
        }
        let (seat, ..) = awaited[self.rng.random_range(0..awaited.len())];
        let action = random_action(&self.model, seat, &mut self.rng);
        self.act(server, seat, &action).await.expect(200);
        true
    }

    /// Sends an action that the rules allow.
    pub async fn act(&mut self, server: &Server, seat: Seat, action: &Action) -> Reply {
        self.model.act(seat, action).expect("the rules allow it");
        self.table.act(server, seat, action).await
    }

    /// Plays on until somebody has won.
    pub async fn play_to_the_end(&mut self, server: &Server) {
        while self.step(server).await {}
    }

    /// Plays on for so many actions at most.
    pub async fn play_on(&mut self, server: &Server, actions: usize) {
        for _ in 0..actions {
            if !self.step(server).await {
                break;
            }
        }
    }
}

impl Download {
    /// Downloads a game.
    pub async fn download(server: &Server, table: &Table) -> Self {
        let game = table.look(server, None).await;
        let events = server.get(&table.path("/events?limit=500"), None).await;
        game.expect(200);
        events.expect(200);
        Self { game: game.text, events: events.text }
    }

    /// The game, parsed.
    pub fn game(&self) -> Value {
        serde_json::from_str(&self.game).expect("the game is JSON")
    }

    /// The events, parsed.
    pub fn events(&self) -> Vec<Value> {
        let log: Value = serde_json::from_str(&self.events).expect("the log is JSON");
        log["events"].as_array().expect("a list").clone()
    }
}
