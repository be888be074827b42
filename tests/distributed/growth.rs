//! Nodes that are added while games are played.

use futures_util::future::join_all;
use ground::random_game::RandomGame;
use serde_json::json;
use testing::model::Options;

use crate::nodes::Nodes;

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_while_they_are_spread_over_twice_as_many_nodes() {
    let mut nodes = Nodes::start(2).await;
    let server = nodes.coordinator.serve();
    let playing = {
        let server = server.afresh();
        tokio::spawn(async move {
            let games = (0_u64..).zip(Options::all()).step_by(4).map(|(number, options)| {
                let server = server.afresh();
                async move {
                    let mut game = RandomGame::create(&server, options, &json!({}), None, number).await;
                    game.join(&server, None).await;
                    // What is held up is asked for again: the same request, which is carried out once.
                    game.play_to_the_end(&server).await;
                    game
                }
            });
            join_all(games).await
        })
    };
    for _ in 0..2 {
        nodes.add_worker().await;
    }
    nodes.run("select rebalance_table_shards('games', shard_transfer_mode := 'force_logical')").await;
    let games = playing.await.unwrap();

    let mut moved = 0;
    for game in &games {
        let port = nodes.port_of(&game.table.id).await;
        moved += usize::from(nodes.workers[2..].iter().any(|added| added.port == port));
        let verdict = server.get(&game.table.path("/verify"), None).await;
        assert_eq!(verdict.expect(200)["faults"], json!([]), "{}", verdict.text);
    }
    assert!(moved > 0, "the nodes that were added keep some of the games");
}
