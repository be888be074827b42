//! The games that are played, and who plays them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use naval_battle_client::Seat;
use serde_json::json;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::line::{Line, text_of};
use crate::plan::Plan;
use crate::script::{Deed, Kind, Script};

/// Connections over which moves are made, one at a time on each.
const LANES: usize = 64;

/// Connections over which games are opened.
const OPENERS: usize = 8;

/// Games that were worked out, and are played again and again.
const SCRIPTS: u64 = 100;

/// Events before the battle: created, joined, two placed.
const BEFORE_BATTLE: u32 = 4;

/// One of so many openings is called off before anybody has joined.
const CALLED_OFF: usize = 10;

/// How long nothing is done where nothing is to do.
const PAUSE: Duration = Duration::from_millis(1);

/// Everything that the connections share.
pub(crate) struct Floor {
    pub(crate) plan: Plan,
    pub(crate) address: String,
    prepared: Vec<Rc<Prepared>>,
    /// Games that wait for their next move.
    pub(crate) stock: RefCell<VecDeque<Play>>,
    /// Games that have ended or were given up, and are to be looked for.
    pub(crate) over: RefCell<Vec<Ended>>,
    under_way: Cell<usize>,
    opened: Cell<usize>,
    fires: RefCell<Vec<Duration>>,
    all_fires: Cell<u64>,
    taken: Cell<u32>,
    begun: Cell<Instant>,
    is_over: Cell<bool>,
    lanes: RefCell<Vec<JoinHandle<()>>>,
    /// Requests that were not answered as they should be, and arrivals that found no game.
    pub(crate) refused: Cell<u64>,
    pub(crate) starved: Cell<u64>,
}

/// A game as it is sent.
struct Prepared {
    create: String,
    layouts: [String; 2],
    moves: Vec<Request>,
}

struct Request {
    seat: usize,
    below: &'static str,
    body: String,
}

/// A game on its way.
pub(crate) struct Play {
    pub(crate) id: String,
    tokens: [String; 2],
    prepared: Rc<Prepared>,
    done: usize,
    /// After how many moves somebody resigns.
    cut: usize,
}

/// A game that is played no more.
pub(crate) struct Ended {
    pub(crate) id: Uuid,
    /// The last version that was acknowledged.
    pub(crate) version: u32,
    pub(crate) at: Instant,
    /// Whether a request had no answer, so that there may be one event more.
    pub(crate) is_uncertain: bool,
    /// Whether nobody won.
    pub(crate) is_aborted: bool,
    /// Whether it goes on, so that nobody may delete it.
    pub(crate) is_running: bool,
}

impl Floor {
    pub(crate) fn new(plan: Plan, address: String) -> Self {
        Self {
            plan,
            address,
            prepared: (0..SCRIPTS).map(|seed| Rc::new(Prepared::new(seed))).collect(),
            stock: RefCell::default(),
            over: RefCell::default(),
            under_way: Cell::default(),
            opened: Cell::default(),
            fires: RefCell::default(),
            all_fires: Cell::default(),
            taken: Cell::default(),
            begun: Cell::new(Instant::now()),
            is_over: Cell::default(),
            lanes: RefCell::default(),
            refused: Cell::default(),
            starved: Cell::default(),
        }
    }

    /// Opens games until all are under way, and goes on to open one for each that ends.
    pub(crate) async fn fill(self: &Rc<Self>) {
        let openers = (0..OPENERS).map(|_| tokio::task::spawn_local(Rc::clone(self).keep_open()));
        self.lanes.borrow_mut().extend(openers);
        while self.stock.borrow().len() < self.plan.games {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Starts the schedule.
    pub(crate) fn begin(self: &Rc<Self>) {
        self.begun.set(Instant::now());
        let lanes = (0..LANES).map(|_| tokio::task::spawn_local(Rc::clone(self).fire_when_due()));
        self.lanes.borrow_mut().extend(lanes);
    }

    pub(crate) fn begun(&self) -> Instant {
        self.begun.get()
    }

    /// Lets what is under way end.
    pub(crate) async fn end(&self) {
        self.is_over.set(true);
        let lanes: Vec<_> = self.lanes.borrow_mut().drain(..).collect();
        for lane in lanes {
            lane.await.expect("no lane fails");
        }
    }

    /// The latencies of the fires that were answered since this was asked last.
    pub(crate) fn take_fires(&self) -> Vec<Duration> {
        self.fires.take()
    }

    /// How many fires were answered in all.
    pub(crate) fn all_fires(&self) -> u64 {
        self.all_fires.get()
    }

    /// How many games were opened in all.
    pub(crate) fn all_games(&self) -> usize {
        self.opened.get()
    }

    async fn fire_when_due(self: Rc<Self>) {
        let mut line = Line::new(&self.address);
        let interval = Duration::from_secs(1) / self.plan.rate;
        let all = self.plan.rate * 60 * self.plan.minutes;
        loop {
            let number = self.taken.replace(self.taken.get() + 1);
            let due = self.begun.get() + interval * number;
            tokio::time::sleep_until(due.into()).await;
            if number >= all || self.is_over.get() {
                return;
            }
            let Some(mut game) = self.next_game().await else { return };
            let Some(true) = self.make_move(&mut line, &mut game).await else {
                self.give_up(&game);
                continue;
            };
            self.fires.borrow_mut().push(due.elapsed());
            self.all_fires.set(self.all_fires.get() + 1);
            self.go_on(&mut line, game).await;
        }
    }

    /// What follows on a fire at once: cells that are owed, and the end.
    async fn go_on(&self, line: &mut Line, mut game: Play) {
        while game.owes_cells() {
            if self.make_move(line, &mut game).await != Some(true) {
                return self.give_up(&game);
            }
        }
        if game.done < game.cut {
            self.stock.borrow_mut().push_back(game);
        } else if game.done == game.prepared.moves.len() {
            self.ends(&game, game.version(), false);
        } else {
            let path = format!("/v1/games/{}/resign", game.id);
            let resigned = line.post(&path, Some(&game.tokens[0]), "{}").await;
            match resigned.map(|answer| answer.status) {
                Some(200) => self.ends(&game, game.version() + 1, false),
                Some(_) | None => self.give_up(&game),
            }
        }
    }

    /// A game in which somebody is to fire; none once all is over.
    async fn next_game(&self) -> Option<Play> {
        loop {
            if let Some(game) = self.stock.borrow_mut().pop_front() {
                return Some(game);
            }
            if self.is_over.get() {
                return None;
            }
            self.starved.set(self.starved.get() + 1);
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Makes the next move; whether it was acknowledged with the version that it had to have.
    async fn make_move(&self, line: &mut Line, game: &mut Play) -> Option<bool> {
        let next = game.prepared.moves.get(game.done)?;
        let path = format!("/v1/games/{}{}", game.id, next.below);
        let answer = line.post(&path, Some(&game.tokens[next.seat]), &next.body).await?;
        if answer.status != 200 {
            return Some(false);
        }
        let version = format!("\"version\":{}", game.version() + 1);
        let text = String::from_utf8_lossy(answer.body);
        assert!(text.contains(&version), "a move is one event: {text}");
        game.done += 1;
        Some(true)
    }

    fn give_up(&self, game: &Play) {
        self.refused.set(self.refused.get() + 1);
        self.ends(game, game.version(), true);
    }

    fn ends(&self, game: &Play, version: u32, is_uncertain: bool) {
        let id = game.id.parse().expect("the server gave an id");
        let ended = Ended { id, version, at: Instant::now(), is_uncertain, is_aborted: false, is_running: false };
        self.over.borrow_mut().push(ended);
        self.under_way.set(self.under_way.get() - 1);
    }

    async fn keep_open(self: Rc<Self>) {
        let mut line = Line::new(&self.address);
        while !self.is_over.get() {
            if self.under_way.get() >= self.plan.games {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            self.under_way.set(self.under_way.get() + 1);
            let number = self.opened.replace(self.opened.get() + 1);
            if number.is_multiple_of(CALLED_OFF) {
                self.call_off(&mut line).await;
            }
            if let Some(game) = self.open(&mut line, number).await {
                self.stock.borrow_mut().push_back(game);
            } else {
                self.refused.set(self.refused.get() + 1);
                self.under_way.set(self.under_way.get() - 1);
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }

    /// Sets a game up to the battle. Those of the beginning end one after the other.
    async fn open(&self, line: &mut Line, number: usize) -> Option<Play> {
        let prepared = Rc::clone(&self.prepared[number % self.prepared.len()]);
        let created = line.post("/v1/games", None, &prepared.create).await?;
        let (id, host) = (text_of(created.body, "id")?, text_of(created.body, "token")?);
        let joined = line.post(&format!("/v1/games/{id}/join"), None, "{}").await?;
        let tokens = [host, text_of(joined.body, "token")?];
        for (token, layout) in tokens.iter().zip(&prepared.layouts) {
            let placed = line.post(&format!("/v1/games/{id}/place"), Some(token), layout).await?;
            if placed.status != 200 {
                return None;
            }
        }
        let moves = prepared.moves.len();
        let cut = if number < self.plan.games { 1 + number * 7_919 % moves } else { moves };
        Some(Play { id, tokens, prepared, done: 0, cut })
    }

    /// Creates a game and ends it before anybody has joined.
    async fn call_off(&self, line: &mut Line) -> Option<()> {
        let created = line.post("/v1/games", None, "{}").await?;
        let (id, host) = (text_of(created.body, "id")?, text_of(created.body, "token")?);
        let ended = line.post(&format!("/v1/games/{id}/resign"), Some(&host), "{}").await?;
        let is_uncertain = ended.status != 200;
        let id = id.parse().ok()?;
        self.over.borrow_mut().push(Ended {
            id,
            version: 2,
            at: Instant::now(),
            is_uncertain,
            is_aborted: true,
            is_running: false,
        });
        Some(())
    }
}

impl Ended {
    /// A game that goes on, at the version that was acknowledged.
    pub(crate) fn running(id: &str, version: u32) -> Self {
        let id = id.parse().expect("the server gave an id");
        Self { id, version, at: Instant::now(), is_uncertain: false, is_aborted: false, is_running: true }
    }
}

impl Play {
    /// The version after what was acknowledged.
    pub(crate) fn version(&self) -> u32 {
        BEFORE_BATTLE + u32::try_from(self.done).expect("a game is not so long")
    }

    fn owes_cells(&self) -> bool {
        self.prepared.moves.get(self.done).is_some_and(|next| next.below == "/reveal")
    }
}

impl Prepared {
    fn new(seed: u64) -> Self {
        let script = Script::new(Kind::Usual, seed);
        let layout = |layout| serde_json::to_string(layout).expect("a layout can be written");
        let request = |made: &crate::script::Move| {
            let seat = usize::from(made.seat == Seat::Guest);
            match &made.deed {
                Deed::Fire(shots) => {
                    let cells: Vec<_> = shots.iter().map(|(cell, _)| cell.to_string()).collect();
                    Request { seat, below: "/fire", body: json!({ "shots": cells }).to_string() }
                }
                Deed::Reveal(cells) => {
                    let cells: Vec<_> = cells.iter().map(ToString::to_string).collect();
                    Request { seat, below: "/reveal", body: json!({ "cells": cells }).to_string() }
                }
            }
        };
        Self {
            create: json!({ "options": Kind::Usual.choice() }).to_string(),
            layouts: [layout(&script.layouts.host), layout(&script.layouts.guest)],
            moves: script.moves.iter().map(request).collect(),
        }
    }
}
