//! Placing: P02 to P17.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use serde_json::{Value, json};

use crate::api::asking::post_text;
use crate::api::script::play;
use ground::server::{Reply, Server};
use ground::table::{FLEET, Table, layout};
use testing::model::{LayoutSent, Options, Seat, blocked_classic_fleet, blocked_russian_fleet, random_layout};

use Seat::{Guest, Host};

#[tokio::test]
async fn p02_a_ship_that_would_go_on_in_the_next_row_lies_outside() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({})).await;
    let wrapped = layout("A1>5 A3>4 A5>3 A7>3 J1>2", "J10");

    let reply = table.place(&server, Host, &wrapped).await;

    assert_eq!(told(&reply), ["outside_grid ship 4 at K1"]);
    assert_nothing_placed(&server, &table).await;
}

#[tokio::test]
async fn p02_a_ship_that_would_go_on_below_the_last_row_lies_outside() {
    refused_whole(&ten(), "A1>5 A3>4 A5>3 A7>3 J10v2", "H3", &["outside_grid ship 4 at J11"]).await;
}

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
async fn p02_what_lies_beyond_every_grid_is_outside_without_a_name() {
    let fifteen = Options { grid: 15, ..ten() };

    refused_whole(&fifteen, "A1>5 A3>4 A5>3 A7>3 O15>2", "H3 H5 H7", &["outside_grid ship 4"]).await;
    refused_whole(&fifteen, "A1>5 A3>4 A5>3 N15v3 E7>2", "H3 H5 H7", &["outside_grid ship 3"]).await;
}

#[tokio::test]
async fn p03_a_cell_off_the_board_is_outside_or_no_cell_but_never_an_error_of_the_server() {
    let server = Server::shared().await;
    let largest = json!({"grid": 15});
    for (options, start, status) in [
        (json!({}), "K1", 422),
        (json!({}), "A11", 422),
        (json!({}), "O15", 422),
        (json!({}), "A0", 400),
        (json!({}), "P1", 400),
        (json!({}), "A16", 400),
        (largest.clone(), "P1", 400),
        (largest, "A16", 400),
    ] {
        let table = Table::joined(&server, &options).await;
        let mine = if status == 422 { start } else { "J10" };
        let ship = json!({"ships": [{"start": start, "length": 1}], "mines": [mine]});

        let reply = server.post(&table.path("/place"), Some(&table.host), &ship).await;

        if status == 422 {
            let told = told(&reply);
            assert!(told.contains(&format!("outside_grid ship 0 at {start}")), "{told:?}");
            assert!(told.contains(&format!("outside_grid mine 0 at {start}")), "{told:?}");
        } else {
            reply.refuses(400, "malformed");
        }
        assert_nothing_placed(&server, &table).await;
    }
}

#[tokio::test]
async fn p04_with_a_ship_missing_nothing_is_placed_and_nobody_fires() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({"first": "host"})).await;

    play(
        &server,
        &table,
        "
        host  places A1>5 A3>4 A5>3 A7>3 | J10       : 422 illegal_layout
        host  fires  A1                              : 409 not_in_battle
        guest fires  A1                              : 409 not_in_battle
        host  places A1>5 A3>4 A5>3 A7>3 E7>2 | J10
        guest places A1>5 A3>4 A5>3 A7>3 E7>2 | J10
        host  fires  A1                              : hit
        ",
    )
    .await;
}

#[tokio::test]
async fn p05_p06_the_fleet_is_exact() {
    for (fleet, expected) in [
        // One too many.
        ("A1>5 A3>4 A5>3 A7>3 E7>2 A9>2", &["wrong_fleet ship 5 at A9 B9"][..]),
        ("A1>5 A3>4 A5>3 A7>3 E7>2 A9>1", &["wrong_fleet ship 5 at A9"]),
        // As many cells in other lengths.
        (
            "A1>5 A3>4 A5>4 A7>2 E7>2",
            &["wrong_fleet ship 2 at A5 B5 C5 D5", "wrong_fleet ship 4 at E7 F7", "wrong_fleet", "wrong_fleet"],
        ),
        (
            "A1>10 A3>4 A5>3",
            &["wrong_fleet ship 0 at A1 B1 C1 D1 E1 F1 G1 H1 I1 J1", "wrong_fleet", "wrong_fleet", "wrong_fleet"],
        ),
        ("", &["wrong_fleet", "wrong_fleet", "wrong_fleet", "wrong_fleet", "wrong_fleet"]),
    ] {
        refused_whole(&ten(), fleet, "J10", expected).await;
    }
}

#[tokio::test]
async fn p07_two_ships_never_share_a_cell() {
    refused_whole(&ten(), "A1>5 A3>4 A5>3 A7>3 B1v2", "J10", &["overlap ship 4 at B1", "touch ship 4 at B2"]).await;
}

#[tokio::test]
async fn p07_the_same_ship_twice_shares_every_cell() {
    refused_whole(&ten(), "A1>5 A3>4 A5>3 A5>3 E7>2", "J10", &["overlap ship 3 at A5 B5 C5"]).await;
}

#[tokio::test]
async fn p08_a_length_or_a_direction_that_cannot_be_is_malformed() {
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
async fn p09_ships_touch_neither_by_side_nor_by_corner() {
    refused_whole(&ten(), "A1>5 A3>4 A5>3 A7>3 D7>2", "J10", &["touch ship 4 at D7"]).await;
    refused_whole(&ten(), "A1>5 A3>4 A5>3 A7>3 D8>2", "J10", &["touch ship 4 at D8"]).await;
    refused_whole(&ten(), "A1>5 A3>4 A5>3 A7>3 F2v2", "J10", &["touch ship 4 at F2"]).await;
}

#[tokio::test]
async fn p09_one_empty_cell_between_ships_is_enough() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({})).await;

    play(
        &server,
        &table,
        "
        host  places A1>5 A3>4 A5>3 A7>3 E7>2   | J10
        guest places A1v5 C1v4 E1v3 G1v3 C6>2   | J10
        ",
    )
    .await;
}

#[tokio::test]
async fn p10_a_mine_keeps_clear_of_ships() {
    refused_whole(&ten(), FLEET, "B3", &["mine_on_ship ship 1 mine 0 at B3"]).await;
    refused_whole(&ten(), FLEET, "E3", &["mine_touches ship 1 mine 0 at E3"]).await;
    refused_whole(&ten(), FLEET, "F2", &["mine_touches ship 0 mine 0 at F2"]).await;
}

#[tokio::test]
async fn p10_a_mine_keeps_clear_of_other_mines() {
    let twelve = Options { grid: 12, ..ten() };

    refused_whole(&twelve, FLEET, "L11 L12", &["mine_touches mine 1 at L12"]).await;
    refused_whole(&twelve, FLEET, "L12 K11", &["mine_touches mine 1 at K11"]).await;
    refused_whole(&twelve, FLEET, "L12 L12", &["mine_touches mine 1 at L12"]).await;
}

#[tokio::test]
async fn p11_r3_the_count_of_mines_follows_from_the_grid() {
    for (grid, mines) in [(8, "H3"), (10, "J10"), (12, "J10 L12"), (15, "J10 L12 O15")] {
        let options = Options { grid, ..ten() };
        let fewer = mines.rsplit_once(' ').map_or("", |(fewer, _)| fewer);
        refused_whole(&options, FLEET, fewer, &["wrong_mine_count"]).await;
        refused_whole(&options, FLEET, &format!("{mines} H5"), &["wrong_mine_count"]).await;

        let server = Server::shared().await;
        let table = Table::joined(&server, &options.to_json()).await;
        let reply = table.place(&server, Host, &layout(FLEET, mines)).await;

        reply.expect(200);
        assert_eq!(table.see(&server, None).await["setup"]["mines"], options.mine_count());
    }
}

#[tokio::test]
async fn p11_r3_without_the_option_there_are_no_mines() {
    let options = Options { mines: false, ..ten() };
    refused_whole(&options, FLEET, "J10", &["wrong_mine_count"]).await;

    let server = Server::shared().await;
    let ships = layout(FLEET, "").to_json()["ships"].clone();
    for body in [json!({"ships": ships}), json!({"ships": ships, "mines": []}), json!({"ships": ships, "mines": null})]
    {
        let table = Table::joined(&server, &options.to_json()).await;
        let reply = server.post(&table.path("/place"), Some(&table.host), &body).await;
        reply.expect(200);
    }
}

#[tokio::test]
async fn p12_a1_and_a10_are_never_mixed_up() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;

    play(&server, &table, "host fires A10 : miss").await;

    let shots = json!([{"cell": "A10", "outcome": "miss"}]);
    for eyes in [Some(Host), Some(Guest), None] {
        let look = table.look(&server, eyes).await;
        assert_eq!(look.json["boards"]["guest"]["shots"], shots);
        assert_eq!(look.json["boards"]["host"]["shots"], json!([]));
    }

    play(&server, &table, "guest fires J1 : miss \n host fires A1 : hit").await;

    let shots = json!([{"cell": "A1", "outcome": "hit"}, {"cell": "A10", "outcome": "miss"}]);
    for eyes in [Some(Host), Some(Guest), None] {
        assert_eq!(table.see(&server, eyes).await["boards"]["guest"]["shots"], shots);
    }
}

#[tokio::test]
async fn p13_rows_are_rows_and_columns_are_columns() {
    let server = Server::shared().await;
    let guest = layout("A1>5 C8>4 A3>3 A5>3 E5>2", "J10");
    let table = Table::in_battle_with(&server, &json!({"first": "host"}), &layout(FLEET, "J10"), &guest).await;

    play(
        &server,
        &table,
        "
        host  fires C8 : hit
        guest fires J1 : miss
        host  fires H3 : miss
        ",
    )
    .await;

    let shots = json!([{"cell": "H3", "outcome": "miss"}, {"cell": "C8", "outcome": "hit"}]);
    for eyes in [Some(Host), Some(Guest), None] {
        assert_eq!(table.see(&server, eyes).await["boards"]["guest"]["shots"], shots);
    }
}

#[tokio::test]
async fn p14_r6_an_accepted_layout_is_final() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({})).await;
    table.place(&server, Host, &layout(FLEET, "J10")).await.expect(200);
    let before = table.look(&server, Some(Host)).await;

    for other in [layout("A1v5 C1v4 E1v3 G1v3 C6>2", "J10"), layout(FLEET, "J10"), layout("", "")] {
        table.place(&server, Host, &other).await.refuses(409, "already_placed");
    }

    assert_eq!(table.look(&server, Some(Host)).await.text, before.text);
}

#[tokio::test]
async fn p15_after_a_refused_layout_there_are_no_ships_and_the_whole_game_can_be_played() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({"first": "host", "shoot_again": true})).await;

    play(&server, &table, "host places A1>5 A3>4 A5>3 A7>3 D7>2 | J10 : 422 illegal_layout").await;
    assert_nothing_placed(&server, &table).await;

    play(
        &server,
        &table,
        "
        host  places A1>5 A3>4 A5>3 A7>3 E7>2 | J10
        guest places A1>5 A3>4 A5>3 A7>3 E7>2 | J10
        host  fires A1 : hit
        host  fires B1 : hit
        host  fires C1 : hit
        host  fires D1 : hit
        host  fires E1 : sunk
        host  fires A3 : hit
        host  fires B3 : hit
        host  fires C3 : hit
        host  fires D3 : sunk
        host  fires A5 : hit
        host  fires B5 : hit
        host  fires C5 : sunk
        host  fires A7 : hit
        host  fires B7 : hit
        host  fires C7 : sunk
        host  fires E7 : hit
        host  fires F7 : sunk
        over           : host fleet_sunk
        ",
    )
    .await;
}

#[tokio::test]
async fn p16_r7_a_fleet_that_leaves_no_cell_for_its_mine_is_refused_once_and_placed_anew() {
    let server = Server::shared().await;
    for (russian, ships) in [(false, blocked_classic_fleet()), (true, blocked_russian_fleet())] {
        let options = Options { grid: 8, russian, ..ten() };
        let table = Table::joined(&server, &options.to_json()).await;
        let blocked = LayoutSent { ships, mines: Vec::new() };

        let reply = table.place(&server, Host, &blocked).await;

        let mut told = told(&reply);
        told.sort();
        assert_eq!(told, ["no_room_for_mines", "wrong_mine_count"]);
        assert_nothing_placed(&server, &table).await;
        let mut rng = ChaCha8Rng::seed_from_u64(16);
        let legal = random_layout(&options, &mut rng);
        table.place(&server, Host, &legal).await.expect(200);
    }
}

#[tokio::test]
async fn p16_r7_without_mines_the_same_fleet_is_legal() {
    let server = Server::shared().await;
    for (russian, ships) in [(false, blocked_classic_fleet()), (true, blocked_russian_fleet())] {
        let options = Options { grid: 8, russian, mines: false, ..ten() };
        let table = Table::joined(&server, &options.to_json()).await;

        let reply = table.place(&server, Host, &LayoutSent { ships, mines: Vec::new() }).await;

        reply.expect(200);
    }
}

#[tokio::test]
async fn p17_a_size_or_a_fleet_that_does_not_exist_makes_no_game() {
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

#[tokio::test]
async fn r5_a_refusal_lists_every_violation_with_its_ship_and_mine() {
    refused_whole(
        &ten(),
        "A1>5 B1v4 J5>3 A7>3",
        "B7 K1 E7",
        &[
            "overlap ship 1 at B1",
            "outside_grid ship 2 at K5 L5",
            "wrong_fleet",
            "mine_on_ship ship 3 mine 0 at B7",
            "outside_grid mine 1 at K1",
            "wrong_mine_count",
        ],
    )
    .await;
}

/// The default options, with mines.
fn ten() -> Options {
    Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false }
}

/// Sends a layout that is refused with just these faults, in whatever order.
async fn refused_whole(options: &Options, ships: &str, mines: &str, expected: &[&str]) {
    let server = Server::shared().await;
    let table = Table::joined(&server, &options.to_json()).await;

    let reply = table.place(&server, Host, &layout(ships, mines)).await;

    let (mut told, mut expected) = (told(&reply), expected.to_vec());
    told.sort();
    expected.sort_unstable();
    assert_eq!(told, expected, "{ships} with {mines}");
    assert_nothing_placed(&server, &table).await;
    table.place(&server, Host, &layout(FLEET, free_mines(options))).await.expect(200);
}

/// Mines that lie clear of [`FLEET`] and of each other.
fn free_mines(options: &Options) -> &'static str {
    match options.mine_count() {
        0 => "",
        1 => "H3",
        2 => "H3 H5",
        _ => "H3 H5 H7",
    }
}

/// Faults in short: code, ship, mine, cells.
fn told(reply: &Reply) -> Vec<String> {
    let faults = reply.refuses(422, "illegal_layout")["faults"].as_array().unwrap();
    let short = |fault: &Value| {
        let mut text = fault["code"].as_str().unwrap().to_owned();
        for member in ["ship", "mine"] {
            if let Some(index) = fault[member].as_u64() {
                text = format!("{text} {member} {index}");
            }
        }
        let cells = fault["cells"].as_array().unwrap();
        if !cells.is_empty() {
            let cells: Vec<_> = cells.iter().map(|cell| cell.as_str().unwrap()).collect();
            text = format!("{text} at {}", cells.join(" "));
        }
        text
    };
    faults.iter().map(short).collect()
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
