//! What is hidden stays hidden (R26 to R28).

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::asking::{post_text, posting};
use crate::api::games::play_on;
use ground::cluster::Cluster;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, cells_of, layout};
use testing::model::{LayoutSent, Seat};

use Seat::{Guest, Host};

/// A fleet that shares no cell with [`FLEET`], nor is close to where it lies.
const OTHER_FLEET: &str = "H1v5 J1v4 H7v3 J6v3 E10>2";

/// The numbers of a game that say nothing of where something lies.
const HARMLESS: [&str; 11] =
    ["version", "seq", "count", "expected", "owed", "grid", "rules", "mines", "ships_afloat", "turn_seconds", "status"];

#[tokio::test]
async fn until_the_end_nothing_told_to_the_guest_names_what_is_hidden() {
    let server = Server::shared().await;
    let (host, guest) = (layout(FLEET, "J10"), layout(OTHER_FLEET, "A9"));
    let table = Table::in_battle_with(&server, &json!({"first": "guest"}), &host, &guest).await;
    play_on(
        &server,
        &table,
        "guest fires A3 = hit
         host fires G1 = miss
         guest fires E7 = hit
         host fires G3 = miss
         guest fires F7 = sunk E7>2
         host fires A9 = mine, owes 1
         host reveals A7",
    )
    .await;
    let mut hidden = hidden(&host);
    // Struck, sunk and given away is what everybody knows.
    for known in ["A3", "E7", "F7", "A7"] {
        assert!(hidden.remove(known));
    }

    let replies = everything_told(&server, &table, Guest).await;

    for reply in &replies {
        for cell in &hidden {
            assert!(!reply.text.contains(&format!("\"{cell}\"")), "{cell} is told in {}", reply.text);
        }
        assert_no_coordinates(&reply.json, "");
    }
    assert!(replies.iter().any(|reply| reply.text.contains("\"A7\"")), "what was given away is told");
    assert!(replies.len() > 20);
}

#[tokio::test]
async fn while_placing_nothing_at_all_is_told() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({})).await;
    let host = layout(FLEET, "J10");
    table.place(&server, Host, &host).await.expect(200);

    for reply in everything_told(&server, &table, Guest).await {
        for cell in hidden(&host) {
            assert!(!reply.text.contains(&format!("\"{cell}\"")), "{cell} is told in {}", reply.text);
        }
        assert_no_coordinates(&reply.json, "");
    }
}

/// Everything that a seat and a spectator can get to hear without changing the game.
async fn everything_told(server: &Server, table: &Table, seat: Seat) -> Vec<Reply> {
    let token = table.token(seat);
    let mut replies = Vec::new();
    for token in [Some(token), None] {
        for below in ["", "/events", "?x=1", "/events?after=x", "/nowhere"] {
            replies.push(server.get(&table.path(below), token).await);
            replies.push(send(authorized(server.request(Method::DELETE, &table.path(below)), token)).await);
        }
        for below in ["/place", "/fire", "/reveal", "/join"] {
            for body in ["{}", "{", r#"{"shots": ["O15"]}"#, r#"{"shots": ["G9", "G9"]}"#, r#"{"cells": ["O15"]}"#] {
                replies.push(post_text(server, &table.path(below), token, body).await);
            }
            let stale = posting(server, &table.path(below), token, Some("application/json"), r#"{"shots": ["G9"]}"#);
            replies.push(send(stale.header("if-match", "\"1-nobody\"")).await);
        }
    }
    replies
}

/// All cells of the ships and the mines.
fn hidden(layout: &LayoutSent) -> BTreeSet<String> {
    let mut hidden: BTreeSet<String> = cells_of(&layout.ships).into_iter().collect();
    hidden.extend(layout.mines.iter().cloned());
    hidden
}

/// No number stands where it could be a row or a column.
fn assert_no_coordinates(value: &Value, key: &str) {
    match value {
        // A ship that is seen has a start that is told, and a length; `setup` has lengths alone.
        Value::Number(_) => assert!(HARMLESS.contains(&key) || ["length", "ships"].contains(&key), "{key}: {value}"),
        Value::Array(list) => list.iter().for_each(|value| assert_no_coordinates(value, key)),
        Value::Object(object) => object.iter().for_each(|(key, value)| assert_no_coordinates(value, key)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn r28_a_spectator_sees_exactly_what_both_players_know() {
    let server = Server::shared().await;
    let (host, guest) = (layout(FLEET, "J10 L12"), layout(OTHER_FLEET, "A9 L12"));
    let table = Table::joined(&server, &json!({"grid": 12, "first": "host", "shoot_again": true})).await;
    assert_spectator_sees_what_both_know(&server, &table).await;
    table.place(&server, Guest, &guest).await.expect(200);
    assert_spectator_sees_what_both_know(&server, &table).await;
    table.place(&server, Host, &host).await.expect(200);
    for line in [
        "host fires E10 = hit",
        "host fires F10 = sunk E10>2",
        "host fires A9 = mine, owes 1",
        "host reveals A1",
        "guest fires A1 = hit",
        "guest fires J10 = mine, owes 1",
        "guest reveals H3",
        "host fires B1 = miss",
        "guest resigns",
    ] {
        assert_spectator_sees_what_both_know(&server, &table).await;
        play_on(&server, &table, line).await;
    }
    assert_spectator_sees_what_both_know(&server, &table).await;
}

/// Either player sees of the other's board what everybody sees, and the rest is the same for all.
async fn assert_spectator_sees_what_both_know(server: &Server, table: &Table) {
    let [mut host, mut guest, mut spectator] =
        [table.see(server, Some(Host)).await, table.see(server, Some(Guest)).await, table.see(server, None).await];
    let take = |view: &mut Value, field: &str| view.as_object_mut().unwrap().remove(field).unwrap();

    assert_eq!(spectator["boards"]["host"], guest["boards"]["host"]);
    assert_eq!(spectator["boards"]["guest"], host["boards"]["guest"]);
    let public = ["shots", "revealed", "known_empty"];
    for seat in ["host", "guest"] {
        let own = if seat == "host" { &host } else { &guest };
        for list in public {
            assert_eq!(spectator["boards"][seat][list], own["boards"][seat][list], "{seat}: {list}");
        }
        for list in ["ships", "mines"] {
            let all = own["boards"][seat][list].as_array().unwrap();
            let seen = spectator["boards"][seat][list].as_array().unwrap();
            assert!(seen.iter().all(|one| all.contains(one)), "{seat}: {list}");
        }
    }
    assert_eq!(take(&mut spectator, "revealable"), Value::Null);
    for view in [&mut host, &mut guest, &mut spectator] {
        for own in ["you", "boards"] {
            take(view, own);
        }
        view.as_object_mut().unwrap().remove("revealable");
    }
    assert_eq!(host, spectator);
    assert_eq!(guest, spectator);
}

#[tokio::test]
async fn whoever_has_no_seat_never_gets_one_by_watching() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for below in ["/place", "/fire", "/reveal", "/resign"] {
        server.post(&table.path(below), None, &json!({})).await.refuses(401, "unauthorized");
    }
    server.post(&table.path("/join"), None, &json!({})).await.refuses(409, "game_full");
}

#[tokio::test]
async fn r26_after_an_abort_nothing_hidden_is_shown_to_anybody_but_its_owner() {
    let server = Server::shared().await;
    for resigning in [Host, Guest] {
        let table = Table::joined(&server, &json!({})).await;
        let placed = table.place(&server, Host, &layout(FLEET, "J10")).await;
        let own = table.see(&server, Some(Host)).await["boards"].clone();
        assert_eq!(own["host"]["salt"], placed.expect(200)["salt"]);

        table.resign(&server, resigning).await.expect(200);

        let empty = json!({"ships": [], "mines": [], "shots": [], "revealed": [], "known_empty": [], "salt": null});
        for eyes in [Some(Guest), None] {
            let look = table.look(&server, eyes).await;
            assert_eq!(look.json["boards"], json!({"host": empty, "guest": empty}));
            assert!(!look.text.contains(placed.json["salt"].as_str().unwrap()));
        }
        assert_eq!(table.see(&server, Some(Host)).await["boards"], own);
    }
}

#[tokio::test]
async fn r26_when_somebody_has_won_both_boards_and_salts_lie_open_to_everybody() {
    let server = Server::shared().await;
    let (host, guest) = (layout(FLEET, "J10"), layout(OTHER_FLEET, "A9"));
    let table = Table::in_battle_with(&server, &json!({"first": "host"}), &host, &guest).await;
    let mut salts = Vec::new();
    for seat in [Host, Guest] {
        let look = table.look(&server, Some(seat)).await;
        salts.push(look.json["boards"][seat.name()]["salt"].clone());
        assert_eq!(look.json["boards"][seat.other().name()]["salt"], Value::Null);
    }

    table.resign(&server, Host).await.expect(200);

    for eyes in [Some(Host), Some(Guest), None] {
        let look = table.look(&server, eyes).await;
        for (seat, salt, layout) in [("host", &salts[0], &host), ("guest", &salts[1], &guest)] {
            let board = &look.json["boards"][seat];
            assert_eq!(board["salt"], *salt);
            assert_eq!(board["mines"], json!(layout.mines));
            assert_eq!(board["ships"].as_array().unwrap().len(), 5);
            assert_eq!(look.json["players"][seat]["commitment"], crate::api::proof::commitment(&look.json, seat));
        }
    }
}

#[tokio::test]
async fn the_noisiest_log_names_no_hidden_cell_no_token_and_no_salt() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("RUST_LOG", "trace")]);
    let (host, guest) = (layout(FLEET, "J10"), layout(OTHER_FLEET, "A9"));
    let table = Table::joined(&server, &json!({"first": "host"})).await;
    let wrong_token = "WrongTokenWrongTokenWrongTokenWrongTokenWro";
    let mut salts = Vec::new();
    for (seat, board) in [(Host, &host), (Guest, &guest)] {
        let spoiled = LayoutSent { mines: vec![board.mines[0].clone(); 2], ..board.clone() };
        table.place(&server, seat, &spoiled).await.refuses(422, "illegal_layout");
        let placed = table.place(&server, seat, board).await;
        salts.push(placed.expect(200)["salt"].as_str().unwrap().to_owned());
    }
    play_on(&server, &table, "host fires A9 = mine, owes 1\nhost reveals A1\nguest fires A1 = hit").await;
    for reply in everything_told(&server, &table, Host).await {
        assert_ne!(reply.status, 500);
    }
    server.get(&table.path(""), Some(wrong_token)).await.refuses(401, "unauthorized");
    server.get(&table.path(&format!("?token={wrong_token}")), None).await.refuses(400, "malformed");
    server.get(&format!("/v1/games/{wrong_token}"), None).await.refuses(404, "game_not_found");

    let log = server.log();

    // It is noisy indeed, and whole up to the last request.
    assert!(log.contains("DEBUG"), "{log}");
    let answered = log.matches("answered").count();
    assert!(answered > 40, "{answered} requests were logged");
    for secret in [table.host.as_str(), &table.guest, wrong_token, &salts[0], &salts[1]] {
        assert!(!log.contains(secret), "{}", around(&log, secret));
    }
    let words: BTreeSet<&str> = log.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    let mut hidden_cells = hidden(&host);
    hidden_cells.append(&mut hidden(&guest));
    for known in ["A9", "A1"] {
        assert!(hidden_cells.remove(known));
    }
    for cell in &hidden_cells {
        assert!(!words.contains(cell.as_str()), "{}", around(&log, cell));
    }
}

/// The line of a log in which something stands.
fn around(log: &str, what: &str) -> String {
    log.lines().find(|line| line.contains(what)).unwrap_or_default().to_owned()
}
