//! Twins: two games with one public history and different hidden boards, played at random.
//!
//! Whoever is not entitled to the difference gets feeds, streams, replays and verifications that
//! are the same in every byte but those that belong to the game itself.

use std::collections::BTreeSet;

use futures_util::future::join;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};
use reqwest::Method;
use serde_json::{Value, json};

use ground::server::{Reply, Server, authorized, send};
use ground::table::{Table, options_with_first};
use testing::campaign;
use testing::model::{
    Action, Cell, Done, LayoutSent, Model, Options, Seat, ShipSent, cell, faults, name, random_action, random_layout,
};

use Seat::{Guest, Host};

/// What differs between any two games: its bytes, never how many they are. A salt that is shown is
/// the caller's own.
const OF_THE_GAME: [&str; 9] = ["id", "game", "at", "created_at", "until", "commitment", "head", "token", "salt"];

#[tokio::test]
async fn twins_of_a_default_game_cannot_be_told_apart() {
    twins(Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false }, None, 1).await;
}

#[tokio::test]
async fn twins_of_a_salvo_with_three_mines_cannot_be_told_apart() {
    twins(Options { grid: 15, russian: false, mines: true, salvo: true, shoot_again: true }, Some(3_600), 2).await;
}

#[tokio::test]
async fn twins_of_a_russian_game_on_8_by_8_cannot_be_told_apart() {
    twins(Options { grid: 8, russian: true, mines: true, salvo: true, shoot_again: false }, None, 3).await;
}

#[tokio::test]
async fn twins_without_mines_cannot_be_told_apart() {
    twins(Options { grid: 12, russian: true, mines: false, salvo: false, shoot_again: true }, Some(60), 4).await;
}

/// A game, and another board for each side with which all that happened would have happened too.
struct History {
    first: Seat,
    steps: Vec<(Seat, Action)>,
    host: [LayoutSent; 2],
    guest: [LayoutSent; 2],
}

impl History {
    /// Plays a game to its end, and takes it back until both sides can have another board: at least
    /// by a third, since hardly any board but one fits the last shots.
    fn at_random(options: &Options, rng: &mut ChaCha8Rng) -> Self {
        let first = if rng.random() { Host } else { Guest };
        let (host, guest) = (random_layout(options, rng), random_layout(options, rng));
        let mut model = begin(options, first, &host, &guest);
        let mut steps = Vec::new();
        let mut done = Vec::new();
        while let Some(&(seat, ..)) = model.awaited().first() {
            let action = random_action(&model, seat, rng);
            done.push(model.act(seat, &action).unwrap());
            steps.push((seat, action));
        }
        steps.truncate(steps.len() * 2 / 3 + 1);
        loop {
            steps.pop().expect("some history has twins");
            done.truncate(steps.len());
            let fits = |host: &LayoutSent, guest: &LayoutSent| {
                let mut model = begin(options, first, host, guest);
                let again: Result<Vec<Done>, _> = steps.iter().map(|(seat, action)| model.act(*seat, action)).collect();
                again.as_ref() == Ok(&done)
            };
            let mut other = |own: &LayoutSent, is_host: bool| {
                let known = touched(&steps, if is_host { Host } else { Guest });
                (0..200).find_map(|_| {
                    let changed = changed(options, own, &known, rng)?;
                    let fits = if is_host { fits(&changed, &guest) } else { fits(&host, &changed) };
                    fits.then_some(changed)
                })
            };
            if let (Some(other_host), Some(other_guest)) = (other(&host, true), other(&guest, false)) {
                return Self { first, steps, host: [host, other_host], guest: [guest, other_guest] };
            }
        }
    }
}

/// A game in battle.
fn begin(options: &Options, first: Seat, host: &LayoutSent, guest: &LayoutSent) -> Model {
    let mut model = Model::new(options.clone());
    model.joined(first);
    model.act(Host, &Action::Place(host.clone())).unwrap();
    model.act(Guest, &Action::Place(guest.clone())).unwrap();
    model
}

/// The cells of a seat's board of which something was told.
fn touched(steps: &[(Seat, Action)], owner: Seat) -> BTreeSet<Cell> {
    let cells = steps.iter().flat_map(|(seat, action)| match action {
        Action::Fire(shots) if *seat != owner => shots.clone(),
        Action::Reveal(cells) if *seat == owner => cells.clone(),
        Action::Place(_) | Action::Fire(_) | Action::Reveal(_) | Action::Join | Action::Resign => Vec::new(),
    });
    cells.map(|text| cell(&text)).collect()
}

/// Puts a ship, the mines or both of which nothing is known elsewhere, where nothing is known either.
fn changed(options: &Options, layout: &LayoutSent, known: &BTreeSet<Cell>, rng: &mut ChaCha8Rng) -> Option<LayoutSent> {
    let mut changed = layout.clone();
    let is_hidden = |ship: &ShipSent| ship.cells().iter().all(|cell| !known.contains(cell));
    let unknown: Vec<Cell> = options.cells().into_iter().filter(|cell| !known.contains(cell)).collect();
    let (ships_move, mines_move) = *[(true, true), (true, false), (false, true)].choose(rng)?;
    if ships_move {
        let hidden = changed.ships.iter_mut().filter(|ship| is_hidden(ship));
        let ship = hidden.choose(rng)?;
        *ship = ShipSent { start: name(*unknown.choose(rng)?), down: rng.random(), length: ship.length };
        if !is_hidden(ship) {
            return None;
        }
    }
    for mine in &mut changed.mines {
        if mines_move && !known.contains(&cell(mine)) {
            *mine = name(*unknown.choose(rng)?);
        }
    }
    (is_another(&changed, layout) && faults(options, &changed).is_empty()).then_some(changed)
}

/// Whether something lies elsewhere, and is not merely told in another order.
fn is_another(one: &LayoutSent, other: &LayoutSent) -> bool {
    let cells = |layout: &LayoutSent| {
        let ships: BTreeSet<Cell> = layout.ships.iter().flat_map(ShipSent::cells).collect();
        (ships, layout.mines.iter().cloned().collect::<BTreeSet<_>>())
    };
    cells(one) != cells(other)
}

/// Plays one history with different boards: first the host's differs, which the guest and a
/// spectator must not tell, then the guest's.
async fn twins(options: Options, turn_seconds: Option<u32>, seed: u64) {
    let server = Server::shared().await;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let history = History::at_random(&options, &mut rng);
    assert!(history.steps.len() >= 6, "{} steps", history.steps.len());
    let mut sent = options_with_first(&options, history.first);
    sent["turn_seconds"] = json!(turn_seconds);
    let ([host, other_host], [guest, other_guest]) = (&history.host, &history.guest);

    for (viewer, one, other) in
        [(Guest, (host, guest), (other_host, guest)), (Host, (host, guest), (host, other_guest))]
    {
        // The host places after the guest has joined, or in other games before.
        let hidden_first = seed.is_multiple_of(2);
        let tables = join(
            taken(&server, &sent, hidden_first.then_some(one.0)),
            taken(&server, &sent, hidden_first.then_some(other.0)),
        )
        .await;
        are_alike(&server, &tables, viewer).await;
        for seat in [Host, Guest].into_iter().skip(hidden_first.into()) {
            for (table, boards) in [(&tables.0, one), (&tables.1, other)] {
                let board = if seat == Host { boards.0 } else { boards.1 };
                table.place(&server, seat, board).await.expect(200);
            }
            are_alike(&server, &tables, viewer).await;
        }
        for (place, (seat, action)) in history.steps.iter().enumerate() {
            let replies = join(act(&server, &tables.0, *seat, action), act(&server, &tables.1, *seat, action)).await;

            replies.0.expect(200);
            is_the_same(&replies.0, &replies.1);
            if place == history.steps.len() / 2 || place + 1 == history.steps.len() {
                are_alike(&server, &tables, viewer).await;
            }
        }
        // They were different after all.
        let owners =
            join(tables.0.look(&server, Some(viewer.other())), tables.1.look(&server, Some(viewer.other()))).await;
        let board = |reply: &Reply| {
            let board = &reply.json["boards"][viewer.other().name()];
            (board["ships"].clone(), board["mines"].clone())
        };
        assert_ne!(board(&owners.0), board(&owners.1));
    }
}

/// A game of which both seats are taken, the host having placed before the guest came where it has a layout.
async fn taken(server: &Server, options: &Value, hidden: Option<&LayoutSent>) -> Table {
    let mut table = Table::create(server, &json!({ "options": options })).await;
    if let Some(layout) = hidden {
        table.place(server, Host, layout).await.expect(200);
    }
    table.join(server).await;
    table
}

async fn act(server: &Server, table: &Table, seat: Seat, action: &Action) -> Reply {
    match action {
        Action::Fire(shots) => table.fire(server, seat, &shots.join(" ")).await,
        Action::Reveal(cells) => table.reveal(server, seat, &cells.join(" ")).await,
        Action::Place(_) | Action::Resign | Action::Join => panic!("a history has shots and debts alone"),
    }
}

async fn are_alike(server: &Server, tables: &(Table, Table), viewer: Seat) {
    let told = join(everything_told(server, &tables.0, viewer), everything_told(server, &tables.1, viewer)).await;
    assert_eq!(told.0.len(), told.1.len());
    assert!(told.0.len() > 60);
    for (one, other) in told.0.iter().zip(&told.1) {
        is_the_same(one, other);
    }
}

/// What a seat and a spectator get to hear: feeds, streams, replays of many moments, the
/// verification, and refusals.
async fn everything_told(server: &Server, table: &Table, viewer: Seat) -> Vec<Reply> {
    let mut replies = Vec::new();
    let version = server.get(&table.path("/events"), None).await.expect(200)["version"].as_u64().unwrap();
    for token in [Some(table.token(viewer)), None] {
        let mut paths: Vec<String> = Vec::new();
        for below in
            ["", "/events", "/events?limit=500", "/events?after=2&limit=3", "/events?after=2147483647", "/verify"]
        {
            paths.push(below.to_owned());
        }
        paths.extend((1..=version + 1).map(|seq| format!("/events/{seq}/proof")));
        paths.extend((1..=version).step_by(campaign(5, 1)).map(|upto| format!("/replay?upto={upto}")));
        for eyes in ["spectator", "host", "guest", "all", "nobody"] {
            paths.push(format!("/replay?as={eyes}"));
            paths.push(format!("/replay?as={eyes}&upto={}", version / 2 + 1));
        }
        paths.extend(["/replay?upto=0", "/replay?upto=x", "/verify?x", "/events?after=x"].map(str::to_owned));
        for path in &paths {
            replies.push(server.get(&table.path(path), token).await);
        }
        for path in ["", "/events", "/verify", "/replay?upto=2", "/replay?as=all"] {
            replies.push(send(authorized(server.request(Method::HEAD, &table.path(path)), token)).await);
        }
        for after in [0, version / 2] {
            replies.push(stream(server, table, token, after, version).await);
        }
        for (below, body) in [
            ("/fire", json!({"shots": ["A1", "A1", "B2", "C3", "D4", "E5", "F6", "G7", "H8", "A2", "A3"]})),
            ("/reveal", json!({"cells": []})),
            ("/place", json!({"ships": []})),
            ("/join", json!({})),
        ] {
            let refused = server.post(&table.path(below), token, &body).await;
            assert!(refused.status >= 400);
            replies.push(refused);
        }
    }
    replies
}

/// Reads a stream until the last event that there is by now.
async fn stream(server: &Server, table: &Table, token: Option<&str>, after: u64, version: u64) -> Reply {
    let request = server.request(Method::GET, &table.path(&format!("/events?after={after}")));
    let request = authorized(request.header("accept", "text/event-stream"), token);
    let mut response = request.send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut text = String::new();
    while !text.ends_with("\n\n") || !text.contains(&format!("id: {version}\n")) {
        text += std::str::from_utf8(&response.chunk().await.unwrap().expect("the game goes on")).unwrap();
    }
    Reply { status, headers, text, json: Value::Null }
}

#[track_caller]
fn is_the_same(one: &Reply, other: &Reply) {
    assert_eq!(one.status, other.status);
    assert_eq!(blotted(&one.text), blotted(&other.text));
    let headers = |reply: &Reply| {
        let mut headers = reply.headers.clone();
        for own in ["date", "x-request-id"] {
            assert!(headers.remove(own).is_some(), "{own}");
        }
        headers
    };
    assert_eq!(headers(one), headers(other));
}

/// A reply with every byte of what belongs to this very game blotted out: what is listed, and the hashes of a proof.
fn blotted(text: &str) -> String {
    let is_hash = |part: &str| part.len() == 64 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let blot = |part: &str| if is_hash(part) { "·".repeat(64) } else { part.to_owned() };
    let mut blotted = text.split('"').map(blot).collect::<Vec<_>>().join("\"");
    for key in OF_THE_GAME {
        let opening = format!("\"{key}\":\"");
        let mut at = 0;
        while let Some(found) = blotted[at..].find(&opening) {
            let begin = at + found + opening.len();
            let end = begin + blotted[begin..].find('"').unwrap();
            blotted.replace_range(begin..end, &"·".repeat(end - begin));
            at = begin;
        }
    }
    blotted
}
