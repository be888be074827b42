//! A wire to Postgres that breaks amid a statement.

use std::time::Duration;

use futures_util::future::join;
use serde_json::{Value, json};

use crate::outages::ground::{Ground, fire};
use ground::ledger;
use ground::proxy::Break;
use ground::server::Server;
use ground::table::{HARMLESS, Table, usual};
use ground::wire::{Written, ask, post};
use testing::model::Seat::{Guest, Host};

#[tokio::test]
async fn an_answer_of_postgres_that_is_lost_costs_the_client_nothing() {
    let ground = Ground::behind_a_proxy().await;
    let Ground { server, proxy, .. } = &ground;
    let mut tables = Vec::new();
    for round in 0..4 {
        let mut table = Table::create(server, &json!({"options": {"first": "host"}})).await;

        let joined = ground.loses(Break::After, "joined", &post(server, &table.path("/join"), None, &json!({}))).await;
        joined.expect(201)["token"].as_str().unwrap().clone_into(&mut table.guest);
        let place = |token| post(server, &table.path("/place"), Some(token), &usual().to_json());
        let placed = ground.loses(Break::After, "placed", &place(&table.guest)).await;
        let salt = &placed.expect(200)["salt"];
        assert_eq!(table.look(server, Some(Guest)).await.expect(200)["boards"]["guest"]["salt"], *salt);
        ask(&place(&table.host)).await.unwrap().expect(200);
        let fired = ground.loses(Break::After, "fired", &fire(server, &table, Host, "J10")).await;
        assert_eq!(fired.expect(200)["events"][0]["shots"], json!([{"cell": "J10", "outcome": "mine"}]));
        let reveal = post(server, &table.path("/reveal"), Some(&table.host), &json!({"cells": ["E7"]}));
        ground.loses(Break::After, "revealed", &reveal).await.expect(200);
        let resign = post(server, &table.path("/resign"), Some(&table.host), &json!({}));
        ground.loses(Break::After, "resigned", &resign).await.expect(200);

        assert_eq!(proxy.broken(), 5 * (round + 1));
        assert_eq!(ledger::check(server, &table, &usual(), &usual()).await.len(), 7);
        tables.push(table);
    }
    ground.is_at_rest().await;
    ground.kept_its_secrets(&tables).await;
}

#[tokio::test]
async fn a_statement_that_may_have_been_lost_counts_once_or_not_at_all() {
    let ground = Ground::behind_a_proxy().await;
    let server = &ground.server;
    let table = Table::in_battle(server).await;
    let mut lost = 0;
    for (round, cell) in HARMLESS.split(' ').take(20).enumerate() {
        for seat in [Host, Guest] {
            let before = table.log(server).await.len();
            let place = if round % 2 == 0 { Break::Before } else { Break::Amid };
            let shot = fire(server, &table, seat, cell);

            let reply = ground.loses(place, "fired", &shot).await;

            // What was forwarded may still be carried out, whatever has become of who asked for it.
            ground.is_at_rest().await;
            let after = table.log(server).await.len();
            if reply.status == 200 {
                assert_eq!(after, before + 1);
            } else {
                reply.refuses(503, "unavailable");
                assert!(reply.header("retry-after").is_some());
                assert!(after == before || (after == before + 1 && place == Break::Amid));
                lost += 1;
            }
            if after == before {
                ask(&shot).await.unwrap().expect(200);
            }
        }
    }
    assert!(lost > 0, "no wire broke");
    assert_eq!(ledger::check(server, &table, &usual(), &usual()).await.len(), 4 + 40);
    ground.kept_its_secrets(&[table]).await;
}

#[tokio::test]
async fn a_statement_that_was_lost_is_not_taken_for_what_another_server_wrote_meanwhile() {
    let ground = Ground::behind_a_proxy().await;
    let Ground { server, database, proxy, .. } = &ground;
    let other = Server::start(database);
    let table = Table::in_battle(server).await;
    let shot = fire(server, &table, Host, "A1");
    // Long enough for the other server, which is not behind the proxy, to write before this one looks.
    proxy.delay(Duration::from_millis(100));
    proxy.break_at(Break::Before, "fired");

    let resigned = async {
        while proxy.broken() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        table.resign(&other, Guest).await
    };
    let (reply, resigned) = join(ask(&shot), resigned).await;

    resigned.expect(200);
    reply.unwrap().refuses(409, "game_over");
    proxy.delay(Duration::ZERO);
    let log = table.log(&other).await;
    assert_eq!((log.len(), &log[4]["type"]), (5, &json!("resigned")));
}

#[tokio::test]
async fn what_a_lost_statement_left_open_its_repeat_with_the_same_key_settles() {
    let ground = Ground::behind_a_proxy().await;
    let Ground { server, database, .. } = &ground;
    let mut tables = Vec::new();
    for (round, place) in [Break::Before, Break::Amid, Break::After, Break::Amid].into_iter().enumerate() {
        let repeated = async |event: &str, request: Written| {
            let request =
                request.with("Idempotency-Key", &format!("the-key-of-whoever-sends-{event}-in-round-{round}"));
            let first = ground.loses(place, event, &request).await;
            let repeat = ask(&request).await.unwrap();
            assert!(repeat.status < 300, "{repeat:?}");
            if first.status == 503 {
                // Of an event the server finds out by itself what became of it.
                assert!(place != Break::After || event == "created");
            } else {
                assert_eq!((first.status, &first.text), (repeat.status, &repeat.text));
            }
            repeat.json
        };
        let text = |value: &Value| value.as_str().unwrap().to_owned();

        let created =
            repeated("created", post(server, "/v1/games", None, &json!({"options": {"first": "host"}}))).await;
        let mut table = Table::of(&created);
        let joined = repeated("joined", post(server, &table.path("/join"), None, &json!({}))).await;
        table.guest = text(&joined["token"]);
        let layout = usual().to_json();
        let placed = repeated("placed", post(server, &table.path("/place"), Some(&table.guest), &layout)).await;
        let seen = table.look(server, Some(Guest)).await;
        assert_eq!(seen.expect(200)["boards"]["guest"]["salt"], placed["salt"]);
        ask(&post(server, &table.path("/place"), Some(&table.host), &layout)).await.unwrap().expect(200);
        repeated("fired", fire(server, &table, Host, "J10")).await;
        let given = json!({"cells": ["E7"]});
        repeated("revealed", post(server, &table.path("/reveal"), Some(&table.host), &given)).await;
        repeated("resigned", post(server, &table.path("/resign"), Some(&table.host), &json!({}))).await;

        assert_eq!(ledger::check(server, &table, &usual(), &usual()).await.len(), 7);
        tables.push(table);
    }
    let mut direct = database.connect().await;
    let games: i64 = sqlx::query_scalar("select count(*) from games").fetch_one(&mut direct).await.unwrap();
    assert_eq!(games, 4);
    ground.is_at_rest().await;
    ground.kept_its_secrets(&tables).await;
}

#[tokio::test]
async fn a_game_whose_creation_was_cut_off_is_whole_or_not_there() {
    let ground = Ground::behind_a_proxy().await;
    let server = &ground.server;
    let create = post(server, "/v1/games", None, &json!({"listed": true}));
    for place in [Break::Before, Break::Amid, Break::After] {
        let reply = ground.loses(place, "created", &create).await;

        if reply.status == 201 {
            let id = reply.json["game"]["id"].as_str().unwrap();
            server.get(&format!("/v1/games/{id}"), reply.json["token"].as_str()).await.expect(200);
        } else {
            reply.refuses(503, "unavailable");
            assert!(reply.header("retry-after").is_some());
        }
        ask(&create).await.unwrap().expect(201);
    }
    ground.is_at_rest().await;
}
