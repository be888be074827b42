//! Statements that many moves share, all well.

use futures_util::future::join_all;
use serde_json::json;

use super::crowd::{ALWAYS, acknowledged, check, database, fire, shared, tables};
use ground::held::Held;
use ground::random_game::RandomGame;
use ground::server::{Reply, Server};
use ground::table::{HARMLESS, Table, usual};
use ground::wire::{Written, at_once, post};
use testing::campaign;
use testing::model::Options;
use testing::model::Seat::{Guest, Host};

#[tokio::test]
async fn whole_games_at_once_share_statements_and_each_is_a_game_by_the_rules() {
    let server = Server::start(&database().await);
    let server = &server;

    let played = join_all((0..campaign(32, 64)).map(|seed| async move {
        let options = Options { grid: 8, russian: false, mines: true, salvo: false, shoot_again: false };
        let mut playing = RandomGame::create(server, options, &json!({}), None, seed).await;
        playing.join(server, None).await;
        playing.play_to_the_end(server).await;
        playing.table
    }))
    .await;

    for table in &played {
        let game = table.see(server, None).await;
        let replayed = server.get(&table.path("/replay?as=spectator"), None).await;
        assert_eq!((&game["status"], &replayed.expect(200)["boards"]), (&json!("finished"), &game["boards"]));
        let verified = server.get(&table.path("/verify"), None).await;
        assert_eq!(verified.expect(200)["ok"], true, "{}", verified.text);
    }
    for step in ["load", "write"] {
        let (statements, moves) = shared(server, step).await;
        assert!(moves > statements && statements > 0, "{step}: {moves} moves by {statements} statements");
    }
}

#[tokio::test]
async fn a_move_that_nobody_is_beside_goes_alone() {
    let server = Server::start(&database().await);
    let table = Table::in_battle(&server).await;

    for cell in ["A1", "B1", "C1"] {
        table.fire(&server, Host, cell).await.expect(200);
        table.fire(&server, Guest, cell).await.expect(200);
    }

    assert_eq!((shared(&server, "load").await, shared(&server, "write").await), ((0, 0), (0, 0)));
}

#[tokio::test]
async fn where_statements_must_not_touch_several_games_none_does() {
    let server = Server::start_with(&database().await, &[("NAVAL_BATTLE_BATCH", "off")]);
    let tables = tables(&server, 64).await;
    let shots: Vec<Written> = tables.iter().map(|table| fire(&server, table, Host, "A1")).collect();

    for reply in at_once(&shots).await {
        reply.expect(200);
    }

    assert_eq!((shared(&server, "load").await, shared(&server, "write").await), ((0, 0), (0, 0)));
}

#[tokio::test]
async fn a_row_that_somebody_holds_is_left_out_and_the_others_do_not_wait_for_it() {
    let database = database().await;
    let server = Server::start_with(&database, &[ALWAYS]);
    let tables = tables(&server, 64).await;
    let (_, before) = shared(&server, "write").await;
    let mut held = Held::take(&database, &tables[17]).await;
    let shots: Vec<Written> = tables.iter().map(|table| fire(&server, table, Host, "J10")).collect();

    let (replies, waiting) = tokio::join!(at_once(&shots), async {
        assert!(held.is_awaited_by(1).await, "the held row was never waited for");
        let waiting = "select query from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock'";
        sqlx::query_scalar::<_, String>(waiting).fetch_all(&mut database.connect().await).await.unwrap()
    });

    // The one who waits is the one who was left out, by a statement of its own.
    assert!(waiting.iter().all(|statement| !statement.contains("skip locked")), "{waiting:?}");
    for (index, (table, reply)) in tables.iter().zip(&replies).enumerate() {
        if index == 17 {
            reply.refuses(409, "in_flight");
        } else {
            check(&server, table, &[acknowledged(reply)], 5).await;
        }
    }
    assert_eq!(shared(&server, "write").await.1, before + 64);
    held.release().await;
    let after = table_after(&server, &tables[17]).await;
    check(&server, &tables[17], &[acknowledged(&after)], 5).await;
}

async fn table_after(server: &Server, table: &Table) -> Reply {
    table.fire(server, Host, "A1").await
}

#[tokio::test]
async fn of_two_servers_that_race_for_the_same_games_one_wins_each_and_the_other_learns_it() {
    let database = database().await;
    let servers = [Server::start_with(&database, &[ALWAYS]), Server::start_with(&database, &[ALWAYS])];
    let tables = tables(&servers[0], 48).await;
    let mut kept = vec![Vec::new(); tables.len()];
    let cells: Vec<&str> = HARMLESS.split(' ').collect();
    let mut wins = [0, 0];
    for round in 0..8 {
        let seat = if round % 2 == 0 { Host } else { Guest };
        let shots: Vec<Written> = tables
            .iter()
            .flat_map(|table| [0, 1].map(|number| fire(&servers[number], table, seat, cells[2 * round + number])))
            .collect();

        let replies = at_once(&shots).await;

        for (game, pair) in replies.chunks(2).enumerate() {
            let winner = pair.iter().position(|reply| reply.status == 200).expect("one of two is fired");
            kept[game].push(acknowledged(&pair[winner]));
            pair[1 - winner].refuses(409, "not_your_turn");
            wins[winner] += 1;
        }
    }

    assert!(wins.iter().all(|wins| *wins > 0), "one server won all: {wins:?}");
    let mut moves = 0;
    for server in &servers {
        moves += shared(server, "write").await.1;
    }
    assert!(moves > 48 * 8, "no two moves ever met");
    for (table, acknowledged) in tables.iter().zip(&kept) {
        check(&servers[1], table, acknowledged, 4 + 8).await;
    }
}

#[tokio::test]
async fn a_repeat_with_the_same_key_is_answered_by_the_same_bytes_and_others_move_on() {
    let server = Server::start_with(&database().await, &[ALWAYS]);
    let tables = tables(&server, 48).await;
    let keyed = |cell: &str| {
        let shots = tables.iter().map(|table| fire(&server, table, Host, cell).with("Idempotency-Key", "once"));
        shots.collect::<Vec<_>>()
    };
    // The same request twice at once, for each game.
    let twice: Vec<Written> = keyed("A1").into_iter().flat_map(|shot| [shot.clone(), shot]).collect();
    let first = at_once(&twice).await;

    let moved = tables.iter().skip(1).step_by(2).map(|table| fire(&server, table, Guest, "B1"));
    let mixed: Vec<Written> = keyed("A1").into_iter().chain(moved).collect();
    let second = at_once(&mixed).await;
    let other = at_once(&keyed("C1")).await;

    for (game, pair) in first.chunks(2).enumerate() {
        assert_eq!((pair[0].status, &pair[0].text), (200, &pair[1].text));
        assert_eq!(second[game].text, pair[0].text);
        assert_eq!(second[game].header("etag"), pair[0].header("etag"));
        other[game].refuses(422, "idempotency_mismatch");
    }
    for (game, table) in tables.iter().enumerate() {
        let mut events = vec![acknowledged(&first[2 * game])];
        if game % 2 == 1 {
            events.push(acknowledged(&second[tables.len() + game / 2]));
        }
        check(&server, table, &events, 4 + events.len()).await;
    }
}

#[tokio::test]
async fn who_may_not_is_refused_as_ever_beside_those_who_may() {
    let server = Server::start_with(&database().await, &[ALWAYS]);
    let tables = tables(&server, 32).await;
    let (_, before) = shared(&server, "write").await;
    let unknown = Table { id: "01890a5d-ac96-774b-bcce-b302099a8057".to_owned(), ..tables[0].clone() };
    let stranger = Table { host: tables[1].host.clone(), ..tables[2].clone() };
    let mut requests: Vec<Written> = tables.iter().skip(3).map(|table| fire(&server, table, Host, "A1")).collect();
    requests.extend([
        fire(&server, &unknown, Host, "A1"),
        fire(&server, &stranger, Host, "A1"),
        fire(&server, &tables[0], Guest, "A1"),
        fire(&server, &tables[1], Host, "A1").with("If-Match", "\"3-host\""),
        post(&server, &tables[2].path("/fire"), Some(&tables[2].host), &json!({"shots": "A1"})),
    ]);

    let replies = at_once(&requests).await;

    for (table, reply) in tables.iter().skip(3).zip(&replies) {
        check(&server, table, &[acknowledged(reply)], 5).await;
    }
    let refusals = [
        (404, "game_not_found"),
        (401, "unauthorized"),
        (409, "not_your_turn"),
        (412, "stale_version"),
        (400, "malformed"),
    ];
    for (reply, (status, code)) in replies[29..].iter().zip(refusals) {
        reply.refuses(status, code);
    }
    // Whoever is refused never gets as far as writing.
    assert_eq!(shared(&server, "write").await.1, before + 29);
}

#[tokio::test]
async fn a_move_with_the_answers_of_a_bot_is_written_whole_beside_others() {
    let server = Server::start_with(&database().await, &[ALWAYS]);
    let mut solos = Vec::new();
    for level in ["easy", "medium", "hard"].into_iter().cycle().take(24) {
        let table = Table::create(&server, &json!({"bot": level, "options": {"first": "host"}})).await;
        table.place(&server, Host, &usual()).await.expect(200);
        solos.push(table);
    }
    let people = tables(&server, 24).await;
    let all: Vec<&Table> = solos.iter().chain(&people).collect();
    let shots: Vec<Written> =
        all.iter().map(|table| fire(&server, table, Host, "A9").with("Idempotency-Key", "shot")).collect();

    let replies = at_once(&shots).await;
    let again = at_once(&shots).await;

    for ((table, reply), again) in all.iter().zip(&replies).zip(&again) {
        let told = reply.expect(200)["events"].as_array().unwrap();
        assert_eq!(again.text, reply.text);
        let log = table.log(&server).await;
        assert_eq!(&log[log.len() - told.len()..], told, "{log:?}");
        assert_eq!(table.see(&server, None).await["version"], log.len());
    }
    let told = |reply: &Reply| reply.json["events"].as_array().unwrap().len();
    // Whoever strikes a mine owes a cell before the bot may answer.
    let struck = |reply: &Reply| reply.json["events"][0]["shots"][0]["outcome"] == "mine";
    assert!(replies[..24].iter().all(|reply| (told(reply) > 1) != struck(reply)));
    assert!(replies[24..].iter().all(|reply| told(reply) == 1));
}
