//! What players hide, sealed with a key of the server's: neither a table nor a log of Postgres tells.

use std::process::Output;

use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _, PgConnection};

use ground::cluster::{Cluster, Database};
use ground::handmade::{Handmade, command};
use ground::ledger;
use ground::random_game::RandomGame;
use ground::server::{Server, program};
use ground::table::{Table, usual};
use testing::model::Options;
use testing::model::Seat::{Guest, Host};

const KEYS: [&str; 2] = [
    "5d0c9d3e2b7a4f6c8e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d",
    "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
];

fn sealing(database: &Database, key: &str, old: &str) -> Server {
    Server::start_with(database, &[("NAVAL_BATTLE_SEAL_KEY", key), ("NAVAL_BATTLE_SEAL_KEYS_OLD", old)])
}

/// Plays a little in a game in which both have the usual layout; tells both salts.
async fn play(server: &Server) -> (Table, Vec<String>) {
    let table = Table::joined(server, &json!({"first": "host"})).await;
    let mut salts = Vec::new();
    for seat in [Host, Guest] {
        let placed = table.place(server, seat, &usual()).await;
        salts.push(placed.expect(200)["salt"].as_str().unwrap().to_owned());
    }
    for cell in ["A1", "B2", "C3"] {
        for seat in [Host, Guest] {
            table.fire(server, seat, cell).await.expect(200);
        }
    }
    (table, salts)
}

/// What lies in a column in secret, in hex.
async fn written(direct: &mut PgConnection, table: &Table, statement: &str) -> Vec<String> {
    let statement =
        format!("select encode(secret, 'hex') from ({statement}) s (secret, game_id) where game_id = $1::uuid");
    sqlx::query_scalar(AssertSqlSafe(statement)).bind(&table.id).fetch_all(direct).await.unwrap()
}

const STATE: &str = "select state, game_id from games";
const CELLS: &str = "select cells, game_id from layouts";
const SALT: &str = "select salt, game_id from layouts";

#[tokio::test]
async fn neither_a_dump_nor_a_log_of_all_statements_tells_a_layout_a_salt_or_a_seed() {
    // The same game unsealed tells what must not show.
    let open = Cluster::shared().database().await;
    let (twin, _) = play(&Server::start(&open)).await;
    let mut plain = open.connect().await;
    let mut hidden = written(&mut plain, &twin, STATE).await;
    hidden.extend(written(&mut plain, &twin, CELLS).await);
    assert!(hidden.iter().all(|bytes| bytes.len() > 24));

    // Everything is logged, by a role that cannot help it.
    let handmade = Handmade::trusting(&["log_min_duration_statement=0", "log_statement=all"]);
    let database = handmade.database();
    let mut direct = database.connect().await;
    direct.execute("create role player login; grant create on schema public to player").await.unwrap();
    let player = handmade.url_of("player");
    for batch in ["off", "always"] {
        let server = Server::start_with(
            &database,
            &[("DATABASE_URL", &player), ("NAVAL_BATTLE_SEAL_KEY", KEYS[0]), ("NAVAL_BATTLE_BATCH", batch)],
        );
        let (table, salts) = play(&server).await;
        hidden.extend(salts.iter().cloned());
        let solo = Table::create(&server, &json!({"bot": "hard"})).await;
        solo.place(&server, Host, &usual()).await.expect(200);
        solo.fire(&server, Host, "A1").await;
        solo.resign(&server, Host).await.expect(200);
        let seed = solo.see(&server, None).await["players"]["guest"]["bot_seed"].as_str().unwrap().to_owned();
        hidden.push(seed);

        let sealed = [STATE, CELLS, SALT].map(|from| (from, hidden.clone()));
        for (from, hidden) in sealed {
            for bytes in written(&mut direct, &table, from).await {
                assert!(bytes.starts_with("fe"), "{from}: {bytes}");
                assert!(!hidden.iter().any(|plain| bytes.contains(plain.as_str())));
            }
        }
        assert!(!server.whole_log().await.contains("writes into its log"), "there is nothing to warn of");
        ledger::check(&server, &table, &usual(), &usual()).await;
        assert_eq!(table.see(&server, Some(Host)).await["boards"]["host"]["salt"], json!(salts[0]));
    }
    let mut dump = command("pg_dump");
    dump.arg("--host").arg(handmade.socket()).args(["--username", "naval_battle", "postgres"]);
    let Output { stdout, status, .. } = dump.stdout(std::process::Stdio::piped()).output().unwrap();
    assert!(status.success());
    let (dump, log) = (String::from_utf8(stdout).unwrap(), handmade.log());
    assert!(dump.contains("COPY public.layouts") && log.contains("parameters: $1 ="));
    for bytes in &hidden {
        assert!(!dump.contains(bytes.as_str()), "the dump tells {bytes}");
        assert!(!log.contains(bytes.as_str()), "the log tells {bytes}");
    }
    assert!(!log.contains(KEYS[0]) && !dump.contains(KEYS[0]));
}

#[tokio::test]
async fn whole_games_are_played_and_verified_while_keys_come_and_go() {
    let database = Cluster::shared().database().await;
    let both = KEYS.join(",");
    let options = Options { grid: 10, russian: false, mines: true, salvo: true, shoot_again: false };
    let mut games = Vec::new();
    // Unsealed at first, then sealed, with another key, and in the end no longer.
    for (turn, (key, old)) in [("", ""), (KEYS[0], ""), (KEYS[1], KEYS[0]), ("", both.as_str())].into_iter().enumerate()
    {
        let server = sealing(&database, key, old);
        for seed in 0..2 {
            let seed = seed + 10 * u64::try_from(turn).unwrap();
            let mut game = RandomGame::create(&server, options.clone(), &json!({}), None, seed).await;
            game.join(&server, None).await;
            game.play_on(&server, 12).await;
            games.push(game);
        }
        let solo = Table::create(&server, &json!({"bot": "medium"})).await;
        solo.place(&server, Host, &usual()).await.expect(200);
        // Those of all turns go on.
        for game in &mut games {
            game.play_on(&server, 6).await;
        }
    }
    let server = sealing(&database, KEYS[1], KEYS[0]);
    for game in &mut games {
        game.play_to_the_end(&server).await;
        let verified = server.get(&game.table.path("/verify"), None).await;
        assert_eq!(verified.expect(200)["faults"], json!([]), "{}", verified.text);
        assert_eq!(verified.json["complete"], json!(true));
        for eyes in [None, Some(Host)] {
            game.table.look(&server, eyes).await.expect(200);
            server.get(&game.table.path("/replay?as=all"), None).await.expect(200);
        }
    }
}

#[tokio::test]
async fn a_server_without_the_key_of_what_is_sealed_does_not_start_and_one_that_runs_says_503() {
    let database = Cluster::shared().database().await;
    let without = Server::start(&database);
    let sealed = sealing(&database, KEYS[0], "");
    let (table, _) = play(&sealed).await;

    for (key, old) in [("", ""), (KEYS[1], ""), ("", KEYS[1])] {
        let mut command = program();
        command.env("DATABASE_URL", database.url()).env("NAVAL_BATTLE_BIND", "127.0.0.1:0");
        command.env("NAVAL_BATTLE_SEAL_KEY", key).env("NAVAL_BATTLE_SEAL_KEYS_OLD", old);

        let ended = command.output().unwrap();

        let complained = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{complained}");
        assert!(complained.contains("NAVAL_BATTLE_SEAL_KEY") && complained.contains("sealed"), "{complained}");
        assert!(!KEYS.iter().any(|key| complained.contains(key)), "{complained}");
    }
    table.look(&without, None).await.refuses(503, "unavailable");
    table.fire(&without, Host, "D4").await.refuses(503, "unavailable");
    table.fire(&sealed, Host, "D4").await.expect(200);
}

#[test]
fn what_is_no_key_is_one_line_without_it() {
    for (key, old) in [("xyzzy", ""), (&KEYS[0][1..], ""), (KEYS[0], "plugh"), (KEYS[0], KEYS[0])] {
        let mut command = program();
        command.env("NAVAL_BATTLE_SEAL_KEY", key).env("NAVAL_BATTLE_SEAL_KEYS_OLD", old);

        let ended = command.env("DATABASE_URL", "postgres://127.0.0.1:1/x").output().unwrap();

        let complained = String::from_utf8(ended.stderr).unwrap();
        assert!(complained.contains("NAVAL_BATTLE_SEAL_KEY") && complained.lines().count() == 1, "{complained}");
        for part in [key, "plugh"] {
            assert!(!complained.contains(part), "{complained}");
        }
    }
}
