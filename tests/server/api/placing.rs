//! Layouts as they are sent, beside what the games show.

use serde_json::json;

use crate::api::asking::post_text;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::Host;

#[tokio::test]
async fn r5_a_heap_of_ships_and_mines_gets_an_answer_that_is_no_heap() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({})).await;
    let heap = layout(&"A1>5 ".repeat(225), &"C1 ".repeat(225));

    let reply = table.place(&server, Host, &heap).await;

    let faults = reply.refuses(422, "illegal_layout")["faults"].as_array().unwrap();
    let pairs = faults.iter().filter(|fault| fault["code"] == "overlap").count();
    assert_eq!((pairs, faults.len()), (300, 529));
    assert!(reply.text.len() < 100_000, "{} bytes", reply.text.len());
    assert_eq!(reply.json["detail"], "the layout breaks the rules in at least 529 ways");
    assert_nothing_placed(&server, &table).await;
}

#[tokio::test]
async fn a_length_or_a_direction_that_cannot_be_is_malformed() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({})).await;
    let place = |length: &str, direction: &str| {
        format!(r#"{{"ships": [{{"start": "A1", "length": {length}, "direction": {direction}}}], "mines": []}}"#)
    };

    for length in ["0", "1.5", "-1", "300", "16", "-0", "256", "257", "4294967297", r#""4""#, "null", "true"] {
        let reply = post_text(&server, &table.path("/place"), Some(&table.host), place(length, r#""down""#)).await;
        reply.refuses(400, "malformed");
    }
    for direction in [r#""up""#, r#""Down""#, r#""DOWN""#, r#""""#, r#""across ""#, "1", "true", "{}", r#"["down"]"#] {
        let reply = post_text(&server, &table.path("/place"), Some(&table.host), place("4", direction)).await;
        reply.refuses(400, "malformed");
    }
    // What the schema allows is judged by the rules.
    for length in ["1", "6", "15"] {
        let reply = post_text(&server, &table.path("/place"), Some(&table.host), place(length, r#""down""#)).await;
        reply.refuses(422, "illegal_layout");
    }
    assert_nothing_placed(&server, &table).await;
}

#[tokio::test]
async fn r3_without_the_option_a_layout_may_have_no_list_of_mines() {
    let server = Server::shared().await;
    let ships = layout(FLEET, "").to_json()["ships"].clone();
    for body in [json!({"ships": ships}), json!({"ships": ships, "mines": []}), json!({"ships": ships, "mines": null})]
    {
        let table = Table::joined(&server, &json!({"mines": false})).await;
        let reply = server.post(&table.path("/place"), Some(&table.host), &body).await;
        reply.expect(200);
    }
}

#[tokio::test]
async fn a_size_or_a_fleet_that_does_not_exist_makes_no_game() {
    let server = Server::shared().await;

    for options in [
        r#"{"grid": 9}"#,
        r#"{"grid": 0}"#,
        r#"{"grid": -10}"#,
        r#"{"grid": 16}"#,
        r#"{"grid": 266}"#,
        r#"{"grid": 10.5}"#,
        r#"{"grid": "10"}"#,
        r#"{"fleet": "french"}"#,
        r#"{"fleet": "Classic"}"#,
        r#"{"fleet": ""}"#,
        r#"{"fleet": ["classic"]}"#,
        r#"{"fleet": {"classic": null}}"#,
        r#"{"fleet": 0}"#,
        r#"{"first": "nobody"}"#,
        r#"{"mines": 1}"#,
        r#"{"salvo": "true"}"#,
    ] {
        let reply = post_text(&server, "/v1/games", None, format!(r#"{{"options": {options}}}"#)).await;

        reply.refuses(400, "malformed");
    }
}

async fn assert_nothing_placed(server: &Server, table: &Table) {
    let look = table.look(server, Some(Host)).await;
    let empty = json!({
        "ships": [], "mines": [], "shots": [], "revealed": [], "known_empty": [], "salt": null,
    });
    assert_eq!(look.json["boards"]["host"], empty);
    assert_eq!(look.json["version"], 2);
    assert_eq!(look.json["players"]["host"]["placed"], false);
}
