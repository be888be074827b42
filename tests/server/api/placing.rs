//! Layouts as they are sent, beside what the games show.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::asking::post_text;
use ground::server::{Server, send};
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
async fn r5_a_fault_of_a_pair_names_both_and_says_where_they_lie_in_every_language() {
    let server = Server::shared().await;
    let sent = layout("A1>5 A2v4 H5>3 A7>3 E7>2", "J10 C1 J9");
    let table = Table::joined(&server, &json!({})).await;
    let both = |fault: &Value| {
        let part = |name: &str| fault[name].as_u64().map_or("-".to_owned(), |index| index.to_string());
        let names = ["ship", "mine", "other_ship", "other_mine"].map(part).join(" ");
        format!("{} {names}: {}", fault["code"].as_str().unwrap(), fault["message"].as_str().unwrap())
    };

    let reply = table.place(&server, Host, &sent).await;
    let check = server.post("/v1/layouts/check", None, &json!({ "layout": sent.to_json() })).await;

    let faults = reply.refuses(422, "illegal_layout")["faults"].as_array().unwrap();
    assert_eq!(check.expect(200)["faults"], reply.json["faults"]);
    assert_eq!(
        faults.iter().map(both).collect::<Vec<_>>(),
        [
            "touch 1 - 0 -: the ship of 4 at A2 touches the ship of 5 at A1",
            "mine_on_ship 0 1 - -: the mine at C1 lies on the ship of 5 at A1",
            "mine_touches - 2 - 0: the mine at J9 touches the mine at J10",
            "wrong_mine_count - - - -: exactly 1 mine is needed",
        ]
    );
    for (language, touching) in [
        ("de", "das 4er-Schiff bei A2 berührt das 5er-Schiff bei A1"),
        ("fi", "laiva A2 (pituus 4) koskettaa laivaa A1 (pituus 5)"),
        ("it", "la nave da 4 in A2 tocca la nave da 5 in A1"),
        ("ru", "корабль длины 4 на A2 касается корабля длины 5 на A1"),
    ] {
        let asked = server.request(Method::POST, "/v1/layouts/check").header("accept-language", language);
        let told = send(asked.json(&json!({ "layout": sent.to_json() }))).await;
        assert_eq!(told.expect(200)["faults"][0]["message"], touching);
    }
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
