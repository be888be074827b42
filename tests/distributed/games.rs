//! Games on many nodes are the same games.

use futures_util::StreamExt as _;
use futures_util::stream::iter;
use ground::ledger::assert_includes;
use ground::random_game::RandomGame;
use ground::server::Server;
use ground::stream::EventStream;
use ground::table::Table;
use serde_json::json;
use testing::model::Options;
use testing::model::Seat::{Guest, Host};

use crate::nodes::{Node, Nodes};

/// Games that are played at a time.
const AT_ONCE: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn whole_games_of_every_configuration_are_played_over_servers_on_all_nodes() {
    let nodes = Nodes::start(2).await;
    let servers: Vec<Server> = nodes.workers.iter().chain([&nodes.coordinator]).map(Node::serve).collect();
    let servers = &servers;
    let played = iter((0_u64..).zip(Options::all())).map(|(number, options)| async move {
        let mut at = usize::try_from(number).unwrap();
        let mut next = || {
            at += 1;
            &servers[at % servers.len()]
        };
        let mut game = RandomGame::create(next(), options, &json!({}), Some("Ada"), number).await;
        game.join(next(), Some("Bea")).await;
        while game.step(next()).await {}
        for eyes in [None, Some(Host), Some(Guest)] {
            let seen = game.table.look(next(), eyes).await;
            assert_includes(seen.expect(200), &game.model.view(eyes), "the game");
        }
        let verdict = next().get(&game.table.path("/verify"), None).await;
        assert_eq!(verdict.expect(200)["faults"], json!([]), "{}", verdict.text);
    });
    let count = played.buffer_unordered(AT_ONCE).count().await;

    assert_eq!(count, Options::all().len());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_at_one_node_sees_what_is_played_at_another() {
    let nodes = Nodes::start(2).await;
    let [here, there] = [nodes.workers[0].serve(), nodes.workers[1].serve()];
    for _ in 0..4 {
        let table = Table::in_battle(&here).await;
        let mut stream = EventStream::of(&there, &table.path("/stream"), None).await;
        table.fire(&here, Host, "A1").await.expect(200);
        table.resign(&here, Guest).await.expect(200);

        let told = stream.upto(6).await;

        assert_eq!(told.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        let again = here.post(&table.path("/rematch"), Some(&table.host), &json!({})).await;
        let joined = there.post(&table.path("/rematch"), Some(&table.guest), &json!({})).await;
        assert_eq!(again.expect(201)["game"]["id"], joined.expect(201)["game"]["id"]);
    }
}
