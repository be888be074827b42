//! What nodes ask of each other: a change of a game is one command to one node, and one commit.

use ground::table::{Table, usual};
use serde_json::json;
use testing::model::Seat::{Guest, Host};

use crate::nodes::Nodes;

/// The commands that a node has sent to others, each with the port that it was sent to.
fn commands(log: &str) -> Vec<(String, u16)> {
    let mut found: Vec<(String, u16)> = Vec::new();
    for line in log.lines() {
        if let Some((_, command)) = line.split_once("NOTICE:  issuing ") {
            found.push((command.to_owned(), 0));
        } else if let Some((_, place)) = line.split_once("DETAIL:  on server ") {
            let port = place.split([':', ' ']).nth(1).and_then(|port| port.parse().ok()).expect("a server has a port");
            found.last_mut().expect("a command was told").1 = port;
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
    let packs = |log: &str| commands(log).into_iter().any(|(command, _)| command.contains("public.pack("));
    while !packs(&nodes.coordinator.log()[before..]) {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let sent = commands(&nodes.coordinator.log()[before..]);
    let of_games = sent.iter().filter(|(command, _)| {
        [&table.id, &next].iter().any(|id| command.contains(id.as_str())) && command.starts_with("SELECT public.")
    });
    // What follows a game's end is one command as well.
    let (after, changes): (Vec<_>, Vec<_>) =
        of_games.partition(|(command, _)| ["set_timer(", "pack("].iter().any(|what| command.contains(what)));
    assert!(after.len() >= 2, "{after:#?}");
    assert_eq!(changes.len(), CHANGES.len(), "{changes:#?}");
    for ((command, port), expected) in changes.into_iter().zip(CHANGES) {
        assert!(command.starts_with(expected), "{command} in place of {expected}");
        assert_eq!(*port, ports[usize::from(command.contains(&next))], "{command}");
    }
    let phases: Vec<_> =
        sent.iter().filter(|(command, _)| command.contains("PREPARE") || command.starts_with("BEGIN")).collect();
    assert!(phases.is_empty(), "{phases:#?}");
}
