//! What lies in the tables, whatever somebody does to it: it is told, and never a failure of the check.

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};

use ground::cluster::{Cluster, Database};
use ground::random_game::Download;
use ground::server::{Reply, Server};
use ground::stream::within;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

/// How far a game has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Running,
    Finished,
    Packed,
    Aborted,
}

use Stage::{Aborted, Finished, Packed, Running};

/// A game of six events and of both layouts, which differ, or one that was given up with one layout.
async fn game(server: &Server, database: &Database, stage: Stage) -> Table {
    let options = json!({"first": "host", "turn_seconds": 3_600});
    let table = Table::joined(server, &options).await;
    table.place(server, Host, &layout(FLEET, "J10")).await.expect(200);
    if stage != Aborted {
        table.place(server, Guest, &layout("A1>5 A3>4 A5>3 A7>3 A9>2", "I9")).await.expect(200);
        table.fire(server, Host, "J1").await.expect(200);
        table.fire(server, Guest, "J1").await.expect(200);
    }
    if stage != Running {
        table.resign(server, Guest).await.expect(200);
    }
    if stage == Packed {
        pack(database, &table.id).await;
    }
    table
}

async fn pack(database: &Database, game: &str) {
    let mut connection = database.connect().await;
    change(&mut connection, "update timers set check_at = now() - interval '1 minute' where game_id = 'GAME'", game)
        .await;
    let packed = format!("select count(*) from archives where game_id = '{game}'");
    within(async {
        while sqlx::query_scalar::<_, i64>(AssertSqlSafe(packed.clone())).fetch_one(&mut connection).await.unwrap() == 0
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// Changes one row or more of a game.
async fn change(connection: &mut PgConnection, statement: &str, game: &str) {
    let statement = statement.replace("GAME", game);
    let changed =
        connection.execute(AssertSqlSafe(statement.clone())).await.unwrap_or_else(|e| panic!("{statement}: {e}"));
    assert!(changed.rows_affected() > 0, "{statement}");
}

/// Insists that a check says what is wrong, whoever asks.
async fn told(server: &Server, table: &Table) -> Value {
    let found = server.get(&table.path("/verify"), None).await;
    let found = found.expect(200);
    assert_eq!((found["ok"] == true, found["faults"].as_array().unwrap().is_empty()), (false, false), "{found}");
    found["faults"].clone()
}

fn codes(faults: &Value) -> Vec<(Option<u64>, String)> {
    let faults = faults.as_array().unwrap().iter();
    faults.map(|fault| (fault["seq"].as_u64(), fault["code"].as_str().unwrap().to_owned())).collect()
}

/// What is done to the rows of a game, at which stages, and a fault that is then told.
const CHANGES: &[(&[Stage], &str, Option<u64>, &str)] = &[
    // The log has more or less than it should.
    (
        &[Running],
        "insert into events select game_id, 7, span, status, awaits, due_at, null, null, head, body from events
          where seq = 6 and game_id = 'GAME'",
        Some(7),
        "wrong_seq",
    ),
    (
        &[Finished],
        "insert into events select game_id, 8, span, status, awaits, due_at, null, null, head, body from events
          where seq = 7 and game_id = 'GAME'",
        Some(8),
        "wrong_seq",
    ),
    (
        &[Packed],
        "insert into events select game_id, 8, span, status, awaits, due_at, null, null, head, body from logs
          where seq = 7 and game_id = 'GAME'",
        Some(8),
        "wrong_seq",
    ),
    (&[Packed], "insert into events select * from logs where seq = 3 and game_id = 'GAME'", Some(4), "wrong_seq"),
    (
        &[Packed],
        "insert into events select game_id, seq, span, status, awaits, due_at, request, print, head, body from logs
          where game_id = 'GAME'",
        Some(2),
        "wrong_seq",
    ),
    (
        &[Running, Finished],
        "insert into events select game_id, 1000, span, status, awaits, due_at, null, null, head, body from events
          where seq = 2 and game_id = 'GAME'",
        None,
        "wrong_view",
    ),
    (
        &[Running, Finished],
        "insert into events select game_id, 0, span, status, awaits, due_at, null, null, head, body from events
          where seq = 1 and game_id = 'GAME'",
        Some(1),
        "wrong_record",
    ),
    (
        &[Running, Finished],
        "insert into events select game_id, -5, span, status, awaits, due_at, null, null, head, body from events
          where seq = 4 and game_id = 'GAME'",
        Some(1),
        "wrong_game",
    ),
    (&[Running, Finished, Aborted], "delete from events where seq = 2 and game_id = 'GAME'", Some(2), "wrong_seq"),
    (&[Running, Finished], "delete from events where seq = 5 and game_id = 'GAME'", Some(5), "wrong_head"),
    (&[Running], "delete from events where seq = 6 and game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished, Aborted], "delete from events where game_id = 'GAME'", None, "wrong_view"),
    (&[Packed], "delete from archives where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update events set seq = 70 where seq = 6 and game_id = 'GAME'", Some(6), "wrong_record"),
    (&[Packed], "update archives set bodies = bodies[1:5] where game_id = 'GAME'", Some(6), "unreadable"),
    (&[Packed], "update archives set statuses = statuses[2:3] where game_id = 'GAME'", Some(3), "wrong_record"),
    (&[Packed], "update archives set heads = '{}' where game_id = 'GAME'", Some(1), "wrong_head"),
    (&[Packed], "update archives set spans = '{}' where game_id = 'GAME'", Some(1), "wrong_record"),
    (&[Packed], "update archives set bodies = array[bodies, bodies] where game_id = 'GAME'", Some(8), "wrong_head"),
    // A row of the log cannot be read.
    (&[Running, Finished], "update events set body = '' where seq = 5 and game_id = 'GAME'", Some(5), "unreadable"),
    (&[Running, Finished], "update events set body = '[]' where seq = 1 and game_id = 'GAME'", Some(1), "unreadable"),
    (&[Running, Finished], "update events set head = '' where seq = 5 and game_id = 'GAME'", Some(5), "wrong_head"),
    (
        &[Running, Finished, Aborted],
        "update events set status = 9 where seq = 3 and game_id = 'GAME'",
        Some(3),
        "wrong_record",
    ),
    (&[Running, Finished], "update events set awaits = -1 where seq = 5 and game_id = 'GAME'", Some(5), "wrong_record"),
    // What is derived is another.
    (&[Running, Finished], "update events set status = 0 where seq = 5 and game_id = 'GAME'", Some(5), "wrong_derived"),
    (
        &[Running, Finished],
        "update events set due_at = due_at + interval '1 second' where seq = 5 and game_id = 'GAME'",
        Some(5),
        "wrong_derived",
    ),
    (
        &[Running, Finished],
        "update events set due_at = 'infinity' where seq = 5 and game_id = 'GAME'",
        Some(5),
        "wrong_derived",
    ),
    (&[Finished], "update events set due_at = now() where seq = 7 and game_id = 'GAME'", Some(7), "wrong_record"),
    (&[Running, Finished], "update events set span = 3 where seq = 5 and game_id = 'GAME'", Some(6), "wrong_record"),
    (&[Running, Finished], "update events set span = 0 where seq = 5 and game_id = 'GAME'", Some(5), "wrong_record"),
    // A layout is another, is not there or cannot be read.
    (
        &[Running, Finished, Packed],
        "update layouts l set cells = o.cells from layouts o
          where l.game_id = o.game_id and l.seat = 0 and o.seat = 1 and l.game_id = 'GAME'",
        Some(3),
        "wrong_commitment",
    ),
    (
        &[Running, Finished, Packed],
        "update layouts l set cells = o.cells, salt = o.salt from layouts o
          where l.game_id = o.game_id and l.seat = 1 and o.seat = 0 and l.game_id = 'GAME'",
        Some(4),
        "wrong_commitment",
    ),
    (
        &[Running, Finished, Packed],
        "update layouts set seat = 1 - seat + 10 where game_id = 'GAME'",
        None,
        "wrong_record",
    ),
    (
        &[Running, Finished, Packed, Aborted],
        "update layouts set salt = sha256(salt) where seat = 0 and game_id = 'GAME'",
        Some(3),
        "wrong_commitment",
    ),
    (
        &[Running, Finished, Packed, Aborted],
        "delete from layouts where seat = 0 and game_id = 'GAME'",
        Some(3),
        "wrong_record",
    ),
    (&[Running, Finished], "delete from layouts where game_id = 'GAME'", Some(4), "wrong_record"),
    (
        &[Running, Finished, Aborted],
        "update layouts set cells = '\\xfa' where seat = 0 and game_id = 'GAME'",
        Some(3),
        "wrong_record",
    ),
    (
        &[Running, Finished],
        "update layouts set cells = '' where seat = 1 and game_id = 'GAME'",
        Some(4),
        "wrong_record",
    ),
    (
        &[Running, Finished, Packed],
        "update layouts set cells = cells || '\\x00' where seat = 1 and game_id = 'GAME'",
        Some(4),
        "wrong_record",
    ),
    (
        &[Running, Finished],
        "update layouts set salt = '\\x01' where seat = 1 and game_id = 'GAME'",
        Some(4),
        "wrong_record",
    ),
    (
        &[Running, Finished, Packed],
        "update layouts set bot_seed = sha256('x') where seat = 1 and game_id = 'GAME'",
        Some(4),
        "wrong_record",
    ),
    (
        &[Running, Finished],
        "update layouts set bot_seed = 'x' where seat = 0 and game_id = 'GAME'",
        Some(3),
        "wrong_record",
    ),
    (
        &[Running, Finished, Aborted],
        "insert into layouts select game_id, 2, salt, cells from layouts where seat = 0 and game_id = 'GAME'",
        None,
        "wrong_record",
    ),
    (
        &[Aborted],
        "insert into layouts select game_id, 1, salt, cells from layouts where seat = 0 and game_id = 'GAME'",
        None,
        "wrong_record",
    ),
    // The row of the game is another.
    (&[Running, Finished, Packed], "update games set version = version + 1 where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update games set version = version - 1 where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update games set version = -7 where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set head = sha256(head) where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update games set head = 'x' where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished, Packed], "update games set state = '\\xfa' where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished, Aborted], "update games set state = '' where game_id = 'GAME'", None, "wrong_record"),
    (
        &[Running, Finished, Packed],
        "update games set state = set_byte(state, 5, get_byte(state, 5) # 16) where game_id = 'GAME'",
        None,
        "wrong_record",
    ),
    (&[Finished, Aborted, Packed], "update games set due_at = now() where game_id = 'GAME'", None, "wrong_record"),
    (&[Running], "update games set due_at = due_at + interval '1 day' where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update games set due_at = 'infinity' where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set created_at = '-infinity' where game_id = 'GAME'", Some(1), "wrong_game"),
    (&[Running, Finished, Aborted], "update games set host_name = 'Eve' where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update games set guest_name = '' where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update games set grid = 12 where game_id = 'GAME'", Some(1), "wrong_game"),
    (&[Running, Finished], "update games set grid = 0 where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set fleet = 9 where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set first_shot = -1 where game_id = 'GAME'", None, "wrong_record"),
    (
        &[Running, Finished, Packed],
        "update games set shoot_again = not shoot_again where game_id = 'GAME'",
        Some(1),
        "wrong_game",
    ),
    (&[Running, Finished], "update games set turn_seconds = null where game_id = 'GAME'", Some(1), "wrong_game"),
    (&[Running, Finished], "update games set turn_seconds = -1 where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set rules = 2 where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set bot = 1 where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set bot = 77 where game_id = 'GAME'", None, "wrong_record"),
    (&[Running, Finished], "update games set host_commitment = null where game_id = 'GAME'", None, "wrong_view"),
    (&[Running, Finished], "update games set guest_commitment = 'x' where game_id = 'GAME'", None, "wrong_record"),
    (
        &[Running, Finished],
        "update games set host_commitment = guest_commitment where game_id = 'GAME'",
        None,
        "wrong_view",
    ),
    (
        &[Running, Finished],
        "update games set rematch_of = gen_random_uuid() where game_id = 'GAME'",
        None,
        "wrong_record",
    ),
    (&[Running], "update games set next_game_id = gen_random_uuid() where game_id = 'GAME'", None, "wrong_record"),
    (&[Finished, Aborted], "update games set next_game_id = game_id where game_id = 'GAME'", None, "wrong_record"),
    (
        &[Running, Finished, Aborted],
        "insert into lobby select game_id, created_at from games where game_id = 'GAME'",
        None,
        "wrong_record",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_done_to_a_row_of_a_game_is_told() {
    let database = Cluster::shared().database().await;
    let server = Server::without_packing(&database);
    let mut connection = database.connect().await;
    for (stages, statement, seq, code) in CHANGES {
        for stage in *stages {
            let table = game(&server, &database, *stage).await;
            let before = server.get(&table.path("/verify"), None).await;
            assert_eq!(before.expect(200)["ok"], true, "{stage:?}: {}", before.text);

            change(&mut connection, statement, &table.id).await;

            let faults = told(&server, &table).await;
            let told = codes(&faults);
            assert!(told.contains(&(*seq, (*code).to_owned())), "{stage:?} {statement}: {faults}");
            assert!(told.iter().map(|(seq, _)| seq.unwrap_or(u64::MAX)).is_sorted(), "{faults}");
            // Whoever asks for the game is told what is wrong, as far as it cannot be shown.
            for below in ["", "/events?limit=500", "/replay", "/replay?as=all"] {
                let reply = server.get(&table.path(below), None).await;
                let is_as_ever =
                    matches!((reply.status, reply.code()), (200, _) | (409, "not_over") | (503, "unavailable"));
                // What is no time stops whoever reads it.
                let is_no_time = statement.contains("infinity") && reply.status == 500;
                let is_told = (reply.status, reply.code()) == (500, "record_damaged");
                assert!(is_as_ever || is_no_time || is_told, "{stage:?} {statement} {below}: {}", reply.text);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_command_finds_in_the_downloads_the_route_finds_too() {
    let database = Cluster::shared().database().await;
    let server = Server::without_packing(&database);
    let mut connection = database.connect().await;
    let mut held = 0;
    for (stages, statement, ..) in CHANGES {
        let table = game(&server, &database, stages[0]).await;
        change(&mut connection, statement, &table.id).await;
        let [game, events] = [table.path(""), table.path("/events?limit=500")];
        let (game, events) = (server.get(&game, None).await, server.get(&events, None).await);
        let is_odd = |reply: &Reply| reply.status != 200;
        // Rows before the first are in no download, and what is no time cannot be written.
        if is_odd(&game) || is_odd(&events) || statement.contains("-5") || statement.contains(", 0,") {
            continue;
        }

        let download = Download { game: game.text, events: events.text };
        let at_home = crate::verify::true_games::Account::of(&download).findings(None);
        let found = told(&server, &table).await;

        for fault in at_home.iter().flat_map(|body| &body.faults) {
            let fault = serde_json::to_value(fault).unwrap();
            assert!(found.as_array().unwrap().contains(&fault), "{statement}: {fault} is not in {found}");
        }
        held += 1;
    }
    assert!(held > 30, "{held}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_seed_of_a_bot_is_held_against_its_layout_also_where_its_salt_is_from_before() {
    let database = Cluster::shared().database().await;
    let server = Server::without_packing(&database);
    let mut connection = database.connect().await;
    for (bot, ends) in [("easy", false), ("hard", true), ("medium", true)] {
        let table = Table::create(&server, &json!({"bot": bot, "options": {"mines": true}})).await;
        if ends {
            table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
            table.resign(&server, Host).await.expect(200);
        }
        assert_eq!(server.get(&table.path("/verify"), None).await.expect(200)["ok"], true);

        change(
            &mut connection,
            "update layouts set bot_seed = sha256(bot_seed) where seat = 1 and game_id = 'GAME'",
            &table.id,
        )
        .await;
        assert!(codes(&told(&server, &table).await).contains(&(Some(3), "wrong_record".to_owned())));
        change(&mut connection, "update layouts set bot_seed = null where seat = 1 and game_id = 'GAME'", &table.id)
            .await;
        assert!(codes(&told(&server, &table).await).contains(&(Some(3), "wrong_record".to_owned())));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_true_game_is_true_on_the_server_while_it_is_played_and_packed() {
    let database = Cluster::shared().database().await;
    let [one, other] = [Server::without_packing(&database), Server::without_packing(&database)];
    let table = Table::joined(&one, &json!({"first": "host"})).await;
    let path = table.path("/verify");
    let (done, is_done) = tokio::sync::watch::channel(false);
    let watch = async |server: &Server| {
        let mut asked = 0;
        while !*is_done.borrow() {
            let found = server.get(&path, None).await;
            assert_eq!(found.expect(200)["ok"], true, "{}", found.text);
            asked += 1;
        }
        asked
    };
    let play = async {
        table.place(&one, Host, &layout(FLEET, "J10")).await.expect(200);
        table.place(&one, Guest, &layout(FLEET, "J10")).await.expect(200);
        for cell in "F1 G1 H1 I1 J1 F3 G3 H3 I3 J3 F5 G5 H5 I5 J5 F9 G9 H9 I9 J9".split(' ') {
            table.fire(&one, Host, cell).await.expect(200);
            table.fire(&other, Guest, cell).await.expect(200);
        }
        table.resign(&one, Host).await.expect(200);
        pack(&database, &table.id).await;
        done.send(true).unwrap();
    };

    let ((), first, second) = tokio::join!(play, watch(&one), watch(&other));

    assert!(first > 0 && second > 0);
    assert_eq!(one.get(&path, None).await.expect(200)["complete"], true);
}

#[tokio::test]
async fn games_that_the_server_ends_by_itself_are_true_also_where_secrets_are_sealed() {
    let key = "5d0c9d3e2b7a4f6c8e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d";
    for key in [None, Some(("NAVAL_BATTLE_SEAL_KEY", key))] {
        let database = Cluster::shared().database().await;
        let short = [("NAVAL_BATTLE_EXPIRE_AFTER", "2")];
        let playing = Server::start_with(&database, &short.into_iter().chain(key).collect::<Vec<_>>());
        let solo = Table::create(&playing, &json!({"bot": "hard"})).await;
        solo.place(&playing, Host, &layout(FLEET, "J10")).await.expect(200);
        solo.fire(&playing, Host, "A1").await.expect(200);
        let half = Table::joined(&playing, &json!({})).await;
        half.place(&playing, Guest, &layout(FLEET, "J10")).await.expect(200);
        let games = [
            Table::create(&playing, &json!({"listed": true})).await,
            Table::create(&playing, &json!({"listed": true, "options": {"turn_seconds": 10}})).await,
            half,
            Table::in_battle(&playing).await,
            solo,
        ];
        for table in &games {
            assert_eq!(playing.get(&table.path("/verify"), None).await.expect(200)["ok"], true);
        }
        drop(playing);
        let mut connection = database.connect().await;

        let idle = [("NAVAL_BATTLE_KEEP_IDLE", "1")];
        let server = Server::start_with(&database, &idle.into_iter().chain(key).collect::<Vec<_>>());
        for table in &games {
            let path = table.path("/verify");
            within(async {
                while server.get(&table.path(""), None).await.expect(200)["status"] != "aborted" {
                    assert_eq!(server.get(&path, None).await.expect(200)["ok"], true);
                    connection.execute("update timers set check_at = now() where kind = 1").await.unwrap();
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                }
            })
            .await;
            let found = server.get(&path, None).await;
            assert_eq!(found.expect(200)["ok"], true, "{}", found.text);
        }
    }
}

#[tokio::test]
async fn a_layout_that_nobody_committed_to_is_never_shown_in_a_replay() {
    let database = Cluster::shared().database().await;
    let server = Server::without_packing(&database);
    let mut connection = database.connect().await;
    // No shot was fired, so that no answer gives it away.
    let options = json!({"first": "host", "mines": false});
    let other = layout("A1>5 A3>4 A5>3 A7>3 A9>2", "");
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, ""), &other).await;
    table.resign(&server, Guest).await.expect(200);
    server.get(&table.path("/replay?as=all"), None).await.expect(200);

    let swap = "update layouts l set cells = o.cells from layouts o
                 where l.game_id = o.game_id and l.seat = 0 and o.seat = 1 and l.game_id = 'GAME'";
    change(&mut connection, swap, &table.id).await;

    for below in ["/replay", "/replay?as=all", "/replay?as=host&upto=3"] {
        let told = server.get(&table.path(below), None).await;
        told.refuses(500, "record_damaged");
        assert!(told.json["detail"].as_str().unwrap().contains("verification"), "{}", told.text);
    }
    server.get(&table.path("/replay?upto=2"), None).await.expect(200);
    assert_eq!(codes(&told(&server, &table).await), [(Some(3), "wrong_commitment".to_owned())]);
}

#[tokio::test]
async fn a_row_where_the_next_move_belongs_is_damage_and_the_lobby_goes_on() {
    let database = Cluster::shared().database().await;
    let server = Server::without_packing(&database);
    let mut connection = database.connect().await;
    let table = game(&server, &database, Running).await;
    let copy = "insert into events select game_id, 7, span, status, awaits, due_at, null, null, head, body from events
                 where seq = 6 and game_id = 'GAME'";
    change(&mut connection, copy, &table.id).await;
    let [broken, whole] = [
        Table::create(&server, &json!({"listed": true})).await,
        Table::create(&server, &json!({"listed": true})).await,
    ];
    change(&mut connection, "update games set state = '\\x01' where game_id = 'GAME'", &broken.id).await;

    table.fire(&server, Host, "J2").await.refuses(500, "record_damaged");
    let listed = server.get("/v1/games?limit=1", None).await;
    let next = server.get("/v1/games", None).await;

    assert_eq!(listed.expect(200)["games"][0]["id"], whole.id);
    assert_eq!(next.expect(200)["games"].as_array().unwrap().len(), 1);
    change(&mut connection, "delete from lobby where game_id = 'GAME'", &whole.id).await;
    assert_eq!(codes(&told(&server, &whole).await), [(None, "wrong_record".to_owned())]);
}
