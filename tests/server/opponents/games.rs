use serde_json::{Value, json};

use super::solo::{Solo, shown_layout};
use ground::cluster::Cluster;
use ground::ledger;
use ground::server::Server;
use testing::campaign;
use testing::model::{Options, Seat};

use Seat::{Guest, Host};

const LEVELS: [&str; 3] = ["easy", "medium", "hard"];

/// The usual game.
pub(crate) fn usual_options() -> Options {
    Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false }
}

#[tokio::test]
async fn a_bot_joins_and_places_with_the_creation_and_is_no_secret() {
    let server = Server::shared().await;
    for level in LEVELS {
        let solo = Solo::create(&server, level, &usual_options(), 1).await;

        let game = &solo.created.json["game"];
        assert_eq!((&game["status"], &game["version"]), (&json!("placing"), &json!(3)));
        assert_eq!(solo.created.header("etag"), Some("\"3-host\""));
        let guest = &game["players"]["guest"];
        assert_eq!((&guest["bot"], &guest["name"], &guest["placed"]), (&json!(level), &Value::Null, &json!(true)));
        assert_eq!((&guest["bot_seed"], &game["players"]["host"]["bot"]), (&Value::Null, &Value::Null));
        assert_eq!(game["awaiting"], json!([{"seat": "host", "action": "place", "count": 1, "until": null}]));
        let log = solo.table.log(&server).await;
        let kinds: Vec<_> = log.iter().map(|event| (&event["type"], &event["seat"])).collect();
        assert_eq!(
            kinds,
            [
                (&json!("created"), &json!("host")),
                (&json!("joined"), &json!("guest")),
                (&json!("placed"), &json!("guest"))
            ]
        );
        assert_eq!((&log[1]["bot"], log[1].get("name")), (&json!(level), None));
        assert!(log[0].get("bot").is_none() && log[2].get("bot").is_none());
        server.post(&solo.table.path("/join"), None, &json!({})).await.refuses(409, "game_full");
        let lobby = server.get("/v1/games?limit=100", None).await;
        assert!(!lobby.text.contains(&solo.table.id), "nobody can join it");
    }
    server.post("/v1/games", None, &json!({"bot": "expert"})).await.refuses(400, "malformed");
    server.post("/v1/games", None, &json!({"bot": null})).await.expect(201);
}

#[tokio::test]
async fn whole_games_against_bots_are_games_by_the_rules() {
    let server = Server::on_new_database().await;
    let mut won = [0, 0];
    // Every seventh has each value of each option.
    for (number, options) in (0_u64..).zip(Options::all()).step_by(campaign(7, 1)) {
        let level = LEVELS[usize::try_from(number).unwrap() % LEVELS.len()];
        let mut solo = Solo::create(&server, level, &options, number).await;

        solo.place(&server).await;
        while solo.step(&server).await {
            let game = solo.table.see(&server, Some(Host)).await;
            assert_eq!(game["version"], solo.progress["version"]);
        }

        let ended = solo.table.see(&server, None).await;
        assert_eq!((&ended["status"], &ended["result"]["reason"]), (&json!("finished"), &json!("fleet_sunk")));
        won[usize::from(ended["result"]["winner"] == "host")] += 1;
        let bots = shown_layout(&ended["boards"]["guest"]);
        ledger::check(&server, &solo.table, &solo.layout, &bots).await;
        let verified = server.get(&solo.table.path("/verify"), None).await;
        assert_eq!(verified.expect(200)["ok"], true, "{}", verified.text);
        for upto in [1, 2, 3, 4, 5] {
            for eyes in ["all", "guest", "spectator"] {
                let path = format!("/replay?upto={upto}&as={eyes}");
                server.get(&solo.table.path(&path), None).await.expect(200);
            }
        }
    }
    // Who plays at random seldom wins.
    assert!(won[0] > 0 && won[1] >= campaign(0, 1), "both sides win now and then: {won:?}");
}

#[tokio::test]
async fn a_repeat_gets_the_bots_answers_too_and_has_no_second_effect() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let key = "kT9wq2ZsL0vX5mB8cR3nD6fH1jP4gY7u";
    let body = json!({"bot": "hard", "options": {"first": "guest", "salvo": true}});
    let created = servers[0].post_with_key("/v1/games", None, key, &body).await;
    let again = servers[1].post_with_key("/v1/games", None, key, &body).await;
    assert_eq!((again.status, &again.text), (201, &created.text));
    let token = created.json["token"].as_str().unwrap();
    let path = |below: &str| format!("/v1/games/{}{below}", created.json["game"]["id"].as_str().unwrap());

    let layout = json!({"ships": [
        {"start": "B2", "length": 5}, {"start": "B4", "length": 4}, {"start": "B6", "length": 3},
        {"start": "F6", "length": 3, "direction": "down"}, {"start": "B8", "length": 2}
    ], "mines": ["J10"]});
    let placed = servers[1].post_with_key(&path("/place"), Some(token), "place", &layout).await;
    let events = placed.expect(200)["events"].as_array().unwrap();
    assert!(events.len() >= 2, "the bot fires first, in the same reply: {}", placed.text);
    assert_eq!(placed.json["version"], events.last().unwrap()["seq"]);
    for server in &servers {
        let again = server.post_with_key(&path("/place"), Some(token), "place", &layout).await;
        assert_eq!((again.status, &again.text), (200, &placed.text));
        assert_eq!(again.header("etag"), placed.header("etag"));
        let created_again = server.post_with_key("/v1/games", None, key, &body).await;
        assert_eq!(created_again.text, created.text, "the game as it stood then");
    }
    let log = servers[0].get(&path("/events?limit=500"), None).await;
    assert_eq!(log.json["version"], placed.json["version"]);
}

#[tokio::test]
async fn a_bot_plays_again_at_once_and_the_loser_shoots_first() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let mut solo = Solo::create(&servers[0], "medium", &usual_options(), 3).await;
    solo.place(&servers[0]).await;
    solo.play_to_the_end(&servers[0]).await;
    let loser = if solo.table.see(&servers[0], None).await["result"]["winner"] == "host" { "guest" } else { "host" };

    let path = solo.table.path("/rematch");
    let first = servers[0].post(&path, Some(&solo.table.host), &json!({})).await;
    let again = servers[1].post(&path, Some(&solo.table.host), &json!({})).await;

    let game = &first.expect(201)["game"];
    assert_eq!((&game["status"], &game["version"], &game["first"]), (&json!("placing"), &json!(3), &json!(loser)));
    assert_eq!(game["players"]["guest"]["bot"], "medium");
    assert_eq!(game["players"]["host"]["name"], "Anna");
    assert_eq!(again.text, first.text);
}

#[tokio::test]
async fn what_a_bot_hides_stays_hidden_until_somebody_has_won() {
    let server = Server::shared().await;
    let mut solo = Solo::create(&server, "hard", &usual_options(), 5).await;
    solo.place(&server).await;
    for _ in 0..6 {
        solo.step(&server).await;
    }
    for eyes in [Some(Host), None] {
        let game = solo.table.see(&server, eyes).await;
        assert_eq!(
            (&game["players"]["guest"]["bot_seed"], &game["boards"]["guest"]["salt"]),
            (&Value::Null, &Value::Null)
        );
        assert!(game["boards"]["guest"]["ships"].as_array().unwrap().iter().all(|ship| ship["sunk"] == true));
    }

    solo.table.resign(&server, Host).await.expect(200);
    let opened = solo.table.see(&server, None).await;
    assert_eq!(opened["players"]["guest"]["bot_seed"].as_str().unwrap().len(), 64);
    assert_eq!(opened["players"]["host"]["bot_seed"], Value::Null);
    assert_eq!(opened["boards"]["guest"]["ships"].as_array().unwrap().len(), 5);

    let aborted = Solo::create(&server, "hard", &usual_options(), 5).await;
    aborted.table.resign(&server, Host).await.expect(200);
    for eyes in [Some(Host), None] {
        let game = aborted.table.see(&server, eyes).await;
        assert_eq!((&game["status"], &game["players"]["guest"]["bot_seed"]), (&json!("aborted"), &Value::Null));
        assert_eq!((&game["boards"]["guest"]["salt"], &game["boards"]["guest"]["ships"]), (&Value::Null, &json!([])));
    }
    let rematch = server.post(&aborted.table.path("/rematch"), Some(&aborted.table.host), &json!({})).await;
    assert_eq!(rematch.expect(201)["game"]["version"], 3);
    assert_eq!(aborted.table.token(Guest), "", "a bot has no token");
}

#[tokio::test]
async fn equal_shots_at_once_against_a_bot_count_once() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let mut solo = Solo::create(&servers[0], "hard", &usual_options(), 8).await;
    solo.place(&servers[0]).await;
    for cell in ["A1", "C3", "E5", "G7", "I9"] {
        if solo.progress["awaiting"][0]["action"] == "reveal" {
            solo.step(&servers[0]).await;
        }
        let fire = |server: &Server| {
            ground::wire::post(server, &solo.table.path("/fire"), Some(&solo.table.host), &json!({"shots": [cell]}))
        };
        let requests: Vec<_> = (0..16).map(|turn| fire(&servers[turn % 2])).collect();
        let replies = ground::wire::at_once(&requests).await;

        let accepted: Vec<_> = replies.iter().filter(|reply| reply.status == 200).collect();
        assert_eq!(accepted.len(), 1, "{replies:?}");
        accepted[0].json.clone_into(&mut solo.progress);
    }
    let log = solo.table.log(&servers[1]).await;
    let fired = |event: &&Value| event["type"] == "fired" && event["seat"] == "host";
    assert_eq!(log.iter().filter(fired).count(), 5);
    ledger::check_chain(&log);
}
