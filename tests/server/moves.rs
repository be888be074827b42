//! The benchmark of moves runs pgbench with the statements of a fire: they must be those that a
//! server really runs.

use ground::cluster::Cluster;
use ground::server::Server;
use ground::statements::Statements;
use ground::table::Table;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor};
use testing::model::Seat;

#[tokio::test]
async fn a_fire_runs_the_statements_that_pgbench_runs() {
    let database = Cluster::shared().database().await;
    let mut connection = database.connect().await;
    let logged = format!("alter database {} set log_statement = 'all'", database.name());
    connection.execute(AssertSqlSafe(logged)).await.unwrap();
    let server = Server::start(&database);
    let table = Table::in_battle(&server).await;
    let before = database.log().len();

    let fired = server.post(&table.path("/fire"), Some(table.token(Seat::Host)), &json!({"shots": ["A1"]})).await;

    fired.expect(200);
    let log = database.log();
    let run = statements_in(&log[before..]);
    let (process, _) =
        run.iter().find(|(_, text)| text.starts_with("select append_event(")).expect("an event was added");
    let Statements { load, append } = Statements::read();
    // The clocks are looked at twice a second, whatever is played.
    let of_the_fire = run.iter().filter(|(other, text)| other == process && !text.contains(" from timers "));
    let texts: Vec<_> = of_the_fire.map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, [words(&load), words(&append)]);
    connection.close().await.unwrap();
}

#[test]
fn pgbench_runs_the_statements_with_nothing_but_the_parameters_put_in() {
    let statements = Statements::read();

    let scripts = [statements.load_script(), statements.append_script("even")];

    for (script, statement) in scripts.iter().zip([&statements.load, &statements.append]) {
        let mut rest = script.as_str();
        for text in statement.split('$').map(|part| part.trim_start_matches(|letter: char| letter.is_ascii_digit())) {
            // A statement may end with a parameter.
            let found = if text.is_empty() { Some((rest, "")) } else { rest.split_once(text) };
            let (value, more) = found.unwrap_or_else(|| panic!("{text} is not in {script}"));
            assert!(value.len() <= "array[:next]".len() && !value.contains(' '), "{value} in {script}");
            rest = more;
        }
        assert_eq!(rest, "");
    }
}

/// The statements that were executed, in order, with the process that did.
fn statements_in(log: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for line in log.lines() {
        if let Some((prefix, statement)) = line.split_once("LOG:  execute ") {
            let (_, text) = statement.split_once(": ").expect("a statement has a name");
            let process = prefix.split(['[', ']']).nth(1).expect("a process has an id").to_owned();
            all.push((process, text.to_owned()));
        } else if let (Some(more), Some((_, text))) = (line.strip_prefix('\t'), all.last_mut()) {
            text.push('\n');
            text.push_str(more);
        }
    }
    all.into_iter().map(|(process, text)| (process, words(&text))).collect()
}

/// A text with one space wherever it has some.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
