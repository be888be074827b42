//! What a real server has written is what is read, and its bytes are canonical JSON (RFC 8785).

use serde_json::Value;

use ground::cluster::Cluster;
use ground::random_game::RandomGame;
use ground::server::Server;
use testing::model;

#[tokio::test]
async fn every_body_in_the_database_is_canonical_and_is_written_as_it_is_read() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    // Only what it creates expires so soon.
    let hasty = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let names = [None, Some("Ödipus \"\\\u{2028}\u{1f6a2}"), Some("a"), Some("\u{7ff}\u{fffd}\u{10ffff}")];
    let mut games = Vec::new();
    for (seed, options) in model::Options::all().into_iter().step_by(9).enumerate() {
        let name = names[seed % 4];
        let creating = if seed == 0 { &hasty } else { &server };
        let none = serde_json::json!({});
        let mut game = RandomGame::create(creating, options, &none, name, u64::try_from(seed).unwrap()).await;
        if seed != 0 {
            game.join(&server, names[(seed + 1) % 4]).await;
            game.play_on(&server, if seed % 2 == 0 { 9 } else { 500 }).await;
        }
        if seed > 1 && game.model.result().is_null() {
            game.act(&server, model::Seat::Guest, &model::Action::Resign).await.expect(200);
        }
        games.push(game);
    }
    while games[0].table.look(&server, None).await.json["status"] == "waiting" {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }

    let mut connection = database.connect().await;
    let bodies: Vec<(String,)> = sqlx::query_as("select body from logs").fetch_all(&mut connection).await.unwrap();

    assert!(bodies.len() > 200, "{}", bodies.len());
    for (body,) in &bodies {
        is_read_as_it_was_written(body);
    }
    for kind in ["created", "joined", "placed", "fired", "revealed", "resigned", "expired"] {
        assert!(bodies.iter().any(|(body,)| body.contains(&format!("\"type\":\"{kind}\""))), "{kind}");
    }
}

/// Insists on the bytes of RFC 8785, by which the order of the keys is guarded, and on the way there and back.
fn is_read_as_it_was_written(body: &str) {
    let parsed: Value = serde_json::from_str(body).unwrap();
    assert_eq!(serde_json_canonicalizer::to_string(&parsed).unwrap(), body);

    assert_eq!(record::read(body).unwrap().write(), body);
}
