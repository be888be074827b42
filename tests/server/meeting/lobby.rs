use std::collections::HashSet;
use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};

use ground::cluster::Cluster;
use ground::server::Server;
use ground::stream::within;
use ground::table::Table;
use ground::wire::{at_once, get, post};
use testing::model::Seat;

async fn offer(server: &Server, name: &str) -> Table {
    Table::create(server, &json!({"name": name, "listed": true})).await
}

async fn page(server: &Server, query: &str) -> Value {
    let reply = server.get(&format!("/v1/games{query}"), None).await;
    reply.expect(200).clone()
}

fn ids(page: &Value) -> Vec<&str> {
    page["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect()
}

/// Turns the pages of the list, with `between` done before each but the first.
async fn turn_pages(server: &Server, limit: usize, mut between: impl AsyncFnMut(usize)) -> Vec<String> {
    let mut seen = Vec::new();
    let mut query = format!("?limit={limit}");
    loop {
        let page = page(server, &query).await;
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        let Some(next) = page["next"].as_str() else { return seen };
        query = format!("?limit={limit}&after={next}&status=waiting");
        between(seen.len()).await;
    }
}

#[tokio::test]
async fn listed_games_are_listed_newest_first_with_what_a_stranger_may_know() {
    let server = Server::on_new_database().await;
    assert_eq!(page(&server, "").await, json!({"games": [], "next": null}));
    let options = json!({"grid": 15, "fleet": "russian", "salvo": true, "first": "guest", "turn_seconds": 60});
    let first = Table::create(&server, &json!({"options": options, "name": "Ёлка 🚢", "listed": true})).await;
    let hidden = Table::create(&server, &json!({"name": "Anna"})).await;
    let second = offer(&server, "Bo").await;

    let page = page(&server, "").await;

    assert_eq!(ids(&page), [&second.id, &first.id]);
    assert_eq!(page["next"], Value::Null);
    let game = first.see(&server, None).await;
    let expected = json!({
        "id": first.id, "created_at": game["created_at"], "options": game["options"], "host": {"name": "Ёлка 🚢"},
        "until": game["awaiting"][1]["until"]
    });
    assert_eq!(page["games"][1], expected);
    for secret in [&first.host, &second.host, &hidden.id] {
        assert!(!page.to_string().contains(secret.as_str()));
    }
}

#[tokio::test]
async fn a_game_leaves_the_list_the_moment_it_is_joined_or_ended() {
    let server = Server::on_new_database().await;
    let [mut joined, resigned, open] =
        [offer(&server, "a").await, offer(&server, "b").await, offer(&server, "c").await];

    joined.join(&server).await;
    assert_eq!(ids(&page(&server, "").await), [&open.id, &resigned.id]);
    resigned.resign(&server, Seat::Host).await.expect(200);
    assert_eq!(ids(&page(&server, "").await), [&open.id]);
}

#[tokio::test]
async fn a_game_against_a_bot_is_offered_to_nobody() {
    let server = Server::on_new_database().await;

    Table::create(&server, &json!({"bot": "easy", "listed": true, "options": {"turn_seconds": 60}})).await;

    assert_eq!(page(&server, "").await["games"], json!([]));
}

#[tokio::test]
async fn an_expired_game_is_not_listed_though_its_end_is_still_to_be_written() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "2")]);
    let table = offer(&server, "a").await;

    within(async {
        while !ids(&page(&server, "").await).is_empty() {
            // Whatever is listed can still be joined.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;

    server.post(&table.path("/join"), None, &json!({})).await.refuses(409, "game_over");
}

#[tokio::test]
async fn pages_show_each_game_once_while_games_come_and_go() {
    let server = Server::on_new_database().await;
    let mut tables = Vec::new();
    for number in 0..45 {
        tables.push(offer(&server, &number.to_string()).await);
    }
    let order: Vec<String> = tables.iter().rev().map(|table| table.id.clone()).collect();
    assert_eq!(turn_pages(&server, 7, async |_| {}).await, order);
    assert_eq!(turn_pages(&server, 45, async |_| {}).await, order);

    let server_ref = &server;
    let mut gone = HashSet::new();
    let seen = turn_pages(&server, 7, async |shown| {
        // One that was shown, one that was not, and a new one.
        for place in [shown - 3, shown + 2] {
            if let Some(id) = order.get(place) {
                let mut table = Table { id: id.clone(), host: String::new(), guest: String::new() };
                table.join(server_ref).await;
                gone.insert(id.clone());
            }
        }
        offer(server_ref, "new").await;
    })
    .await;

    assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len(), "none twice");
    let stayed: Vec<&String> = order.iter().filter(|id| !gone.contains(*id)).collect();
    assert!(stayed.iter().all(|id| seen.contains(id)), "none left out that stayed");
    assert!(seen.iter().all(|id| order.contains(id)), "what is newer than the first page is not on a later one");
}

#[tokio::test]
async fn of_all_who_join_from_the_list_at_once_on_two_servers_one_is_seated_and_the_game_is_gone() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    for round in 0..30 {
        let table = offer(&servers[round % 2], "race").await;

        // Eight join while eight look at the list.
        let requests: Vec<_> = (0..16)
            .map(|turn: usize| {
                let server = &servers[(turn / 2) % 2];
                if turn.is_multiple_of(2) {
                    post(server, &table.path("/join"), None, &json!({}))
                } else {
                    get(server, "/v1/games", None)
                }
            })
            .collect();
        let replies = at_once(&requests).await;

        let seated = replies.iter().filter(|reply| reply.status == 201).count();
        assert_eq!(seated, 1, "{replies:?}");
        assert!(replies.iter().all(|reply| [200, 201, 409].contains(&reply.status)), "{replies:?}");
        for server in &servers {
            assert!(ids(&page(server, "").await).is_empty());
        }
    }
}

#[tokio::test]
async fn pages_turned_while_two_servers_write_show_no_game_twice() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let stays = join_all((0..40).map(|number| offer(&servers[number % 2], "stays"))).await;

    let busy = async {
        for round in 0..60 {
            let mut comes_and_goes = offer(&servers[round % 2], "goes").await;
            comes_and_goes.join(&servers[(round + 1) % 2]).await;
        }
    };
    let reading = join_all([0, 1, 0, 1].map(|which: usize| {
        let server = &servers[which];
        async move { turn_pages(server, 3, async |_| {}).await }
    }));
    let ((), lists) = join(busy, reading).await;

    for list in lists {
        assert_eq!(list.iter().collect::<HashSet<_>>().len(), list.len(), "none twice");
        assert!(stays.iter().all(|table| list.contains(&table.id)), "none left out that stayed");
    }
}

#[tokio::test]
async fn games_of_one_moment_are_told_apart() {
    let server = Server::on_new_database().await;
    let made = join_all((0..60).map(|_| offer(&server, "same"))).await;

    let seen = turn_pages(&server, 1, async |_| {}).await;

    let expected: HashSet<String> = made.into_iter().map(|table| table.id).collect();
    assert_eq!(seen.len(), 60);
    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), expected);
}

#[tokio::test]
async fn a_query_that_is_none_is_refused() {
    let server = Server::on_new_database().await;
    offer(&server, "a").await;
    offer(&server, "b").await;
    let next = page(&server, "?limit=1").await["next"].as_str().unwrap().to_owned();
    assert!(page(&server, &format!("?after={next}")).await["next"].is_null());

    for query in [
        "?limit=0".to_owned(),
        "?limit=101".to_owned(),
        "?limit=ten".to_owned(),
        "?status=battle".to_owned(),
        "?status=".to_owned(),
        "?after=".to_owned(),
        "?after=x".to_owned(),
        format!("?after={next}A"),
        format!("?after={next}&after={next}"),
        "?offset=1".to_owned(),
    ] {
        server.get(&format!("/v1/games{query}"), None).await.refuses(400, "malformed");
    }
    // Whatever has the form is a place: before the newest, or behind the oldest.
    for (any, count) in [("f", 2), ("_", 0), ("A", 0)] {
        assert_eq!(ids(&page(&server, &format!("?after={}", any.repeat(32))).await).len(), count, "{any}");
    }
    // A route without a game ignores the token.
    server.get("/v1/games", Some("nonsense")).await.expect(200);
}
