//! Tables of another making, and servers that wait for each other to make them.

use std::time::Duration;

use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::startup::run::{ENDED, Running, run};
use ground::cluster::{Cluster, Database};
use ground::handmade::Handmade;
use ground::server::{Server, program};
use ground::signals::send;

/// Half a minute, and as much again for a busy machine.
const MIGRATION_LOCK: Duration = Duration::from_mins(1);

/// A database with the tables of this release.
async fn migrated() -> Database {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    send(server.id(), Signal::TERM);
    assert_eq!(server.ends_within(ENDED), Some(0));
    database
}

fn refusal(database: &Database) -> String {
    let ended = run(program().env("DATABASE_URL", database.url()).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));
    let line = ended.one_line().to_owned();
    assert!(!line.contains("at line"), "{line}");
    line
}

#[tokio::test]
async fn a_database_of_a_later_release_or_another_program_is_told_from_one_that_is_its_own() {
    let later = "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
                 values (99999999999999, 'later', true, '\\x00', 0)";
    for (change, told) in [
        (later, "made by a later release of Naval Battle"),
        ("update _sqlx_migrations set checksum = '\\x00'", "has been modified"),
        ("update _sqlx_migrations set version = version + 1", "not of Naval Battle's making"),
        ("drop table _sqlx_migrations", "relation \"games\" already exists"),
    ] {
        let database = migrated().await;
        database.connect().await.execute(AssertSqlSafe(change)).await.unwrap();

        let line = refusal(&database);

        assert!(line.contains(told) && line.contains("name a"), "{line}");
    }
}

#[tokio::test]
async fn tables_that_search_path_does_not_lead_to_are_named_and_not_made_anew() {
    let database = migrated().await;
    let mut direct = database.connect().await;
    let lead = format!("create schema other; alter database {} set search_path = other", database.name());
    direct.execute(AssertSqlSafe(lead)).await.unwrap();

    let line = refusal(&database);

    assert!(line.contains("in the schema public") && line.contains("set search_path = public"), "{line}");
    let made = "select count(*) from pg_tables where schemaname = 'other'";
    assert_eq!(sqlx::query_scalar::<_, i64>(made).fetch_one(&mut direct).await.unwrap(), 0);
}

#[tokio::test]
async fn a_lock_for_migrations_that_nobody_lets_go_is_waited_for_half_a_minute_and_its_holder_told() {
    let database = Cluster::shared().database().await;
    // As that of a server that is gone, whose session a pooler has kept.
    let mut holder = database.connect().await;
    let mut first =
        Running::start(program().env("DATABASE_URL", database.url()).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));
    // It tells us under which number it locks.
    let number = "select (classid::bigint << 32) | objid::bigint from pg_locks
                   where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())";
    let number: i64 = loop {
        if let Some(number) = sqlx::query_scalar(number).fetch_optional(&mut holder).await.unwrap() {
            break number;
        }
        assert!(first.child.try_wait().unwrap().is_none());
    };
    holder.execute("set application_name = 'left behind'").await.unwrap();
    sqlx::query("select pg_advisory_lock($1)").bind(number).execute(&mut holder).await.unwrap();
    send(first.child.id(), Signal::TERM);
    first.end(ENDED);
    // It starts as long as there is nothing to do, and would have to wait otherwise.
    drop(Server::start(&database));
    holder
        .execute("delete from _sqlx_migrations where version = (select max(version) from _sqlx_migrations)")
        .await
        .unwrap();

    let mut second =
        Running::start(program().env("DATABASE_URL", database.url()).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));
    let ended = second.end(MIGRATION_LOCK);

    let line = ended.one_line();
    assert!(line.contains("30 seconds") && line.contains("left behind"), "{line}");
}

#[tokio::test]
async fn a_postgres_that_is_a_standby_is_one_line() {
    let mut handmade = Handmade::trusting(&[]);
    handmade.stop();
    handmade.become_standby();
    handmade.start_again();

    let line = refusal(&handmade.database());

    assert!(line.contains("standby") && line.contains("primary"), "{line}");
}
