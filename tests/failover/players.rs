//! Players of whole games, each with one seat by each of two servers, who know nothing of what befalls these.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::TryStreamExt as _;
use ground::ledger;
use ground::server::Server;
use naval_battle_client::{Cell, Choice, Client, Create, FirstShot, Layout, Retries};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use testing::model::{Action, LayoutSent, Model, Options, Seat, random_action};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// How many games are played at a time.
const TABLES: u64 = 8;

/// How long a player thinks.
const THINKING: Duration = Duration::from_millis(40);

/// A seat whose shortest clock runs: nobody may lose by an outage that is longer.
const TURN: u32 = 10;

/// The games and what has been acknowledged so far.
pub(crate) struct Players {
    shared: Arc<Shared>,
    tables: Vec<JoinHandle<Vec<Played>>>,
}

struct Shared {
    /// The host's server and the guest's.
    ways: [Client; 2],
    is_over: AtomicBool,
    moves: AtomicUsize,
    /// When a move was last acknowledged by each of them, and the longest time between two.
    last: Mutex<[Instant; 2]>,
}

/// A game that has been played to its end.
struct Played {
    table: ground::table::Table,
    layouts: [LayoutSent; 2],
    moves: usize,
    followed: Vec<naval_battle_client::Event>,
}

impl Players {
    pub(crate) fn begin(servers: &[Server; 2]) -> Self {
        // As often as it takes.
        let retries =
            Retries { most: 200, first_pause: Duration::from_millis(100), longest_pause: Duration::from_secs(1) };
        let ways = [0, 1].map(|way: usize| Client::new(&servers[way].base).unwrap().retrying(retries));
        let shared = Arc::new(Shared {
            ways,
            is_over: AtomicBool::new(false),
            moves: AtomicUsize::new(0),
            last: Mutex::new([Instant::now(); 2]),
        });
        let tables = (0..TABLES).map(|seed| {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                let mut dice = ChaCha8Rng::seed_from_u64(seed);
                let mut played = Vec::new();
                while !shared.is_over.load(Ordering::Relaxed) {
                    played.push(shared.play(&mut dice).await);
                }
                played
            })
        });
        Self { tables: tables.collect(), shared }
    }

    /// Waits until the games are well under way.
    pub(crate) async fn go_on(&self, patience: Duration) {
        let until = self.shared.moves.load(Ordering::Relaxed) + 200;
        let going = async {
            while self.shared.moves.load(Ordering::Relaxed) < until {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(patience, going).await.expect("the games go on");
    }

    /// How long after a moment a move was acknowledged by a server again, once all that were under way then are done.
    pub(crate) async fn gone_on(&self, way: usize, since: Instant, patience: Duration) -> Duration {
        // What is acknowledged within a second was committed before.
        let goes_on = since + Duration::from_secs(1);
        let going = async {
            loop {
                let last = self.shared.last.lock().unwrap()[way];
                if last > goes_on {
                    return last - since;
                }
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(patience, going).await.expect("the games go on")
    }

    /// Has the last games come to their end; insists that each is whole, and tells how much was played.
    pub(crate) async fn end(self, server: &Server, patience: Duration) -> String {
        self.shared.is_over.store(true, Ordering::Relaxed);
        let (mut games, mut moves, mut extended) = (0, 0, 0);
        for table in self.tables {
            for played in timeout(patience, table).await.expect("the games end").unwrap() {
                let Played { table, layouts: [host, guest], moves: made, followed } = played;
                let log = ledger::check(server, &table, &host, &guest).await;
                let more = log.iter().filter(|event| event["type"] == "extended").count();
                // Created, joined, and what was acknowledged: a game that lost by its clock would have more.
                assert_eq!(log.len() - more, 2 + made, "a move is lost or doubled: {log:#?}");
                assert_eq!(log.last().unwrap()["result"]["reason"], "fleet_sunk");
                let numbers = followed.iter().map(|event| u64::from(event.seq));
                assert!(numbers.eq(log.iter().map(|event| event["seq"].as_u64().unwrap())), "the stream had all once");
                assert_eq!(server.get(&table.path("/verify"), None).await.expect(200)["ok"], true);
                (games, moves, extended) = (games + 1, moves + made, extended + more);
            }
        }
        format!("{games} games of {moves} moves are whole; deadlines moved on {extended} times")
    }
}

impl Shared {
    /// Plays a game to its end: at random, with every move made once.
    async fn play(&self, dice: &mut ChaCha8Rng) -> Played {
        let options = Options { grid: 8, russian: false, mines: true, salvo: false, shoot_again: true };
        let choice: Choice = serde_json::from_value(options.to_json()).unwrap();
        let choice = Choice { first: Some(FirstShot::Host), turn_seconds: Some(TURN), ..choice };
        let [by_host, by_guest] = &self.ways;
        let (host, seating) = by_host.create(&Create { options: choice, ..Create::by("Ada") }).await.unwrap();
        let followed = by_guest.table(host.id()).follow(0).into_stream().try_collect::<Vec<_>>();
        let followed = tokio::spawn(followed);
        let (guest, joined) = by_guest.table(host.id()).join(Some("Ben")).await.unwrap();
        let mut model = Model::new(options);
        model.joined(Seat::Host);
        let (mut layouts, mut moves) = ([None, None], 0);
        while let Some((seat, ..)) = model.awaited().first().copied() {
            let action = random_action(&model, seat, dice);
            let (way, table) = if seat == Seat::Host { (0, &host) } else { (1, &guest) };
            let cells = |names: &[String]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<Cell>>();
            match &action {
                Action::Place(sent) => {
                    layouts[way] = Some(sent.clone());
                    let layout: Layout = serde_json::from_value(sent.to_json()).unwrap();
                    table.place(&layout).await.unwrap();
                }
                Action::Fire(shots) => drop(table.fire(&cells(shots)).await.unwrap()),
                Action::Reveal(given) => drop(table.reveal(&cells(given)).await.unwrap()),
                Action::Resign | Action::Join => panic!("nobody gives up, and both seats are taken"),
            }
            self.last.lock().unwrap()[way] = Instant::now();
            self.moves.fetch_add(1, Ordering::Relaxed);
            moves += 1;
            model.act(seat, &action).expect("the rules allow it");
            sleep(THINKING).await;
        }
        let [token_of_host, token_of_guest] = [seating, joined].map(|seating| seating.token.as_str().to_owned());
        let table = ground::table::Table { id: host.id().to_owned(), host: token_of_host, guest: token_of_guest };
        let followed = followed.await.unwrap().expect("the stream comes to its end");
        Played { table, layouts: layouts.map(|layout| layout.expect("both have placed")), moves, followed }
    }
}
