//! Settings of a role, a database and a shell: none of them changes what the contract promises.

use serde_json::json;
use sqlx::{AssertSqlSafe, Executor as _};

use ground::cluster::Cluster;
use ground::ledger;
use ground::random_game::RandomGame;
use ground::server::Server;
use ground::table::{Table, usual};
use testing::model::Options;
use testing::model::Seat::{Guest, Host};

/// What somebody may have set for a database, for whatever other program.
const ODD: [&str; 48] = [
    "synchronous_commit = off",
    "statement_timeout = '20ms'",
    "lock_timeout = '1ms'",
    "idle_in_transaction_session_timeout = '1ms'",
    "idle_session_timeout = '300ms'",
    "default_transaction_isolation = serializable",
    "default_transaction_deferrable = on",
    "row_security = off",
    "exit_on_error = on",
    "array_nulls = off",
    "transform_null_equals = on",
    "client_encoding = latin1",
    "standard_conforming_strings = off",
    "backslash_quote = off",
    "datestyle = 'German, DMY'",
    "intervalstyle = iso_8601",
    "timezone = 'Asia/Kathmandu'",
    "bytea_output = escape",
    "extra_float_digits = -15",
    "session_replication_role = replica",
    "track_activities = off",
    "work_mem = '64kB'",
    "temp_buffers = '800kB'",
    "maintenance_work_mem = '1MB'",
    "temp_tablespaces = 'pg_default'",
    "plan_cache_mode = force_custom_plan",
    "enable_seqscan = on",
    "enable_indexscan = off",
    "enable_indexonlyscan = off",
    "enable_bitmapscan = off",
    "enable_nestloop = off",
    "enable_sort = off",
    "enable_hashagg = off",
    "enable_material = off",
    "enable_memoize = off",
    "random_page_cost = 1000000",
    "force_parallel_mode = 'on'",
    "parallel_setup_cost = 0",
    "min_parallel_table_scan_size = 0",
    "max_parallel_workers_per_gather = 4",
    "jit_above_cost = 0",
    "join_collapse_limit = 1",
    "geqo_threshold = 2",
    "client_min_messages = debug5",
    "log_statement = 'all'",
    "log_parameter_max_length = -1",
    "log_parameter_max_length_on_error = -1",
    "debug_print_plan = on",
];

#[tokio::test]
async fn whole_games_are_played_whatever_a_database_and_a_shell_have_set() {
    let cluster = Cluster::start();
    let database = cluster.database().await;
    let mut direct = database.connect().await;
    let set = format!("alter database {} set ", database.name());
    for odd in ODD {
        direct.execute(AssertSqlSafe(format!("{set}{odd}"))).await.unwrap();
    }
    let shell = [
        ("PGOPTIONS", "-c search_path=public -c enable_tidscan=off -c lc_messages=C"),
        ("PGAPPNAME", "something else"),
        ("PGSSLMODE", "require"),
        ("PGHOST", "nowhere.invalid"),
        ("PGPORT", "1"),
        ("PGDATABASE", "nowhere"),
        ("PGTZ", "Asia/Kathmandu"),
        ("PGDATESTYLE", "German"),
        ("PGPASSFILE", "/nowhere"),
    ];
    for batch in ["always", "off"] {
        let server = Server::start_with(&database, &[&shell[..], &[("NAVAL_BATTLE_BATCH", batch)]].concat());
        let options = Options { grid: 10, russian: true, mines: true, salvo: true, shoot_again: true };
        for seed in 0..4 {
            let mut game = RandomGame::create(&server, options.clone(), &json!({}), Some("Žofie"), seed).await;
            game.join(&server, None).await;
            game.play_to_the_end(&server).await;
            let verified = server.get(&game.table.path("/verify"), None).await;
            assert_eq!(verified.expect(200)["faults"], json!([]), "{}", verified.text);
        }
        let table = Table::in_battle(&server).await;
        table.fire(&server, Host, "A1").await.expect(200);
        table.fire(&server, Guest, "A1").await.expect(200);
        ledger::check(&server, &table, &usual(), &usual()).await;
    }
    // Whatever is written into the log, it is no layout.
    let log = cluster.log();
    assert!(!log.contains("parameters: ") && !log.contains(":boundParam"), "{log}");
}

#[tokio::test]
async fn a_schema_that_comes_to_stand_before_the_tables_hides_no_game() {
    let database = Cluster::shared().database().await;
    let mut direct = database.connect().await;
    let first = Server::start(&database);
    let table = Table::in_battle(&first).await;
    for statement in [
        "create schema naval_battle".to_owned(),
        "create schema elsewhere; create table elsewhere.games (id int)".to_owned(),
        format!("alter database {} set search_path = elsewhere, \"$user\", public", database.name()),
    ] {
        direct.execute(AssertSqlSafe(statement)).await.unwrap();

        let second = Server::start(&database);

        table.look(&second, Some(Host)).await.expect(200);
        second.post("/v1/games", None, &json!({})).await.expect(201);
    }
    let shadows = "select count(*) from pg_class where relname = '_sqlx_migrations'";
    assert_eq!(sqlx::query_scalar::<_, i64>(shadows).fetch_one(&mut direct).await.unwrap(), 1);
    table.fire(&first, Host, "A1").await.expect(200);
}
