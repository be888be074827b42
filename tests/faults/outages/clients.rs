//! Clients that vanish while the database is slow.

use std::time::Duration;

use futures_util::future::join_all;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tokio::time::sleep;

use crate::outages::ground::{Ground, next_shot};
use ground::ledger;
use ground::table::{Table, usual};
use ground::wire::{Line, ask, get, post};
use testing::model::Seat::Guest;

#[tokio::test]
async fn what_was_acknowledged_is_there_whoever_else_hung_up_while_the_database_was_slow() {
    let ground = Ground::behind_a_proxy().await;
    let Ground { server, database, .. } = &ground;
    let tables = join_all((0..12).map(|_| Table::in_battle(server))).await;
    let mut dice = ChaCha8Rng::seed_from_u64(20_261_129);
    let mut kept: Vec<(&Table, Value)> = Vec::new();
    let mut vanished = 0;
    ground.proxy.delay(Duration::from_millis(3));

    for _ in 0..40 {
        let shots = join_all(tables.iter().map(|table| next_shot(server, table))).await;
        let clients = tables.iter().zip(&shots).map(|(table, shot)| {
            let patience = dice.random_bool(0.5).then(|| Duration::from_millis(dice.random_range(0..40)));
            let shot = shot.as_ref().expect("the server answers");
            let look = get(server, &table.path(""), Some(&table.host));
            async move {
                let Some(patience) = patience else { return Some((table, ask(shot).await.unwrap())) };
                // Whoever looks and vanishes leaves a statement half done, too.
                let (mut shooter, mut watcher) = (Line::for_request(shot).await, Line::for_request(&look).await);
                shooter.send(shot).await;
                watcher.send(&look).await;
                sleep(patience).await;
                shooter.reset();
                watcher.reset();
                None
            }
        });
        for outcome in join_all(clients.collect::<Vec<_>>()).await {
            match outcome {
                Some((table, reply)) if reply.status == 200 => kept.push((table, reply.json["events"][0].clone())),
                // The shot of somebody who vanished was still under way.
                Some((_, reply)) => assert_eq!(reply.status, 409, "{reply:?}"),
                None => vanished += 1,
            }
        }
    }

    assert!(kept.len() > 100 && vanished > 100, "{} were kept, {vanished} vanished", kept.len());
    let mut direct = database.connect().await;
    for (table, event) in &kept {
        assert_eq!(head_of(&mut direct, table, &event["seq"]).await.as_deref(), event["head"].as_str(), "{event}");
    }
    ground.proxy.delay(Duration::ZERO);
    ground.is_at_rest().await;
    for table in &tables {
        ledger::check(server, table, &usual(), &usual()).await;
    }
    ground.kept_its_secrets(&tables).await;
}

#[tokio::test]
async fn a_game_that_was_created_joined_or_placed_is_there_whoever_else_hung_up() {
    let ground = Ground::behind_a_proxy().await;
    let Ground { server, database, .. } = &ground;
    let mut dice = ChaCha8Rng::seed_from_u64(20_261_130);
    ground.proxy.delay(Duration::from_millis(3));
    let create = post(server, "/v1/games", None, &json!({"listed": true}));

    let mut tables = Vec::new();
    for _ in 0..20 {
        let vanishing = (0..6).map(|_| {
            let patience = Duration::from_millis(dice.random_range(0..40));
            let create = &create;
            async move {
                let mut line = Line::for_request(create).await;
                line.send(create).await;
                sleep(patience).await;
                line.reset();
            }
        });
        let options = json!({});
        let (table, _) = tokio::join!(Table::joined(server, &options), join_all(vanishing.collect::<Vec<_>>()));
        table.place(server, Guest, &usual()).await.expect(200);
        tables.push(table);
    }

    let mut direct = database.connect().await;
    for table in &tables {
        assert!(head_of(&mut direct, table, &json!(3)).await.is_some());
    }
    // Whether or not its host was there to hear of it, a game is whole.
    let halves = "select (select count(*) from games) - (select count(*) from events where seq = 1)
                       + (select count(*) from games) - (select count(*) from timers)";
    assert_eq!(sqlx::query_scalar::<_, i64>(halves).fetch_one(&mut direct).await.unwrap(), 0);
    ground.proxy.delay(Duration::ZERO);
    ground.is_at_rest().await;
    ground.kept_its_secrets(&tables).await;
}

/// The head of an event, past the server.
async fn head_of(direct: &mut PgConnection, table: &Table, seq: &Value) -> Option<String> {
    let head = "select encode(head, 'hex') from events where game_id = $1::text::uuid and seq = $2";
    let head = sqlx::query_scalar(head).bind(&table.id).bind(seq.as_i64());
    head.fetch_optional(direct).await.unwrap()
}
