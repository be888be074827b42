//! Clocks that run out while somebody moves, on two servers over one database.

use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use ground::cluster::Cluster;
use ground::ledger;
use ground::server::{Reply, Server};
use ground::table::{Table, usual};
use serde_json::{Value, json};
use testing::campaign;
use testing::model::Seat::{Guest, Host};

/// The shortest clock there is, in seconds.
const TURN: u32 = 10;

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().expect("a time").parse().expect("RFC 3339")
}

fn until(game: &Value) -> DateTime<Utc> {
    time(&game["awaiting"][0]["until"])
}

/// Waits until a moment, some milliseconds earlier or later.
async fn wait_for(moment: DateTime<Utc>, shift: i64) {
    let at = moment + chrono::TimeDelta::milliseconds(shift);
    #[expect(clippy::disallowed_methods, reason = "the test stands outside of the server")]
    let rest = (at - Utc::now()).to_std().unwrap_or_default();
    tokio::time::sleep(rest).await;
}

/// Has a game come to its deadline and fires at that moment; tells whether the shot counted.
async fn round(servers: &[Server; 2], number: usize) -> bool {
    let server = &servers[number % 2];
    let options = json!({"first": "host", "turn_seconds": TURN});
    let table = Table::in_battle_with(server, &options, &usual(), &usual()).await;
    let due = until(&table.see(server, None).await);
    let shift = i64::try_from(number % 41).unwrap() - 30;

    wait_for(due, shift).await;
    let reply: Reply = table.fire(server, Host, "A1").await;

    // Whichever server is asked tells the same story.
    let log = table.log(&servers[(number + 1) % 2]).await;
    ledger::check_chain(&log);
    let fifth = &log[4];
    if reply.status == 200 {
        assert_eq!((&fifth["type"], &fifth["seat"]), (&json!("fired"), &json!("host")), "{fifth}");
        assert!(time(&fifth["at"]) < due, "{fifth}");
        return true;
    }

    reply.refuses(409, "game_over");
    assert_eq!((&fifth["type"], &fifth["seat"], log.len()), (&json!("timed_out"), &json!("host"), 5), "{fifth}");
    assert_eq!(fifth["result"], json!({"winner": "guest", "reason": "timed_out"}));
    let grace = time(&fifth["at"]) - due;
    assert!(grace >= chrono::TimeDelta::seconds(1), "{grace}");
    for eyes in [Some(Host), Some(Guest), None] {
        assert_eq!(table.see(server, eyes).await["result"], fifth["result"]);
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_move_and_a_deadline_at_the_same_moment_exactly_one_counts() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];

    let rounds = campaign(160, 1_000);
    let played = futures_util::stream::iter(0..rounds).map(|number| round(&servers, number));
    // More are under way at a time than come to their end at one moment.
    let counted: Vec<bool> = played.buffer_unordered(campaign(160, 400)).collect().await;

    let moves = counted.iter().filter(|counted| **counted).count();
    assert_eq!(counted.len(), rounds);
    assert!((1..rounds).contains(&moves), "{moves} of {rounds} shots counted");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_has_to_ask_and_each_end_is_written_once_and_told_on_the_stream() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let clocked = json!({"first": "host", "turn_seconds": TURN});
    let placing = Table::joined(&servers[0], &clocked).await;
    let half_placed = Table::joined(&servers[0], &clocked).await;
    half_placed.place(&servers[0], Guest, &usual()).await.expect(200);
    let firing = Table::in_battle_with(&servers[0], &clocked, &usual(), &usual()).await;
    let revealing = Table::in_battle_with(&servers[0], &clocked, &usual(), &usual()).await;
    revealing.fire(&servers[0], Host, "J10").await.expect(200);
    let body = json!({"bot": "hard", "options": {"first": "host", "turn_seconds": TURN}});
    let against_bot = Table::create(&servers[0], &body).await;
    against_bot.place(&servers[0], Host, &usual()).await.expect(200);

    let ends = [
        (&placing, Value::Null, Value::Null, "aborted"),
        (&half_placed, json!("host"), Value::Null, "aborted"),
        (&firing, json!("host"), json!("guest"), "timed_out"),
        (&revealing, json!("host"), json!("guest"), "timed_out"),
        (&against_bot, json!("host"), json!("guest"), "timed_out"),
    ];
    let dues = join_all(ends.iter().map(async |(table, ..)| until(&table.see(&servers[1], None).await))).await;

    for ((table, seat, winner, reason), due) in ends.into_iter().zip(dues) {
        let stream = ground::stream::EventStream::of(&servers[1], &table.path("/events"), None).await;
        let told = ground::stream::within(stream.rest()).await;

        let log = table.log(&servers[1]).await;
        ledger::check_chain(&log);
        let last = log.last().unwrap();
        assert_eq!(told.len(), log.len());
        assert_eq!(last["type"], "timed_out", "{last}");
        assert_eq!(last.get("seat").cloned().unwrap_or_default(), seat, "{last} names who was late");
        assert_eq!(last["result"], json!({"winner": winner, "reason": reason}));
        assert!(time(&last["at"]) >= due + chrono::TimeDelta::seconds(1));
        tokio::time::sleep(Duration::from_millis(10)).await;
        for server in &servers {
            table.fire(server, Host, "B1").await.refuses(409, "game_over");
            for eyes in [Some(Host), None] {
                assert_eq!(table.see(server, eyes).await["result"], last["result"]);
            }
        }
    }
}
