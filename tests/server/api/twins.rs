//! Twins: two games with one public history and different hidden boards cannot be told apart.

use futures_util::future::join;
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::asking::{headers, post_text, posting};
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::model::{LayoutSent, Seat};

use Seat::{Guest, Host};

/// What differs between any two games: its bytes, never how many they are. The salt that the host
/// is shown is the host's own; that the guest's is `null` stays to be seen.
const OF_THE_GAME: [&str; 9] = ["id", "game", "at", "created_at", "until", "commitment", "head", "token", "salt"];

#[tokio::test]
async fn c_two_games_that_differ_in_what_is_hidden_alone_are_the_same_to_everybody_else() {
    // What the script finds on the guest's board lies in both: A1>5, the cell C3, the mine on J10.
    let one = layout("A1>5 C3>4 A5>3 A7>3 E7>2", "J10");
    let other = layout("A1>5 C3v3 F3v4 H3v3 A7v2", "J10");
    twins(&json!({"first": "host"}), &one, &other, SINGLE_SHOTS).await;
}

#[tokio::test]
async fn c_twins_in_salvo_are_the_same_too() {
    let one = layout("A1>5 C3>4 A5>3 A7>3 E7>2", "J10");
    let other = layout("A1>5 C3v3 F3v4 H3v3 A7v2", "J10");
    twins(&json!({"first": "host", "salvo": true, "shoot_again": true}), &one, &other, SALVO).await;
}

#[tokio::test]
async fn c_twins_differ_in_nothing_by_what_the_guest_gives_away() {
    let one = layout("A1>5 C3>4 A5>3 A7>3 E7>2", "L12 J10");
    let other = layout("A1>5 C3v3 F3v4 H3v3 A7v2", "L12 A12");
    twins(&json!({"first": "guest", "grid": 12}), &one, &other, GUEST_STRIKES_A_MINE).await;
}

const SINGLE_SHOTS: &str = "
host  fires J1
guest fires J1
host  fires C3
guest fires J2
host  fires A1
guest fires J3
host  fires B1
guest fires J4
host  fires C1
guest fires J5
host  fires D1
guest fires J6
host  fires E1
guest fires J7
host  fires J10
host  gives A1
guest fires A1
";

const SALVO: &str = "
host  fires J1 C3 A1 B1 H10
host  fires C1 D1 E1
host  fires J2 J3 J4
guest fires J1 J2 J3 J4
host  fires J10 H9 H8 I8 J8
host  gives A1
guest fires A1 J5 J6 J7
guest fires J8
";

const GUEST_STRIKES_A_MINE: &str = "
guest fires L12
guest gives C3
host  fires C3
guest fires J1
host  fires L12
host  gives B1
guest fires A1
";

/// Plays the script in a game with each of the guest's boards, and insists that after every line
/// all that the host and a spectator get is the same but for what no two games share.
async fn twins(options: &Value, one: &LayoutSent, other: &LayoutSent, script: &str) {
    let server = Server::shared().await;
    let host = if options["grid"] == 12 { layout(FLEET, "L12 J10") } else { layout(FLEET, "J10") };
    let tables = (Table::joined(&server, options).await, Table::joined(&server, options).await);
    assert_alike(&server, &tables).await;
    // Placing itself: both are taken, and the salts alone tell them apart.
    for (table, board) in [(&tables.0, one), (&tables.1, other)] {
        table.place(&server, Guest, board).await.expect(200);
    }
    assert_alike(&server, &tables).await;
    for table in [&tables.0, &tables.1] {
        table.place(&server, Host, &host).await.expect(200);
    }
    assert_alike(&server, &tables).await;
    for line in script.trim().lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let act = async |table: &Table| -> Reply {
            let seat = if words[0] == "host" { Host } else { Guest };
            let cells = words[2..].join(" ");
            match words[1] {
                "fires" => table.fire(&server, seat, &cells).await,
                _ => table.reveal(&server, seat, &cells).await,
            }
        };

        let replies = join(act(&tables.0), act(&tables.1)).await;

        assert_eq!(replies.0.status, 200, "{line}: {}", replies.0.text);
        assert_same_but_for_the_game(&replies.0, &replies.1);
        assert_alike(&server, &tables).await;
    }
    // The boards were different after all.
    let own = join(tables.0.look(&server, Some(Guest)), tables.1.look(&server, Some(Guest))).await;
    assert_ne!(own.0.json["boards"]["guest"]["ships"], own.1.json["boards"]["guest"]["ships"]);
}

async fn assert_alike(server: &Server, tables: &(Table, Table)) {
    let told = join(everything_told(server, &tables.0), everything_told(server, &tables.1)).await;
    assert_eq!(told.0.len(), told.1.len());
    for (one, other) in told.0.iter().zip(&told.1) {
        assert_same_but_for_the_game(one, other);
    }
}

/// What the host and a spectator get to hear without changing the game: views, log, refusals.
async fn everything_told(server: &Server, table: &Table) -> Vec<Reply> {
    let mut replies = Vec::new();
    for token in [Some(table.host.as_str()), None] {
        for below in ["", "/events", "/events?after=2&limit=3", "?x=1"] {
            replies.push(server.get(&table.path(below), token).await);
            replies.push(send(authorized(server.request(Method::HEAD, &table.path(below)), token)).await);
        }
        for (below, body) in [
            ("/fire", r#"{"shots": ["A1", "A1", "K1", "C3", "J10", "O15", "A1", "B1", "C1", "D1", "E1"]}"#),
            ("/fire", r#"{"shots": ["O15"]}"#),
            ("/fire", r#"{"shots": ["O15", "O15", "A1", "C3", "E7"]}"#),
            ("/fire", r#"{"shots": ["A1", "C3", "A5", "A7", "O15"]}"#),
            ("/reveal", r#"{"cells": ["O15"]}"#),
            ("/reveal", r#"{"cells": []}"#),
            ("/place", r#"{"ships": []}"#),
            ("/join", "{}"),
            ("/fire", "{"),
        ] {
            // On 15 columns none of these would be sure to be refused.
            replies.push(post_text(server, &table.path(below), token, body).await);
        }
        let stale = posting(server, &table.path("/fire"), token, Some("application/json"), r#"{"shots": ["A5"]}"#);
        replies.push(send(stale.header("if-match", "\"1-host\"")).await);
    }
    assert!(replies.iter().all(|reply| reply.status != 201));
    replies
}

#[track_caller]
fn assert_same_but_for_the_game(one: &Reply, other: &Reply) {
    assert_eq!(one.status, other.status);
    assert_eq!(blanked(&one.text), blanked(&other.text));
    assert_eq!(headers(one), headers(other));
}

/// A reply with every byte of what belongs to this very game blotted out.
fn blanked(text: &str) -> String {
    let mut blanked = text.to_owned();
    for key in OF_THE_GAME {
        let opening = format!("\"{key}\":\"");
        let mut at = 0;
        while let Some(found) = blanked[at..].find(&opening) {
            let begin = at + found + opening.len();
            let end = begin + blanked[begin..].find('"').unwrap();
            blanked.replace_range(begin..end, &"·".repeat(end - begin));
            at = begin;
        }
    }
    blanked
}
