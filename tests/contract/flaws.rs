//! Logs that somebody changed in the database, one flaw of each kind.

use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _};

use ground::cluster::Database;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

/// What is changed in the game's rows, and what is then found.
const CHANGES: [(&str, &str); 14] = [
    ("update events set body = '{\"a\":1}' where seq = 5", "unreadable"),
    ("update events set body = replace(body, '\"seq\":5', '\"seq\":6') where seq = 5", "wrong_seq"),
    ("update events set head = sha256(head) where seq = 3", "wrong_head"),
    ("update events set body = replace(body, '\"game\":\"0', '\"game\":\"f') where seq = 1", "wrong_game"),
    ("update layouts set salt = sha256(salt) where seat = 1", "wrong_commitment"),
    (
        "update events set body = (select replace(body, '\"seq\":1', '\"seq\":2') from events
            where seq = 1 and game_id = 'GAME') where seq = 2",
        "impossible_event",
    ),
    ("update events set body = replace(body, '\"seat\":\"host\"', '\"seat\":\"guest\"') where seq = 5", "wrong_turn"),
    (
        "update events set body = replace(body, '\"shots\":[', '\"shots\":[{\"cell\":\"I9\",\"outcome\":\"miss\"},')
            where seq = 5",
        "wrong_count",
    ),
    ("update events set body = replace(body, '\"cell\":\"J1\"', '\"cell\":\"O15\"') where seq = 5", "wrong_cell"),
    ("update events set body = replace(body, '\"miss\"', '\"hit\"') where seq = 5", "wrong_answer"),
    ("update events set body = replace(body, '\"at\":\"2', '\"at\":\"3') where seq = 5", "wrong_time"),
    ("update events set awaits = awaits + 1 where seq = 4", "wrong_derived"),
    ("update games set host_name = 'Eve' where true", "wrong_view"),
    ("delete from layouts where seat = 1", "wrong_record"),
];

pub(crate) async fn of_tampered_logs(server: &Server, database: &Database) {
    let mut connection = database.connect().await;
    for (change, code) in CHANGES {
        let options = json!({"first": "host", "turn_seconds": 3_600});
        let table = Table::in_battle_with(server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
        play_to_the_end(server, &table).await;
        let statement = format!("{change} and game_id = '{}'", table.id);
        let statement = statement.replace("GAME", &table.id);
        let changed = connection.execute(AssertSqlSafe(statement)).await.unwrap();
        assert_eq!(changed.rows_affected(), 1, "{change}");

        let found = server.get(&table.path("/verify"), None).await;

        let faults = found.expect(200)["faults"].as_array().unwrap();
        assert!(faults.iter().any(|fault| fault["code"] == code), "{change}: {faults:?}");
    }
}

async fn play_to_the_end(server: &Server, table: &Table) {
    table.fire(server, Host, "J1").await.expect(200);
    table.fire(server, Guest, "J1").await.expect(200);
    table.resign(server, Guest).await.expect(200);
}
