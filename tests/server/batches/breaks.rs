//! Statements that many moves share and that come to grief: whoever was acknowledged is in the log
//! once, and nobody is there twice.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::Value;
use tokio::time::sleep;

use super::crowd::{ALWAYS, acknowledged, check, database, fire, shared, tables};
use ground::proxy::{Break, Proxy};
use ground::server::Server;
use ground::table::HARMLESS;
use ground::wire::{Written, ask, at_once};
use testing::campaign;
use testing::model::Seat::{Guest, Host};

#[tokio::test]
async fn a_shared_statement_whose_wire_breaks_costs_nobody_a_move_and_doubles_none() {
    let database = database().await;
    let proxy = Proxy::start(&database);
    let server = Server::start_with(&database, &[("DATABASE_URL", proxy.url()), ALWAYS]);
    let tables = tables(&server, 32).await;
    let mut kept = vec![Vec::new(); tables.len()];
    let places = [Break::After, Break::Before, Break::Amid].into_iter().cycle();
    for (round, (cell, place)) in HARMLESS.split(' ').zip(places).take(12).enumerate() {
        let broken = proxy.broken();
        for seat in [Host, Guest] {
            let shots: Vec<Written> = tables.iter().map(|table| fire(&server, table, seat, cell)).collect();
            proxy.break_at(place, "\"type\":\"fired\"");

            let replies = at_once(&shots).await;

            for (kept, reply) in kept.iter_mut().zip(&replies) {
                kept.push(acknowledged(reply));
            }
        }
        assert_eq!(proxy.broken(), broken + 2, "round {round}");
    }

    for (table, acknowledged) in tables.iter().zip(&kept) {
        check(&server, table, acknowledged, 4 + 24).await;
    }
    let (statements, moves) = shared(&server, "write").await;
    assert!(moves > statements, "{moves} moves by {statements} statements");
}

#[tokio::test]
async fn moves_whose_sessions_are_ended_under_way_count_once_with_their_keys() {
    let database = database().await;
    let server = Server::start_with(&database, &[ALWAYS]);
    let tables = tables(&server, 32).await;
    let rounds = campaign(10, 40);
    let is_over = AtomicBool::new(false);
    let ended = async {
        let mut direct = database.connect().await;
        let mut ended = 0;
        while !is_over.load(Ordering::Relaxed) {
            // Whoever writes for many, while it does.
            let end = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                        where datname = current_database() and state = 'active' and query like '%skip locked%'
                          and pid <> pg_backend_pid()";
            ended += sqlx::query_scalar::<_, i64>(end).fetch_one(&mut direct).await.unwrap();
            sleep(Duration::from_millis(3)).await;
        }
        ended
    };
    let play = join_all(tables.iter().map(async |table| {
        let mut kept: Vec<Value> = Vec::new();
        for (number, cell) in HARMLESS.split(' ').take(rounds).enumerate() {
            for seat in [Host, Guest] {
                let shot = fire(&server, table, seat, cell).with("Idempotency-Key", &format!("{number}"));
                // Whether it counted or not: with its key it counts once.
                let reply = loop {
                    let reply = ask(&shot).await.expect("the server answers");
                    if reply.status != 503 {
                        break reply;
                    }
                    reply.refuses(503, "unavailable");
                };
                kept.push(acknowledged(&reply));
                assert_eq!(ask(&shot).await.expect("the server answers").text, reply.text);
            }
        }
        kept
    }));

    let (kept, ended) = tokio::join!(
        async {
            let kept = play.await;
            is_over.store(true, Ordering::Relaxed);
            kept
        },
        ended
    );

    assert!(ended > 0, "no session was ended amid a statement");
    for (table, acknowledged) in tables.iter().zip(&kept) {
        check(&server, table, acknowledged, 4 + 2 * rounds).await;
    }
}
