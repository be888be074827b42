//! A role that may not do what it has to: the privilege is named, and the statement that grants it.

use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::startup::run::{ENDED, run};
use ground::handmade::Handmade;
use ground::server::{Server, program};
use ground::signals::send;
use ground::table::Table;
use testing::model::Seat::Host;

#[tokio::test]
async fn a_role_without_a_privilege_is_told_which_and_one_that_has_it_need_not_own_the_tables() {
    let handmade = Handmade::trusting(&[]);
    let mut direct = handmade.database().connect().await;
    direct.execute("create role player login").await.unwrap();
    let refused = || {
        let url = handmade.url_of("player");
        let ended = run(program().env("DATABASE_URL", url).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));
        let line = ended.one_line().to_owned();
        assert!(!line.contains("at line"), "{line}");
        line
    };

    // There are no tables yet, and it may make none.
    let line = refused();
    assert!(line.contains("permission denied for schema public"), "{line}");
    assert!(line.contains("grant usage, create on schema public to player"), "{line}");

    direct.execute("revoke usage on schema public from public").await.unwrap();
    let line = refused();
    assert!(line.contains("search_path") && line.contains("grant usage, create on schema public to player"), "{line}");

    direct.execute("revoke connect on database postgres from public").await.unwrap();
    assert!(refused().contains("permission denied for database"));
    direct
        .execute("grant connect on database postgres to public; grant usage on schema public to public")
        .await
        .unwrap();

    // Another role has made them.
    let server = Server::start(&handmade.database());
    let table = Table::in_battle(&server).await;
    send(server.id(), Signal::TERM);
    assert_eq!(server.ends_within(ENDED), Some(0));
    let line = refused();
    assert!(line.contains("_sqlx_migrations"), "{line}");
    direct.execute("grant select on all tables in schema public to player").await.unwrap();
    let line = refused();
    assert!(line.contains("insert, update, delete in the table archives"), "{line}");
    assert!(line.contains("grant select, insert, update, delete on all tables in schema public to player"), "{line}");

    let grant = "grant select, insert, update, delete on all tables in schema public to player";
    direct.execute(grant).await.unwrap();
    let server = Server::start_with(&handmade.database(), &[("DATABASE_URL", &handmade.url_of("player"))]);
    table.fire(&server, Host, "A1").await.expect(200);
    Table::in_battle(&server).await;
}

#[tokio::test]
async fn tables_that_hide_rows_or_lose_them_in_a_crash_are_refused() {
    let handmade = Handmade::trusting(&[]);
    let database = handmade.database();
    let mut direct = database.connect().await;
    drop(Server::start(&database));
    let grant =
        "create role player login; grant select, insert, update, delete on all tables in schema public to player";
    direct.execute(grant).await.unwrap();
    for (spoil, mend, told) in [
        (
            "alter table events enable row level security",
            "alter table events disable row level security",
            "row security",
        ),
        ("alter table games set unlogged", "alter table games set logged", "unlogged"),
    ] {
        direct.execute(AssertSqlSafe(spoil)).await.unwrap();

        let url = handmade.url_of("player");
        let ended = run(program().env("DATABASE_URL", &url).env("NAVAL_BATTLE_BIND", "127.0.0.1:0"));

        let line = ended.one_line();
        assert!(line.contains(told) && line.contains(mend), "{line}");
        direct.execute(AssertSqlSafe(mend)).await.unwrap();
        drop(Server::start_with(&database, &[("DATABASE_URL", &url)]));
    }
}

#[tokio::test]
async fn a_postgres_that_writes_down_what_it_is_given_is_a_warning_that_names_the_setting() {
    let handmade = Handmade::trusting(&[]);
    let database = handmade.database();
    let mut direct = database.connect().await;
    direct.execute("create role player login; grant create on schema public to player").await.unwrap();
    let player = handmade.url_of("player");
    for (setting, is_told) in [
        ("log_min_duration_statement = 0", true),
        ("log_statement = 'mod'", true),
        ("log_statement = 'ddl'", false),
        ("log_transaction_sample_rate = 1", true),
        ("log_min_error_statement = 'debug5'", false),
    ] {
        let set = format!("alter role all reset all; alter role all set {setting}");
        direct.execute(AssertSqlSafe(set)).await.unwrap();

        let server = Server::start_with(&database, &[("DATABASE_URL", &player)]);
        let log = server.whole_log().await;
        let name = setting.split(' ').next().unwrap();
        assert_eq!(log.contains("writes into its log") && log.contains(name), is_told, "{setting}: {log}");

        // Who may set it keeps it out of the log, and has nothing to tell.
        let server = Server::start(&database);
        Table::in_battle(&server).await;
        assert!(!server.whole_log().await.contains("writes into its log"));
    }
    direct.execute("alter role all reset all; alter role all set log_min_duration_statement = 0").await.unwrap();
    let before = handmade.log().len();
    direct.execute("alter role player set log_parameter_max_length = 0").await.unwrap();
    let server = Server::start_with(&database, &[("DATABASE_URL", &player)]);
    Table::in_battle(&server).await;
    assert!(!server.whole_log().await.contains("writes into its log"));
    let written = handmade.log().split_off(before);
    assert!(written.contains("append_layout(") && !written.contains("parameters: "), "{written}");
}
