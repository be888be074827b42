//! A database of several hosts, of which another one becomes the primary.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use sqlx::Executor as _;
use tokio::time::{sleep, timeout};

use ground::cluster::USER;
use ground::handmade::Handmade;
use ground::ledger;
use ground::server::{Server, program};
use ground::signals::{Hung, children_of};
use ground::table::{HARMLESS, Table, usual};
use testing::model::Seat::{Guest, Host};

/// How many games are played at a time.
const GAMES: usize = 6;

/// How long a move may take to be made, whatever happens meanwhile; a machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_mins(1);

/// A `DATABASE_URL` with these hosts, of which one has to be writable.
fn url_of(hosts: &[&str]) -> String {
    format!("postgres://{USER}@{}/postgres?sslmode=disable&target_session_attrs=read-write", hosts.join(","))
}

/// A Postgres as a host of a URL.
fn host(socket: &Path) -> String {
    socket.display().to_string().replace('/', "%2F")
}

fn server_on(url: &str) -> Server {
    let mut command = program();
    command.env("DATABASE_URL", url);
    Server::spawn(command)
}

/// A primary with a standby that each commit waits for.
async fn pair() -> (Handmade, Handmade, String) {
    let primary = Handmade::trusting(&[]);
    let standby = primary.synchronous_standby().await;
    let url = url_of(&[&host(primary.socket()), &host(standby.socket())]);
    (primary, standby, url)
}

/// Games in which both seats fire in turn, each shot until it is answered.
struct Play {
    tables: Vec<Table>,
    /// How many moves have been acknowledged so far.
    moves: Arc<AtomicUsize>,
    players: Vec<tokio::task::JoinHandle<usize>>,
}

impl Play {
    async fn begin(server: &Server) -> Self {
        let moves = Arc::new(AtomicUsize::new(0));
        let tables: Vec<Table> = join_all((0..GAMES).map(|_| Table::in_battle(server))).await;
        let players = tables.iter().map(|table| {
            let (server, table, moves) = (server.afresh(), table.clone(), Arc::clone(&moves));
            tokio::spawn(async move { play(&server, &table, &moves).await })
        });
        Self { players: players.collect(), tables, moves }
    }

    /// Waits until the games have gone on for this many moves.
    async fn go_on(&self, moves: usize) {
        let until = self.moves.load(Ordering::Relaxed) + moves;
        let going = async {
            while self.moves.load(Ordering::Relaxed) < until {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(PATIENCE, going).await.expect("the games go on");
    }

    /// Insists that every move was kept once, and that each game is what its log says.
    async fn end_whole(self, server: &Server) {
        for (player, table) in self.players.into_iter().zip(&self.tables) {
            let shots = player.await.unwrap();
            let log = ledger::check(server, table, &usual(), &usual()).await;
            assert_eq!(log.len(), 4 + shots, "a move is lost or doubled");
        }
    }
}

/// Fires at all harmless cells, both seats in turn, and tells how many shots that took.
async fn play(server: &Server, table: &Table, moves: &AtomicUsize) -> usize {
    let mut shots = 0;
    for (seat, cell) in HARMLESS.split(' ').flat_map(|cell| [(Host, cell), (Guest, cell)]) {
        let (key, shot) = (format!("the-shot-{shots}"), json!({ "shots": [cell] }));
        let answered = async {
            loop {
                let reply = server.post_with_key(&table.path("/fire"), Some(table.token(seat)), &key, &shot).await;
                if reply.status != 503 {
                    reply.expect(200);
                    return;
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(PATIENCE, answered).await.expect("a move is made in the end");
        shots += 1;
        moves.fetch_add(1, Ordering::Relaxed);
        sleep(Duration::from_millis(10)).await;
    }
    shots
}

async fn is_ready(server: &Server) {
    let ready = async {
        while server.get("/readyz", None).await.status != 200 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, ready).await.expect("the server heals");
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_primary_is_lost_moves_go_on_at_the_host_that_is_promoted() {
    let (mut primary, standby, url) = pair().await;
    let server = server_on(&url);
    let play = Play::begin(&server).await;
    play.go_on(60).await;

    primary.stop();
    standby.promote().await;

    play.go_on(60).await;
    play.end_whole(&server).await;
    // One line tells where it is, and none how to get in.
    let log = server.whole_log().await;
    let told = format!("the database is at {} now", standby.socket().display());
    assert_eq!(log.matches(&told).count(), 1, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_primary_comes_back_as_a_standby_moves_go_on_at_the_other_host() {
    let (mut primary, standby, url) = pair().await;
    let server = server_on(&url);
    let play = Play::begin(&server).await;
    play.go_on(60).await;

    primary.stop();
    primary.become_standby();
    primary.start_again();
    // Meanwhile both can be read, and neither written.
    sleep(Duration::from_millis(500)).await;
    server.get("/readyz", None).await.refuses(503, "unavailable");
    standby.promote().await;

    play.go_on(60).await;
    // Another server finds its way past the one that stands first.
    is_ready(&server_on(&url)).await;
    play.end_whole(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_primary_says_no_more_moves_go_on_at_the_host_that_is_promoted() {
    let (primary, standby, url) = pair().await;
    let server = server_on(&url);
    let play = Play::begin(&server).await;
    play.go_on(60).await;

    // As where its machine is gone: connections stay open, and nothing comes.
    let hung = Hung::new(&[vec![primary.id()], children_of(primary.id())].concat());
    sleep(Duration::from_secs(3)).await;
    standby.promote().await;

    play.go_on(60).await;
    play.end_whole(&server).await;
    drop(hung);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_was_made_read_only_is_left_for_the_one_that_was_promoted() {
    let (primary, standby, url) = pair().await;
    let server = server_on(&url);
    let table = Table::in_battle(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);
    standby.promote().await;

    // Its sessions go on, and whatever writes is refused.
    let mut direct = primary.database().connect().await;
    direct.execute("alter system set default_transaction_read_only = on").await.unwrap();
    direct.execute("select pg_reload_conf()").await.unwrap();

    // A commit at the primary would wait for its standby, so this is made at the other or not at all.
    let fired = async {
        while table.fire(&server, Guest, "A1").await.status != 200 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, fired).await.expect("moves go on");
    table.fire(&server, Host, "B1").await.expect(200);
    ledger::check(&server, &table, &usual(), &usual()).await;
    let games = "select version from games where game_id = $1::text::uuid";
    for (postgres, version) in [(&primary, 5), (&standby, 7)] {
        let mut direct = postgres.database().connect().await;
        let found: i32 = sqlx::query_scalar(games).bind(&table.id).fetch_one(&mut direct).await.unwrap();
        assert_eq!(found, version);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_that_was_succeeded_is_asked_no_more_though_it_comes_back() {
    let (mut primary, mut standby, url) = pair().await;
    let server = server_on(&url);
    let table = Table::in_battle(&server).await;
    primary.stop();
    standby.promote().await;
    is_ready(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);

    // It knows nothing of that move, and takes itself for the primary still.
    primary.start_again();
    standby.stop();

    for _ in 0..2 {
        let asked =
            tokio::join!(server.get("/readyz", None), table.look(&server, None), table.fire(&server, Guest, "A1"),);
        for reply in [asked.0, asked.1, asked.2] {
            reply.refuses(503, "unavailable");
        }
    }
    standby.start_again();
    is_ready(&server).await;
    table.fire(&server, Guest, "A1").await.expect(200);
    assert_eq!(ledger::check(&server, &table, &usual(), &usual()).await.len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_starts_while_other_hosts_are_down_silent_or_standbys() {
    let (first, second, _) = pair().await;
    let [primary, standby] = [&first, &second].map(|postgres| host(postgres.socket()));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().unwrap().to_string();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for hosts in [[&nobody, &primary], [&silent, &primary], [&standby, &primary], [&primary, &silent]] {
        let server = server_on(&url_of(&hosts.map(String::as_str)));
        let table = Table::in_battle(&server).await;
        table.fire(&server, Host, "A1").await.expect(200);
    }
}
