//! Nobody loses to an outage (R30): deadlines move on by the time that nobody could use, and by no more.

use std::ops::RangeInclusive;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use ground::cluster::{Cluster, Database};
use ground::ledger;
use ground::server::Server;
use ground::signals::{Hung, children_of, send};
use ground::table::{Table, usual};
use testing::model::Seat::{self, Guest, Host};

/// The shortest clock there is, in seconds.
const TURN: i64 = 10;

/// How far a gap may reach beyond an outage: the beat before it, and what is rounded up.
const ABOUT: i64 = 3;

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().expect("a time").parse().expect("RFC 3339")
}

/// Games whose clocks run when the outage comes, and what is to become of each.
struct Games {
    /// Its deadline falls into the outage, and the one who is to move does so once it is over.
    moved_in: Table,
    /// The same, but nobody moves.
    left: Table,
    /// The same while both are to place.
    placing: Table,
    /// Its deadline has passed before the outage came, but its end was not written yet.
    late: Option<Table>,
}

impl Games {
    async fn begin(server: &Server, late: bool) -> Self {
        let clock = json!({"first": "host", "turn_seconds": TURN});
        let late = if late { Some(Table::in_battle_with(server, &clock, &usual(), &usual()).await) } else { None };
        // One second and a half apart, so that one deadline has passed and the others have not.
        sleep(Duration::from_millis(1_500)).await;
        let placing = Table::joined(server, &clock).await;
        let left = Table::in_battle_with(server, &clock, &usual(), &usual()).await;
        let moved_in = Table::in_battle_with(server, &clock, &usual(), &usual()).await;
        Self { moved_in, left, placing, late }
    }

    /// Waits until half a second before the first deadline that is to fall into the outage.
    async fn until_it_begins(&self, server: &Server) {
        let until = time(&self.placing.see(server, None).await["awaiting"][0]["until"]);
        let now = now(server).await;
        sleep((until - TimeDelta::milliseconds(500) - now).to_std().unwrap_or_default()).await;
    }

    /// Moves as soon as somebody answers.
    async fn moved(&self, server: &Server) -> Value {
        answered(server, &self.moved_in, Host, "A1").await
    }

    /// Insists that nobody lost by an outage of these seconds or more that began then and after which this came of a move,
    /// and that nobody won time that was not lost.
    async fn were_fairly_dealt_with(&self, server: &Server, moved: Value, seconds: i64, began: Instant) {
        // On a busy machine it takes a while until anybody is answered again.
        let most = i64::try_from(began.elapsed().as_secs()).unwrap() + ABOUT;
        assert_eq!(moved["status"], "battle", "{moved}");

        let ends = [
            (&self.moved_in, Some("guest"), Some(json!({"winner": "host", "reason": "timed_out"}))),
            (&self.left, Some("host"), Some(json!({"winner": "guest", "reason": "timed_out"}))),
            (&self.placing, None, Some(json!({"winner": null, "reason": "aborted"}))),
        ];
        join_all(ends.iter().map(async |(table, late, result)| {
            let log = ended(server, table).await;
            let last = &log[log.len() - 1];
            assert_eq!((last.get("result"), last["seat"].as_str()), (result.as_ref(), *late), "{last}");
            is_extended(&log, seconds..=most);
            assert_eq!(server.get(&table.path("/verify"), None).await.expect(200)["ok"], true);
        }))
        .await;
        for table in [&self.moved_in, &self.left] {
            ledger::check(server, table, &usual(), &usual()).await;
        }
        if let Some(late) = &self.late {
            let log = ended(server, late).await;
            let kinds: Vec<_> = log.iter().map(|event| event["type"].as_str().unwrap()).collect();
            assert_eq!(kinds, ["created", "joined", "placed", "placed", "timed_out"], "the deadline lay before it");
        }
    }
}

/// The database's clock, as a server tells it.
async fn now(server: &Server) -> DateTime<Utc> {
    time(&server.post("/v1/games", None, &json!({})).await.expect(201)["game"]["created_at"])
}

/// Fires until the server can answer, and insists that the shot counts.
async fn answered(server: &Server, table: &Table, seat: Seat, cell: &str) -> Value {
    let key = format!("one-shot-{}", table.id);
    loop {
        let shot = json!({"shots": [cell]});
        let reply = server.post_with_key(&table.path("/fire"), Some(table.token(seat)), &key, &shot).await;
        if reply.status == 503 {
            sleep(Duration::from_millis(100)).await;
            continue;
        }
        return reply.expect(200).clone();
    }
}

/// Waits for a game's end, and gives its log.
async fn ended(server: &Server, table: &Table) -> Vec<Value> {
    loop {
        let log = server.get(&table.path("/events?limit=500"), None).await;
        if log.status == 200 {
            let events = log.json["events"].as_array().unwrap();
            if events.last().is_some_and(|last| last.get("result").is_some()) {
                return events.clone();
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Insists that a log has moved its deadlines on by these seconds, and that each clock then ran out as ever.
fn is_extended(log: &[Value], seconds: RangeInclusive<i64>) {
    let mut more = 0;
    for pair in log.windows(2) {
        let [before, event] = pair else { panic!("two events") };
        let Some(until) = before["awaiting"][0]["until"].as_str().map(|_| time(&before["awaiting"][0]["until"])) else {
            continue;
        };
        match event["type"].as_str().unwrap() {
            "extended" => {
                let told = event["seconds"].as_i64().unwrap();
                assert_eq!(event.get("seat"), None, "{event}");
                assert!(time(&event["at"]) >= until + TimeDelta::seconds(1), "{event}");
                assert_eq!(time(&event["awaiting"][0]["until"]), until + TimeDelta::seconds(told), "{event}");
                more += told;
            }
            "timed_out" => assert!(time(&event["at"]) >= until + TimeDelta::seconds(1), "{event}"),
            _ => assert!(time(&event["at"]) < until, "{event}"),
        }
    }
    assert!(seconds.contains(&more), "{more} of {seconds:?} seconds: {log:#?}");
}

/// Has Postgres do nothing for so long, from half a second before a deadline on.
async fn postgres_stands_still_for(seconds: u16) {
    let cluster = Cluster::start();
    let server = Server::start(&cluster.database().await);
    let games = Games::begin(&server, seconds >= 6).await;
    games.until_it_begins(&server).await;
    let postmaster = cluster.postmaster_id();

    let began = Instant::now();
    let hung = Hung::new(&[vec![postmaster], children_of(postmaster)].concat());
    let over = began + Duration::from_secs(seconds.into());
    // Whoever is to move waits for the end of it: two seconds are soon gone on a machine that is busy.
    sleep_until(over - Duration::from_millis(500)).await;
    let goes_on = async {
        sleep_until(over).await;
        drop(hung);
    };
    let (moved, ()) = tokio::join!(games.moved(&server), goes_on);

    games.were_fairly_dealt_with(&server, moved, seconds.into(), began).await;
    assert!(server.log().contains("deadlines move on"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_nobody_loses_to_a_postgres_that_stands_still() {
    tokio::join!(
        postgres_stands_still_for(1),
        postgres_stands_still_for(6),
        postgres_stands_still_for(18),
        postgres_stands_still_for(60)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_nobody_loses_while_no_server_runs() {
    let database = Cluster::shared().database().await;
    let [first, second] = [Server::start(&database), Server::start(&database)];
    let games = Games::begin(&first, true).await;
    games.until_it_begins(&first).await;
    let began = Instant::now();

    for (server, signal) in [(&first, Signal::TERM), (&second, Signal::KILL)] {
        send(server.id(), signal);
        server.ends_within(Duration::from_secs(20));
    }
    sleep(Duration::from_secs(7)).await;
    let server = Server::start(&database);
    let moved = games.moved(&server).await;

    games.were_fairly_dealt_with(&server, moved, 7, began).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_a_server_that_stands_still_beside_another_is_no_outage() {
    let database = Cluster::shared().database().await;
    let [paused, other] = [Server::start(&database), Server::start(&database)];
    let clock = json!({"first": "host", "turn_seconds": TURN});
    let [left, moved_in] = [
        Table::in_battle_with(&paused, &clock, &usual(), &usual()).await,
        Table::in_battle_with(&paused, &clock, &usual(), &usual()).await,
    ];

    let hung = Hung::new(&[paused.id()]);
    moved_in.fire(&other, Host, "A1").await.expect(200);
    let log = ended(&other, &left).await;
    sleep(Duration::from_secs(6)).await;
    drop(hung);

    assert_eq!(log.len(), 5, "{log:#?}");
    assert_eq!(log[4]["result"], json!({"winner": "guest", "reason": "timed_out"}));
    moved_in.fire(&paused, Guest, "A1").await.refuses(409, "game_over");
    assert_eq!(ended(&paused, &moved_in).await.len(), 6);
    assert_eq!(gaps(&database).await, 0, "the other server was there all the time");
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_a_move_after_an_outage_writes_that_the_deadline_moves_on_and_counts_in_one_step() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let clock = json!({"first": "host", "turn_seconds": TURN});
    let tables =
        join_all((0..12).map(async |_| Table::in_battle_with(&server, &clock, &usual(), &usual()).await)).await;
    let until = async |table: &Table| time(&table.see(&server, None).await["awaiting"][0]["until"]);
    let until = join_all(tables.iter().map(until)).await.into_iter().max().unwrap();
    let begun = until - TimeDelta::seconds(TURN);
    database.was_out_of_reach(begun + TimeDelta::seconds(2), begun + TimeDelta::seconds(7)).await;

    // They wait for the second in which no end is written, and then come before the server itself, or after it.
    let rest = until + TimeDelta::milliseconds(100) - now(&server).await;
    sleep(rest.to_std().unwrap_or_default()).await;
    let shot = json!({"shots": ["A1"]});
    let fire = async |table: &Table, key: &str| {
        server.post_with_key(&table.path("/fire"), Some(table.token(Host)), key, &shot).await
    };
    let replies = join_all(tables.iter().map(|table| fire(table, "first"))).await;

    let mut in_one_step = 0;
    for (table, reply) in tables.iter().zip(&replies) {
        let log = table.log(&server).await;
        let kinds: Vec<_> = log[4..].iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["extended", "fired"]);
        is_extended(&log, 5..=5 + ABOUT);
        // What the request added to the log is in its reply, and a repeat gets the same.
        let added = reply.expect(200)["events"].as_array().unwrap();
        in_one_step += usize::from(added.len() == 2);
        assert_eq!(added[..], log[6 - added.len()..]);
        assert_eq!(reply.json["version"], 6);
        assert_eq!(fire(table, "first").await.text, reply.text);
        fire(table, "other").await.refuses(409, "not_your_turn");
        ledger::check(&server, table, &usual(), &usual()).await;
    }
    assert!(in_one_step > 0, "the server came before every move");
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_an_invitation_is_open_for_longer_and_its_guest_finds_the_reply_again() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "4")]);
    let [joined, left] = [
        Table::create(&server, &json!({"listed": true})).await,
        Table::create(&server, &json!({"listed": true})).await,
    ];
    let begun = time(&left.see(&server, None).await["created_at"]);
    database.was_out_of_reach(begun, begun + TimeDelta::milliseconds(2_500)).await;
    while joined.log(&server).await.len() < 2 {
        sleep(Duration::from_millis(50)).await;
    }

    // It stays in the lobby for as long.
    let listed = server.get("/v1/games", None).await.expect(200)["games"].to_string();
    assert!(listed.contains(&joined.id), "{listed}");
    let key = "a-key-that-nobody-else-has-of-some-length";
    let first = server.post_with_key(&joined.path("/join"), None, key, &json!({})).await;
    let again = server.post_with_key(&joined.path("/join"), None, key, &json!({})).await;
    assert_eq!((first.status, &first.text), (201, &again.text));
    server.post(&joined.path("/join"), None, &json!({})).await.refuses(409, "game_full");

    let kinds = |log: &[Value]| log.iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(kinds(&joined.log(&server).await), ["created", "extended", "joined"]);
    let log = ended(&server, &left).await;
    assert_eq!(kinds(&log), ["created", "extended", "expired"]);
    let [before, after] = [0, 1].map(|event: usize| time(&log[event]["awaiting"][1]["until"]));
    assert_eq!(Some((after - before).num_seconds()), log[1]["seconds"].as_i64());
    let listed = server.get("/v1/games", None).await.expect(200)["games"].to_string();
    assert!(!listed.contains(&left.id) && !listed.contains(&joined.id), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_a_beat_that_somebody_else_holds_up_is_no_outage() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let clock = json!({"first": "host", "turn_seconds": TURN});
    let table = Table::in_battle_with(&server, &clock, &usual(), &usual()).await;

    let mut holder = database.connect().await;
    sqlx::query("begin").execute(&mut holder).await.unwrap();
    sqlx::query("select from heartbeat for update").fetch_one(&mut holder).await.unwrap();
    let log = ended(&server, &table).await;
    sqlx::query("rollback").execute(&mut holder).await.unwrap();
    sleep(Duration::from_secs(1)).await;

    assert_eq!(log.len(), 5, "{log:#?}");
    assert_eq!(gaps(&database).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn r30_one_session_that_hangs_is_no_outage_for_long() {
    let cluster = Cluster::start();
    let database = cluster.database().await;
    let server = Server::start(&database);
    let clock = json!({"first": "host", "turn_seconds": TURN});
    let mut direct = database.connect().await;
    // One that is stopped while it commits holds up every commit, which is another outage.
    let idle = "select pid from pg_stat_activity
                 where query like 'select now as%beat($1%' and state = 'idle'";
    let hung = loop {
        let sessions: Vec<i32> = sqlx::query_scalar(idle).fetch_all(&mut direct).await.unwrap();
        if let [session] = sessions[..] {
            let hung = Hung::new(&[session.try_into().unwrap()]);
            let still_idle: Vec<i32> = sqlx::query_scalar(idle).fetch_all(&mut direct).await.unwrap();
            if still_idle == sessions {
                break hung;
            }
        }
        sleep(Duration::from_millis(10)).await;
    };
    // Until then another session has taken over.
    sleep(Duration::from_secs(4)).await;
    let table = Table::in_battle_with(&server, &clock, &usual(), &usual()).await;
    let log = ended(&server, &table).await;
    drop(hung);

    assert_eq!(log.len(), 5, "{log:#?}");
}

/// How many gaps of more than a moment are kept.
async fn gaps(database: &Database) -> i64 {
    let gaps = "select count(*) from gaps where ended_at - started_at > interval '4 seconds'";
    sqlx::query_scalar(gaps).fetch_one(&mut database.connect().await).await.unwrap()
}
