//! Rematches that came to nothing, and who asks again.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};

use ground::cluster::{Cluster, Database};
use ground::server::{Reply, Server, authorized, send};
use ground::stream::within;
use ground::table::{Table, usual};
use ground::wire::{at_once, post};
use testing::model::Seat;

use Seat::{Guest, Host};

async fn ask(server: &Server, table: &Table, seat: Seat) -> Reply {
    server.post(&table.path("/rematch"), Some(table.token(seat)), &json!({})).await
}

async fn ask_with(server: &Server, table: &Table, seat: Seat, key: &str) -> Reply {
    server.post_with_key(&table.path("/rematch"), Some(table.token(seat)), key, &json!({})).await
}

async fn won(server: &Server) -> Table {
    let table = Table::in_battle(server).await;
    table.resign(server, Guest).await.expect(200);
    table
}

fn id(reply: &Reply) -> &Value {
    &reply.expect(201)["game"]["id"]
}

fn essence(reply: &Reply) -> (u16, &str, Option<&str>, Option<&str>) {
    (reply.status, &reply.text, reply.header("etag"), reply.header("location"))
}

/// Plays the seat of a rematch.
async fn act(server: &Server, seating: &Reply, below: &str, body: &Value) -> Reply {
    let path = format!("/v1/games/{}{below}", seating.json["game"]["id"].as_str().unwrap());
    server.post(&path, Some(seating.json["token"].as_str().unwrap()), body).await
}

/// Lets the time of a game pass.
async fn let_pass(database: &Database, server: &Server, game: &Value) {
    let game = game.as_str().unwrap();
    for statement in [
        "update games set due_at = now() - interval '1 minute'",
        "update timers set check_at = now() - interval '1 minute'",
    ] {
        let statement = AssertSqlSafe(format!("{statement} where game_id = '{game}'"));
        database.connect().await.execute(statement).await.unwrap();
    }
    within(async {
        while server.get(&format!("/v1/games/{game}"), None).await.expect(200)["status"] != "aborted" {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// How a rematch comes to nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Nothing {
    Expired,
    CalledOffAlone,
    CalledOffWhilePlacing,
    OutOfTimeWhilePlacing,
    Deleted,
}

const NOTHING: [Nothing; 5] = [
    Nothing::Expired,
    Nothing::CalledOffAlone,
    Nothing::CalledOffWhilePlacing,
    Nothing::OutOfTimeWhilePlacing,
    Nothing::Deleted,
];

async fn comes_to(nothing: Nothing, database: &Database, server: &Server, ended: &Table, first: &Reply, asker: Seat) {
    match nothing {
        Nothing::Expired => let_pass(database, server, id(first)).await,
        Nothing::CalledOffAlone => drop(act(server, first, "/resign", &json!({})).await.expect(200)),
        Nothing::CalledOffWhilePlacing => {
            let second = ask(server, ended, asker.other()).await;
            assert_eq!(id(&second), id(first));
            act(server, first, "/place", &usual().to_json()).await.expect(200);
            act(server, &second, "/resign", &json!({})).await.expect(200);
        }
        Nothing::OutOfTimeWhilePlacing => {
            ask(server, ended, asker.other()).await.expect(201);
            let_pass(database, server, id(first)).await;
        }
        Nothing::Deleted => {
            act(server, first, "/resign", &json!({})).await.expect(200);
            let game = id(first).as_str().unwrap();
            for table in ["games", "events", "layouts", "timers"] {
                let statement = AssertSqlSafe(format!("delete from {table} where game_id = '{game}'"));
                database.connect().await.execute(statement).await.unwrap();
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_rematch_came_to_nothing_either_seat_asks_anew_and_the_other_finds_the_same() {
    let database = Cluster::shared().database().await;
    let [one, other] = [Server::start(&database), Server::start(&database)];
    for nothing in NOTHING {
        for (asker, later) in [(Host, Host), (Host, Guest), (Guest, Host), (Guest, Guest)] {
            let ended = won(&one).await;
            let first = ask_with(&one, &ended, asker, "first").await;
            comes_to(nothing, &database, &one, &ended, &first, asker).await;
            assert_eq!(ended.look(&one, None).await.header("etag"), Some("\"5-spectator-next\""));

            let anew = ask_with(&other, &ended, later, "second").await;
            let met = ask(&one, &ended, later.other()).await;

            assert_ne!(id(&anew), id(&first), "{nothing:?}");
            assert_eq!(id(&anew), id(&met));
            assert_ne!(anew.json["token"], first.json["token"]);
            let seen = ended.look(&other, Some(Host)).await;
            assert_eq!((&seen.expect(200)["next"], seen.header("etag")), (id(&anew), Some("\"5-host-next2\"")));
            let log = one.get(&format!("/v1/games/{}/events", id(&anew).as_str().unwrap()), None).await;
            assert_eq!(log.expect(200)["events"][0]["rematch_of"], json!(ended.id));
            // Whoever looked before is told that something has changed, and only then.
            for (tag, status) in [("\"5-host\"", 200), ("\"5-host-next\"", 200), ("\"5-host-next2\"", 304)] {
                let look = authorized(one.request(Method::GET, &ended.path("")), Some(&ended.host));
                assert_eq!(send(look.header("if-none-match", tag)).await.status, status);
            }
            // It is not asked for a third time while it can be played, and the keys have their replies.
            assert_eq!(essence(&ask_with(&one, &ended, later, "second").await), essence(&anew));
            assert_eq!(ask(&one, &ended, later).await.text, anew.text);
            let repeated = ask_with(&other, &ended, asker, "first").await;
            if nothing == Nothing::Deleted {
                // With the game its replies are gone, and the key is as good as a new one.
                assert_eq!(id(&repeated), id(&anew));
            } else {
                assert_eq!(essence(&repeated), essence(&first));
            }
            for seating in [&anew, &met] {
                act(&one, seating, "/place", &usual().to_json()).await.expect(200);
            }
            act(&one, &met, "/resign", &json!({})).await.expect(200);
            assert_eq!(id(&ask(&one, &ended, Host).await), id(&anew), "what was played is the rematch for ever");
            let verified = one.get(&ended.path("/verify"), None).await;
            assert_eq!(verified.expect(200)["ok"], true, "{}", verified.text);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_rematch_that_comes_to_nothing_makes_room_for_another_and_each_key_keeps_its_reply() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let ended = won(&server).await;
    let mut asked = Vec::new();
    for round in 1..=11 {
        let (seat, key) = (if round % 3 == 0 { Guest } else { Host }, format!("round-{round}"));
        let reply = ask_with(&server, &ended, seat, &key).await;
        let tag = if round == 1 { "\"5-guest-next\"".to_owned() } else { format!("\"5-guest-next{round}\"") };
        assert_eq!(ended.look(&server, Some(Guest)).await.header("etag"), Some(tag.as_str()));
        act(&server, &reply, "/resign", &json!({})).await.expect(200);
        asked.push((seat, key, reply));
    }

    for (seat, key, reply) in &asked {
        assert_eq!(essence(&ask_with(&server, &ended, *seat, key).await), essence(reply));
        let (path, shots) = (ended.path("/fire"), json!({"shots": ["A1"]}));
        let fire = server.post_with_key(&path, Some(ended.token(*seat)), key, &shots).await;
        fire.refuses(422, "idempotency_mismatch");
    }
    let games: std::collections::BTreeSet<_> = asked.iter().map(|(_, _, reply)| id(reply).as_str().unwrap()).collect();
    assert_eq!(games.len(), asked.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn both_who_ask_anew_at_the_same_moment_on_two_servers_meet_in_one_game() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let ended = won(&servers[0]).await;
    ask(&servers[0], &ended, Host).await.expect(201);
    for round in 2..20_usize {
        let last = ended.see(&servers[0], None).await["next"].clone();
        let host = ask(&servers[1], &ended, Host).await;
        assert_eq!(id(&host), &last);
        act(&servers[0], &host, "/resign", &json!({})).await.expect(200);

        let requests: Vec<_> = (0..8)
            .map(|turn: usize| {
                let seat = if turn.is_multiple_of(2) { Host } else { Guest };
                post(&servers[(turn / 2 + round) % 2], &ended.path("/rematch"), Some(ended.token(seat)), &json!({}))
            })
            .collect();
        let replies = at_once(&requests).await;

        let games: std::collections::BTreeSet<_> = replies.iter().map(|reply| id(reply).as_str().unwrap()).collect();
        assert_eq!(games.len(), 1, "{replies:?}");
        let next = ended.look(&servers[1], None).await;
        assert_eq!(next.json["next"], json!(games.first().unwrap()));
        assert_eq!(next.header("etag"), Some(format!("\"5-spectator-next{round}\"").as_str()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_against_a_bot_that_was_called_off_is_asked_for_anew() {
    let server = Server::shared().await;
    let ended = Table::create(&server, &json!({"bot": "easy"})).await;
    ended.place(&server, Host, &usual()).await.expect(200);
    ended.resign(&server, Host).await.expect(200);
    let first = ask(&server, &ended, Host).await;
    act(&server, &first, "/resign", &json!({})).await.expect(200);

    let anew = ask(&server, &ended, Host).await;

    assert_ne!(id(&anew), id(&first));
    assert_eq!(anew.json["game"]["players"]["guest"]["bot"], "easy");
    assert_eq!(ask(&server, &ended, Host).await.text, anew.text);
    act(&server, &anew, "/place", &usual().to_json()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_key_of_a_rematch_is_kept_with_its_path_and_body() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    for seat in [Host, Guest] {
        let ended = won(&servers[0]).await;
        let raw = |key: &str, below: &str, body: &'static str| {
            let request = authorized(servers[0].request(Method::POST, &ended.path(below)), Some(ended.token(seat)));
            send(request.header("idempotency-key", key).header("content-type", "application/json").body(body))
        };
        let keys = ["k1", "k2", "k3"];
        let mut replies = Vec::new();
        for (server, key) in servers.iter().cycle().zip(keys) {
            replies.push(ask_with(server, &ended, seat, key).await);
        }
        assert!(replies.iter().all(|reply| essence(reply) == essence(&replies[0]) && reply.status == 201));
        // The other seat comes, and they play: nothing of that is a matter of the keys.
        let other = ask_with(&servers[1], &ended, seat.other(), "k1").await;
        act(&servers[0], &other, "/place", &usual().to_json()).await.expect(200);

        for key in keys {
            for (below, body) in [
                ("/fire", "{\"shots\":[\"A1\"]}"),
                ("/reveal", "{\"cells\":[\"A1\"]}"),
                ("/place", "{\"ships\":[],\"mines\":[]}"),
                ("/resign", "{}"),
                ("/rematch", "{ }"),
                ("/rematch", ""),
            ] {
                raw(key, below, body).await.refuses(422, "idempotency_mismatch");
            }
            for server in &servers {
                assert_eq!(essence(&ask_with(server, &ended, seat, key).await), essence(&replies[0]), "{key}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_with_two_bodies_at_the_same_moment_is_kept_once() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    for round in 0..12 {
        let ended = won(&servers[0]).await;
        if round % 2 == 0 {
            ask(&servers[0], &ended, if round % 4 == 0 { Host } else { Guest }).await.expect(201);
        }
        let request = |server: &Server, body: &'static str| {
            let request = authorized(server.request(Method::POST, &ended.path("/rematch")), Some(&ended.host));
            send(request.header("idempotency-key", "k").header("content-type", "application/json").body(body))
        };

        let (one, other) = tokio::join!(request(&servers[0], "{}"), request(&servers[1], "{ }"));

        let accepted = [&one, &other].into_iter().filter(|reply| reply.status == 201).count();
        let refused = [&one, &other].into_iter().find(|reply| reply.status != 201);
        assert_eq!(accepted, 1, "{one:?} {other:?}");
        refused.unwrap().refuses(422, "idempotency_mismatch");
    }
}
