//! A row that another session holds.

use std::time::Duration;

use serde_json::{Value, json};

use crate::outages::ground::{ANSWERED, Ground, fire, next_shot};
use ground::held::Held;
use ground::ledger;
use ground::table::{HARMLESS, Table, usual};
use ground::wire::{Line, Written, ask, at_once, post, timed};
use testing::model::Seat::{Guest, Host};

#[tokio::test]
async fn a_held_game_is_in_flight_within_three_seconds_and_other_games_do_not_notice() {
    let ground = Ground::new().await;
    let Ground { server, database, .. } = &ground;
    let (held, other) = (Table::in_battle(server).await, Table::in_battle(server).await);
    let holder = Held::take(database, &held).await;

    // Fifty who stay, and before them fifty who do not.
    let pile: Vec<Written> = HARMLESS.split(' ').take(50).map(|cell| fire(server, &held, Host, cell)).collect();
    for cell in HARMLESS.split(' ').skip(50).cycle().take(50) {
        let shot = fire(server, &held, Host, cell);
        let mut line = Line::for_request(&shot).await;
        line.send(&shot).await;
        line.reset();
    }
    let meanwhile = async {
        let mut played = 0;
        for cell in HARMLESS.split(' ').take(20) {
            for seat in [Host, Guest] {
                let (reply, time) = timed(other.fire(server, seat, cell)).await;
                reply.expect(200);
                assert!(time < Duration::from_secs(1), "another game waited for {time:?}");
                played += 1;
            }
        }
        // Whoever only looks does not wait at all.
        held.look(server, Some(Host)).await.expect(200);
        played
    };
    let ((replies, time), played) = tokio::join!(timed(at_once(&pile)), meanwhile);

    assert_eq!(played, 40);
    assert!(time < ANSWERED, "{time:?}");
    for reply in &replies {
        if reply.status != 503 {
            reply.refuses(409, "in_flight");
        }
    }
    assert_eq!(held.log(server).await.len(), 4);
    holder.release().await;
    ground.is_at_rest().await;
    ask(&next_shot(server, &held).await.unwrap()).await.unwrap().expect(200);
    // A shot of one who vanished may have come through, one of those who were refused may not.
    let log = ledger::check(server, &held, &usual(), &usual()).await;
    let refused = |event: &Value| HARMLESS.split(' ').take(50).any(|cell| event["shots"][0]["cell"] == cell);
    let last = log.last().unwrap();
    assert!(log[4..].iter().all(|event| event == last || !refused(event)), "{log:?}");
    ledger::check(server, &other, &usual(), &usual()).await;
    ground.kept_its_secrets(&[held, other]).await;
}

#[tokio::test]
async fn every_action_on_a_held_game_is_in_flight_and_works_once_it_is_released() {
    let ground = Ground::new().await;
    let Ground { server, database, .. } = &ground;
    let open = Table::create(server, &json!({"listed": true})).await;
    let placing = Table::joined(server, &json!({})).await;
    let battle = Table::in_battle(server).await;
    let struck = Table::in_battle(server).await;
    struck.fire(server, Host, "J10").await.expect(200);
    let actions = [
        (&open, post(server, &open.path("/join"), None, &json!({}))),
        (&placing, post(server, &placing.path("/place"), Some(&placing.host), &usual().to_json())),
        (&battle, fire(server, &battle, Host, "A1")),
        (&struck, post(server, &struck.path("/reveal"), Some(&struck.host), &json!({"cells": ["A1"]}))),
        (&battle, post(server, &battle.path("/resign"), Some(&battle.guest), &json!({}))),
    ];
    for (table, action) in &actions {
        let holder = Held::take(database, table).await;
        let (reply, time) = timed(ask(action)).await;
        assert!(time < ANSWERED, "{time:?}");
        reply.unwrap().refuses(409, "in_flight");

        holder.release().await;

        let reply = ask(action).await.unwrap();
        assert!(reply.status < 300, "{reply:?}");
    }
    for table in [&placing, &battle, &struck] {
        ledger::check(server, table, &usual(), &usual()).await;
    }
}
