//! The logs of ended games, packed: whoever asks is told what they were told before.

use std::collections::BTreeMap;
use std::time::Duration;

use ground::cluster::{Cluster, Database};
use ground::ledger;
use ground::server::{Reply, Server, authorized, send};
use ground::stream::{EventStream, stream_of, within};
use ground::table::{FLEET, Table, layout, sent, usual};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection};
use testing::campaign;
use testing::model::{Model, Options, Seat, random_action};

use Seat::{Guest, Host};

/// A key long enough to stand for a seat.
const SECRET: &str = "p2mX5tZ7wB1nC4kL6hG9fD3aSjJ8sP0v";

/// A request that came with a key, and its reply.
struct Kept {
    path: String,
    token: Option<String>,
    key: String,
    body: Value,
    reply: Reply,
}

/// An ended game, and the requests that made it.
struct Ended {
    table: Table,
    kept: Vec<Kept>,
}

/// What a client can hold against what it had before.
type Told = (u16, String, Vec<Option<String>>);

/// Two servers on one database.
async fn ground() -> (Database, [Server; 2]) {
    let database = Cluster::shared().database().await;
    let servers = [Server::without_packing(&database), Server::without_packing(&database)];
    (database, servers)
}

fn told(reply: &Reply) -> Told {
    let headers = ["etag", "location", "content-type", "cache-control"];
    let headers = headers.map(|name| reply.header(name).map(str::to_owned)).to_vec();
    (reply.status, reply.text.clone(), headers)
}

impl Kept {
    async fn send(server: &Server, path: String, token: Option<&str>, key: String, body: Value) -> Self {
        let reply = server.post_with_key(&path, token, &key, &body).await;
        assert!(matches!(reply.status, 200 | 201), "{path}: {}", reply.text);
        Self { path, token: token.map(str::to_owned), key, body, reply }
    }

    async fn again(&self, server: &Server) -> Reply {
        server.post_with_key(&self.path, self.token.as_deref(), &self.key, &self.body).await
    }
}

impl Ended {
    /// A game with names that two people play at random to its end, each request with a key.
    async fn by_people(server: &Server, options: &Options, seed: u64) -> Self {
        let secret = |what: &str| format!("{SECRET}-{what}-{seed}");
        let body = json!({"name": "Ада 🚢", "options": options.to_json(), "listed": true});
        let created = Kept::send(server, "/v1/games".to_owned(), None, secret("create"), body).await;
        let mut table = Table::of(&created.reply.json);
        let joined = Kept::send(server, table.path("/join"), None, secret("join"), json!({"name": "Bo \"\\ {}"})).await;
        joined.reply.json["token"].as_str().unwrap().clone_into(&mut table.guest);
        let mut model = Model::new(options.clone());
        model.joined(if joined.reply.json["game"]["first"] == "host" { Host } else { Guest });
        let mut ended = Self { table, kept: vec![created, joined] };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        while let Some(&(seat, ..)) = model.awaited().first() {
            let action = random_action(&model, seat, &mut rng);
            model.act(seat, &action).unwrap();
            let (below, body) = sent(&action);
            ended.go_on(server, seat, below, body).await;
        }
        ended
    }

    async fn go_on(&mut self, server: &Server, seat: Seat, below: &str, body: Value) {
        let key = format!("key-{}", self.kept.len());
        let path = self.table.path(below);
        self.kept.push(Kept::send(server, path, Some(self.table.token(seat)), key, body).await);
    }

    /// A game in battle that the guest gives up.
    async fn resigned(server: &Server) -> Self {
        let table = Table::in_battle(server).await;
        let mut ended = Self { table, kept: Vec::new() };
        ended.go_on(server, Host, "/fire", json!({"shots": ["A1"]})).await;
        ended.go_on(server, Guest, "/resign", json!({})).await;
        ended
    }

    /// A game that was given up before a layout was placed.
    async fn aborted(server: &Server) -> Self {
        let table = Table::joined(server, &json!({})).await;
        let mut ended = Self { table, kept: Vec::new() };
        ended.go_on(server, Host, "/resign", json!({})).await;
        ended
    }

    /// A game against a bot, to its end or until the host gives up.
    async fn against_a_bot(server: &Server) -> Self {
        let table = Table::create(server, &json!({"bot": "hard", "options": {"mines": false}})).await;
        let mut ended = Self { table, kept: Vec::new() };
        ended.go_on(server, Host, "/place", layout(FLEET, "").to_json()).await;
        for column in 'A'..='E' {
            for row in 1..=3 {
                if ended.table.see(server, None).await["result"].is_null() {
                    ended.go_on(server, Host, "/fire", json!({"shots": [format!("{column}{row}")]})).await;
                }
            }
        }
        if ended.table.see(server, None).await["result"].is_null() {
            ended.go_on(server, Host, "/resign", json!({})).await;
        }
        ended
    }

    /// All that is told of it, by what was asked for. What changes nothing is asked alone.
    async fn all(&self, server: &Server) -> BTreeMap<String, Told> {
        let Self { table, kept } = self;
        let last = table.see(server, None).await["version"].as_u64().unwrap();
        let mut all = BTreeMap::new();
        let eyes = [Some(Host), Some(Guest).filter(|_| !table.guest.is_empty()), None];
        for token in eyes.map(|eyes| eyes.map(|seat| table.token(seat))) {
            let mut paths = vec![String::new(), "/verify".to_owned(), "/events?limit=500".to_owned()];
            let every = campaign(9, 1);
            paths.extend((0..=last).step_by(every).map(|after| format!("/events?limit=7&after={after}")));
            paths.extend((1..=last).step_by(every).map(|upto| format!("/replay?upto={upto}")));
            paths.extend(["host", "guest", "spectator", "all"].map(|eyes| format!("/replay?upto={last}&as={eyes}")));
            paths.extend((1..=last).step_by(every).map(|seq| format!("/events/{seq}/proof")));
            paths.push("/analysis".to_owned());
            paths.extend((1..=last).step_by(every).map(|seq| format!("/analysis/{seq}")));
            paths.push(format!("/events?after={}&wait=10", last - 1));
            paths.push(format!("/events?after={last}&wait=10"));
            for path in paths {
                let reply = server.get(&table.path(&path), token).await;
                all.insert(format!("{path} {token:?}"), told(&reply));
            }
            let tag = table.path("");
            let tag = authorized(server.request(Method::GET, &tag), token);
            let known = server.get(&table.path(""), token).await;
            let unchanged = send(tag.header("if-none-match", known.header("etag").unwrap())).await;
            assert_eq!(unchanged.status, 304);
            all.insert(format!("unchanged {token:?}"), told(&unchanged));
        }
        for after in [None, Some(1), Some(last - 1), Some(last)] {
            let told = match EventStream::open(stream_of(server, &table.path("/events"), after)).await {
                Ok(stream) => (200, format!("{:?}", stream.rest().await), Vec::new()),
                Err(reply) => told(&reply),
            };
            all.insert(format!("stream {after:?}"), told);
        }
        // The first four are those that differ most.
        let kept = kept.iter().enumerate().filter(|(place, _)| *place < 4 || place % campaign(7, 1) == 0);
        for (place, request) in kept {
            let again = request.again(server).await;
            assert_eq!(told(&again), told(&request.reply), "{} {}", request.path, request.key);
            all.insert(format!("again {place:03}"), told(&again));
            let (path, token) = (&request.path, request.token.as_deref());
            let other =
                server.post_with_key(path, token, &request.key, &json!({"shots": ["B9"], "cells": ["B9"]})).await;
            assert!(matches!(other.status, 400 | 422), "{path}: {}", other.text);
            all.insert(format!("again otherwise {place:03}"), (other.status, other.code().to_owned(), Vec::new()));
            if let (Some(token), false) = (token, request.path.ends_with("/resign")) {
                let elsewhere =
                    server.post_with_key(&table.path("/resign"), Some(token), &request.key, &json!({})).await;
                elsewhere.refuses(422, "idempotency_mismatch");
                server
                    .post_with_key(&table.path("/rematch"), Some(token), &request.key, &json!({}))
                    .await
                    .refuses(422, "idempotency_mismatch");
            }
        }
        all.insert("lobby".to_owned(), told(&server.get("/v1/games?limit=100", None).await));
        all
    }
}

/// Makes the timers of games go off, as after a long time.
async fn let_go_off(connection: &mut PgConnection, games: &[&str]) {
    sqlx::query("update timers set check_at = now() - interval '1 minute' where game_id::text = any($1)")
        .bind(games)
        .execute(connection)
        .await
        .unwrap();
}

async fn count(connection: &mut PgConnection, what: &str) -> i64 {
    let statement = format!("select count(*) from {what}");
    sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(connection).await.unwrap()
}

/// Waits until something is counted so often.
async fn until(connection: &mut PgConnection, what: &str, times: i64) {
    within(async {
        while count(connection, what).await != times {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// Has these games packed, and no other.
async fn pack(database: &Database, games: &[&str]) {
    let mut connection = database.connect().await;
    let before = count(&mut connection, "archives").await;
    let_go_off(&mut connection, games).await;
    until(&mut connection, "archives", before + i64::try_from(games.len()).unwrap()).await;
    for game in games {
        assert_eq!(count(&mut connection, &format!("events where game_id = '{game}'")).await, 0);
        assert_eq!(count(&mut connection, &format!("timers where game_id = '{game}'")).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_packed_game_everything_is_told_as_before_byte_for_byte() {
    let (database, [one, other]) = ground().await;
    let usual = Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false };
    let large = Options { grid: 15, russian: true, mines: true, salvo: true, shoot_again: true };
    let games = [
        Ended::by_people(&one, &usual, 1).await,
        Ended::by_people(&other, &large, 2).await,
        Ended::resigned(&one).await,
        Ended::aborted(&other).await,
        Ended::against_a_bot(&one).await,
    ];
    let running = Table::in_battle(&one).await;
    let mut before = Vec::new();
    for game in &games {
        before.push(game.all(&one).await);
    }

    let ids: Vec<&str> = games.iter().map(|game| game.table.id.as_str()).collect();
    pack(&database, &ids).await;

    for (game, before) in games.iter().zip(&before) {
        for server in [&one, &other] {
            let after = game.all(server).await;
            assert_eq!(after.len(), before.len());
            for (asked, told) in before {
                assert_eq!(&after[asked], told, "{asked}");
            }
        }
        ledger::check_chain(&game.table.log(&other).await);
    }
    assert_eq!(running.log(&other).await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_packed_game_has_its_rematch_and_is_still_over() {
    let (database, [one, other]) = ground().await;
    let [early, late] = [Ended::resigned(&one).await.table, Ended::resigned(&one).await.table];
    let rematch = async |server: &Server, table: &Table, seat: Seat| {
        server.post_with_key(&table.path("/rematch"), Some(table.token(seat)), "again", &json!({})).await
    };
    let first = rematch(&one, &early, Host).await;
    first.expect(201);

    pack(&database, &[&early.id, &late.id]).await;

    let repeated = rematch(&other, &early, Host).await;
    assert_eq!(told(&repeated), told(&first));
    let second = rematch(&other, &early, Guest).await;
    assert_eq!(second.expect(201)["game"]["id"], first.json["game"]["id"]);
    let anew = rematch(&one, &late, Guest).await;
    assert_eq!(anew.expect(201)["game"]["options"]["first"], "guest");
    assert_eq!(late.see(&other, None).await["next"], anew.json["game"]["id"]);
    for table in [&early, &late] {
        table.fire(&other, Host, "B1").await.refuses(409, "game_over");
        let keyed = one.post_with_key(&table.path("/fire"), Some(&table.host), "new", &json!({"shots": ["B1"]})).await;
        keyed.refuses(409, "game_over");
        let foreign =
            one.post_with_key(&table.path("/fire"), Some(&table.host), "again", &json!({"shots": ["B1"]})).await;
        let (status, code) = if table.id == early.id { (422, "idempotency_mismatch") } else { (409, "game_over") };
        foreign.refuses(status, code);
    }

    // The rematch is ended and packed, and the key that opened it is still known through the first.
    let next = Table { id: first.json["game"]["id"].as_str().unwrap().to_owned(), ..early.clone() };
    let token = first.json["token"].as_str().unwrap();
    one.post(&next.path("/resign"), Some(token), &json!({})).await.expect(200);
    pack(&database, &[&next.id]).await;
    assert_eq!(told(&rematch(&one, &early, Host).await), told(&first));
    assert_eq!(told(&rematch(&one, &early, Guest).await), told(&second));
    other
        .post_with_key(&early.path("/fire"), Some(&early.host), "again", &json!({"shots": ["B1"]}))
        .await
        .refuses(422, "idempotency_mismatch");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_pack_the_same_games_at_once_pack_each_log_once_and_whole() {
    let copies: i64 = campaign(100, 400);
    let (database, [one, other]) = ground().await;
    let third = Server::without_packing(&database);
    let game =
        Ended::by_people(&one, &Options { grid: 8, russian: false, mines: false, salvo: false, shoot_again: false }, 3)
            .await;
    let id = &game.table.id;
    let log = game.table.log(&one).await;
    let mut connection = database.connect().await;
    sqlx::query("create table copies as select gen_random_uuid() as id from generate_series(1, $1)")
        .bind(copies)
        .execute(&mut connection)
        .await
        .unwrap();
    for (table, columns) in [
        (
            "games",
            "created_at, turn_seconds, rules, grid, fleet, first_shot, bot, mines, salvo,
        shoot_again, listed, rematch_of, next_game_id, token_salt, host_token, guest_token, host_name, guest_name,
        host_commitment, guest_commitment, version, due_at, head, state",
        ),
        ("events", "seq, span, status, awaits, due_at, request, print, head, body"),
        ("layouts", "seat, salt, cells, bot_seed"),
    ] {
        let copy = format!(
            "insert into {table} (game_id, {columns}) select id, {columns} from {table}, copies where game_id = '{id}'"
        );
        sqlx::query(AssertSqlSafe(copy)).execute(&mut connection).await.unwrap();
    }

    let due = "insert into timers (game_id, check_at) select id, now() - interval '1 minute' from copies";
    sqlx::query(due).execute(&mut connection).await.unwrap();
    until(&mut connection, "timers", 1).await;

    assert_eq!(count(&mut connection, "archives").await, copies);
    assert_eq!(count(&mut connection, &format!("events where game_id <> '{id}'")).await, 0);
    let differing = format!(
        "(select seq, span, status, awaits, due_at, request, print, head, body, count(*) as copies from logs
           where game_id <> '{id}' group by 1, 2, 3, 4, 5, 6, 7, 8, 9
          except
          select seq, span, status, awaits, due_at, request, print, head, body, {copies} from events
           where game_id = '{id}') as differing"
    );
    assert_eq!(count(&mut connection, &differing).await, 0);
    assert_eq!(count(&mut connection, "logs").await, (copies + 1) * i64::try_from(log.len()).unwrap());
    let copies: Vec<String> =
        sqlx::query_scalar("select id::text from copies").fetch_all(&mut connection).await.unwrap();
    for (copy, server) in copies.iter().step_by(37).zip([&one, &other, &third].into_iter().cycle()) {
        let table = Table { id: copy.clone(), ..game.table.clone() };
        assert_eq!(table.log(server).await, log);
    }
    for server in [&one, &other, &third] {
        let said = server.whole_log().await;
        assert!(!said.contains("not whole") && !said.contains("ERROR"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_not_whole_is_left_alone() {
    let (database, [one, other]) = ground().await;
    let mut connection = database.connect().await;
    for damage in [
        "delete from events where seq = 3 and game_id = ",
        "delete from events where seq = 1 and game_id = ",
        "delete from events where seq = 6 and game_id = ",
        "update events set seq = 0 where seq = 1 and game_id = ",
        "update games set version = version - 1 where game_id = ",
    ] {
        let table = Ended::resigned(&one).await.table;
        let statement = format!("{damage} '{}'", table.id);
        assert_eq!(sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await.unwrap().rows_affected(), 1);
        let rows = format!(
            "select coalesce(string_agg(e::text, '|' order by seq), '') from events e where game_id = '{}'",
            table.id
        );
        let before: String = sqlx::query_scalar(AssertSqlSafe(rows.clone())).fetch_one(&mut connection).await.unwrap();

        // Once it is put off it is looked at again, and put off for longer.
        for times in [1, 2] {
            let_go_off(&mut connection, &[&table.id]).await;
            let put_off = format!(
                "timers where game_id = '{}' and failures = {times} and check_at > now() + interval '1 minute' * {times}
                    - interval '20 seconds'",
                table.id
            );
            until(&mut connection, &put_off, 1).await;
        }

        let after: String = sqlx::query_scalar(AssertSqlSafe(rows)).fetch_one(&mut connection).await.unwrap();
        assert_eq!(after, before, "{damage}");
        assert_eq!(count(&mut connection, "archives").await, 0);
        let mut said = one.whole_log().await;
        said.push_str(&other.whole_log().await);
        let complaint = format!("game {}: its log is not whole", table.id);
        assert_eq!(said.matches(&complaint).count(), 1, "it is told once: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_without_a_clock_is_looked_at_again_until_it_is_over() {
    let (database, [one, other]) = ground().await;
    let mut connection = database.connect().await;
    let table = Table::in_battle(&one).await;
    let timer = format!("timers where game_id = '{}' and check_at > now()", table.id);

    let_go_off(&mut connection, &[&table.id]).await;
    until(&mut connection, &timer, 1).await;
    assert_eq!(count(&mut connection, "events").await, 4);
    table.resign(&other, Host).await.expect(200);

    // Nobody does anything: the next look comes when the game is twice as old.
    until(&mut connection, "archives", 1).await;
    assert_eq!(count(&mut connection, "events").await, 0);
    assert_eq!(table.log(&one).await.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_reads_while_a_log_is_packed_reads_it_once_and_whole() {
    let (database, servers) = ground().await;
    for round in 0..10 {
        let table = Table::in_battle(&servers[0]).await;
        let mut streams = Vec::new();
        for server in &servers {
            let mut stream = EventStream::of(server, &table.path("/events"), None).await;
            stream.upto(4).await;
            streams.push(stream);
        }
        table.fire(&servers[0], Host, "A1").await.expect(200);
        table.place(&servers[0], Host, &usual()).await.refuses(409, "already_placed");
        table.resign(&servers[1], Guest).await.expect(200);
        let log = table.log(&servers[0]).await;

        // Pages are read all the while, from before the packing until after it.
        let mut connection = database.connect().await;
        let_go_off(&mut connection, &[&table.id]).await;
        let archived = format!("archives where game_id = '{}'", table.id);
        loop {
            let packed = count(&mut connection, &archived).await == 1;
            for server in &servers {
                let mut pages = Vec::new();
                while pages.len() < log.len() {
                    let page = server.get(&table.path(&format!("/events?limit=2&after={}", pages.len())), None).await;
                    pages.extend(page.expect(200)["events"].as_array().unwrap().clone());
                }
                assert_eq!(pages, log, "round {round}");
                let late = EventStream::of(server, &table.path("/events"), Some(2)).await.rest().await;
                assert_eq!(late.iter().map(|told| told.seq).collect::<Vec<_>>(), [3, 4, 5, 6]);
            }
            if packed {
                break;
            }
        }

        for stream in streams {
            let rest: Vec<Value> =
                stream.rest().await.iter().map(|told| serde_json::from_str(&told.data).unwrap()).collect();
            assert_eq!(rest, log[4..], "round {round}");
        }
    }
}
