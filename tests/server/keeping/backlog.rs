use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::copies::{copy, number, run, until};
use ground::cluster::Cluster;
use ground::server::Server;
use ground::stream::{EventStream, within};
use ground::table::{Table, usual};
use testing::campaign;
use testing::model::Seat::{Guest, Host};

/// The shortest clock there is.
const CLOCK: u32 = 10;

/// A machine that is busy with other tests delays more than a second; a backlog would for a minute.
const LATE: TimeDelta = TimeDelta::seconds(4);

async fn clocked(server: &Server) -> Table {
    Table::in_battle_with(server, &json!({"first": "host", "turn_seconds": CLOCK}), &usual(), &usual()).await
}

/// Waits for a game's end, and tells how long after its deadline it was written.
async fn delay(server: &Server, table: &Table) -> TimeDelta {
    let time = |value: &Value| value.as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    let due = time(&table.see(server, None).await["awaiting"][0]["until"]);
    within(EventStream::of(server, &table.path("/events"), None).await.rest()).await;
    let log = table.log(server).await;
    let last = log.last().unwrap();
    assert_eq!(last["type"], "timed_out", "{last}");
    time(&last["at"]) - due
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_ends_its_game_in_time_whatever_else_is_due_and_whoever_holds_other_rows() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let mut direct = database.connect().await;
    let model = clocked(&servers[0]).await;
    let over = Table::in_battle(&servers[0]).await;
    over.resign(&servers[0], Guest).await.expect(200);
    let past = "check_at = now() - interval '1 hour'";

    // Logs to be packed, some of them under the clocks, and clocks that went off.
    copy(&mut direct, &over.id, campaign(3_000, 30_000).try_into().unwrap(), "nights").await;
    copy(&mut direct, &model.id, 300, "late").await;
    run(&mut direct, "update games set due_at = now() - interval '1 hour' where game_id in (select id from late)")
        .await;
    let mut holder = database.connect().await;
    run(&mut holder, "begin").await;
    for held in [
        "games where game_id in (select id from late order by id limit 20)",
        "timers where game_id in (select id from late order by id desc limit 20)",
        "timers where game_id in (select id from nights order by id desc limit 20)",
    ] {
        assert_eq!(run(&mut holder, &format!("select from {held} for update")).await, 20);
    }
    let go_off = async |direct: &mut PgConnection, what: &str| {
        run(direct, &format!("update timers set {past} where game_id in (select id from {what})")).await
    };
    let free = |games: &str| format!("{games} where id not in (select id from {games} order by id desc limit 20)");
    run(&mut direct, "update timers set kind = 0 where game_id in (select id from nights order by id limit 1000)")
        .await;
    go_off(&mut direct, &free("nights")).await;
    go_off(&mut direct, &free("late")).await;
    let tables = [clocked(&servers[0]).await, clocked(&servers[1]).await, clocked(&servers[0]).await];

    for delay in join_all(tables.iter().map(|table| delay(&servers[1], table))).await {
        assert!(delay >= TimeDelta::seconds(1) && delay < LATE, "{delay}");
    }

    let ended = "select count(*) from games where game_id in (select id from late) and version = 5";
    until(&mut direct, ended, 260).await;
    run(&mut holder, "rollback").await;
    go_off(&mut direct, "late").await;
    go_off(&mut direct, "nights").await;
    until(&mut direct, ended, 300).await;
    until(&mut direct, "select count(*) from logs where seq = 5 and game_id in (select id from late)", 300).await;
    let nights = number(&mut direct, "select count(*) from nights").await;
    until(&mut direct, "select count(*) from archives where game_id in (select id from nights)", nights).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_cannot_be_read_is_put_off_longer_each_time_and_stops_no_other_clock() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let mut direct = database.connect().await;
    let model = clocked(&server).await;
    copy(&mut direct, &model.id, 520, "broken").await;
    run(
        &mut direct,
        r"update games set state = '\xfa', due_at = now() - interval '1 hour' where game_id in (select id from broken)",
    )
    .await;
    run(&mut direct, "update timers set check_at = now() - interval '1 hour' where game_id in (select id from broken)")
        .await;
    let table = clocked(&server).await;

    let delay = delay(&server, &table).await;

    assert!(delay < LATE, "{delay}");
    let put_off = "select count(*) from timers where failures >= 2 and game_id in (select id from broken)";
    until(&mut direct, put_off, 520).await;
    // Twice or thrice in this time, and later each time.
    let times = number(&mut direct, "select max(failures)::int8 from timers").await;
    assert!(times <= 5, "{times}");
    let lines = server.whole_log().await.lines().filter(|line| line.contains("put off")).count();
    assert!((1..2_000).contains(&lines), "{lines}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_breaks_the_statement_of_many_does_not_break_theirs() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let mut direct = database.connect().await;
    let (model, over) = (clocked(&server).await, Table::in_battle(&server).await);
    over.resign(&server, Guest).await.expect(200);
    copy(&mut direct, &model.id, 40, "late").await;
    copy(&mut direct, &over.id, 40, "nights").await;
    // An event too many makes the end of one impossible to write, and a body without a time another's log
    // impossible to pack.
    run(
        &mut direct,
        "insert into events (game_id, seq, span, status, awaits, head, body)
         select id, 5, 0, 2, 0, '', '' from late order by id limit 1",
    )
    .await;
    run(
        &mut direct,
        r#"update events set body = '{"at":"never"}' where seq = 5
              and game_id = (select id from nights order by id limit 1)"#,
    )
    .await;

    run(&mut direct, "update games set due_at = now() - interval '1 hour' where game_id in (select id from late)")
        .await;
    for (kind, games) in [(0, "late"), (1, "nights")] {
        let go_off = format!(
            "update timers set kind = {kind}, check_at = now() - interval '1 hour' where game_id in (select id from {games})"
        );
        assert_eq!(run(&mut direct, &go_off).await, 40);
    }

    until(&mut direct, "select count(*) from games where game_id in (select id from late) and version = 5", 39).await;
    until(&mut direct, "select count(*) from archives", 39).await;
    until(&mut direct, "select count(*) from timers where failures >= 1", 2).await;
    let said = server.whole_log().await;
    assert!(said.contains("was put off"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_timer_of_a_game_that_has_ended_stands_before_no_clock_any_more() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let mut direct = database.connect().await;
    let table = clocked(&server).await;
    let kind = format!("select kind::int8 from timers where game_id = '{}'", table.id);
    assert_eq!(number(&mut direct, &kind).await, 0);

    table.resign(&server, Host).await.expect(200);

    until(&mut direct, &kind, 1).await;
    assert_eq!(table.log(&server).await.len(), 5);
}
