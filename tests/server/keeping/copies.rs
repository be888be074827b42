use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, PgConnection};

/// How long something may take that must come.
const PATIENCE: Duration = Duration::from_mins(1);

/// So many copies of a game with all its rows, their ids into a table of this name. What a copy was
/// committed to names another game, so only its rows are of use.
pub(crate) async fn copy(connection: &mut PgConnection, game: &str, count: u32, name: &str) {
    run(connection, &format!("create table {name} as select gen_random_uuid() as id from generate_series(1, {count})"))
        .await;
    for table in ["games", "events", "layouts", "timers"] {
        let columns: String = sqlx::query_scalar(
            "select string_agg(column_name, ', ') from information_schema.columns
              where table_schema = 'public' and table_name = $1 and column_name <> 'game_id'",
        )
        .bind(table)
        .fetch_one(&mut *connection)
        .await
        .unwrap();
        let statement = format!(
            "insert into {table} (game_id, {columns}) select id, {columns} from {table}, {name} where game_id = '{game}'"
        );
        run(connection, &statement).await;
    }
}

pub(crate) async fn run(connection: &mut PgConnection, statement: &str) -> u64 {
    let done = sqlx::query(AssertSqlSafe(statement)).execute(connection).await;
    done.unwrap_or_else(|error| panic!("{statement}: {error}")).rows_affected()
}

pub(crate) async fn number(connection: &mut PgConnection, statement: &str) -> i64 {
    let number = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(connection).await;
    number.unwrap_or_else(|error| panic!("{statement}: {error}"))
}

/// Waits until a statement gives this number.
pub(crate) async fn until(connection: &mut PgConnection, statement: &str, expected: i64) {
    let began = Instant::now();
    loop {
        let found = number(connection, statement).await;
        if found == expected {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{statement}: {found}, and not {expected}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
