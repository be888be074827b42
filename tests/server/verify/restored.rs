//! A game is true for ever: dumped, restored elsewhere, in another time zone.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

use ground::cluster::{Cluster, Database, scratch_folder};
use ground::random_game::{Download, RandomGame};
use ground::server::Server;
use testing::model::{Action, Options, Seat};

#[tokio::test]
async fn after_dump_and_restore_in_another_time_zone_every_byte_and_every_proof_is_the_same() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let games = play(&server).await;
    let mut before = Vec::new();
    for game in &games {
        before.push(everything(&server, game).await);
    }
    drop(server);

    for (zone, format) in [("Asia/Kathmandu", "plain"), ("America/St_Johns", "custom")] {
        let restored = restore(&database, zone, format).await;
        let server = Server::start(&restored);

        for (game, before) in games.iter().zip(&before) {
            let after = everything(&server, game).await;

            assert_eq!(after, *before, "{zone}");
            assert_eq!(after.verified["ok"], true, "{}", after.verified);
        }
        goes_on(&server, &games).await;
    }
}

/// A game that is won, one under way, one with a clock, one that is aborted and one that waits.
async fn play(server: &Server) -> Vec<RandomGame> {
    let options = |grid, salvo| Options { grid, russian: false, mines: true, salvo, shoot_again: false };
    let clock = json!({"turn_seconds": 86_400});
    let mut games = Vec::new();
    for (seed, (options, more, actions)) in
        [(options(8, false), json!({}), 500), (options(10, false), json!({}), 15), (options(12, true), clock, 500)]
            .into_iter()
            .enumerate()
    {
        let mut game =
            RandomGame::create(server, options, &more, Some("Зоя \u{1f6a2}\u{2028}"), u64::try_from(seed).unwrap())
                .await;
        game.join(server, Some("\"\\")).await;
        game.play_on(server, actions).await;
        games.push(game);
    }
    let mut aborted = RandomGame::create(server, options(15, true), &json!({}), None, 9).await;
    aborted.act(server, Seat::Host, &Action::Resign).await.expect(200);
    games.push(aborted);
    games.push(RandomGame::create(server, options(15, true), &json!({}), None, 9).await);
    games
}

/// All that a game tells, as it came.
#[derive(PartialEq, Debug)]
struct Told {
    download: Download,
    host: String,
    replay: String,
    verified: Value,
}

async fn everything(server: &Server, game: &RandomGame) -> Told {
    let table = &game.table;
    Told {
        download: Download::download(server, table).await,
        host: table.look(server, Some(Seat::Host)).await.text,
        replay: server.get(&table.path("/replay?upto=1"), None).await.text,
        verified: server.get(&table.path("/verify"), None).await.expect(200).clone(),
    }
}

/// The game that was under way takes its next event, and the chain holds across the restore.
async fn goes_on(server: &Server, games: &[RandomGame]) {
    let table = &games[1].table;
    let before = table.log(server).await.len();
    table.resign(server, Seat::Guest).await.expect(200);
    let verified = server.get(&table.path("/verify"), None).await;
    assert_eq!((&verified.json["ok"], &verified.json["complete"]), (&json!(true), &json!(true)));
    assert_eq!(verified.json["events"], json!(before + 1));
}

/// Dumps a database, and restores it into a new one where times are written in another way.
async fn restore(from: &Database, zone: &str, format: &str) -> Database {
    let programs = programs(from).await;
    let dump = scratch_folder("dump").join("games");
    let new = Cluster::shared().database().await;
    let mut connection = new.connect().await;
    let name: (String,) = sqlx::query_as("select current_database()").fetch_one(&mut connection).await.unwrap();
    for setting in [format!("timezone = '{zone}'"), "datestyle = 'German'".to_owned()] {
        let statement = format!("alter database {} set {setting}", name.0);
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(programs.join(program)).args(arguments).arg(&dump).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    };

    run("pg_dump", &["--dbname", &from.url(), "--format", format, "--file"]);
    match format {
        "plain" => run("psql", &["--dbname", &new.url(), "--quiet", "--set", "ON_ERROR_STOP=1", "--file"]),
        _ => run("pg_restore", &["--dbname", &new.url(), "--exit-on-error"]),
    }

    let mut psql = Command::new(programs.join("psql"));
    let shown = psql.args(["--dbname", &new.url(), "--tuples-only", "--no-align", "--command", "show timezone"]);
    assert_eq!(String::from_utf8(shown.output().unwrap().stdout).unwrap().trim(), zone);
    new
}

/// Where the programs of this Postgres are.
async fn programs(database: &Database) -> PathBuf {
    let folder: (String,) = sqlx::query_as("select setting from pg_config where name = 'BINDIR'")
        .fetch_one(&mut database.connect().await)
        .await
        .unwrap();
    PathBuf::from(folder.0)
}
