//! Hiding ships before anybody has joined, and sharing the link then.

use serde_json::{Value, json};

use ground::cluster::Cluster;
use ground::ledger;
use ground::server::Server;
use ground::table::{Table, usual};
use testing::model::Seat;

use Seat::{Guest, Host};

/// A key that may stand for a seat.
const KEY: &str = "a-key-that-nobody-else-has-of-some-length";

/// A game whose host has placed and whose guest is not there yet, with what `place` said.
async fn hidden(server: &Server, body: &Value) -> (Table, Value) {
    let table = Table::create(server, body).await;
    let placed = table.place(server, Host, &usual()).await.expect(200).clone();
    (table, placed)
}

fn kinds(log: &[Value]) -> Vec<&str> {
    log.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn r6_the_host_hides_shares_the_link_and_the_guest_finds_one_layout_missing() {
    let server = Server::shared().await;
    let (mut table, placed) = hidden(&server, &json!({"listed": true, "options": {"first": "guest"}})).await;
    assert_eq!((&placed["version"], &placed["status"]), (&json!(2), &json!("waiting")));
    let own = table.see(&server, Some(Host)).await;
    assert_eq!((&own["boards"]["host"]["salt"], &own["players"]["host"]["placed"]), (&placed["salt"], &json!(true)));
    assert_eq!(own["players"]["host"]["commitment"], placed["events"][0]["commitment"]);
    assert_eq!((&own["first"], &own["players"]["guest"]), (&Value::Null, &Value::Null));
    let listed = server.get("/v1/games?limit=100", None).await.expect(200)["games"].to_string();
    assert!(listed.contains(&table.id), "it can still be joined");

    table.join(&server).await;

    let placing = table.see(&server, Some(Guest)).await;
    let expected = json!([{"seat": "guest", "action": "place", "count": 1, "until": null}]);
    assert_eq!((&placing["status"], &placing["awaiting"]), (&json!("placing"), &expected));
    let listed = server.get("/v1/games?limit=100", None).await.expect(200)["games"].to_string();
    assert!(!listed.contains(&table.id));
    table.place(&server, Host, &usual()).await.refuses(409, "already_placed");
    table.place(&server, Guest, &usual()).await.expect(200);
    table.fire(&server, Guest, "A1").await.expect(200);
    table.resign(&server, Host).await.expect(200);
    let log = ledger::check(&server, &table, &usual(), &usual()).await;
    assert_eq!(kinds(&log), ["created", "placed", "joined", "placed", "fired", "resigned"]);
    let replayed = server.get(&table.path("/replay?upto=2&as=host"), Some(&table.guest)).await;
    let boards = &replayed.expect(200)["boards"];
    assert_eq!(boards["host"], own["boards"]["host"]);
}

#[tokio::test]
async fn r27_r28_until_the_end_a_layout_hidden_first_is_told_to_its_owner_alone() {
    let server = Server::shared().await;
    let (mut table, placed) = hidden(&server, &json!({})).await;
    let salt = placed["salt"].as_str().unwrap();
    let empty = json!({"ships": [], "mines": [], "shots": [], "revealed": [], "known_empty": [], "salt": null});
    let mut eyes = vec![None];
    for joined in [false, true] {
        if joined {
            table.join(&server).await;
            eyes.push(Some(table.guest.clone()));
        }
        for token in &eyes {
            for below in ["", "/events", "/replay", "/replay?upto=2", "/replay?as=spectator", "/verify"] {
                let told = server.get(&table.path(below), token.as_deref()).await;
                let text = told.expect(200).to_string();
                assert!(!text.contains(salt) && !text.contains("\"A1\"") && !text.contains("\"J10\""), "{text}");
                if let Some(board) = told.json.pointer("/boards/host") {
                    assert_eq!(*board, empty);
                }
            }
            for eyes in ["host", "all"] {
                let told = server.get(&table.path(&format!("/replay?as={eyes}")), token.as_deref()).await;
                told.refuses(409, "not_over");
            }
        }
    }
}

#[tokio::test]
async fn repeats_get_the_reply_that_was_given_while_the_layout_lay_there_alone() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let mut table = Table::create(&servers[0], &json!({})).await;
    let place = async |server: &Server, key: &str| {
        server.post_with_key(&table.path("/place"), Some(&table.host), key, &usual().to_json()).await
    };
    let placed = place(&servers[0], "first").await;
    assert_eq!(place(&servers[1], "first").await.text, placed.text);
    place(&servers[1], "second").await.refuses(409, "already_placed");
    let joined = servers[0].post_with_key(&table.path("/join"), None, KEY, &json!({"name": "Bo"})).await;
    assert_eq!(joined.expect(201)["game"]["version"], 3);

    for server in &servers {
        assert_eq!(place(server, "first").await.text, placed.text);
        let again = server.post_with_key(&table.path("/join"), None, KEY, &json!({"name": "Bo"})).await;
        assert_eq!((again.status, &again.text), (201, &joined.text));
    }
    joined.json["token"].as_str().unwrap().clone_into(&mut table.guest);
    table.place(&servers[1], Guest, &usual()).await.expect(200);
    let again = servers[0].post_with_key(&table.path("/join"), None, KEY, &json!({"name": "Bo"})).await;
    assert_eq!(again.text, joined.text, "as it stood then");
}

#[tokio::test]
async fn r22_whoever_asks_first_for_a_rematch_hides_first_and_asks_again_as_ever() {
    let server = Server::shared().await;
    for asker in [Host, Guest] {
        let ended = Table::in_battle(&server).await;
        ended.resign(&server, Host).await.expect(200);
        let ask = async |seat: Seat| server.post(&ended.path("/rematch"), Some(ended.token(seat)), &json!({})).await;
        let first = ask(asker).await;
        let id = first.expect(201)["game"]["id"].as_str().unwrap().to_owned();
        let token = |reply: &ground::server::Reply| reply.json["token"].as_str().unwrap().to_owned();
        let path = format!("/v1/games/{id}/place");
        server.post(&path, Some(&token(&first)), &usual().to_json()).await.expect(200);

        let second = ask(asker.other()).await;

        let game = &second.expect(201)["game"];
        let expected = json!([{"seat": asker.other().name(), "action": "place", "count": 1, "until": null}]);
        assert_eq!((&game["id"], &game["version"], &game["awaiting"]), (&json!(id), &json!(3), &expected));
        assert_eq!(game["boards"][asker.name()]["ships"], json!([]));
        for (seat, reply) in [(asker, &first), (asker.other(), &second)] {
            assert_eq!(ask(seat).await.text, reply.text, "the seat as it was when it was taken");
        }
        server.post(&path, Some(&token(&second)), &usual().to_json()).await.expect(200);
        for (seat, reply) in [(asker, &first), (asker.other(), &second)] {
            assert_eq!(ask(seat).await.text, reply.text);
        }
        let (host, guest) = if asker == Host { (&first, &second) } else { (&second, &first) };
        let table = Table { id, host: token(host), guest: token(guest) };
        let log = table.log(&server).await;
        ledger::check_chain(&log);
        assert_eq!(kinds(&log), ["created", "placed", "joined", "placed"]);
        table.resign(&server, Guest).await.expect(200);
        let verified = server.get(&table.path("/verify"), None).await;
        assert_eq!(verified.expect(200)["ok"], true, "{}", verified.text);
    }
}

#[tokio::test]
async fn r26_what_nobody_came_to_stays_sealed() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
    let (expired, _) = hidden(&server, &json!({"listed": true, "options": {"turn_seconds": 10}})).await;
    let (resigned, _) = hidden(&server, &json!({"listed": true})).await;
    resigned.resign(&server, Host).await.expect(200);
    ground::stream::within(async {
        while expired.see(&server, None).await["status"] != "aborted" {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    })
    .await;

    for (table, end) in [(&expired, "expired"), (&resigned, "resigned")] {
        let log = ledger::check(&server, table, &usual(), &usual()).await;
        assert_eq!(kinds(&log), ["created", "placed", end]);
        let [own, others] = [table.see(&server, Some(Host)).await, table.see(&server, None).await];
        assert_eq!(own["boards"]["host"]["ships"].as_array().unwrap().len(), 5);
        assert!(own["boards"]["host"]["salt"].is_string());
        assert_eq!((&others["boards"]["host"]["ships"], &others["boards"]["host"]["salt"]), (&json!([]), &Value::Null));
        server.get(&table.path("/replay?as=all"), None).await.refuses(409, "not_over");
        server.post(&table.path("/join"), None, &json!({})).await.refuses(409, "game_over");
        table.place(&server, Host, &usual()).await.refuses(409, "game_over");
        let rematch = server.post(&table.path("/rematch"), Some(&table.host), &json!({})).await;
        rematch.refuses(409, "not_joined");
    }
    let listed = server.get("/v1/games", None).await;
    assert_eq!(listed.expect(200)["games"], json!([]));
}
