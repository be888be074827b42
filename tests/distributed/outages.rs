//! Nodes that die: what was acknowledged is kept, and nobody else is kept from playing.

use std::time::Duration;

use ground::ledger;
use ground::server::{Reply, Server};
use ground::table::{HARMLESS, Table, usual};
use serde_json::{Value, json};
use testing::model::Seat::{Guest, Host};
use tokio::time::{sleep, timeout};

use crate::clocks::{IN_TIME, PATIENCE, lateness};
use crate::nodes::Nodes;

/// Repeats a request until it is answered with something else than that the server cannot.
async fn answered<R: Future<Output = Reply>>(ask: impl Fn() -> R) -> Reply {
    let repeated = async {
        loop {
            let reply = ask().await;
            if reply.status != 503 {
                return reply;
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(PATIENCE, repeated).await.expect("the server comes back")
}

/// Plays a game to and fro, each shot with a key and again until it is answered; gives how many were acknowledged.
async fn play(server: Server, table: Table, shots: usize) -> usize {
    let mut acknowledged = 0;
    for cell in HARMLESS.split(' ').take(shots) {
        for seat in [Host, Guest] {
            let key = format!("{cell}-{seat:?}-of-this-game-and-no-other");
            let fired = answered(|| {
                let shot = json!({"shots": [cell]});
                let (server, table, key) = (server.afresh(), table.clone(), key.clone());
                async move { server.post_with_key(&table.path("/fire"), Some(table.token(seat)), &key, &shot).await }
            });
            fired.await.expect(200);
            acknowledged += 1;
        }
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_move_is_lost_whichever_node_is_killed() {
    let mut nodes = Nodes::start(2).await;
    let server = nodes.coordinator.serve();
    // With shots that go on and on, nobody's turn is taken by a hit.
    let options = json!({"first": "host", "shoot_again": false});
    for killed in 0..3 {
        let mut playing = Vec::new();
        for _ in 0..6 {
            let table = Table::in_battle_with(&server, &options, &usual(), &usual()).await;
            playing.push((table.clone(), tokio::spawn(play(server.afresh(), table, 25))));
        }
        sleep(Duration::from_millis(500)).await;
        let node = if killed == 2 { &mut nodes.coordinator } else { &mut nodes.workers[killed] };
        node.kill();
        sleep(Duration::from_millis(500)).await;
        node.start_again().await;

        for (table, shots) in playing {
            let acknowledged = shots.await.unwrap();
            let log = ledger::check(&server, &table, &usual(), &usual()).await;
            assert_eq!(log.len(), 4 + acknowledged);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_node_costs_its_own_games_and_nothing_else() {
    let mut nodes = Nodes::start(2).await;
    let server = nodes.coordinator.serve();
    let dead = nodes.workers[1].port;
    let clock = json!({"first": "host", "turn_seconds": 60});
    let (mut here, mut there) = (Vec::new(), Vec::new());
    let lasting = loop {
        let table = Table::in_battle(&server).await;
        if nodes.port_of(&table.id).await != dead {
            break table;
        }
    };
    while here.len() < 2 || there.len() < 2 {
        let table = Table::in_battle_with(&server, &clock, &usual(), &usual()).await;
        let lies_there = nodes.port_of(&table.id).await == dead;
        if lies_there { &mut there } else { &mut here }.push(table);
    }
    let mut open = Vec::new();
    for _ in 0..8 {
        let listed = Table::create(&server, &json!({"listed": true})).await;
        if nodes.port_of(&listed.id).await != dead {
            open.push(listed.id);
        }
    }

    nodes.workers[1].kill();

    for table in &there {
        let refused = table.look(&server, None).await;
        refused.refuses(503, "unavailable");
    }
    table_goes_on(&server, &lasting).await;
    server.get("/readyz", None).await.expect(200);
    let mut made = Vec::new();
    for number in 0..8 {
        let created = server.post("/v1/games", None, &json!({})).await;
        let mut table = Table::of(created.expect(201));
        table.join(&server).await;
        table.place(&server, Host, &usual()).await.expect(200);
        let key = format!("{number}-a-key-that-nobody-else-has-thought-of");
        let first = server.post_with_key("/v1/games", None, &key, &json!({})).await;
        let again = server.post_with_key("/v1/games", None, &key, &json!({})).await;
        assert_eq!(first.expect(201), again.expect(201));
        made.push((key, first.json["game"]["id"].clone()));
    }
    let lobby = server.get("/v1/games", None).await;
    let listed: Vec<&Value> = lobby.expect(200)["games"].as_array().unwrap().iter().map(|game| &game["id"]).collect();
    assert!(open.iter().all(|id| listed.contains(&&json!(id))), "{open:?}: {}", lobby.text);
    for table in &here {
        let late = lateness(&server, table).await;
        assert!(late <= IN_TIME, "{late}");
    }

    nodes.workers[1].start_again().await;

    for table in &there {
        let seen = answered(|| table.look(&server, None)).await;
        seen.expect(200);
        let log = table.log(&server).await;
        assert!(log.len() >= 4);
        // Nobody has lost by the outage.
        assert!(log[4..].iter().all(|event| event["type"] != "timed_out") || log[4]["type"] == "extended", "{log:#?}");
    }
    for (key, id) in made {
        let again = answered(|| {
            let (server, key) = (server.afresh(), key.clone());
            async move { server.post_with_key("/v1/games", None, &key, &json!({})).await }
        });
        assert_eq!(again.await.expect(201)["game"]["id"], id);
    }
}

/// Both seats of a game fire.
async fn table_goes_on(server: &Server, table: &Table) {
    for seat in [Host, Guest] {
        table.fire(server, seat, "J1").await.expect(200);
    }
}
