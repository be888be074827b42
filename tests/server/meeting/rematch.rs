use reqwest::Method;
use serde_json::{Value, json};

use ground::cluster::Cluster;
use ground::ledger;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout, usual};
use ground::wire::{at_once, post};
use testing::model::Seat;

use Seat::{Guest, Host};

async fn again(server: &Server, table: &Table, seat: Seat) -> Reply {
    server.post(&table.path("/rematch"), Some(table.token(seat)), &json!({})).await
}

async fn again_with(server: &Server, table: &Table, seat: Seat, key: &str, body: &'static str) -> Reply {
    let request = authorized(server.request(Method::POST, &table.path("/rematch")), Some(table.token(seat)));
    send(request.header("idempotency-key", key).header("content-type", "application/json").body(body)).await
}

/// A game that the host has lost, between players with names.
async fn lost_by_host(server: &Server) -> Table {
    let mut table = Table::create(server, &json!({"name": "Anna", "options": {"grid": 12}})).await;
    let joined = server.post(&table.path("/join"), None, &json!({"name": "Bo"})).await;
    joined.expect(201)["token"].as_str().unwrap().clone_into(&mut table.guest);
    for seat in [Host, Guest] {
        table.place(server, seat, &layout(FLEET, "J10 L12")).await.expect(200);
    }
    table.resign(server, Host).await.expect(200);
    table
}

/// The table of the new game, from both replies.
fn table_of(host: &Reply, guest: &Reply) -> Table {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(host.expect(201)["game"]["id"], guest.expect(201)["game"]["id"]);
    let [host, guest] = [&host.json, &guest.json];
    assert_eq!((&host["seat"], &guest["seat"]), (&json!("host"), &json!("guest")));
    Table { id: text(&host["game"]["id"]), host: text(&host["token"]), guest: text(&guest["token"]) }
}

#[tokio::test]
async fn r22_either_seat_asks_first_both_keep_their_seats_and_the_loser_shoots_first() {
    let server = Server::shared().await;
    for asker in [Host, Guest] {
        let ended = lost_by_host(&server).await;
        let before = ended.look(&server, Some(Host)).await;
        assert_eq!((before.header("etag"), &before.json["next"]), (Some("\"5-host\""), &Value::Null));

        let first = again(&server, &ended, asker).await;
        let created = first.expect(201)["game"].clone();
        let second = again(&server, &ended, asker.other()).await;

        assert_eq!(first.header("cache-control"), Some("no-store"));
        assert_eq!(first.header("etag"), Some(format!("\"1-{}\"", asker.name()).as_str()));
        assert_eq!(first.header("location"), Some(format!("/v1/games/{}", created["id"].as_str().unwrap()).as_str()));
        assert_eq!(created["options"]["first"], "host");
        assert_eq!((&created["options"]["grid"], &created["status"]), (&json!(12), &json!("waiting")));
        // First the seat that is taken, whichever it is.
        let [placing, joining] = [&created["awaiting"][0], &created["awaiting"][1]];
        assert_eq!((&placing["seat"], &placing["action"]), (&json!(asker.name()), &json!("place")));
        assert_eq!((&joining["seat"], &joining["action"]), (&json!(asker.other().name()), &json!("join")));
        assert!(placing["until"].is_null() && joining["until"].is_string());
        assert_eq!(created["players"][asker.other().name()], Value::Null);
        assert!(created["players"][asker.name()].is_object());
        let table = if asker == Host { table_of(&first, &second) } else { table_of(&second, &first) };
        let log = table.log(&server).await;
        assert_eq!((&log[0]["type"], &log[0]["seat"]), (&json!("created"), &json!(asker.name())));
        assert_eq!(log[0]["rematch_of"], ended.id);
        assert_eq!((&log[1]["type"], &log[1]["seat"]), (&json!("joined"), &json!(asker.other().name())));
        let game = table.see(&server, None).await;
        assert_eq!(
            (&game["players"]["host"]["name"], &game["players"]["guest"]["name"]),
            (&json!("Anna"), &json!("Bo"))
        );
        assert_eq!((&game["first"], &game["status"]), (&json!("host"), &json!("placing")));
        for told in [&created, &second.json["game"], &game] {
            assert_eq!((&told["rematch_of"], &told["next"]), (&json!(ended.id), &Value::Null));
        }
        assert_eq!(before.json["rematch_of"], Value::Null);
        let replayed = server.get(&table.path("/replay?upto=1"), None).await;
        assert_eq!(replayed.expect(200)["rematch_of"], ended.id);

        // The ended game leads to the new one, and whoever has seen it before is told.
        for (eyes, word) in [(Some(Host), "host"), (Some(Guest), "guest"), (None, "spectator")] {
            let after = ended.look(&server, eyes).await;
            assert_eq!(after.expect(200)["next"], game["id"]);
            assert_eq!(after.header("etag"), Some(format!("\"5-{word}-next\"").as_str()));
            let unchanged =
                authorized(server.request(Method::GET, &ended.path("")), eyes.map(|seat| ended.token(seat)));
            let with = |tag: String| unchanged.try_clone().unwrap().header("if-none-match", tag);
            send(with(format!("\"5-{word}\""))).await.expect(200);
            send(with(format!("\"5-{word}-next\""))).await.expect(304);
        }

        // It is played like any game.
        for seat in [Guest, Host] {
            table.place(&server, seat, &layout(FLEET, "J10 L12")).await.expect(200);
        }
        table.fire(&server, Host, "A2").await.expect(200);
        table.resign(&server, Guest).await.expect(200);
        ledger::check_chain(&table.log(&server).await);
        let verified = server.get(&table.path("/verify"), None).await;
        assert_eq!(
            (&verified.json["ok"], &verified.json["complete"]),
            (&json!(true), &json!(true)),
            "{}",
            verified.text
        );
        let third = again(&server, &table, Host).await;
        assert_eq!(third.expect(201)["game"]["options"]["first"], "guest");
    }
}

#[tokio::test]
async fn without_a_winner_it_is_as_before_who_shoots_first() {
    let server = Server::shared().await;
    for first in ["host", "guest", "random"] {
        let ended = Table::joined(&server, &json!({"first": first})).await;
        ended.resign(&server, Guest).await.expect(200);

        let again = again(&server, &ended, Guest).await;

        assert_eq!(again.expect(201)["game"]["options"]["first"], first);
    }
}

#[tokio::test]
async fn whoever_asks_again_gets_the_same_reply_with_or_without_a_key() {
    let database = Cluster::shared().database().await;
    let [one, other] = [Server::start(&database), Server::start(&database)];
    let ended = lost_by_host(&one).await;

    let first = again_with(&one, &ended, Host, "k", "{}").await;
    let guest = again_with(&other, &ended, Guest, "k", "").await;
    let table = table_of(&first, &guest);
    table.place(&one, Host, &layout(FLEET, "J10 L12")).await.expect(200);

    for server in [&one, &other] {
        for (seat, original, body) in [(Host, &first, "{}"), (Guest, &guest, "")] {
            let keyed = again_with(server, &ended, seat, "k", body).await;
            assert_eq!((keyed.status, &keyed.text), (201, &original.text));
            assert_eq!(keyed.header("etag"), original.header("etag"));
            assert_eq!(again(server, &ended, seat).await.text, original.text);
            again_with(server, &ended, seat, "k", "{ }").await.refuses(422, "idempotency_mismatch");
        }
    }
    assert_eq!(table.log(&one).await.len(), 3);
    // A key belongs to one request of the game, whichever game holds what it did.
    let fire = authorized(one.request(Method::POST, &ended.path("/fire")), Some(&ended.host));
    let fire = fire.header("idempotency-key", "k").json(&json!({"shots": ["A1"]}));
    send(fire).await.refuses(422, "idempotency_mismatch");
}

#[tokio::test]
async fn a_key_of_the_ended_game_is_no_key_for_its_rematch() {
    let server = Server::shared().await;
    let ended = Table::in_battle(&server).await;
    let fire = authorized(server.request(Method::POST, &ended.path("/fire")), Some(&ended.host));
    send(fire.header("idempotency-key", "k").json(&json!({"shots": ["A1"]}))).await.expect(200);
    ended.resign(&server, Guest).await.expect(200);

    again_with(&server, &ended, Host, "k", "{}").await.refuses(422, "idempotency_mismatch");

    assert_eq!(ended.see(&server, None).await["next"], Value::Null);
    again_with(&server, &ended, Guest, "k", "{}").await.expect(201);
}

#[tokio::test]
async fn before_the_end_and_without_an_opponent_there_is_no_rematch() {
    let server = Server::shared().await;
    let waiting = Table::create(&server, &json!({})).await;
    again(&server, &waiting, Host).await.refuses(409, "not_over");
    waiting.resign(&server, Host).await.expect(200);
    again(&server, &waiting, Host).await.refuses(409, "not_joined");
    let running = Table::in_battle(&server).await;
    for seat in [Host, Guest] {
        again(&server, &running, seat).await.refuses(409, "not_over");
    }
    running.resign(&server, Host).await.expect(200);
    let nobody = server.post(&running.path("/rematch"), None, &json!({})).await;
    nobody.refuses(401, "unauthorized");
    let stranger = server.post(&running.path("/rematch"), Some(&waiting.host), &json!({})).await;
    stranger.refuses(401, "unauthorized");
    let odd = server.post(&running.path("/rematch"), Some(&running.host), &json!({"grid": 8})).await;
    odd.refuses(400, "malformed");
    assert_eq!(running.see(&server, None).await["next"], Value::Null);
}

#[tokio::test]
async fn the_seat_is_kept_for_who_had_it() {
    let server = Server::shared().await;
    let ended = lost_by_host(&server).await;
    let first = again(&server, &ended, Guest).await;
    let game = first.expect(201)["game"]["id"].as_str().unwrap().to_owned();
    let token = first.json["token"].as_str().unwrap().to_owned();
    let join = format!("/v1/games/{game}/join");

    server.post(&join, None, &json!({})).await.refuses(409, "game_full");
    server.post(&join, Some(&token), &json!({})).await.refuses(409, "own_game");
    server.post(&join, Some(&ended.guest), &json!({})).await.refuses(401, "unauthorized");
    let place = format!("/v1/games/{game}/place");
    let hidden = layout(FLEET, "J10 L12").to_json();
    server.post(&place, Some(&token), &hidden).await.expect(200);
    server.post(&place, Some(&token), &hidden).await.refuses(409, "already_placed");
    let listed = server.get("/v1/games?limit=100", None).await;
    assert!(!listed.text.contains(&game));

    again(&server, &ended, Host).await.expect(201);
    server.post(&join, None, &json!({})).await.refuses(409, "game_full");
}

#[tokio::test]
async fn a_rematch_that_nobody_comes_to_expires() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let ended = Table::in_battle(&server).await;
    ended.resign(&server, Host).await.expect(200);
    let first = again(&server, &ended, Host).await;
    let table = Table::of(first.expect(201));

    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let late = again(&server, &ended, Guest).await;

    let game = table.see(&server, Some(Host)).await;
    assert_eq!(game["result"], json!({"winner": null, "reason": "expired"}));
    assert_ne!(late.expect(201)["game"]["id"], first.json["game"]["id"]);
}

#[tokio::test]
async fn both_who_ask_at_the_same_moment_on_two_servers_meet_in_one_game() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    for round in 0..40 {
        let ended = Table::in_battle(&servers[0]).await;
        ended.resign(&servers[0], if round % 2 == 0 { Host } else { Guest }).await.expect(200);

        // Each seat asks four times, on either server.
        let requests: Vec<_> = (0..8)
            .map(|turn: usize| {
                let seat = if turn.is_multiple_of(2) { Host } else { Guest };
                let server = &servers[(turn / 2 + round) % 2];
                post(server, &ended.path("/rematch"), Some(ended.token(seat)), &json!({}))
            })
            .collect();
        let replies = at_once(&requests).await;

        let of = |parity: usize| replies.iter().skip(parity).step_by(2).collect::<Vec<_>>();
        let table = table_of(of(0)[0], of(1)[0]);
        for same in [of(0), of(1)] {
            assert!(same.iter().all(|reply| reply.text == same[0].text), "{same:?}");
        }
        let log = table.log(&servers[1]).await;
        let kinds: Vec<_> = log.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["created", "joined"]);
        assert_eq!(ended.see(&servers[0], None).await["next"], table.id);
        table.place(&servers[0], Host, &usual()).await.expect(200);
        table.place(&servers[1], Guest, &usual()).await.expect(200);
    }
}
