//! Mines and cells given away: P29 to P33.

use serde_json::{Value, json};

use crate::api::positions::ALL_BUT_F7;
use crate::api::script::play;
use ground::server::Server;
use ground::table::{FLEET, Table, cells_of, layout, words};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn p29_whoever_struck_a_mine_owes_a_cell_before_anybody_fires() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    play(
        &server,
        &table,
        "
        host  fires J10 : mine owes 1
        to move         : host reveal 1
        host  fires A1  : 409 reveal_due
        guest fires A1  : 409 not_your_turn
        guest gives A1  : 409 not_your_turn
        host  gives A1
        to move         : guest fire 1
        host  gives B1  : 409 not_your_turn
        guest gives B1  : 409 no_reveal_due
        ",
    )
    .await;
}

#[tokio::test]
async fn p30_only_an_own_ship_cell_neither_hit_nor_given_pays_for_a_mine() {
    p30(&json!({"grid": 12, "first": "host"}), "").await;
}

#[tokio::test]
async fn p30_with_shoot_again_too() {
    // The hit on B1 earned another shot.
    p30(&json!({"grid": 12, "first": "host", "shoot_again": true}), "guest fires J1 : miss").await;
}

async fn p30(options: &Value, other_shot: &str) {
    let server = Server::shared().await;
    let board = layout(FLEET, "L12 L10");
    let table = Table::in_battle_with(&server, options, &board, &board).await;

    play(
        &server,
        &table,
        &format!(
            "
            host  fires L12   : mine owes 1
            host  gives A1
            guest fires B1    : hit
            {other_shot}
            host  fires L10   : mine owes 1
            host  gives A2    : 422 not_revealable A2
            host  gives B1    : 422 not_revealable B1
            host  gives A1    : 422 not_revealable A1
            host  gives L12   : 422 not_revealable L12
            host  gives L10   : 422 not_revealable L10
            host  gives M1    : 422 outside_grid M1
            host  gives A13   : 422 outside_grid A13
            host  gives C1 C1 : 422 wrong_reveal_count 1
            host  gives C1 D1 : 422 wrong_reveal_count 1
            host  gives       : 422 wrong_reveal_count 1
            to move           : host reveal 1
            host  gives C1
            to move           : guest fire 1
            "
        ),
    )
    .await;

    for eyes in [Some(Host), Some(Guest), None] {
        assert_eq!(table.see(&server, eyes).await["boards"]["host"]["revealed"], json!(["A1", "C1"]));
    }
}

#[tokio::test]
async fn p30_what_can_be_given_is_told_to_whoever_owes_it_alone() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    play(&server, &table, "host fires B3 : hit \n guest fires B3 : hit \n host fires J10 : mine owes 1").await;

    let mut own = cells_of(&layout(FLEET, "").ships);
    own.retain(|cell| cell != "B3");
    assert_eq!(table.see(&server, Some(Host)).await["revealable"], json!(own));
    assert_eq!(table.see(&server, Some(Guest)).await["revealable"], Value::Null);
    assert_eq!(table.see(&server, None).await["revealable"], Value::Null);
}

#[tokio::test]
async fn p31_a_cell_given_away_is_fired_at_at_any_time_or_never() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    play(
        &server,
        &table,
        "
        host  fires J10 : mine owes 1
        host  gives F7
        guest fires J1  : miss
        host  fires J1  : miss
        guest fires E7  : hit
        host  fires J2  : miss
        guest fires F7  : sunk
        host  fires J3  : miss
        guest fires F7  : 409 already_fired F7
        ",
    )
    .await;
    let board = table.see(&server, None).await["boards"]["host"].clone();
    assert_eq!(board["revealed"], json!(["F7"]), "it stays told that it was given");
    assert_eq!(board["shots"].as_array().unwrap().last().unwrap(), &json!({"cell": "F7", "outcome": "sunk"}));
}

#[tokio::test]
async fn p33_each_of_two_mines_works_after_the_other() {
    let server = Server::shared().await;
    let board = layout(FLEET, "L12 J10");
    let table = Table::in_battle_with(&server, &json!({"grid": 12, "first": "host"}), &board, &board).await;

    play(
        &server,
        &table,
        "
        host  fires J10 : mine owes 1
        host  gives A1
        guest fires J1  : miss
        host  fires L12 : mine owes 1
        host  gives B1
        guest fires L12 : mine owes 1
        guest gives A1
        ",
    )
    .await;
}

#[tokio::test]
async fn p33_each_of_three_mines_works_after_the_others() {
    let server = Server::shared().await;
    let board = layout(FLEET, "O15 J10 L12");
    let table = Table::in_battle_with(&server, &json!({"grid": 15, "first": "host"}), &board, &board).await;

    play(
        &server,
        &table,
        "
        host  fires J10 : mine owes 1
        host  gives A1
        guest fires O15 : mine owes 1
        guest gives A1
        host  fires L12 : mine owes 1
        host  gives B1
        guest fires L12 : mine owes 1
        guest gives B1
        host  fires O15 : mine owes 1
        host  gives C1
        guest fires J10 : mine owes 1
        guest gives C1
        to move         : host fire 1
        ",
    )
    .await;
}

#[tokio::test]
async fn p33_r16_a_volley_that_strikes_three_mines_costs_three_cells() {
    let server = Server::shared().await;
    let board = layout(FLEET, "O15 J10 L12");
    let options = json!({"grid": 15, "first": "host", "salvo": true});
    let table = Table::in_battle_with(&server, &options, &board, &board).await;

    play(
        &server,
        &table,
        "
        host  fires J10 E7 L12 F7 O15 : mine hit mine sunk mine owes 3
        host  gives A1 B1             : 422 wrong_reveal_count 3
        host  gives A1 B1 A1          : 422 repeated_cell A1
        host  gives A1 C9 B1          : 422 not_revealable C9
        host  gives C7 A1 B3
        to move                       : guest fire 4
        ",
    )
    .await;
    let last = table.log(&server).await.pop().unwrap();
    assert_eq!(last["cells"], json!(["C7", "A1", "B3"]), "in the order sent");
}

#[tokio::test]
async fn r18_whoever_has_fewer_cells_than_mines_struck_owes_what_is_left() {
    let server = Server::shared().await;
    let options = json!({"grid": 12, "first": "host", "shoot_again": true});
    let board = layout(FLEET, "L12 L10");
    let table = Table::in_battle_with(&server, &options, &board, &board).await;

    play(&server, &table, "host fires L12 : mine owes 1 \n host gives F7").await;
    for cell in words(ALL_BUT_F7) {
        table.fire(&server, Guest, &cell).await.expect(200);
    }
    play(
        &server,
        &table,
        "
        guest fires J1  : miss
        host  fires L10 : mine owes 0
        to move         : guest fire 1
        guest fires F7  : sunk
        over            : guest fleet_sunk
        ",
    )
    .await;
}
