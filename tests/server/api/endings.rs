//! The end: P22 to P24, P32, P38.

use serde_json::json;

use crate::api::positions::{ALL_BUT_F7, again, one_cell_left};
use crate::api::script::play;
use ground::server::Server;
use ground::table::{FLEET, Table, layout, words};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn p22_after_the_end_everything_is_refused_and_nothing_is_added() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    play(&server, &table, "guest resigns").await;
    let before = table.log(&server).await;

    for seat in [Host, Guest] {
        table.fire(&server, seat, "A1").await.refuses(409, "game_over");
        table.reveal(&server, seat, "A1").await.refuses(409, "game_over");
        table.place(&server, seat, &layout(FLEET, "J10")).await.refuses(409, "game_over");
        table.resign(&server, seat).await.refuses(409, "game_over");
        server.post(&table.path("/join"), Some(table.token(seat)), &json!({})).await.refuses(409, "game_over");
    }
    server.post(&table.path("/join"), None, &json!({})).await.refuses(409, "game_over");
    for below in ["/fire", "/reveal", "/place", "/resign"] {
        server.post(&table.path(below), None, &json!({})).await.refuses(401, "unauthorized");
    }

    assert_eq!(table.log(&server).await, before);
}

#[tokio::test]
async fn p23_the_last_hit_says_sunk_and_who_has_won_and_only_the_last_event_does() {
    let server = Server::shared().await;
    let table = one_cell_left(&server).await;

    let reply = table.fire(&server, Host, "F7").await;

    let result = json!({"winner": "host", "reason": "fleet_sunk"});
    let progress = reply.expect(200);
    assert_eq!(progress["status"], "finished");
    assert_eq!(progress["awaiting"], json!([]));
    assert_eq!(progress["events"][0]["shots"][0]["outcome"], "sunk");
    assert_eq!(progress["events"][0]["result"], result);
    for eyes in [Some(Host), Some(Guest), None] {
        let look = table.look(&server, eyes).await;
        assert_eq!(look.json["status"], "finished");
        assert_eq!(look.json["result"], result);
    }
    let log = table.log(&server).await;
    let with_result: Vec<_> = log.iter().filter(|event| event.get("result").is_some()).collect();
    assert_eq!(with_result, [log.last().unwrap()]);
}

#[tokio::test]
async fn p24_with_one_cell_left_the_game_is_not_over() {
    let server = Server::shared().await;
    let table = one_cell_left(&server).await;

    play(
        &server,
        &table,
        "
        to move        : host fire 1
        host fires J1  : miss
        to move        : guest fire 1
        guest fires J1 : miss
        host fires F7  : sunk
        over           : host fleet_sunk
        ",
    )
    .await;
}

#[tokio::test]
async fn p32_mines_need_not_be_found() {
    let server = Server::shared().await;
    let table = one_cell_left(&server).await;

    play(&server, &table, "host fires F7 : sunk \n over : host fleet_sunk").await;

    let board = table.see(&server, None).await["boards"]["guest"].clone();
    assert_eq!(board["mines"], json!(["J10"]));
    assert_eq!(board["shots"].as_array().unwrap().len(), 17);
}

#[tokio::test]
async fn p38_at_the_end_both_see_both_boards_each_under_its_seat() {
    let server = Server::shared().await;
    let host = layout("J1v5 H1v4 F1v3 D1v3 B1v2", "A10");
    let guest = layout(FLEET, "J10");
    let table = Table::in_battle_with(&server, &again(), &host, &guest).await;
    for cell in words(ALL_BUT_F7) {
        table.fire(&server, Host, &cell).await.expect(200);
    }
    play(&server, &table, "host fires F7 : sunk").await;

    for eyes in [Some(Host), Some(Guest), None] {
        let look = table.look(&server.afresh(), eyes).await;

        let starts = |seat: &str| -> Vec<String> {
            let ships = look.json["boards"][seat]["ships"].as_array().unwrap();
            ships.iter().map(|ship| format!("{}{}", ship["start"].as_str().unwrap(), ship["length"])).collect()
        };
        assert_eq!(starts("host"), ["B12", "D13", "F13", "H14", "J15"], "start and length, row by row");
        assert_eq!(starts("guest"), ["A15", "A34", "A53", "A73", "E72"]);
        assert_eq!(look.json["boards"]["host"]["mines"], json!(["A10"]));
        assert_eq!(look.json["boards"]["guest"]["mines"], json!(["J10"]));
        assert_eq!(look.json["boards"]["host"]["shots"], json!([]));
        assert_eq!(look.json["boards"]["guest"]["shots"].as_array().unwrap().len(), 17);
        assert_eq!(look.json["you"], json!(eyes.map(Seat::name)));
    }
}

#[tokio::test]
async fn r17_the_last_ship_ends_the_game_even_when_a_mine_was_struck() {
    let server = Server::shared().await;
    let options = json!({"salvo": true, "shoot_again": true, "first": "host"});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;

    play(
        &server,
        &table,
        "
        host fires A1 B1 C1 D1 E1  : hit hit hit hit sunk
        host fires A3 B3 C3 D3 A5  : hit hit hit sunk hit
        host fires B5 C5 A7 B7 C7  : hit sunk hit hit sunk
        host fires J10 E7 F7 H1 H2 : mine hit sunk miss miss owes 0
        over                       : host fleet_sunk
        ",
    )
    .await;
}
