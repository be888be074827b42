//! A Postgres that is gone, hung, or so slow that it might as well be.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tokio::time::sleep;

use crate::outages::ground::{ANSWERED, ENDED, Ground, fire, next_shot};
use ground::cluster::Cluster;
use ground::proxy::Proxy;
use ground::server::Server;
use ground::signals::{Hung, children_of, send};
use ground::table::Table;
use ground::wire::{Line, Written, ask, at_once, get, post, timed};
use testing::model::Seat::Host;

#[tokio::test]
async fn without_postgres_it_is_503_and_once_postgres_is_back_all_is_well() {
    for signal in [Signal::QUIT, Signal::KILL] {
        let mut cluster = Cluster::start();
        let ground = Ground::on(cluster.database().await, None);
        let server = &ground.server;
        let table = Table::in_battle(server).await;
        let open = Table::create(server, &json!({})).await;
        ground.uses_all_connections(&table).await;

        cluster.end(signal);

        ground.is_unavailable(&table, &open).await;
        cluster.start_again();
        // One after the other, and first those that a connection which broke meanwhile would spoil.
        for _ in 0..16 {
            server.post("/v1/games", None, &json!({})).await.expect(201);
        }
        ground.is_well(&table, &open, 4).await;
        ground.kept_its_secrets(&[table]).await;
    }
}

#[tokio::test]
async fn a_restart_of_postgres_that_nobody_noticed_spoils_no_request() {
    let mut cluster = Cluster::start();
    let ground = Ground::on(cluster.database().await, None);
    let server = &ground.server;
    let table = Table::in_battle(server).await;
    let open = Table::create(server, &json!({})).await;
    for first in ["create", "look", "fire"] {
        ground.uses_all_connections(&table).await;
        let before = table.log(server).await.len();
        let shot = next_shot(server, &table).await.unwrap();

        cluster.end(Signal::QUIT);
        cluster.start_again();

        match first {
            "create" => drop(Table::create(server, &json!({})).await),
            "look" => drop(table.look(server, None).await.expect(200)),
            _ => drop(ask(&shot).await.unwrap().expect(200)),
        }
        assert_eq!(table.log(server).await.len(), before + usize::from(first == "fire"));
    }
    ground.is_well(&table, &open, 5).await;
}

#[tokio::test]
async fn a_game_expires_in_time_though_postgres_was_restarted_meanwhile() {
    let mut cluster = Cluster::start();
    let database = cluster.database().await;
    let environment = [("NAVAL_BATTLE_CONNECTIONS", "40"), ("NAVAL_BATTLE_EXPIRE_AFTER", "4")];
    let server = Server::start_with(&database, &environment);
    let ground = Ground { proxy: Proxy::start(&database), database, server };
    let table = Table::in_battle(&ground.server).await;
    while ground.backends().await.len() < 40 {
        let looks: Vec<Written> = (0..160).map(|_| get(&ground.server, &table.path(""), None)).collect();
        at_once(&looks).await;
    }
    let open = Table::create(&ground.server, &json!({})).await;

    // Every connection that the server has is broken, and nobody asks for anything.
    cluster.end(Signal::QUIT);
    cluster.start_again();

    // For as long as Postgres was away the game goes on.
    let lateness = "select extract(epoch from (after.body::json ->> 'at')::timestamptz - before.due_at)::float8
                      from logs before join logs after on after.game_id = before.game_id and after.seq = before.seq + 1
                     where after.game_id = $1::text::uuid and after.status = 4";
    let mut direct = ground.database.connect().await;
    let late: f64 = loop {
        let late = sqlx::query_scalar(lateness).bind(&open.id).fetch_optional(&mut direct).await.unwrap();
        match late {
            Some(late) => break late,
            None => sleep(Duration::from_millis(50)).await,
        }
    };
    // Two seconds by the contract, and as much again for a busy machine.
    assert!((1.0..4.0).contains(&late), "{late} s late");
}

#[tokio::test]
async fn a_hung_postgres_is_503_within_three_seconds_and_heals_when_it_goes_on() {
    let cluster = Cluster::start();
    let ground = Ground::on(cluster.database().await, None);
    let table = Table::in_battle(&ground.server).await;
    let open = Table::create(&ground.server, &json!({})).await;
    ground.uses_all_connections(&table).await;
    let postmaster = cluster.postmaster_id();

    let hung = Hung::new(&[vec![postmaster], children_of(postmaster)].concat());

    ground.is_unavailable(&table, &open).await;
    drop(hung);
    ground.is_well(&table, &open, 4).await;
    ground.kept_its_secrets(&[table]).await;
}

#[tokio::test]
async fn sessions_that_hang_while_postgres_goes_on_are_replaced() {
    let cluster = Cluster::start();
    let ground = Ground::on(cluster.database().await, None);
    let server = &ground.server;
    let table = Table::in_battle(server).await;
    let open = Table::create(server, &json!({})).await;
    ground.uses_all_connections(&table).await;

    let hung = Hung::new(&ground.backends().await);

    // Twelve hang, and those who asked them have given up.
    for _ in 0..12 {
        let mut line = Line::for_request(&get(server, &table.path(""), None)).await;
        line.send(&get(server, &table.path(""), None)).await;
        sleep(Duration::from_millis(20)).await;
        line.reset();
    }
    let looks: Vec<Written> = (0..40).map(|_| get(server, &table.path(""), None)).collect();
    let (replies, time) = timed(at_once(&looks)).await;
    assert!(time < ANSWERED, "{time:?}");
    for reply in replies {
        if reply.status != 200 {
            reply.refuses(503, "unavailable");
        }
    }
    // Whoever hangs is given up, and those who come next are served by new sessions.
    let mut waited = 0;
    while table.look(server, None).await.status != 200 {
        waited += 1;
        assert!(waited < 10, "the server does not heal");
    }
    drop(hung);
    ground.is_well(&table, &open, 4).await;
}

#[tokio::test]
async fn a_server_whose_postgres_hangs_ends_when_it_is_told_to() {
    let cluster = Cluster::start();
    let ground = Ground::on(cluster.database().await, None);
    let table = Table::in_battle(&ground.server).await;
    ground.uses_all_connections(&table).await;
    let postmaster = cluster.postmaster_id();
    let hung = Hung::new(&[vec![postmaster], children_of(postmaster)].concat());
    // Somebody waits, and somebody has vanished.
    let look = get(&ground.server, &table.path(""), None);
    for _ in 0..6 {
        let mut line = Line::for_request(&look).await;
        line.send(&look).await;
        line.reset();
    }
    let mut waiting = Line::for_request(&look).await;
    waiting.send(&look).await;
    sleep(Duration::from_millis(300)).await;

    send(ground.server.id(), Signal::TERM);

    let reply = waiting.reply().await;
    reply.expect("a request under way is answered").refuses(503, "unavailable");
    assert_eq!(ground.server.ends_within(ENDED), Some(0));
    drop(hung);
}

#[tokio::test]
async fn what_was_unavailable_before_it_was_written_never_comes_about() {
    let ground = Ground::behind_a_proxy().await;
    let Ground { server, proxy, .. } = &ground;
    let table = Table::in_battle(server).await;
    let open = Table::create(server, &json!({})).await;
    ground.uses_all_connections(&table).await;
    let requests = [fire(server, &table, Host, "A1"), post(server, &open.path("/join"), None, &json!({}))];

    // The game is not even read within the time that there is.
    proxy.delay(Duration::from_secs(2));
    let (replies, time) = timed(at_once(&requests)).await;
    proxy.delay(Duration::ZERO);

    for reply in replies {
        reply.refuses(503, "unavailable");
    }
    assert!(time < ANSWERED, "{time:?}");
    // Whoever still tried would have done it by now.
    sleep(Duration::from_secs(3)).await;
    ground.is_well(&table, &open, 4).await;
}
