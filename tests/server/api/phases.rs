//! The contract's table: what each action is answered in each phase.

use serde_json::{Value, json};

use crate::api::asking::side_by_side;
use ground::server::{Reply, Server};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

/// As the contract's page has it; `placing` and `ended` stand in two columns each.
const TABLE: &str = "
action           | waiting       | placing       | placed         | other's turn   | own turn, fire | own turn, reveal | finished  | aborted
join, no token   | 201           | game_full     | game_full      | game_full      | game_full      | game_full        | game_over | game_over
join, own token  | own_game      | own_game      | own_game       | own_game       | own_game       | own_game         | game_over | game_over
place            | not_joined    | 200           | already_placed | already_placed | already_placed | already_placed   | game_over | game_over
fire             | not_in_battle | not_in_battle | not_in_battle  | not_your_turn  | 200            | reveal_due       | game_over | game_over
reveal           | not_in_battle | not_in_battle | not_in_battle  | not_your_turn  | no_reveal_due  | 200              | game_over | game_over
resign           | 200           | 200           | 200            | 200            | 200            | 200              | game_over | game_over
";

#[tokio::test]
async fn c_a_stranger_joins_a_waiting_game_alone() {
    check_row("join, no token").await;
}

#[tokio::test]
async fn c_a_seat_never_joins() {
    check_row("join, own token").await;
}

#[tokio::test]
async fn c_a_seat_places_once_both_are_there_and_only_once() {
    check_row("place").await;
}

#[tokio::test]
async fn c_a_seat_fires_on_its_own_turn_alone_and_only_when_it_owes_nothing() {
    check_row("fire").await;
}

#[tokio::test]
async fn c_a_seat_gives_cells_away_only_when_it_owes_them() {
    check_row("reveal").await;
}

#[tokio::test]
async fn c_a_seat_resigns_at_any_time_before_the_end() {
    check_row("resign").await;
}

/// Sends an action in each phase, once by either seat, and insists on what the table says.
async fn check_row(action: &str) {
    let server = Server::shared().await;
    let rows: Vec<Vec<&str>> = TABLE.trim().lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    let row = rows.iter().find(|row| row[0] == action).unwrap();
    let mut checks = Vec::new();
    for (phase, expected) in rows[0].iter().zip(row).skip(1) {
        for actor in [Host, Guest] {
            if (*phase, actor) != ("waiting", Guest) {
                checks.push(check_cell(&server, action, phase, actor, expected));
            }
        }
    }
    assert_eq!(checks.len(), 15);
    side_by_side(checks).await;
}

async fn check_cell(server: &Server, action: &str, phase: &str, actor: Seat, expected: &str) {
    let table = table_in(server, phase, actor).await;
    let before = table.look(server, None).await;

    let reply = send(server, &table, action, actor).await;

    let about = format!("{action} by {actor:?} in {phase}");
    let after = table.look(server, None).await;
    if let Ok(status) = expected.parse::<u16>() {
        assert_eq!(reply.status, status, "{about}: {}", reply.text);
        let version = |reply: &Reply| reply.json["version"].as_u64().unwrap();
        assert_eq!(version(&after), version(&before) + 1, "{about}");
    } else {
        assert_eq!((reply.status, reply.code()), (409, expected), "{about}");
        reply.refuses(409, expected);
        assert_eq!(after.text, before.text, "{about}");
    }
}

/// A game in this phase, as the actor sees it.
async fn table_in(server: &Server, phase: &str, actor: Seat) -> Table {
    let board = layout(FLEET, "J10");
    let first = |seat: Seat| json!({ "first": seat.name() });
    match phase {
        "waiting" => Table::create(server, &json!({})).await,
        "placing" => Table::joined(server, &json!({})).await,
        "placed" => {
            let table = Table::joined(server, &json!({})).await;
            table.place(server, actor, &board).await.expect(200);
            table
        }
        "other's turn" => Table::in_battle_with(server, &first(actor.other()), &board, &board).await,
        "own turn, fire" => Table::in_battle_with(server, &first(actor), &board, &board).await,
        "own turn, reveal" => {
            let table = Table::in_battle_with(server, &first(actor), &board, &board).await;
            table.fire(server, actor, "J10").await.expect(200);
            table
        }
        "finished" => {
            let table = Table::in_battle(server).await;
            table.resign(server, actor.other()).await.expect(200);
            table
        }
        "aborted" => {
            let table = Table::joined(server, &json!({})).await;
            table.resign(server, actor.other()).await.expect(200);
            table
        }
        _ => panic!("{phase} is no phase"),
    }
}

async fn send(server: &Server, table: &Table, action: &str, actor: Seat) -> Reply {
    let token = Some(table.token(actor));
    let (below, token, body): (_, _, Value) = match action {
        "join, no token" => ("/join", None, json!({})),
        "join, own token" => ("/join", token, json!({})),
        "place" => ("/place", token, layout(FLEET, "J10").to_json()),
        "fire" => ("/fire", token, json!({"shots": ["C9"]})),
        "reveal" => ("/reveal", token, json!({"cells": ["A1"]})),
        "resign" => ("/resign", token, json!({})),
        _ => panic!("{action} is no action"),
    };
    server.post(&table.path(below), token, &body).await
}
