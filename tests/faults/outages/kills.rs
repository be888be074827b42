//! A server that is killed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::Value;
use tokio::time::sleep;

use crate::outages::ground::{Ground, next_shot};
use ground::cluster::Cluster;
use ground::ledger;
use ground::signals::send;
use ground::table::{Table, usual};
use ground::wire::ask;

#[tokio::test]
async fn a_server_that_is_killed_under_load_leaves_every_acknowledged_move_once() {
    let database = Cluster::shared().database().await;
    let mut ground = Ground::on(database.clone(), None);
    let tables = join_all((0..8).map(|_| Table::in_battle(&ground.server))).await;
    let mut kept: Vec<(usize, Value)> = Vec::new();
    for round in 0..4 {
        let victim = ground.server.id();
        let answered = AtomicUsize::new(0);
        let players = tables.iter().enumerate().map(|(number, table)| {
            let (server, answered) = (&ground.server, &answered);
            async move {
                let mut acknowledged = Vec::new();
                while let Some(shot) = next_shot(server, table).await {
                    let shot = shot.with("Idempotency-Key", &format!("{round}-{}", acknowledged.len()));
                    let Some(reply) = ask(&shot).await else { return (acknowledged, Some((number, shot))) };
                    acknowledged.push((number, reply.expect(200)["events"][0].clone()));
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                (acknowledged, None)
            }
        });

        let (played, ()) = tokio::join!(join_all(players.collect::<Vec<_>>()), async {
            while answered.load(Ordering::Relaxed) < 30 {
                sleep(Duration::from_millis(1)).await;
            }
            send(victim, Signal::KILL);
        });
        ground.kept_its_secrets(&tables).await;
        ground = Ground::on(database.clone(), None);
        for (acknowledged, unanswered) in played {
            kept.extend(acknowledged);
            // Whether it counts already or not: with its key it counts once.
            if let Some((number, shot)) = unanswered {
                let reply = ask(&shot.to(&ground.server)).await.unwrap();
                kept.push((number, reply.expect(200)["events"][0].clone()));
            }
        }
    }

    for (number, table) in tables.iter().enumerate() {
        let log = ledger::check(&ground.server, table, &usual(), &usual()).await;
        for (_, event) in kept.iter().filter(|(of, _)| *of == number) {
            assert_eq!(log.iter().filter(|logged| *logged == event).count(), 1, "{event}");
        }
    }
    ground.is_at_rest().await;
}
