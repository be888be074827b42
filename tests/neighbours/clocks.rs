//! A database whose clock jumps: it is set by somebody, corrected by NTP, or its machine was paused (R30).

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use ground::cluster::scratch_folder;
use ground::handmade::Handmade;
use ground::ledger;
use ground::server::Server;
use ground::table::{Table, usual};
use serde_json::{Value, json};
use testing::model::Seat::{Guest, Host};
use tokio::time::sleep;

/// The shortest clock there is, in seconds.
const TURN: i64 = 10;

/// Where Debian's package has the library.
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/// A Postgres whose clock the test sets, and a server on it.
struct Ground {
    offset: PathBuf,
    _postgres: Handmade,
    server: Server,
}

impl Ground {
    fn start() -> Self {
        let folder = scratch_folder("clock");
        let offset = folder.join("offset");
        fs::write(&offset, "+0\n").unwrap();
        for path in [&folder, &offset] {
            ground::handmade::owned(path);
        }
        let postgres = Handmade::with_environment(&[
            ("LD_PRELOAD", FAKETIME),
            ("FAKETIME_TIMESTAMP_FILE", offset.to_str().unwrap()),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ]);
        let server = Server::start(&postgres.database());
        Self { offset, _postgres: postgres, server }
    }

    /// Sets the database's clock so many seconds before or behind the true time.
    fn set(&self, seconds: i64) {
        fs::write(&self.offset, format!("{seconds:+}\n")).unwrap();
    }

    async fn game(&self) -> Table {
        let clock = json!({"first": "host", "turn_seconds": TURN});
        Table::in_battle_with(&self.server, &clock, &usual(), &usual()).await
    }

    /// Insists that nobody has to ask for a game to end at its deadline, by the database's clock, and gives its log.
    async fn ends(&self, table: &Table) -> Vec<Value> {
        for _ in 0..300 {
            let log = table.log(&self.server).await;
            if log.last().is_some_and(|last| last.get("result").is_some()) {
                return log;
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("nobody ended the game");
    }

    /// Insists that a game goes on, and that it is whole.
    async fn is_played_on(&self, table: &Table) {
        table.fire(&self.server, Host, "A1").await.expect(200);
        table.fire(&self.server, Guest, "A1").await.expect(200);
        ledger::check(&self.server, table, &usual(), &usual()).await;
        assert_eq!(self.server.get(&table.path("/verify"), None).await.expect(200)["ok"], true);
    }
}

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().expect("a time").parse().expect("RFC 3339")
}

fn until(event: &Value) -> DateTime<Utc> {
    time(&event["awaiting"][0]["until"])
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_a_clock_that_is_an_hour_ahead_for_three_seconds_ends_nobodys_game() {
    let ground = Ground::start();
    let mut games = Vec::new();
    for _ in 0..5 {
        games.push(ground.game().await);
    }
    sleep(Duration::from_secs(2)).await;

    ground.set(3_600);
    sleep(Duration::from_secs(3)).await;
    let during = ground.game().await;
    ground.set(0);
    sleep(Duration::from_secs(1)).await;

    for table in &games {
        ground.is_played_on(table).await;
    }
    ground.is_played_on(&during).await;
    // From then on a deadline is a deadline: of the hour that has not come nothing was lost.
    let later = ground.game().await;
    let log = ground.ends(&later).await;
    assert_eq!(log.len(), 5, "{log:#?}");
    assert_eq!(log[4]["type"], "timed_out");
    assert!(time(&log[4]["at"]) - until(&log[3]) < TimeDelta::seconds(4), "{log:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_who_is_to_move_has_as_much_time_after_a_jump_as_before() {
    let ground = Ground::start();
    let table = ground.game().await;
    sleep(Duration::from_secs(2)).await;

    ground.set(3_600);
    let log = ground.ends(&table).await;

    let kinds: Vec<_> = log[4..].iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["extended", "timed_out"], "{log:#?}");
    let more = log[4]["seconds"].as_i64().unwrap();
    assert!((3_598..=3_604).contains(&more), "{more}");
    assert_eq!(until(&log[4]) - until(&log[3]), TimeDelta::seconds(more));
    assert!(time(&log[5]["at"]) >= until(&log[4]) + TimeDelta::seconds(1));
    let told = ground.server.whole_log().await;
    assert!(told.contains("the database's clock jumped over"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_a_clock_that_is_set_back_ends_nobodys_game_and_costs_those_to_come_nothing() {
    let ground = Ground::start();
    let before = ground.game().await;

    ground.set(-3_600);
    sleep(Duration::from_secs(1)).await;

    ground.is_played_on(&before).await;
    let later = ground.game().await;
    let log = ground.ends(&later).await;
    assert_eq!(log.len(), 5, "{log:#?}");
    // And when it is right again, the hour that it then jumps over counts against nobody.
    let jumped = ground.game().await;
    ground.set(0);
    sleep(Duration::from_secs(2)).await;
    ground.is_played_on(&jumped).await;
    let told = ground.server.whole_log().await;
    assert!(told.contains("the database's clock was set back by 3"), "{told}");
}
