//! Plays many games at once, and measures what that takes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use naval_battle_client::{BySeat, Cell, Client, Create, Progress, Retries, Seat, Table, Token};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use uuid::Uuid;

use crate::figures::number;
use crate::machine::{Processes, Spent};
use crate::postgres::{Postgres, Reading};
use crate::script::{Deed, Kind, Script};
use ground::cluster::Database;
use ground::server::Server;

/// Events of a game before its battle: created, joined, two placed.
pub(crate) const BEFORE_BATTLE: u32 = 4;

/// How many games are set up at a time.
const AT_ONCE: usize = 16;

/// What is played before each measurement, to see how fast it goes and so how many games it needs.
const LEAD: Duration = Duration::from_millis(1_500);

/// How often something is measured anew for which there were too few games.
const ATTEMPTS: usize = 5;

/// The servers on a database, and the games that are played on them.
pub(crate) struct Course {
    /// Where the games are played.
    pub(crate) servers: Vec<Server>,
    /// Where they are kept.
    pub(crate) postgres: Postgres,
    /// Games that go on, in the order in which they are taken.
    pub(crate) stock: VecDeque<Match>,
    /// Games played to the end.
    pub(crate) over: Vec<Match>,
    processes: Processes,
    kind: Kind,
    seed: u64,
    /// Moves in a second, as last measured.
    rate: f64,
}

/// A game on its way.
#[derive(Clone)]
pub(crate) struct Match {
    /// Its id.
    pub(crate) id: String,
    /// What happens in it.
    pub(crate) script: Arc<Script>,
    /// How many of its moves were acknowledged.
    pub(crate) done: usize,
    /// The head of the last event that was acknowledged.
    pub(crate) head: String,
    tokens: BySeat<Token>,
}

/// How it is played.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    /// Connections, each of which plays one game at a time.
    pub(crate) connections: u32,
    /// Whether each move has an `Idempotency-Key`, as the client sends it by default.
    pub(crate) keys: bool,
    /// Moves in a second that arrive whether or not those before are done; none for one after the
    /// other on each connection.
    pub(crate) arrivals: Option<f64>,
    /// Whether each move is in another game than the one before; else a game is played to its end.
    pub(crate) rotates: bool,
    /// How often the game is looked at before each move.
    pub(crate) looks: u32,
}

/// What was measured over a while.
pub(crate) struct Window {
    /// Fires that were answered.
    pub(crate) fires: f64,
    /// Fires and reveals.
    pub(crate) moves: f64,
    /// From when a fire was due to its answer, sorted.
    pub(crate) latencies: Vec<Duration>,
    /// What it took.
    pub(crate) spent: Spent,
    /// What Postgres counted before and after.
    pub(crate) readings: [Reading; 2],
    /// Whether there were too few games, so that it counts for nothing.
    ran_dry: bool,
    /// Memory of the servers in MB while all connections are open: now, and at most so far.
    pub(crate) memory: (f64, f64),
}

/// A move that was answered.
struct Done {
    at: Instant,
    after: Duration,
    is_fire: bool,
}

/// When moves arrive that wait for nobody.
struct Arrivals {
    gate: Semaphore,
    start: Instant,
    interval: Duration,
    taken: AtomicU32,
}

/// What the connections of a measurement share.
struct Floor {
    stock: Mutex<VecDeque<Match>>,
    over: Mutex<Vec<Match>>,
    ran_dry: AtomicBool,
    arrivals: Option<Arrivals>,
    until: Instant,
    rotates: bool,
    looks: u32,
}

impl Manner {
    /// One move after the other on so many connections, without keys.
    pub(crate) fn closed(connections: u32) -> Self {
        Self { connections, keys: false, arrivals: None, rotates: false, looks: 0 }
    }
}

impl Course {
    /// So many servers on a database, with a further environment.
    pub(crate) async fn start(
        database: &Database,
        postmaster: u32,
        replicas: usize,
        kind: Kind,
        further: &[(&str, &str)],
    ) -> Self {
        let environment = [&[("NAVAL_BATTLE_LIMITS", "off"), ("RUST_LOG", "warn")], further].concat();
        let servers: Vec<_> = (0..replicas).map(|_| Server::start_with(database, &environment)).collect();
        let processes = Processes { servers: servers.iter().map(Server::id).collect(), postmaster };
        let postgres = Postgres::new(database).await;
        Self { servers, postgres, stock: VecDeque::new(), over: Vec::new(), processes, kind, seed: 0, rate: 2_000.0 }
    }

    /// Whose CPU is told apart.
    pub(crate) fn processes(&self) -> &Processes {
        &self.processes
    }

    /// A client of the first server.
    pub(crate) fn client(&self) -> Client {
        client(&self.servers.first().expect("there is a server").base)
    }

    /// Host and port of the first server.
    pub(crate) fn address(&self) -> &str {
        self.servers.first().expect("there is a server").base.trim_start_matches("http://")
    }

    /// Sets games up to the battle until there are so many.
    pub(crate) async fn stock_up(&mut self, count: usize) {
        let api: Vec<_> = self.servers.iter().map(|server| client(&server.base)).collect();
        let mut opened = JoinSet::new();
        for (_, api) in (self.stock.len()..count).zip(api.iter().cycle()) {
            if opened.len() >= AT_ONCE {
                self.stock.push_back(opened.join_next().await.expect("one is under way").expect("it is set up"));
            }
            self.seed += 1;
            opened.spawn(Match::open(api.clone(), self.kind, self.seed));
        }
        while let Some(game) = opened.join_next().await {
            self.stock.push_back(game.expect("a game is set up"));
        }
    }

    /// Plays in this manner for so long, after a while that is not measured.
    pub(crate) async fn run(&mut self, manner: Manner, time: Duration) -> Window {
        self.provide(manner, LEAD).await;
        let lead = self.play(Manner { arrivals: None, ..manner }, Duration::ZERO, LEAD).await;
        self.rate = lead.moves / lead.spent.elapsed.as_secs_f64();
        let settle = LEAD / 3;
        for _ in 0..ATTEMPTS {
            self.provide(manner, time + settle).await;
            let window = self.play(manner, settle, time).await;
            if !window.ran_dry {
                return window;
            }
            self.rate *= 2.0;
        }
        panic!("the machine becomes faster and faster: there were never games enough");
    }

    /// Sees to it that there are games enough.
    async fn provide(&mut self, manner: Manner, time: Duration) {
        let rate = manner.arrivals.unwrap_or(self.rate * 1.5);
        let moves = self.stock.iter().map(|game| game.script.moves.len() - game.done).sum::<usize>();
        let each = if self.stock.is_empty() { 60 } else { (moves / self.stock.len()).max(20) };
        let count = (rate * time.as_secs_f64() / number(each)).ceil();
        // A count of games is far below what a float holds exactly.
        let needed = (0..usize::MAX).find(|needed| number(*needed) >= count).expect("a count");
        let connections = usize::try_from(manner.connections).expect("few connections");
        self.stock_up(needed + connections * 2).await;
    }

    /// Plays without counting for a while, then for the time that is measured.
    async fn play(&mut self, manner: Manner, settle: Duration, time: Duration) -> Window {
        let begin = Instant::now() + settle;
        let floor = Arc::new(Floor {
            stock: Mutex::new(std::mem::take(&mut self.stock)),
            over: Mutex::default(),
            ran_dry: AtomicBool::new(false),
            arrivals: manner.arrivals.map(Arrivals::new),
            until: begin + time,
            rotates: manner.rotates,
            looks: manner.looks,
        });
        if floor.arrivals.is_some() {
            let floor = Arc::clone(&floor);
            thread::spawn(move || floor.let_in());
        }
        let mut lanes = JoinSet::new();
        for (_, server) in (0..manner.connections).zip(self.servers.iter().cycle()) {
            let api = client(&server.base);
            let api = if manner.keys { api } else { api.retrying(Retries::NEVER) };
            lanes.spawn(Arc::clone(&floor).walk(api));
        }
        tokio::time::sleep_until(begin.into()).await;
        let before = self.edge().await;
        tokio::time::sleep_until(floor.until.into()).await;
        let after = self.edge().await;
        let memory = self.processes.memory();
        let done: Vec<Done> = lanes.join_all().await.into_iter().flatten().collect();
        let floor = Arc::into_inner(floor).expect("all lanes have ended");
        self.stock = floor.stock.into_inner().expect("no lane failed");
        self.over.extend(floor.over.into_inner().expect("no lane failed"));
        let ran_dry = floor.ran_dry.into_inner();
        let measured = || done.iter().filter(|done| begin <= done.at && done.at < begin + time);
        let mut latencies: Vec<_> = measured().filter(|done| done.is_fire).map(|done| done.after).collect();
        latencies.sort_unstable();
        let ((reading_before, usage_before), (reading_after, usage_after)) = (before, after);
        Window {
            fires: number(latencies.len()),
            moves: number(measured().count()),
            latencies,
            spent: usage_after.since(&usage_before),
            readings: [reading_before, reading_after],
            ran_dry,
            memory,
        }
    }

    async fn edge(&mut self) -> (Reading, crate::machine::Usage) {
        let processes = self.processes.clone();
        let reading = self.postgres.read().await;
        (reading, spawn_blocking(move || processes.usage()).await.expect("/proc can be read"))
    }

    /// Plays all games to their ends.
    pub(crate) async fn finish(&mut self, manner: Manner) {
        let floor = Arc::new(Floor {
            stock: Mutex::new(std::mem::take(&mut self.stock)),
            over: Mutex::default(),
            ran_dry: AtomicBool::new(false),
            arrivals: None,
            until: Instant::now() + Duration::from_mins(10),
            rotates: false,
            looks: 0,
        });
        let mut lanes = JoinSet::new();
        for (_, server) in (0..manner.connections).zip(self.servers.iter().cycle()) {
            let api = client(&server.base);
            let api = if manner.keys { api } else { api.retrying(Retries::NEVER) };
            lanes.spawn(Arc::clone(&floor).walk_to_the_end(api));
        }
        lanes.join_all().await;
        let floor = Arc::into_inner(floor).expect("all lanes have ended");
        self.over.extend(floor.over.into_inner().expect("no lane failed"));
    }
}

impl Floor {
    /// Plays over one connection until the time is over.
    async fn walk(self: Arc<Self>, api: Client) -> Vec<Done> {
        let mut done = Vec::new();
        let mut at_hand: Option<(Match, BySeat<Table>)> = None;
        while let Some(due) = self.next_arrival().await {
            let taken = at_hand.take().or_else(|| {
                let game = self.stock.lock().expect("no lane failed").pop_front()?;
                let seats = game.seats(&api);
                Some((game, seats))
            });
            let Some((mut game, seats)) = taken else {
                self.ran_dry.store(true, Ordering::Relaxed);
                return done;
            };
            for _ in 0..self.looks {
                let seen = game.next_seat(&seats).look().await.expect("the server is well");
                assert_eq!(seen.version, game.version(), "whoever looks sees what was acknowledged");
            }
            let due = if self.looks > 0 { Instant::now() } else { due };
            let is_fire = game.step(&seats).await;
            let at = Instant::now();
            done.push(Done { at, after: at.saturating_duration_since(due), is_fire });
            if game.is_over() {
                self.over.lock().expect("no lane failed").push(game);
            } else if self.rotates {
                self.stock.lock().expect("no lane failed").push_back(game);
            } else {
                at_hand = Some((game, seats));
            }
        }
        if let Some((game, _)) = at_hand {
            self.stock.lock().expect("no lane failed").push_front(game);
        }
        done
    }

    /// Plays over one connection until no game is left.
    async fn walk_to_the_end(self: Arc<Self>, api: Client) {
        loop {
            let Some(mut game) = self.stock.lock().expect("no lane failed").pop_front() else { return };
            let seats = game.seats(&api);
            while !game.is_over() {
                game.step(&seats).await;
            }
            self.over.lock().expect("no lane failed").push(game);
        }
    }

    /// When the next move is due; none once the time is over.
    async fn next_arrival(&self) -> Option<Instant> {
        let due = match &self.arrivals {
            None => Instant::now(),
            Some(arrivals) => {
                // The gate is closed once the time is over.
                arrivals.gate.acquire().await.ok()?.forget();
                arrivals.start + arrivals.interval * arrivals.taken.fetch_add(1, Ordering::Relaxed)
            }
        };
        (due < self.until && Instant::now() < self.until).then_some(due)
    }

    /// Lets moves in when they are due. The timer of the runtime would be late by a millisecond.
    fn let_in(&self) {
        let Some(arrivals) = &self.arrivals else { return };
        let mut due = arrivals.start;
        while due < self.until {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            arrivals.gate.add_permits(1);
            due += arrivals.interval;
        }
        arrivals.gate.close();
    }
}

impl Arrivals {
    fn new(rate: f64) -> Self {
        let interval = Duration::from_secs_f64(1.0 / rate);
        Self { gate: Semaphore::new(0), start: Instant::now(), interval, taken: AtomicU32::new(0) }
    }
}

impl Match {
    /// Sets a game up to the battle.
    async fn open(api: Client, kind: Kind, seed: u64) -> Self {
        let script = spawn_blocking(move || Script::new(kind, seed)).await.expect("a game is worked out");
        let create = Create { options: kind.choice(), ..Create::default() };
        let (host, seating) = api.create(&create).await.expect("a game is created");
        let (guest, joined) = api.table(host.id()).join(None).await.expect("the seat is free");
        host.place(&script.layouts.host).await.expect("the layout is legal");
        let last = guest.place(&script.layouts.guest).await.expect("the layout is legal");
        assert_eq!(last.version, BEFORE_BATTLE, "the battle begins");
        Self {
            id: host.id().to_owned(),
            script: Arc::new(script),
            done: 0,
            head: head(&last),
            tokens: BySeat { host: seating.token, guest: joined.token },
        }
    }

    /// Its id as Postgres has it.
    pub(crate) fn uuid(&self) -> Uuid {
        self.id.parse().expect("the server gave an id")
    }

    /// Both seats over one connection.
    pub(crate) fn seats(&self, api: &Client) -> BySeat<Table> {
        let seat = |seat| api.seat(&self.id, seat, self.tokens.of(seat)).expect("the server gave the token");
        BySeat { host: seat(Seat::Host), guest: seat(Seat::Guest) }
    }

    /// Makes the next move, which must be acknowledged; tells whether it was a fire.
    pub(crate) async fn step(&mut self, seats: &BySeat<Table>) -> bool {
        let next = self.script.moves.get(self.done).expect("the game goes on");
        let table = self.next_seat(seats);
        let (answer, is_fire) = match &next.deed {
            Deed::Fire(shots) => {
                let cells: Vec<Cell> = shots.iter().map(|(cell, _)| *cell).collect();
                (table.fire(&cells).await, true)
            }
            Deed::Reveal(cells) => (table.reveal(cells).await, false),
        };
        let progress = answer.expect("the move is legal and the server is well");
        self.done += 1;
        assert_eq!(progress.version, self.version(), "one move is one event");
        self.head = head(&progress);
        is_fire
    }

    /// The table as who is to move sits at it.
    fn next_seat<'a>(&self, seats: &'a BySeat<Table>) -> &'a Table {
        seats.of(self.script.moves.get(self.done).expect("the game goes on").seat)
    }

    /// The version after what was acknowledged.
    pub(crate) fn version(&self) -> u32 {
        BEFORE_BATTLE + u32::try_from(self.done).expect("a game is not so long")
    }

    /// Whether all moves were made.
    pub(crate) fn is_over(&self) -> bool {
        self.done == self.script.moves.len()
    }

    /// The same seats and moves in another game, which is a copy of this one.
    pub(crate) fn copied_as(&self, id: String) -> Self {
        Self { id, ..self.clone() }
    }
}

/// A client with one connection of its own, as long as it does one thing at a time.
pub(crate) fn client(base: &str) -> Client {
    Client::new(base).expect("a server has an address")
}

fn head(progress: &Progress) -> String {
    progress.events.last().expect("a move is an event").head.clone()
}
