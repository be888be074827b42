//! A host who hides while somebody joins, while the game is called off, and while it expires.

use ground::cluster::Cluster;
use ground::server::Server;
use ground::stream::within;
use ground::table::{Table, usual};
use ground::wire::{at_once, post};
use serde_json::json;
use testing::campaign;
use testing::model::Seat::{Guest, Host};

use super::two_servers::{TwoServers, accepted, place, refused, resign};

#[tokio::test]
async fn a_layout_and_a_joining_at_once_come_one_after_the_other_and_both_count() {
    let servers = TwoServers::open().await;
    let mut orders = std::collections::BTreeSet::new();
    for round in 0..campaign(24, 60) {
        let mut table = Table::create(&servers.one, &json!({"listed": true, "options": {"turn_seconds": 60}})).await;
        let joining = post(servers.server(round), &table.path("/join"), None, &json!({}));
        let placing = place(servers.server(round / 2), &table, Host);
        let both = if round % 3 == 0 { [placing, joining] } else { [joining, placing] };

        let replies = at_once(&both).await;

        let seated = accepted(&replies, 201);
        assert_eq!((seated.len(), accepted(&replies, 200).len()), (1, 1), "{replies:?}");
        seated[0].json["token"].as_str().unwrap().clone_into(&mut table.guest);
        place_and_check(&servers, &table).await;
        let log = servers.check(&table).await;
        orders.insert(log[1]["type"].as_str().unwrap().to_owned());
        assert_eq!(servers.count("select count(*) from lobby").await, 0);
    }
    assert!(!orders.is_empty() && orders.iter().all(|first| ["placed", "joined"].contains(&first.as_str())));
}

/// The guest places too, and the clock of each joining is its own.
async fn place_and_check(servers: &TwoServers, table: &Table) {
    let log = table.log(&servers.one).await;
    assert_eq!(log.len(), 3);
    let joined = log.iter().find(|event| event["type"] == "joined").unwrap();
    let until = &joined["awaiting"][0]["until"];
    assert!(until.is_string());
    let game = table.see(&servers.two, None).await;
    assert_eq!(game["awaiting"], json!([{"seat": "guest", "action": "place", "count": 1, "until": until}]));
    let refused = at_once(&[place(&servers.one, table, Host), place(&servers.two, table, Guest)]).await;
    refused[0].refuses(409, "already_placed");
    refused[1].expect(200);
}

#[tokio::test]
async fn of_sixteen_layouts_at_once_before_anybody_joins_one_is_hidden() {
    let servers = TwoServers::open().await;
    for _ in 0..campaign(6, 12) {
        let mut table = Table::create(&servers.one, &json!({})).await;

        let replies = at_once(&servers.sixteen(|server| place(server, &table, Host))).await;

        let placed = accepted(&replies, 200);
        assert_eq!(placed.len(), 1, "{replies:?}");
        refused(&replies, &["already_placed"]);
        let own = table.see(&servers.two, Some(Host)).await;
        assert_eq!(own["boards"]["host"]["salt"], placed[0].json["salt"]);
        table.join(&servers.two).await;
        table.place(&servers.one, Guest, &usual()).await.expect(200);
        servers.check(&table).await;
    }
}

#[tokio::test]
async fn a_layout_and_a_resigning_at_once_come_one_after_the_other() {
    let servers = TwoServers::open().await;
    for round in 0..campaign(16, 32) {
        let table = Table::create(&servers.two, &json!({"listed": true})).await;

        let both = [place(servers.server(round), &table, Host), resign(&servers.one, &table, Host)];
        let replies = at_once(&both).await;

        // Both are of one seat: where it has acted since, nothing that was sent before counts.
        let counted = accepted(&replies, 200).len();
        assert!(counted >= 1, "{replies:?}");
        refused(&replies, &["game_over", "in_flight"]);
        let log = servers.check(&table).await;
        assert_eq!(log.len(), 1 + counted);
        if log.last().unwrap()["status"] == "waiting" {
            table.resign(&servers.one, Host).await.expect(200);
        }
        assert_eq!(servers.check(&table).await.last().unwrap()["status"], "aborted");
        assert_eq!(servers.count("select count(*) from lobby").await, 0);
    }
}

#[tokio::test]
async fn a_layout_at_the_moment_in_which_the_game_expires_counts_or_comes_too_late() {
    let database = Cluster::shared().database().await;
    let servers = [
        Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]),
        Server::start_with(&database, &[("NAVAL_BATTLE_EXPIRE_AFTER", "1")]),
    ];
    let rounds = campaign(12_u32, 100);
    let games = (0..rounds).map(async |round| {
        let server = &servers[usize::from(round % 2 == 0)];
        let table = Table::create(server, &json!({"listed": true})).await;
        // From a moment before the deadline to after the second in which nobody writes the end.
        let wait = 900 + u64::from(round) * 1_300 / u64::from(rounds);
        tokio::time::sleep(std::time::Duration::from_millis(wait)).await;
        let reply = table.place(&servers[usize::from(round % 3 == 0)], Host, &usual()).await;
        within(async {
            while table.see(server, None).await["status"] != "aborted" {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        })
        .await;
        let log = ground::ledger::check(server, &table, &usual(), &usual()).await;
        let kinds: Vec<_> = log.iter().map(|event| event["type"].as_str().unwrap()).collect();
        if reply.status == 200 {
            assert_eq!(kinds, ["created", "placed", "expired"]);
            let until = &log[0]["awaiting"][1]["until"];
            assert!(log[1]["at"].as_str() < until.as_str(), "{log:?}");
            assert_eq!(log[1]["awaiting"][0]["until"], *until, "a layout makes nobody's time longer");
        } else {
            reply.refuses(409, "game_over");
            assert_eq!(kinds, ["created", "expired"]);
        }
        let verified = server.get(&table.path("/verify"), None).await;
        assert_eq!(verified.expect(200)["ok"], true, "{}", verified.text);
        u32::from(reply.status == 200)
    });
    let counted: u32 = futures_util::future::join_all(games).await.into_iter().sum();
    assert!(counted < rounds, "some came too late");
}
