//! The games of `tests/games`, played over HTTP: every line is a request.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::{join_all, join4};
use naval_battle::schema::Code;
use serde_json::{Value, json};

use crate::api::asking::side_by_side;
use ground::cluster::{Cluster, Database};
use ground::server::{Reply, Server};
use ground::table::Table;
use testing::game_file::{Script, Setup, Step, lines};
use testing::model::{Action, Seat};
use testing::referee::{Answer, Player, all_games, play};

#[tokio::test]
async fn the_server_plays_every_game_as_it_is_written() {
    let server = Server::shared().await;
    let runs_out = |game: &Script| game.lines.iter().any(|line| line.step == Step::TimeRunsOut);
    let breaks_off = |game: &Script| game.lines.iter().any(|line| matches!(line.step, Step::NobodyCanAct(_)));
    let (by_outage, others): (Vec<_>, Vec<_>) = all_games().into_iter().partition(|(_, game)| breaks_off(game));
    let (by_the_clock, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, game)| runs_out(game));
    let is_left = |game: &Script| game.lines.iter().any(|line| line.step == Step::NothingHappens);
    let (left, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, game)| is_left(game));
    let hasty = [("NAVAL_BATTLE_KEEP_IDLE", "10"), ("NAVAL_BATTLE_EXPIRE_AFTER", "10")];
    let hasty = Server::start_with(&Cluster::shared().database().await, &hasty);

    // Whoever waits for a deadline takes no time from anybody. What nobody could use is lost to all games.
    let outages = join_all(by_outage.iter().map(async |(_, game)| {
        let database = Cluster::shared().database().await;
        is_played(&Server::start(&database), game, Some(10), Some(&database)).await;
    }));
    let clock = join_all(by_the_clock.iter().map(|(_, game)| is_played(&server, game, Some(10), None)));
    let others = side_by_side(others.iter().map(|(_, game)| is_played(&server, game, None, None)));
    let idle = join_all(left.iter().map(|(_, game)| is_played(&hasty, game, None, None)));
    join4(outages, clock, idle, others).await;
}

async fn is_played(server: &Server, game: &Script, turn_seconds: Option<u32>, database: Option<&Database>) {
    let mut player = OverHttp { database, ..OverHttp::begin(server, &game.setup, turn_seconds).await };
    play(&game.lines, &game.text, &mut player).await;
    player.check_log().await;
}

/// Plays on at a table, by lines in the notation of `tests/games`.
pub(crate) async fn play_on(server: &Server, table: &Table, text: &str) {
    play(&lines(text), text, &mut OverHttp { server, table: table.clone(), ended: None, database: None }).await;
}

/// A game on a server.
struct OverHttp<'a> {
    server: &'a Server,
    table: Table,
    /// The game that ended, once somebody has asked for a rematch.
    ended: Option<Table>,
    /// Where outages are kept, of a server that nobody else has games on.
    database: Option<&'a Database>,
}

impl<'a> OverHttp<'a> {
    async fn begin(server: &'a Server, setup: &Setup, turn_seconds: Option<u32>) -> Self {
        let mut options = setup.options.to_json();
        options["first"] = json!(setup.first.name());
        options["turn_seconds"] = json!(turn_seconds);
        let mut table = Table::create(server, &json!({ "options": options })).await;
        if setup.joined {
            table.join(server).await;
        }
        Self { server, table, ended: None, database: None }
    }

    /// Insists that reply, event and game tell the same of an action.
    async fn check_progress(&self, seat: Seat, kind: &str, reply: &Reply) {
        let game = self.table.see(self.server, None).await;
        let event = &reply.json["events"][0];
        assert_eq!((&event["type"], &event["seat"]), (&json!(kind), &json!(seat.name())), "{event}");
        assert_eq!((&event["seq"], &event["head"]), (&game["version"], &game["head"]), "{event}");
        assert_eq!(reply.json["version"], game["version"]);
        for field in ["status", "awaiting"] {
            assert_eq!((&event[field], &reply.json[field]), (&game[field], &game[field]), "{event}");
        }
        assert_eq!(event.get("result").unwrap_or(&Value::Null), &game["result"], "{event}");
    }

    /// Waits for the game to end by itself, and tells its last event.
    async fn end(&self) -> Value {
        loop {
            let last = self.table.log(self.server).await.pop().expect("an event");
            if last.get("result").is_some() {
                return last;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Insists that the log has every event once, and the result at its end alone.
    async fn check_log(&self) {
        let game = self.table.see(self.server, None).await;
        let log = self.table.log(self.server).await;
        for (place, event) in log.iter().enumerate() {
            assert_eq!(event["seq"], place + 1);
            let is_the_end = place + 1 == log.len() && !game["result"].is_null();
            assert_eq!(event.get("result"), is_the_end.then_some(&game["result"]), "{event}");
        }
        assert_eq!(game["version"], log.len());
    }
}

impl Player for OverHttp<'_> {
    async fn act(&mut self, seat: Seat, action: &Action) -> Answer {
        let (kind, below, body) = match action {
            Action::Place(layout) => ("placed", "/place", layout.to_json()),
            Action::Fire(shots) => ("fired", "/fire", json!({ "shots": shots })),
            Action::Reveal(cells) => ("revealed", "/reveal", json!({ "cells": cells })),
            Action::Resign => ("resigned", "/resign", json!({})),
            Action::Join => ("joined", "/join", json!({})),
        };
        let reply = self.server.post(&self.table.path(below), Some(self.table.token(seat)), &body).await;
        answer(&reply, 200)?;
        self.check_progress(seat, kind, &reply).await;
        let event = &reply.json["events"][0];
        let told = event["shots"].as_array().map(|shots| shots.iter().map(|shot| shot["cell"].clone()).collect());
        assert_eq!(told.as_ref().unwrap_or(&Value::Null), &body["shots"], "in the order sent");
        assert_eq!(event["cells"], body["cells"], "in the order sent");
        Ok(event.clone())
    }

    async fn join(&mut self) -> Answer {
        let reply = self.server.post(&self.table.path("/join"), None, &json!({})).await;
        answer(&reply, 201)?;
        reply.json["token"].as_str().expect("a token").clone_into(&mut self.table.guest);
        Ok(json!({}))
    }

    async fn rematch(&mut self, seat: Seat) -> Answer {
        let ended = self.ended.as_ref().unwrap_or(&self.table).clone();
        let reply = self.server.post(&ended.path("/rematch"), Some(ended.token(seat)), &json!({})).await;
        answer(&reply, 201)?;
        let id = reply.json["game"]["id"].as_str().expect("an id").to_owned();
        if self.ended.replace(ended).is_none() {
            self.table = Table { id, host: String::new(), guest: String::new() };
        }
        let token = if seat == Seat::Host { &mut self.table.host } else { &mut self.table.guest };
        reply.json["token"].as_str().expect("a token").clone_into(token);
        Ok(json!({}))
    }

    async fn time_out(&mut self) -> Value {
        let last = self.end().await;
        assert_eq!(last["type"], "timed_out");
        last
    }

    async fn expire(&mut self) {
        assert_eq!(self.end().await["type"], "expired");
    }

    async fn extend(&mut self, seconds: u32) -> Answer {
        let before = self.table.log(self.server).await;
        let from = before[before.len() - 1]["at"].as_str().expect("a time").parse().expect("RFC 3339");
        let database = self.database.expect("a database of its own");
        database.was_out_of_reach(from, from + TimeDelta::seconds(seconds.into())).await;
        loop {
            let log = self.table.log(self.server).await;
            if let Some(event) = log.get(before.len()) {
                assert_eq!(event["type"], "extended", "{event}");
                // A machine that is busy with other tests may lose some more.
                assert!(event["seconds"].as_u64().is_some_and(|told| told >= u64::from(seconds)), "{event}");
                return Ok(json!({}));
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn view(&mut self, eyes: Option<Seat>) -> Value {
        let seated = eyes.filter(|seat| !self.table.token(*seat).is_empty());
        self.table.see(self.server, seated).await
    }
}

/// The reply where it is accepted, else the problem, whole and with the status of its code.
fn answer(reply: &Reply, accepted: u16) -> Result<(), Value> {
    if reply.status == accepted {
        return Ok(());
    }
    let code = Code::ALL.iter().find(|code| code.word() == reply.code()).unwrap_or_else(|| panic!("{}", reply.text));
    Err(reply.refuses(code.status(), code.word()).clone())
}
