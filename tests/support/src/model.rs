//! A second model of the rules, as slow and as plain as can be, to hold the engine against.
//!
//! It was written from the pages of the rules and of the API alone and shares nothing with the
//! engine: boards are sets of `(row, column)`, and every question is a loop over cells. What
//! the pages leave open is marked `Open:`.
//!
//! Whoever includes it and needs only a part writes
//! `#[allow(dead_code, unused_imports, reason = "…")]` on the `mod` declaration.

#![expect(
    unreachable_pub,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a part of the tests: each binary sees it whole, and where it is wrong it stops"
)]

mod board;
mod layout;
mod options;
mod random;

use board::{Ship, Side, names};
use serde_json::{Value, json};

pub use layout::*;
pub use options::*;
pub use random::*;

/// What a seat can send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Place(LayoutSent),
    Fire(Vec<String>),
    Reveal(Vec<String>),
    Resign,
    Join,
}

/// What the event of an accepted action carries beside its type and seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Of `fired`: `[{"cell", "outcome", "ship"?}]` in the order sent.
    pub shots: Option<Value>,
    /// Of `fired`, where a shot struck a mine: what is owed now, so it may be 0.
    pub owed: Option<u64>,
    /// Of `revealed`: the cells in the order sent.
    pub cells: Option<Vec<String>>,
}

/// Why an action was refused: status and code of the API, with what goes beside them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub status: u16,
    pub code: &'static str,
    pub expected: Option<u64>,
    /// The cells at fault, each once, in the order in which each was first sent.
    pub cells: Option<Vec<String>>,
    /// Sorted.
    pub faults: Vec<Fault>,
}

impl Refused {
    /// A refusal by phase or turn: 409 and nothing beside the code.
    fn by_table(code: &'static str) -> Self {
        Self { status: 409, code, expected: None, cells: None, faults: Vec::new() }
    }

    /// A volley or a giving away of the wrong size (R9, R19).
    fn by_count(code: &'static str, expected: usize) -> Self {
        Self { status: 422, expected: Some(count(expected)), ..Self::by_table(code) }
    }

    /// Cells that may not be sent (R10, R16, R19).
    fn by_cells(status: u16, code: &'static str, cells: Vec<String>) -> Self {
        Self { status, cells: Some(cells), ..Self::by_table(code) }
    }
}

/// A game, everything about it known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    options: Options,
    /// The seat that whoever joins gets.
    free: Seat,
    first: Option<Seat>,
    phase: Phase,
    host: Side,
    guest: Side,
}

/// Where the game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Phase {
    Waiting,
    Placing,
    Battle { turn: Seat, due: Due },
    Over { status: &'static str, winner: Option<Seat>, reason: &'static str },
}

/// What the seat whose turn it is must send: so many shots, or so many cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Due {
    Fire(usize),
    Reveal(usize),
}

impl Model {
    /// A game just created: the host waits for a guest.
    pub fn new(options: Options) -> Self {
        let (host, guest) = (Side::default(), Side::default());
        Self { options, free: Seat::Guest, first: None, phase: Phase::Waiting, host, guest }
    }

    /// Somebody takes the guest's seat and the coin falls (R22).
    pub fn joined(&mut self, first: Seat) {
        assert_eq!(self.stranger_joins(), Ok(()), "the seat cannot be taken");
        self.first = Some(first);
        self.phase = Phase::Placing;
    }

    /// What somebody without a token hears who tries to join (the table's first line).
    pub fn stranger_joins(&self) -> Result<(), Refused> {
        match self.phase {
            Phase::Waiting => Ok(()),
            Phase::Placing | Phase::Battle { .. } => Err(Refused::by_table("game_full")),
            Phase::Over { .. } => Err(Refused::by_table("game_over")),
        }
    }

    /// What either seat begins once this game has ended: the same options, the loser first (R22).
    ///
    /// `first` is who was to shoot first in this game. The other seat is free until it joins.
    pub fn rematch(&self, asking: Seat, first: Seat) -> Result<(Self, Seat), Refused> {
        let Phase::Over { winner, .. } = self.phase else { return Err(Refused::by_table("not_over")) };
        if self.first.is_none() {
            return Err(Refused::by_table("not_joined"));
        }
        let next = Self { free: asking.other(), ..Self::new(self.options.clone()) };
        Ok((next, winner.map_or(first, Seat::other)))
    }

    /// Nobody has joined in time, or without a clock nothing has happened for too long (R25).
    pub fn expire(&mut self) {
        assert!(!matches!(self.phase, Phase::Over { .. }), "the game is over");
        self.phase = Phase::Over { status: "aborted", winner: None, reason: "expired" };
    }

    /// The clock runs out; returns the seat that the event names (R25).
    pub fn time_out(&mut self) -> Option<Seat> {
        match self.phase {
            Phase::Placing => {
                let late = match (self.host.placed, self.guest.placed) {
                    (true, _) => Some(Seat::Guest),
                    (_, true) => Some(Seat::Host),
                    (false, false) => None,
                };
                self.phase = Phase::Over { status: "aborted", winner: None, reason: "aborted" };
                late
            }
            Phase::Battle { turn, .. } => {
                self.finish(turn.other(), "timed_out");
                Some(turn)
            }
            Phase::Waiting | Phase::Over { .. } => panic!("no clock runs"),
        }
    }

    /// Nobody could act for a while, so whoever is to act has as much time again: nothing else changes (R30).
    pub fn extend(&self) {
        assert!(!matches!(self.phase, Phase::Over { .. }), "no clock runs");
    }

    /// What a seat sends, in the order of refusals that the API page gives.
    ///
    /// While nobody has joined only one seat is taken.
    pub fn act(&mut self, seat: Seat, action: &Action) -> Result<Done, Refused> {
        assert!(seat != self.free || self.first.is_some(), "nobody has the seat");
        match action {
            Action::Place(layout) => self.place(seat, layout),
            Action::Fire(shots) => self.fire(seat, shots),
            Action::Reveal(cells) => self.reveal(seat, cells),
            Action::Resign => self.resign(seat),
            Action::Join if matches!(self.phase, Phase::Over { .. }) => Err(Refused::by_table("game_over")),
            Action::Join => Err(Refused::by_table("own_game")),
        }
    }

    /// A layout is sent: taken or refused whole, final, and the second starts the battle (R5, R6).
    fn place(&mut self, seat: Seat, layout: &LayoutSent) -> Result<Done, Refused> {
        match self.phase {
            Phase::Waiting | Phase::Placing if !self.side(seat).placed => {}
            Phase::Waiting | Phase::Placing | Phase::Battle { .. } => {
                return Err(Refused::by_table("already_placed"));
            }
            Phase::Over { .. } => return Err(Refused::by_table("game_over")),
        }
        let faults = faults(&self.options, layout);
        if !faults.is_empty() {
            return Err(Refused { status: 422, faults, ..Refused::by_table("illegal_layout") });
        }

        let side = self.side_mut(seat);
        side.placed = true;
        for ship in &layout.ships {
            side.ships.push(Ship { sent: ship.clone(), cells: ship.cells() });
        }
        side.mines = layout.mines.iter().map(|mine| cell(mine)).collect();
        if self.host.placed && self.guest.placed {
            self.turn_of(self.first.expect("the coin fell when the guest joined"));
        }
        Ok(Done::default())
    }

    /// A shot or a volley (R8 to R18).
    fn fire(&mut self, seat: Seat, shots: &[String]) -> Result<Done, Refused> {
        let expected = match self.due(seat)? {
            Due::Fire(expected) => expected,
            Due::Reveal(_) => return Err(Refused::by_table("reveal_due")),
        };
        if shots.len() != expected {
            return Err(Refused::by_count("wrong_shot_count", expected));
        }
        Self::refuse_cells(422, "repeated_cell", repeated(shots))?;
        Self::refuse_cells(422, "outside_grid", self.outside(shots))?;
        let enemy = self.side(seat.other());
        let again = |shot: &&String| enemy.fired.contains(&cell(shot));
        let again = shots.iter().filter(again).cloned().collect();
        Self::refuse_cells(409, "already_fired", again)?;

        let mut answers = Vec::new();
        let (mut successes, mut mines) = (0, 0);
        for shot in shots {
            let enemy = self.side_mut(seat.other());
            enemy.fired.insert(cell(shot));
            // The shot that takes the last cell is the one that sinks (R12).
            let outcome = enemy.outcome_now(cell(shot));
            let mut answer = json!({ "cell": shot, "outcome": outcome });
            match outcome {
                "hit" => successes += 1,
                "sunk" => {
                    successes += 1;
                    answer["ship"] = enemy.ship_on(cell(shot)).expect("a ship sank").sent.shown();
                }
                "mine" => mines += 1,
                _ => {}
            }
            answers.push(answer);
        }

        let mut owed = None;
        if self.side(seat.other()).afloat() == 0 {
            self.finish(seat, "fleet_sunk"); // R23, and R17 when a mine was struck as well
            if mines > 0 {
                owed = Some(0);
            }
        } else if mines > 0 {
            // R15: no success whatever else was hit. R16 and R18: what there is to give.
            let cells = mines.min(self.side(seat).revealable().len());
            owed = Some(count(cells));
            if cells > 0 {
                self.phase = Phase::Battle { turn: seat, due: Due::Reveal(cells) };
            } else {
                self.turn_of(seat.other());
            }
        } else if self.options.shoot_again && successes > 0 {
            // R14: one more for a single shot, as many as there were successes in Salvo.
            let earned = if self.options.salvo { successes } else { 1 };
            let count = earned.min(self.cells_left(seat));
            self.phase = Phase::Battle { turn: seat, due: Due::Fire(count) };
        } else {
            self.turn_of(seat.other());
        }
        Ok(Done { shots: Some(Value::Array(answers)), owed, cells: None })
    }

    /// Cells are given away for struck mines; then it is the mine owner's turn (R16, R19).
    fn reveal(&mut self, seat: Seat, cells: &[String]) -> Result<Done, Refused> {
        let expected = match self.due(seat)? {
            Due::Reveal(expected) => expected,
            Due::Fire(_) => return Err(Refused::by_table("no_reveal_due")),
        };
        if cells.len() != expected {
            return Err(Refused::by_count("wrong_reveal_count", expected));
        }
        Self::refuse_cells(422, "repeated_cell", repeated(cells))?;
        Self::refuse_cells(422, "outside_grid", self.outside(cells))?;
        let revealable = self.side(seat).revealable();
        let wrong = |text: &&String| !revealable.contains(&cell(text));
        let wrong = cells.iter().filter(wrong).cloned().collect();
        Self::refuse_cells(422, "not_revealable", wrong)?;

        for text in cells {
            self.side_mut(seat).given.insert(cell(text));
        }
        self.turn_of(seat.other());
        Ok(Done { cells: Some(cells.to_vec()), ..Done::default() })
    }

    /// Giving up, on anybody's turn: lost in battle, an abort before it (R24).
    fn resign(&mut self, seat: Seat) -> Result<Done, Refused> {
        match self.phase {
            Phase::Waiting | Phase::Placing => {
                self.phase = Phase::Over { status: "aborted", winner: None, reason: "aborted" };
            }
            Phase::Battle { .. } => self.finish(seat.other(), "resigned"),
            Phase::Over { .. } => return Err(Refused::by_table("game_over")),
        }
        Ok(Done::default())
    }

    /// What a seat owes in battle, or why it is not its turn (the table's lines fire and reveal).
    fn due(&self, seat: Seat) -> Result<Due, Refused> {
        match self.phase {
            Phase::Waiting | Phase::Placing => Err(Refused::by_table("not_in_battle")),
            Phase::Battle { turn, .. } if turn != seat => Err(Refused::by_table("not_your_turn")),
            Phase::Battle { due, .. } => Ok(due),
            Phase::Over { .. } => Err(Refused::by_table("game_over")),
        }
    }

    /// A turn begins: one shot, or in Salvo one per ship afloat, at most the cells left (R8, R9).
    fn turn_of(&mut self, seat: Seat) {
        let ships = if self.options.salvo { self.side(seat).afloat() } else { 1 };
        let count = ships.min(self.cells_left(seat));
        self.phase = Phase::Battle { turn: seat, due: Due::Fire(count) };
    }

    /// How many cells a seat has not fired at yet (R9, R10).
    fn cells_left(&self, seat: Seat) -> usize {
        let grid = usize::from(self.options.grid);
        grid * grid - self.side(seat.other()).fired.len()
    }

    /// The battle ends with a winner (R17, R23, R24, R25).
    fn finish(&mut self, winner: Seat, reason: &'static str) {
        self.phase = Phase::Over { status: "finished", winner: Some(winner), reason };
    }

    /// The cells sent that do not lie on this grid, each once.
    fn outside(&self, cells: &[String]) -> Vec<String> {
        cells.iter().filter(|text| !self.options.has(cell(text))).cloned().collect()
    }

    /// Refuses where there are cells at fault (R10, R16, R19).
    fn refuse_cells(status: u16, code: &'static str, cells: Vec<String>) -> Result<(), Refused> {
        if cells.is_empty() { Ok(()) } else { Err(Refused::by_cells(status, code, cells)) }
    }

    /// The board of a seat.
    fn side(&self, seat: Seat) -> &Side {
        match seat {
            Seat::Host => &self.host,
            Seat::Guest => &self.guest,
        }
    }

    /// The board of a seat, to change.
    fn side_mut(&mut self, seat: Seat) -> &mut Side {
        match seat {
            Seat::Host => &mut self.host,
            Seat::Guest => &mut self.guest,
        }
    }

    /// The options of this game.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// `waiting`, `placing`, `battle`, `finished` or `aborted`.
    pub fn status(&self) -> &'static str {
        match self.phase {
            Phase::Waiting => "waiting",
            Phase::Placing => "placing",
            Phase::Battle { .. } => "battle",
            Phase::Over { status, .. } => status,
        }
    }

    /// Who owes what, as the API shows it, but for `until`, which is always `null` here.
    pub fn awaiting(&self) -> Value {
        let mut entries = Vec::new();
        for (seat, action, count) in self.awaited() {
            entries.push(json!({
                "seat": seat.name(), "action": action, "count": count, "until": null,
            }));
        }
        Value::Array(entries)
    }

    /// Who owes what: seat, action, count.
    pub fn awaited(&self) -> Vec<(Seat, &'static str, usize)> {
        match self.phase {
            Phase::Waiting if self.side(self.free.other()).placed => vec![(self.free, "join", 1)],
            Phase::Waiting => vec![(self.free.other(), "place", 1), (self.free, "join", 1)],
            Phase::Placing => {
                let mut entries = Vec::new();
                for seat in [Seat::Host, Seat::Guest] {
                    if !self.side(seat).placed {
                        entries.push((seat, "place", 1));
                    }
                }
                entries
            }
            Phase::Battle { turn, due: Due::Fire(count) } => vec![(turn, "fire", count)],
            Phase::Battle { turn, due: Due::Reveal(count) } => vec![(turn, "reveal", count)],
            Phase::Over { .. } => Vec::new(),
        }
    }

    /// `null`, or who won and why.
    pub fn result(&self) -> Value {
        let Phase::Over { winner, reason, .. } = self.phase else { return Value::Null };
        json!({ "winner": winner.map(Seat::name), "reason": reason })
    }

    /// The part of the API's Game that the rules decide, for a seat or for a spectator (R26 to R28).
    pub fn view(&self, eyes: Option<Seat>) -> Value {
        let mut revealable = Value::Null;
        if let Phase::Battle { turn, due: Due::Reveal(_) } = self.phase
            && eyes == Some(turn)
        {
            // Open: the order of `revealable`; row by row here, like every list of a board.
            revealable = names(&self.side(turn).revealable());
        }
        let guest = if self.first.is_some() { self.player(Seat::Guest) } else { Value::Null };
        json!({
            "status": self.status(),
            "awaiting": self.awaiting(),
            "revealable": revealable,
            "result": self.result(),
            "first": self.first.map(Seat::name),
            "setup": { "ships": self.options.fleet(), "mines": self.options.mine_count() },
            "players": { "host": self.player(Seat::Host), "guest": guest },
            "boards": {
                "host": self.host.board(&self.options, self.opens(Seat::Host, eyes)),
                "guest": self.guest.board(&self.options, self.opens(Seat::Guest, eyes)),
            },
        })
    }

    /// Whether somebody sees a whole board: its owner, and everybody once finished (R26, R27).
    fn opens(&self, seat: Seat, eyes: Option<Seat>) -> bool {
        eyes == Some(seat) || self.status() == "finished"
    }

    /// What everybody knows of a player: ships afloat are those not announced as sunk.
    fn player(&self, seat: Seat) -> Value {
        let side = self.side(seat);
        let sunk = side.ships.iter().filter(|ship| side.is_sunk(ship)).count();
        json!({ "placed": side.placed, "ships_afloat": self.options.fleet().len() - sunk })
    }
}

/// A count as it goes over the wire.
fn count(count: usize) -> u64 {
    count.try_into().expect("a count of cells is small")
}

/// The cells that stand in a list more than once, each told once (R9, R19).
///
/// Open: whether each is told once, and the order; here as each was first sent.
fn repeated(cells: &[String]) -> Vec<String> {
    let mut repeated = Vec::new();
    for text in cells {
        let times = cells.iter().filter(|other| *other == text).count();
        if times > 1 && !repeated.contains(text) {
            repeated.push(text.clone());
        }
    }
    repeated
}
