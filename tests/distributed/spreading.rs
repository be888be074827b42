//! How games come to be spread over nodes.

use ground::server::program;

use crate::nodes::{Node, Nodes};

/// What a server says that does not start.
fn refusal(node: &Node) -> String {
    let output = program().env("DATABASE_URL", node.database().url()).env("NAVAL_BATTLE_BIND", "127.0.0.1:0").output();
    let output = output.unwrap();
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_spreads_the_games_once_and_servers_say_so() {
    let nodes = Nodes::bare(2).await;
    let said = refusal(&nodes.workers[0]);
    assert!(said.contains("run `naval-battle distribute` with the DATABASE_URL of the coordinator"), "{said}");

    let [first, second] = [nodes.distribute(), nodes.distribute()];

    assert!(first.contains("games, events") && first.contains("append_event"), "{first}");
    assert!(second.contains("all is spread already"), "{second}");
    for node in nodes.workers.iter().chain([&nodes.coordinator]) {
        let server = node.serve();
        let log = server.whole_log().await;
        assert_eq!(log.matches("is distributed over 2 nodes by Citus").count(), 1, "{log}");
        server.get("/readyz", None).await.expect(200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_release_adds_is_spread_at_its_start_by_a_server_at_the_coordinator() {
    let nodes = Nodes::start(2).await;
    nodes.run("select undistribute_table('lobby')").await;
    let said = refusal(&nodes.workers[1]);
    assert!(said.contains("not spread over the nodes of the database: lobby"), "{said}");

    let server = nodes.coordinator.serve();

    let log = server.whole_log().await;
    assert!(log.contains("spread over the nodes of the database: lobby"), "{log}");
    nodes.workers[1].serve().get("/readyz", None).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_function_that_a_release_replaces_waits_for_a_row_no_longer_than_before() {
    let nodes = Nodes::start(2).await;
    // As `create or replace` does.
    nodes.run("alter function append_event reset all").await;

    let server = nodes.coordinator.serve();

    let log = server.whole_log().await;
    assert!(log.contains("spread over the nodes of the database: append_event"), "{log}");
    for node in &nodes.workers {
        let settings = "select proconfig::text from pg_proc where proname = 'append_event'";
        let settings: String = sqlx::query_scalar(settings).fetch_one(&mut node.connect().await).await.unwrap();
        assert!(settings.contains("lock_timeout="), "{settings}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_nodes_is_not_spread() {
    let shared = ground::cluster::Cluster::shared().database().await;

    let output = program().arg("distribute").env("DATABASE_URL", shared.url()).output().unwrap();

    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("create extension citus"), "{said}");
}
