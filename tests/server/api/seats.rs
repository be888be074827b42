//! Joining, seats and sessions: P41 to P47, P63.

use serde_json::{Value, json};

use crate::api::asking::{assert_same_reply, operations_of_a_game};
use crate::api::script::play;
use ground::cluster::Cluster;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn p41_whoever_joins_a_game_that_has_begun_is_refused_and_gets_no_rights() {
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
async fn p42_nobody_joins_their_own_game() {
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
async fn p44_a_token_works_on_other_connections_after_a_restart_and_on_another_server() {
    let database = Cluster::shared().database().await;
    let first = Server::start(&database);
    let table = Table::in_battle(&first).await;
    play(&first, &table, "host fires J10 : mine owes 1").await;
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
    play(&second, &table, "host gives A1 \n to move : guest fire 1").await;
    play(&third, &table, "guest fires A1 : hit \n to move : host fire 1").await;
    play(&second, &table, "host fires A1 : hit").await;
    assert_eq!(table.log(&second).await, table.log(&third).await);
}

#[tokio::test]
async fn p45_three_games_of_one_client_have_a_token_each() {
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
async fn p46_a_new_game_of_the_same_people_begins_from_nothing() {
    let server = Server::shared().await;
    let old = Table::in_battle(&server).await;
    play(&server, &old, "host fires A1 : hit \n guest resigns").await;

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
async fn p47_a_token_of_another_game_is_as_unknown_as_any_on_every_route() {
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
async fn p63_r24_only_a_token_of_the_game_resigns() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let other = Table::in_battle(&server).await;

    for token in [None, Some(other.host.as_str()), Some("nonsense")] {
        server.post(&table.path("/resign"), token, &json!({})).await.refuses(401, "unauthorized");
    }

    play(&server, &table, "to move : host fire 1 \n host resigns \n over : guest resigned").await;
}

#[tokio::test]
async fn p63_r24_in_battle_the_other_wins_on_anybodys_turn_also_while_cells_are_owed() {
    let server = Server::shared().await;
    for (opening, resigning, winner) in [
        ("", Host, "guest"),
        ("", Guest, "host"),
        ("host fires J10 : mine owes 1", Host, "guest"),
        ("host fires J10 : mine owes 1", Guest, "host"),
    ] {
        let table = Table::in_battle(&server).await;
        play(&server, &table, opening).await;

        let reply = table.resign(&server, resigning).await;

        let progress = reply.expect(200);
        let result = json!({"winner": winner, "reason": "resigned"});
        assert_eq!(progress["status"], "finished");
        assert_eq!(progress["events"][0]["type"], "resigned");
        assert_eq!(progress["events"][0]["seat"], resigning.name());
        assert_eq!(progress["events"][0]["result"], result);
        assert_eq!(table.see(&server, None).await["result"], result);
    }
}

#[tokio::test]
async fn p63_r24_before_the_battle_it_aborts_the_game_and_nobody_wins() {
    let server = Server::shared().await;
    let waiting = Table::create(&server, &json!({})).await;
    let placing = Table::joined(&server, &json!({})).await;
    let half_placed = Table::joined(&server, &json!({})).await;
    half_placed.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);

    for (table, resigning) in [(&waiting, Host), (&placing, Guest), (&half_placed, Host)] {
        let reply = table.resign(&server, resigning).await;

        let progress = reply.expect(200);
        assert_eq!((&progress["status"], &progress["awaiting"]), (&json!("aborted"), &json!([])));
        let result = json!({"winner": null, "reason": "aborted"});
        assert_eq!(progress["events"][0]["result"], result);
        for eyes in [Some(Host), None] {
            let look = table.look(&server, eyes).await;
            assert_eq!((&look.json["status"], &look.json["result"]), (&json!("aborted"), &result));
        }
    }
}
