//! Clocks: what `until` says, and what comes of it (R25).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join;
use serde_json::{Value, json};

use crate::api::games::play_on;
use ground::cluster::Cluster;
use ground::server::{Reply, Server};
use ground::table::{FLEET, Table, layout, usual};
use testing::model::Seat;

use Seat::{Guest, Host};

/// Seconds until a game that nobody joins expires, where nothing else is said.
const A_DAY: i64 = 86_400;

#[tokio::test]
async fn c_a_game_that_nobody_has_joined_is_open_for_a_day() {
    let server = Server::shared().await;
    for options in [json!({}), json!({"turn_seconds": 10}), json!({"turn_seconds": 1_209_600})] {
        let table = Table::create(&server, &json!({ "options": options })).await;

        let game = table.see(&server, None).await;

        // Whoever waits may place meanwhile, and no clock runs for that.
        let expiry = plus(&game["created_at"], A_DAY);
        let joining = json!({"seat": "guest", "action": "join", "count": 1, "until": expiry});
        let placing = json!({"seat": "host", "action": "place", "count": 1, "until": null});
        assert_eq!(game["awaiting"], json!([placing, joining]));
        let placed = table.place(&server, Host, &usual()).await;
        assert_eq!(placed.expect(200)["awaiting"], json!([joining]));
        assert_eq!(table.see(&server, None).await["awaiting"], json!([joining]));
    }
}

#[tokio::test]
async fn r25_the_joining_starts_the_clock_whoever_has_placed_before() {
    let server = Server::shared().await;
    for seconds in [10, 3_600, 1_209_600] {
        let mut table = Table::create(&server, &json!({"options": {"turn_seconds": seconds, "first": "host"}})).await;
        table.place(&server, Host, &usual()).await.expect(200);
        table.join(&server).await;

        let log = table.log(&server).await;

        let until = plus(&log[2]["at"], seconds);
        let placing = json!([{"seat": "guest", "action": "place", "count": 1, "until": until}]);
        assert_eq!((&log[2]["type"], &log[2]["status"]), (&json!("joined"), &json!("placing")));
        assert_eq!(log[2]["awaiting"], placing);
        assert_eq!(table.see(&server, None).await["awaiting"], placing);
        table.place(&server, Guest, &usual()).await.expect(200);
        let log = table.log(&server).await;
        let firing = json!([{"seat": "host", "action": "fire", "count": 1, "until": plus(&log[3]["at"], seconds)}]);
        assert_eq!(log[3]["awaiting"], firing);
    }
}

#[tokio::test]
async fn c_without_a_clock_nothing_has_an_end() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    play_on(&server, &table, "host fires J10 = mine, owes 1\nhost reveals A1\nguest fires A1 = hit").await;

    for event in &table.log(&server).await[1..] {
        for entry in event["awaiting"].as_array().unwrap() {
            assert_eq!(entry["until"], Value::Null, "{event}");
        }
    }
    assert_eq!(table.see(&server, None).await["awaiting"][0]["until"], Value::Null);
}

#[tokio::test]
async fn r25_each_action_that_is_due_has_the_full_time_from_what_made_it_due() {
    let server = Server::shared().await;
    for seconds in [10, 3_600, 1_209_600] {
        let table = Table::joined(&server, &json!({"turn_seconds": seconds, "first": "host"})).await;
        play_on(
            &server,
            &table,
            "both place A1>5 A3>4 A5>3 A7>3 E7>2 with J10
             host fires J10 = mine, owes 1
             host reveals A1
             guest fires J1 = miss",
        )
        .await;

        let log = table.log(&server).await;

        let until = |event: usize| -> Vec<Value> {
            log[event]["awaiting"].as_array().unwrap().iter().map(|entry| entry["until"].clone()).collect()
        };
        let from = |event: usize| plus(&log[event]["at"], seconds);
        // While placing both have the same time, which the first layout does not change.
        assert_eq!(until(1), [from(1), from(1)], "joined");
        assert_eq!(until(2), [from(1)], "the first placed");
        for (event, kind) in [(3, "placed"), (4, "fired"), (5, "revealed"), (6, "fired")] {
            assert_eq!(log[event]["type"], kind);
            assert_eq!(until(event), [from(event)], "{kind}");
        }
        assert_eq!(table.see(&server, None).await["awaiting"], log[6]["awaiting"]);
    }
}

#[tokio::test]
async fn r25_when_the_game_has_ended_no_clock_runs() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({"turn_seconds": 10})).await;

    let reply = table.resign(&server, Host).await;

    assert_eq!(reply.expect(200)["awaiting"], json!([]));
}

#[tokio::test]
async fn r25_a_clock_that_runs_out_ends_the_game_whoever_asks() {
    let server = Server::shared().await;
    let clock = json!({"turn_seconds": 10, "first": "host"});
    let board = layout(FLEET, "J10");
    let firing = Table::in_battle_with(&server, &clock, &board, &board).await;
    let revealing = Table::in_battle_with(&server, &clock, &board, &board).await;
    play_on(&server, &revealing, "host fires J10 = mine, owes 1").await;
    let nobody_placed = Table::joined(&server, &clock).await;
    let host_placed = Table::joined(&server, &clock).await;
    host_placed.place(&server, Host, &board).await.expect(200);
    let asked = Table::in_battle_with(&server, &clock, &board, &board).await;
    let in_time = Table::in_battle_with(&server, &clock, &board, &board).await;

    // What is sent before the end counts, what is sent just after it is too late.
    let late = async {
        wait_until(&asked, &server, TimeDelta::milliseconds(100)).await;
        asked.fire(&server, Host, "A1").await
    };
    let punctual = async {
        wait_until(&in_time, &server, TimeDelta::seconds(-3)).await;
        in_time.fire(&server, Host, "A1").await
    };
    let (late, punctual): (Reply, Reply) = join(late, punctual).await;
    late.refuses(409, "game_over");
    assert_eq!(punctual.expect(200)["awaiting"][0]["seat"], "guest");
    // The others are ended by the server itself.
    for table in [&firing, &revealing, &nobody_placed, &host_placed] {
        wait_until_ended(&server, table).await;
    }

    for (table, seat, status, winner, reason) in [
        (&firing, json!("host"), "finished", json!("guest"), "timed_out"),
        (&revealing, json!("host"), "finished", json!("guest"), "timed_out"),
        (&asked, json!("host"), "finished", json!("guest"), "timed_out"),
        (&nobody_placed, Value::Null, "aborted", Value::Null, "aborted"),
        (&host_placed, json!("guest"), "aborted", Value::Null, "aborted"),
    ] {
        let result = json!({ "winner": winner, "reason": reason });
        let log = table.log(&server).await;
        let (before, last) = (&log[log.len() - 2], &log[log.len() - 1]);
        assert_eq!((&last["type"], &last["status"], &last["result"]), (&json!("timed_out"), &json!(status), &result));
        assert_eq!(last["seat"], seat, "left out where both owed a layout");
        assert_eq!(last.get("seat").is_some(), !seat.is_null());
        // Within 2 s, says the contract; this machine may be busy with other tests.
        let late_by = time(&last["at"]) - time(&before["awaiting"][0]["until"]);
        assert!((TimeDelta::seconds(1)..TimeDelta::seconds(4)).contains(&late_by), "{late_by}");
        for eyes in [Some(Host), Some(Guest), None] {
            let look = table.look(&server, eyes).await;
            assert_eq!((&look.json["result"], &look.json["awaiting"]), (&result, &json!([])));
            // R26: after an abort nothing opens.
            let hosts = &look.json["boards"]["host"];
            assert_eq!(hosts["salt"].is_null(), status == "aborted" && (eyes != Some(Host) || log.len() == 3));
        }
        table.fire(&server, Host, "A1").await.refuses(409, "game_over");
        assert_eq!(table.log(&server).await, log);
    }
    assert_eq!(in_time.see(&server, None).await["status"], "battle");
}

#[tokio::test]
async fn a_game_that_nobody_joins_expires() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let table = Table::create(&server, &json!({"listed": true})).await;
    let other = Table::joined(&server, &json!({})).await;
    let game = table.see(&server, None).await;
    assert_eq!(game["awaiting"][1]["until"], plus(&game["created_at"], 1));

    wait_until_ended(&server, &table).await;

    server.post(&table.path("/join"), None, &json!({})).await.refuses(409, "game_over");
    let result = json!({"winner": null, "reason": "expired"});
    for eyes in [Some(Host), None] {
        let look = table.look(&server, eyes).await;
        assert_eq!((&look.json["status"], &look.json["result"]), (&json!("aborted"), &result));
        assert_eq!(look.json["players"]["guest"], Value::Null);
    }
    let last = table.log(&server).await.pop().unwrap();
    assert_eq!((&last["type"], last.get("seat"), &last["result"]), (&json!("expired"), None, &result));
    // What was joined in time goes on.
    assert_eq!(other.see(&server, None).await["status"], "placing");
}

/// A moment on the wire.
fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

/// A moment so many seconds later, as it goes over the wire.
fn plus(value: &Value, seconds: i64) -> Value {
    let later = time(value) + TimeDelta::seconds(seconds);
    json!(later.to_rfc3339_opts(chrono::SecondsFormat::Micros, true))
}

/// Waits for the deadline of a game, or some time before or after it.
async fn wait_until(table: &Table, server: &Server, off: TimeDelta) {
    let log = table.log(server).await;
    let last = &log[log.len() - 1];
    let due = time(&last["awaiting"][0]["until"]) + off;
    // The server's own clock says how late it is; it was read for the last event.
    let created = server.post("/v1/games", None, &json!({})).await;
    let now = time(&created.expect(201)["game"]["created_at"]);
    tokio::time::sleep((due - now).to_std().unwrap_or_default()).await;
}

async fn wait_until_ended(server: &Server, table: &Table) {
    for _ in 0..100 {
        let status = table.see(server, None).await["status"].clone();
        if status == "finished" || status == "aborted" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nobody ended the game");
}
