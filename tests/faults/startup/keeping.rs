//! An embedded Postgres that ends comes back by itself, and no acknowledged move is lost.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::time::Duration;

use rustix::process::Signal;
use sqlx::AssertSqlSafe;

use crate::startup::embedded::{is_ready_again, postmaster_of, stops};
use crate::startup::run::until;
use ground::cluster::{Database, scratch_folder};
use ground::disk::SmallDisk;
use ground::ledger;
use ground::server::Server;
use ground::signals::send;
use ground::table::{Table, usual};
use testing::model::Seat::{Guest, Host};

/// Ten attempts, with pauses of 51 s in all, on a machine that is busy.
const GIVEN_UP: Duration = Duration::from_mins(5);

#[tokio::test]
async fn a_postgres_that_was_killed_comes_back_with_every_move_that_was_acknowledged() {
    let data = scratch_folder("data");
    let server = Server::embedded(&data);
    let table = Table::in_battle(&server).await;
    let cells = ["A1", "B1", "C1"];
    for (signal, cell) in [Signal::KILL, Signal::QUIT, Signal::TERM].into_iter().zip(cells) {
        table.fire(&server, Host, cell).await.expect(200);
        table.fire(&server, Guest, cell).await.expect(200);
        // As long as this is so it stays away.
        let settings = data.join("cluster/postgresql.auto.conf");
        fs::write(&settings, "no_such_setting = on\n").unwrap();
        let ended = postmaster_of(&data);

        send(ended, signal);

        until(|| !ground::signals::all().any(|id| id == ended));
        let refused = table.fire(&server, Host, "J10").await;
        refused.refuses(503, "unavailable");
        assert!(refused.header("retry-after").is_some());
        server.get("/readyz", None).await.refuses(503, "unavailable");
        server.get("/healthz", None).await.expect(200);
        fs::write(&settings, "").unwrap();
        is_ready_again(&server).await;
    }
    table.fire(&server, Host, "D1").await.expect(200);
    // Four to begin with, six shots, and the last one.
    assert_eq!(ledger::check(&server, &table, &usual(), &usual()).await.len(), 11);
    let counts = server.get("/metrics", None).await.text;
    assert!(counts.contains("naval_battle_embedded_restarts_total 3"), "{counts}");
    stops(&server, &data, Signal::TERM);
}

#[tokio::test]
async fn a_postgres_that_does_not_come_back_ends_the_server_with_an_error_that_says_why() {
    let data = scratch_folder("data");
    let server = Server::embedded(&data);
    let table = Table::in_battle(&server).await;
    fs::write(data.join("cluster/postgresql.auto.conf"), "no_such_setting = on\n").unwrap();

    send(postmaster_of(&data), Signal::KILL);

    assert_eq!(server.ends_within(GIVEN_UP), Some(1));
    let log = server.whole_log().await;
    let told = log.lines().last().unwrap();
    assert!(told.starts_with("naval-battle: Postgres ended or could not be started 10 times in a row"), "{told}");
    assert!(told.contains("no_such_setting"), "{told}");
    // Whoever runs it starts it again, and it is as it was.
    fs::write(data.join("cluster/postgresql.auto.conf"), "").unwrap();
    let again = Server::embedded(&data);
    assert_eq!(ledger::check(&again, &table, &usual(), &usual()).await.len(), 4);
    stops(&again, &data, Signal::TERM);
}

#[tokio::test]
async fn a_disk_that_was_full_and_is_free_again_loses_no_move_that_was_acknowledged() {
    let test = "startup::keeping::a_disk_that_was_full_and_is_free_again_loses_no_move_that_was_acknowledged";
    let Some(disk) = SmallDisk::mount(test, 120) else { return };
    let data = disk.folder().join("data");
    let server = Server::embedded(&data);
    let table = Table::in_battle(&server).await;
    let postmaster = postmaster_of(&data);
    let mut direct = Database::embedded_in(&data).connect().await;
    let filler = disk.folder().join("filler");
    io::copy(&mut io::repeat(0).take(1 << 30), &mut File::create(&filler).unwrap()).unwrap_err();

    // The log of changes is filled from aside while both play on.
    let message = "select pg_logical_emit_message(true, '', repeat('x', 1000000))";
    let mut acknowledged = 4;
    let mut shots = (0..).flat_map(|shot| [(Host, shot), (Guest, shot)]).peekable();
    loop {
        let change = sqlx::query(AssertSqlSafe(message)).execute(&mut direct).await;
        let &(seat, shot) = shots.peek().unwrap();
        let cell = format!("{}{}", ["A", "C", "E", "G", "I"][shot % 5], 1 + shot / 5);
        let reply = table.fire(&server, seat, &cell).await;
        if reply.status == 200 {
            acknowledged += 1;
            shots.next();
        } else {
            reply.refuses(503, "unavailable");
        }
        if change.is_err() && !ground::signals::all().any(|id| id == postmaster) {
            break;
        }
    }
    server.get("/readyz", None).await.refuses(503, "unavailable");
    fs::remove_file(&filler).unwrap();

    is_ready_again(&server).await;
    // One that was answered 503 may have been written.
    let kept = ledger::check(&server, &table, &usual(), &usual()).await.len();
    assert!(kept == acknowledged || kept == acknowledged + 1, "{kept} of {acknowledged}");
    stops(&server, &data, Signal::TERM);
}
