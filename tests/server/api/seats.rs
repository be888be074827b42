//! Joining, seats and sessions: who has which rights, and for how long.

use serde_json::{Value, json};

use crate::api::asking::{assert_same_reply, operations_of_a_game};
use crate::api::games::play_on;
use ground::cluster::Cluster;
use ground::server::{Reply, Server, authorized, send};
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn whoever_joins_a_game_that_has_begun_is_refused_and_gets_no_rights() {
    let server = Server::shared().await;
    let placing = Table::joined(&server, &json!({})).await;
    let running = Table::in_battle(&server).await;
    let finished = Table::in_battle(&server).await;
    finished.resign(&server, Host).await.expect(200);
    let aborted = Table::joined(&server, &json!({})).await;
    aborted.resign(&server, Host).await.expect(200);

    for (table, code) in
        [(&placing, "game_full"), (&running, "game_full"), (&finished, "game_over"), (&aborted, "game_over")]
    {
        let before = table.look(&server, None).await;
        let reply = server.post(&table.path("/join"), None, &json!({"name": "Eve"})).await;

        reply.refuses(409, code);
        assert!(!reply.text.contains("token"), "{}", reply.text);
        let after = table.look(&server, None).await;
        assert_same_reply(&after, &before);
        assert_eq!(after.json["you"], Value::Null);
    }
}

#[tokio::test]
async fn nobody_joins_their_own_game() {
    let server = Server::shared().await;
    let mut table = Table::create(&server, &json!({})).await;

    let reply = server.post(&table.path("/join"), Some(&table.host), &json!({})).await;

    reply.refuses(409, "own_game");
    assert_eq!(table.see(&server, None).await["status"], "waiting");
    table.join(&server).await;
    for seat in [Host, Guest] {
        server.post(&table.path("/join"), Some(table.token(seat)), &json!({})).await.refuses(409, "own_game");
    }
}

#[tokio::test]
async fn a_token_works_on_other_connections_after_a_restart_and_on_another_server() {
    let database = Cluster::shared().database().await;
    let first = Server::start(&database);
    let table = Table::in_battle(&first).await;
    play_on(&first, &table, "host fires J10 = mine, owes 1").await;
    let mut before = Vec::new();
    for eyes in [Some(Host), Some(Guest), None] {
        before.push(table.look(&first, eyes).await);
    }

    // The first is killed without a word.
    drop(first);
    let second = Server::start(&database);
    let third = Server::start(&database);

    for server in [&second, &third, &second.afresh()] {
        for (eyes, before) in [Some(Host), Some(Guest), None].into_iter().zip(&before) {
            assert_same_reply(&table.look(server, eyes).await, before);
        }
    }
    play_on(&second, &table, "host reveals A1\ndue: guest fires 1").await;
    play_on(&third, &table, "guest fires A1 = hit\ndue: host fires 1").await;
    play_on(&second, &table, "host fires A1 = hit").await;
    assert_eq!(table.log(&second).await, table.log(&third).await);
}

#[tokio::test]
async fn three_games_of_one_client_have_a_token_each() {
    let server = Server::shared().await;
    let mut games = Vec::new();
    for name in ["Anna", "Anna", "Boris"] {
        let reply = server.post("/v1/games", None, &json!({"name": name})).await;
        games.push((name, reply.expect(201).clone()));
    }

    for (name, game) in &games {
        assert_eq!(game["seat"], "host");
        let path = format!("/v1/games/{}", game["game"]["id"].as_str().unwrap());
        for (_, other) in &games {
            let reply = server.get(&path, other["token"].as_str()).await;

            if other["token"] == game["token"] {
                assert_eq!(reply.expect(200)["you"], "host");
                assert_eq!(reply.json["players"]["host"]["name"], *name);
            } else {
                reply.refuses(401, "unauthorized");
            }
        }
    }
    let mut tokens: Vec<_> = games.iter().map(|(_, game)| game["token"].as_str()).collect();
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), 3);
}

#[tokio::test]
async fn a_new_game_of_the_same_people_begins_from_nothing() {
    let server = Server::shared().await;
    let old = Table::in_battle(&server).await;
    play_on(&server, &old, "host fires A1 = hit\nguest resigns").await;

    let new = Table::joined(&server, &json!({"first": "host"})).await;

    assert_ne!(new.id, old.id);
    for eyes in [Some(Host), Some(Guest), None] {
        let look = new.look(&server, eyes).await;
        assert_eq!(look.json["status"], "placing");
        assert_eq!(look.json["version"], 2);
        assert_eq!(look.json["result"], Value::Null);
        let empty = json!({"ships": [], "mines": [], "shots": [], "revealed": [], "known_empty": [], "salt": null});
        assert_eq!(look.json["boards"], json!({"host": empty, "guest": empty}));
    }
    let seqs: Vec<_> = new.log(&server).await.iter().map(|event| event["seq"].clone()).collect();
    assert_eq!(seqs, [1, 2]);
}

#[tokio::test]
async fn a_token_of_another_game_is_as_unknown_as_any_on_every_route() {
    let server = Server::shared().await;
    let own = Table::in_battle(&server).await;
    let other = Table::in_battle(&server).await;
    let unknown = "A".repeat(43);
    let before = own.look(&server, None).await;

    for (method, below) in operations_of_a_game(&server).await {
        let ask = async |token: &str| -> Reply {
            send(authorized(server.request(method.clone(), &own.path(&below)), Some(token)).json(&json!({}))).await
        };
        let by_another = ask(&other.host).await;

        by_another.refuses(401, "unauthorized");
        assert_same_reply(&by_another, &ask(&other.guest).await);
        assert_same_reply(&by_another, &ask(&unknown).await);
    }

    assert_same_reply(&own.look(&server, None).await, &before);
}

#[tokio::test]
async fn r24_only_a_token_of_the_game_resigns() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let other = Table::in_battle(&server).await;

    for token in [None, Some(other.host.as_str()), Some("nonsense")] {
        server.post(&table.path("/resign"), token, &json!({})).await.refuses(401, "unauthorized");
    }

    play_on(&server, &table, "due: host fires 1\nhost resigns\nresult: guest, resigned").await;
}
