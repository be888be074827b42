//! What a shot finds: P21, P25, P26.

use serde_json::json;

use crate::api::positions::{RUSSIAN_FLEET, again};
use crate::api::script::play;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn p21_nobody_fires_twice_at_a_cell_and_the_turn_stays() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    play(
        &server,
        &table,
        "
        host  fires B7  : hit
        guest fires J1  : miss
        host  fires B7  : 409 already_fired B7
        to move         : host fire 1
        host  fires H9  : miss
        guest fires J10 : mine owes 1
        guest gives A1
        host  fires H9  : 409 already_fired H9
        host  fires H10 : miss
        guest fires J10 : 409 already_fired J10
        guest fires B7  : hit
        ",
    )
    .await;
}

#[tokio::test]
async fn p25_a_hit_tells_nothing_of_the_ship_and_sunk_tells_all() {
    let server = Server::shared().await;
    let table = Table::in_battle_with(&server, &again(), &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;

    for cell in ["A5", "B5"] {
        let reply = table.fire(&server, Host, cell).await;
        let shots = json!([{"cell": cell, "outcome": "hit"}]);
        assert_eq!(reply.expect(200)["events"][0]["shots"], shots);
    }
    let reply = table.fire(&server, Host, "C5").await;

    let ship = json!({"start": "A5", "length": 3, "direction": "across"});
    assert_eq!(reply.expect(200)["events"][0]["shots"], json!([{"cell": "C5", "outcome": "sunk", "ship": ship}]));
    let ship = json!({"start": "A5", "length": 3, "direction": "across", "sunk": true});
    let sunk = json!([
        {"cell": "A5", "outcome": "sunk"}, {"cell": "B5", "outcome": "sunk"}, {"cell": "C5", "outcome": "sunk"},
    ]);
    for eyes in [Some(Host), Some(Guest), None] {
        let look = table.look(&server, eyes).await;
        assert_eq!(look.json["boards"]["guest"]["shots"], sunk);
        assert!(look.json["boards"]["guest"]["ships"].as_array().unwrap().contains(&ship));
        assert_eq!(look.json["boards"]["host"]["shots"], json!([]));
        assert_eq!(look.json["players"]["guest"]["ships_afloat"], 4);
        assert_eq!(look.json["players"]["host"]["ships_afloat"], 5);
    }
}

#[tokio::test]
async fn p26_a_ship_of_one_cell_sinks_at_once_and_the_game_goes_on() {
    let server = Server::shared().await;
    let board = layout(RUSSIAN_FLEET, "J10");
    let options = json!({"fleet": "russian", "first": "host"});
    let table = Table::in_battle_with(&server, &options, &board, &board).await;

    play(
        &server,
        &table,
        "
        host  fires C6 : sunk
        to move        : guest fire 1
        guest fires G6 : sunk
        to move        : host fire 1
        host  fires A1 : hit
        ",
    )
    .await;
}
