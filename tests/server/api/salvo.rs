//! Volleys: P34 to P36.

use serde_json::json;

use crate::api::asking::{post_text, side_by_side};
use crate::api::script::play;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn p34_a_volley_answers_every_shot_in_whatever_order() {
    let server = Server::shared().await;
    let kinds = [("J1", "miss"), ("A1", "hit"), ("J10", "mine"), ("A3", "hit")];
    let mut tables = Vec::new();
    for first in 0..4 {
        for second in 0..4 {
            for third in 0..4 {
                let mut order = vec![first, second, third];
                order.extend((0..4).filter(|kind| ![first, second, third].contains(kind)));
                if order.len() == 4 {
                    tables.push(p34(&server, order.into_iter().map(|kind| kinds[kind]).collect()));
                }
            }
        }
    }
    assert_eq!(tables.len(), 24);
    side_by_side(tables).await;
}

/// The fifth shot is a miss, now in front and now behind.
async fn p34(server: &Server, mut shots: Vec<(&str, &str)>) {
    let options = json!({"salvo": true, "first": "host"});
    let table = Table::in_battle_with(server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    let place = if shots[0].1 == "hit" { 0 } else { 4 };
    shots.insert(place, ("H9", "miss"));
    let (cells, outcomes): (Vec<_>, Vec<_>) = shots.into_iter().unzip();

    play(server, &table, &format!("host fires {} : {} owes 1", cells.join(" "), outcomes.join(" "))).await;

    let event = table.log(server).await.pop().unwrap();
    let told: Vec<_> = event["shots"].as_array().unwrap().iter().map(|shot| shot["cell"].as_str().unwrap()).collect();
    assert_eq!(told, cells, "in the order sent");
}

#[tokio::test]
async fn p35_a_volley_that_misses_everything_is_a_turn() {
    let server = Server::shared().await;
    let options = json!({"salvo": true, "first": "host"});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;

    play(
        &server,
        &table,
        "
        host fires H1 H2 H3 H4 H5 : miss miss miss miss miss
        to move                   : guest fire 5
        ",
    )
    .await;
}

#[tokio::test]
async fn p36_a_volley_with_anything_wrong_is_refused_whole() {
    let server = Server::shared().await;
    let options = json!({"salvo": true, "first": "host"});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    play(
        &server,
        &table,
        "
        host  fires A1 H2 H3 H4 H5 : hit miss miss miss miss
        guest fires H1 H2 H3 H4 H5 : miss miss miss miss miss
        ",
    )
    .await;
    let mut before = Vec::new();
    for eyes in [Some(Host), Some(Guest), None] {
        before.push(table.look(&server, eyes).await.text);
    }

    play(
        &server,
        &table,
        "
        host fires B1 C1 D1 E1          : 422 wrong_shot_count 5
        host fires B1 C1 D1 E1 A3 B3    : 422 wrong_shot_count 5
        host fires                      : 422 wrong_shot_count 5
        host fires B1 C1 D1 E1 B1       : 422 repeated_cell B1
        host fires B1 C1 D1 E1 K1       : 422 outside_grid K1
        host fires B1 C1 D1 E1 A1       : 409 already_fired A1
        ",
    )
    .await;
    post_text(&server, &table.path("/fire"), Some(&table.host), r#"{"shots": ["B1", "C1", "D1", "E1", "P1"]}"#)
        .await
        .refuses(400, "malformed");

    for (eyes, before) in [Some(Host), Some(Guest), None].into_iter().zip(before) {
        assert_eq!(table.look(&server, eyes).await.text, before);
    }
    play(&server, &table, "host fires B1 C1 D1 E1 A3 : hit hit hit sunk hit").await;
}

#[tokio::test]
async fn r9_a_volley_has_a_shot_for_every_ship_afloat() {
    let server = Server::shared().await;
    let options = json!({"salvo": true, "first": "host"});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;

    play(
        &server,
        &table,
        "
        host  fires E7 F7 H1 H2 H3    : hit sunk miss miss miss
        guest fires H1 H2 H3 H4 H5    : 422 wrong_shot_count 4
        guest fires H1 H2 H3 H4       : miss miss miss miss
        to move                       : host fire 5
        ",
    )
    .await;
}

#[tokio::test]
async fn r14_in_salvo_every_success_earns_a_shot() {
    let server = Server::shared().await;
    let options = json!({"salvo": true, "shoot_again": true, "first": "host"});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;

    play(
        &server,
        &table,
        "
        host  fires E7 F7 A1 H2 H3    : hit sunk hit miss miss
        to move                       : host fire 3
        host  fires B1 H4 H5          : hit miss miss
        to move                       : host fire 1
        host  fires H1                : miss
        to move                       : guest fire 4
        guest fires J10 A1 A3 A5      : mine hit hit hit owes 1
        guest gives C1
        to move                       : host fire 5
        ",
    )
    .await;
}
