//! What nodes ask of each other: a change of a game is one command to one node, and one commit.

use ground::table::{Table, usual};
use serde_json::json;
use testing::model::Seat::{Guest, Host};

use crate::nodes::Nodes;

/// A command that a node has sent to another one.
#[derive(Debug)]
struct Sent {
    command: String,
    port: u16,
    /// Whether nobody waits for it, and it may touch many games.
    is_chore: bool,
}

/// The commands in the log of a node.
fn commands(log: &str) -> Vec<Sent> {
    let mut found: Vec<Sent> = Vec::new();
    for line in log.lines() {
        if let Some((prefix, command)) = line.split_once("NOTICE:  issuing ") {
            let is_chore = prefix.contains(" naval-battle chores: ");
            found.push(Sent { command: command.to_owned(), port: 0, is_chore });
        } else if let Some((_, place)) = line.split_once("DETAIL:  on server ") {
            let port = place.split([':', ' ']).nth(1).and_then(|port| port.parse().ok()).expect("a server has a port");
            found.last_mut().expect("a command was told").port = port;
        }
    }
    found
}

/// The beginning of what changes a game.
const CHANGES: [&str; 10] = [
    "SELECT public.insert_game(",
    "SELECT public.append_player(",
    "SELECT public.append_layout(",
    "SELECT public.append_layout(",
    "SELECT public.append_event(",
    "SELECT public.append_event(",
    "SELECT public.append_event(",
    "SELECT public.append_event(",
    "SELECT public.insert_game(",
    "SELECT public.append_player(",
];

#[tokio::test(flavor = "multi_thread")]
async fn each_change_is_one_command_to_one_node_and_one_commit() {
    let nodes = Nodes::start(2).await;
    for statement in [
        "alter system set citus.log_remote_commands = on",
        "alter system set log_min_messages = 'notice'",
        "select pg_reload_conf()",
    ] {
        nodes.run(statement).await;
    }
    let server = nodes.coordinator.serve_with(&[("NAVAL_BATTLE_PACK_AFTER", "1")]);
    let before = nodes.coordinator.log().len();

    let mut table = Table::create(&server, &json!({"options": {"first": "host", "mines": true}})).await;
    table.join(&server).await;
    table.place(&server, Host, &usual()).await.expect(200);
    table.place(&server, Guest, &usual()).await.expect(200);
    table.fire(&server, Host, "J10").await.expect(200);
    table.reveal(&server, Host, "A1").await.expect(200);
    table.fire(&server, Guest, "J1").await.expect(200);
    table.resign(&server, Host).await.expect(200);
    let again = server.post(&table.path("/rematch"), Some(&table.host), &json!({})).await;
    let next = again.expect(201)["game"]["id"].as_str().unwrap().to_owned();
    server.post(&table.path("/rematch"), Some(&table.guest), &json!({})).await.expect(201);

    let ports = [nodes.port_of(&table.id).await, nodes.port_of(&next).await];
    let packs = |log: &str| commands(log).iter().any(|sent| sent.command.contains("public.pack("));
    while !packs(&nodes.coordinator.log()[before..]) {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let sent = commands(&nodes.coordinator.log()[before..]);
    let of_games = sent.iter().filter(|sent| {
        [&table.id, &next].iter().any(|id| sent.command.contains(id.as_str()))
            && sent.command.starts_with("SELECT public.")
    });
    // Its timer is set when it has ended.
    let (after, changes): (Vec<_>, Vec<_>) = of_games.partition(|sent| sent.command.contains("set_timer("));
    assert_eq!(after.len(), 1, "{after:#?}");
    assert_eq!(changes.len(), CHANGES.len(), "{changes:#?}");
    for (sent, expected) in changes.into_iter().zip(CHANGES) {
        assert!(sent.command.starts_with(expected), "{sent:?} in place of {expected}");
        assert_eq!(sent.port, ports[usize::from(sent.command.contains(&next))], "{sent:?}");
    }
    let phases: Vec<_> = sent
        .iter()
        .filter(|sent| !sent.is_chore && ["BEGIN", "PREPARE"].iter().any(|what| sent.command.starts_with(what)))
        .collect();
    assert!(phases.is_empty(), "{phases:#?}");
}
