//! The second model of the rules, held against positions made by hand from the rules' page.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use testing::model::*;

use Seat::{Guest, Host};

/// The classic fleet as most games here have it: A1 to E1, A3 to D3, A5 to C5, A7 to C7, E7 to F7.
const FLEET: &str = "A1>5 A3>4 A5>3 A7>3 E7>2";

#[test]
fn there_are_64_configurations() {
    let all = Options::all();

    let distinct: BTreeSet<String> = all.iter().map(|one| one.to_json().to_string()).collect();
    assert_eq!(distinct.len(), 64);
}

#[test]
fn r1_r2_r4_every_violation_is_told_with_its_ship_and_mine() {
    let cases = [
        ("A1>5 A3>4 A5>3 A7>3 E7>2", "H3", ""),
        // A ship that would go on in the next row, and one that starts outside.
        ("A1>5 A3>4 A5>3 A7>3 G7>3", "H3", "outside_grid 4 -, wrong_fleet - -, wrong_fleet 4 -"),
        ("A1>5 A3>4 A5>3 A7>3 H7>2", "H3", "outside_grid 4 -"),
        ("A1>5 A3>4 A5>3 A7>3 K7>2", "H3", "outside_grid 4 -"),
        // What lies inside takes part in pairs, what lies outside does not.
        ("A1>5 A3>4 A5>3 A7>3 H7>2", "H8", "mine_touches 4 0, outside_grid 4 -"),
        ("A1>5 A3>4 A5>3 H7>3 I7>2", "E7", "outside_grid 3 -, outside_grid 4 -"),
        // Fleets.
        ("A1>5 A3>4 A5>3 A7>3", "H3", "wrong_fleet - -"),
        ("A1>5 A3>4 A5>3 A7>3 E7>3", "H3", "wrong_fleet - -, wrong_fleet 4 -"),
        ("A1>5 A3>4 A5>3 A7>3 E7>2 H5v2", "H3", "wrong_fleet 5 -"),
        ("A1>5", "H8", "wrong_fleet - -, wrong_fleet - -, wrong_fleet - -, wrong_fleet - -"),
        // Pairs of ships: told once, at the later one, in whatever order they are sent.
        ("A1>5 A3>4 A5>3 A7>3 C7>2", "H3", "overlap 4 -"),
        ("C7>2 A1>5 A3>4 A5>3 A7>3", "H3", "overlap 4 -"),
        ("A1>5 A3>4 A5>3 A7>3 D7>2", "H3", "touch 4 -"),
        ("A1>5 A3>4 A5>3 A7>3 D6>2", "H3", "touch 4 -, touch 4 -"),
        ("A1>5 A3>4 A5>3 A7>3 F2v2", "H3", "touch 4 -"),
        ("A1>5 A3>4 A5>3 A7>3 D4>2", "H7", "touch 4 -, touch 4 -"),
        // Mines.
        (FLEET, "", "wrong_mine_count - -"),
        (FLEET, "H3 H5", "wrong_mine_count - -"),
        (FLEET, "H3 H4", "mine_touches - 1, wrong_mine_count - -"),
        (FLEET, "H3 H3", "mine_touches - 1, wrong_mine_count - -"),
        (FLEET, "H3 G2 H3", "mine_touches - 1, mine_touches - 2, mine_touches - 2, wrong_mine_count - -"),
        (FLEET, "B3", "mine_on_ship 1 0"),
        (FLEET, "F2", "mine_touches 0 0"),
        (FLEET, "D6", "mine_touches 2 0, mine_touches 3 0, mine_touches 4 0"),
        (FLEET, "K3", "outside_grid - 0"),
        (FLEET, "K3 K3", "outside_grid - 0, outside_grid - 1, wrong_mine_count - -"),
    ];

    for (fleet, mines, expected) in cases {
        assert_eq!(told(&options(8), fleet, mines), expected, "{fleet} with {mines}");
    }
}

#[test]
fn r3_the_count_of_mines_follows_from_the_grid() {
    for (grid, legal) in [(8, "H3"), (10, "H3"), (12, "H3 L12"), (15, "H3 L12 L10")] {
        let more = format!("{legal} H5");
        let fewer = legal.rsplit_once(' ').map_or("", |(fewer, _)| fewer);

        assert_eq!(told(&options(grid), FLEET, legal), "");
        assert_eq!(told(&options(grid), FLEET, &more), "wrong_mine_count - -");
        assert_eq!(told(&options(grid), FLEET, fewer), "wrong_mine_count - -");
    }

    let none = Options { mines: false, ..options(8) };
    assert_eq!(told(&none, FLEET, ""), "");
    assert_eq!(told(&none, FLEET, "H3"), "wrong_mine_count - -");
    assert_eq!(told(&none, FLEET, "B3"), "mine_on_ship 1 0, wrong_mine_count - -");
}

#[test]
fn r7_a_fleet_that_leaves_no_mine_cell_is_refused() {
    for (russian, ships) in [(true, blocked_russian_fleet()), (false, blocked_classic_fleet())] {
        let options = Options { russian, ..options(8) };
        let without = Options { mines: false, ..options.clone() };
        let sent = |mines: &[&str]| LayoutSent { ships: ships.clone(), mines: strings(mines) };

        assert_eq!(faults(&without, &sent(&[])), []);
        assert!(free_mine_cells(&options, &sent(&[])).is_empty());
        assert_eq!(codes(&options, &sent(&[])), ["no_room_for_mines", "wrong_mine_count"]);
        for cell in options.cells() {
            let codes = codes(&options, &sent(&[&name(cell)]));
            assert!(codes.contains(&"no_room_for_mines".to_owned()));
            assert!(codes.iter().any(|code| code == "mine_touches" || code == "mine_on_ship"));
        }

        // Where the fleet has a fault of its own, the room is not looked at.
        let mut short = sent(&[]);
        short.ships.pop();
        assert_eq!(codes(&options, &short), ["wrong_fleet", "wrong_mine_count"]);
        let mut doubled = sent(&[]);
        doubled.ships.extend(ships.last().cloned());
        assert_eq!(codes(&options, &doubled), ["overlap", "wrong_fleet", "wrong_mine_count"]);
        // On a larger grid there is room.
        let larger = Options { grid: 10, ..options.clone() };
        assert_eq!(codes(&larger, &sent(&["J10"])), Vec::<String>::new());
    }
}

#[test]
fn r5_a_layout_is_sent_as_one_body() {
    let sent = layout("A1v1 C1>4", "H3").to_json();

    let ships = json!([
        { "start": "A1", "length": 1, "direction": "down" },
        { "start": "C1", "length": 4, "direction": "across" },
    ]);
    assert_eq!(sent, json!({ "ships": ships, "mines": ["H3"] }));
}

#[test]
fn r6_a_layout_is_final_and_the_second_starts_the_battle() {
    let mut model = Model::new(options(8));
    let layout = layout(FLEET, "H3");
    assert_eq!(model.awaiting(), json!([owes("guest", "join", 1)]));
    assert_eq!(refusal(&mut model, Host, &Action::Place(layout.clone())), "not_joined");
    assert_eq!(refusal(&mut model, Host, &Action::Fire(vec![])), "not_in_battle");
    assert_eq!(refusal(&mut model, Host, &Action::Join), "own_game");
    assert_eq!(model.view(None)["players"]["guest"], Value::Null);

    model.joined(Guest);
    assert_eq!(model.awaiting(), json!([owes("host", "place", 1), owes("guest", "place", 1)]));
    let bad = Action::Place(LayoutSent { mines: vec![], ..layout.clone() });
    assert_eq!(refusal(&mut model, Host, &bad), "illegal_layout");
    model.act(Host, &Action::Place(layout.clone())).unwrap();
    assert_eq!(model.awaiting(), json!([owes("guest", "place", 1)]));
    assert_eq!(refusal(&mut model, Host, &bad), "already_placed");
    assert_eq!(refusal(&mut model, Host, &shots("A1")), "not_in_battle");
    assert_eq!(model.stranger_joins().unwrap_err().code, "game_full");

    model.act(Guest, &Action::Place(layout)).unwrap();
    assert_eq!(model.awaiting(), json!([owes("guest", "fire", 1)]));
    assert_eq!(refusal(&mut model, Guest, &bad), "already_placed");
    assert_eq!(refusal(&mut model, Host, &shots("")), "not_your_turn");
}

#[test]
fn r9_a_volley_has_a_shot_for_every_ship_afloat_when_the_turn_begins() {
    let mut model = battle(&salvo(8), "H3", "H3");
    assert_eq!(model.awaiting(), json!([owes("host", "fire", 5)]));
    for wrong in ["", "A1 B1 C1 D1", "A1 B1 C1 D1 E1 F1", "A1 A1 K1 A1"] {
        let refused = model.act(Host, &shots(wrong)).unwrap_err();
        assert_eq!((refused.status, refused.code), (422, "wrong_shot_count"));
        assert_eq!(refused.expected, Some(5));
    }

    assert_eq!(fire(&mut model, Host, "E7 F7 A8 B8 C8"), "hit sunk miss miss miss");
    assert_eq!(model.awaiting(), json!([owes("guest", "fire", 4)]));
    fire_water(&mut model, Guest);
    assert_eq!(model.awaiting(), json!([owes("host", "fire", 5)]));
}

#[test]
fn r9_a_volley_has_at_most_as_many_shots_as_cells_are_left() {
    // The host leaves a cell of four ships for the end, the guest sinks nothing.
    let mut model = battle(&Options { mines: false, ..salvo(8) }, "", "");
    let kept = ["E1", "D3", "C5", "C7"];
    let mut plan: Vec<String> = water(8);
    plan.extend(ship_cells(FLEET).into_iter().filter(|cell| !kept.contains(&cell.as_str())));
    let mut other_plan = plan.clone();
    other_plan.retain(|cell| cell != "F7");
    assert_eq!(plan.len(), 60);

    while !plan.is_empty() {
        fire_from(&mut model, Host, &mut plan);
        fire_from(&mut model, Guest, &mut other_plan);
    }

    assert_eq!(model.view(None)["players"]["host"]["ships_afloat"], 5);
    assert_eq!(model.awaiting(), json!([owes("host", "fire", 4)]));
    assert_eq!(fire(&mut model, Host, "E1 D3 C5 C7"), "sunk sunk sunk sunk");
    assert_eq!(model.result(), json!({ "winner": "host", "reason": "fleet_sunk" }));
}

#[test]
fn r9_r10_the_public_record_refuses_in_its_order() {
    let mut model = battle(&salvo(10), "H3", "H3");
    fire(&mut model, Host, "A1 H8 H3 H10 I10");
    give(&mut model, Host, "A1");
    fire_water(&mut model, Guest);
    let cases = [
        ("A1 A1 K1", 422, "wrong_shot_count", None),
        ("K1 A1 B1 B1 K1", 422, "repeated_cell", Some("K1 B1")),
        ("J1 A1 K11 B1 K1", 422, "outside_grid", Some("K11 K1")),
        ("J1 I10 B1 A1 C1", 409, "already_fired", Some("I10 A1")),
        // A struck mine is a cell fired at (R21).
        ("J1 H3 B1 D1 C1", 409, "already_fired", Some("H3")),
    ];

    for (sent, status, code, cells) in cases {
        let before = model.clone();
        let refused = model.act(Host, &shots(sent)).unwrap_err();
        assert_eq!((refused.status, refused.code), (status, code), "{sent}");
        assert_eq!(refused.cells, cells.map(words), "{sent}");
        assert_eq!(model, before, "a refused volley leaves no trace (R10)");
    }
}

#[test]
fn r12_the_shot_that_takes_the_last_cell_is_the_one_that_sinks() {
    let mut model = battle(&salvo(10), "H3", "H3");

    let done = model.act(Host, &shots("F7 A1 E7 H10 B1")).unwrap();

    let ship = json!({ "start": "E7", "length": 2, "direction": "across" });
    let expected = json!([
        { "cell": "F7", "outcome": "hit" },
        { "cell": "A1", "outcome": "hit" },
        { "cell": "E7", "outcome": "sunk", "ship": ship },
        { "cell": "H10", "outcome": "miss" },
        { "cell": "B1", "outcome": "hit" },
    ]);
    assert_eq!(done, Done { shots: Some(expected), owed: None, cells: None });
    // On the board every cell of the ship is sunk now, and the lists are row by row.
    let board = &model.view(Some(Host))["boards"]["guest"];
    let shots = json!([
        { "cell": "A1", "outcome": "hit" }, { "cell": "B1", "outcome": "hit" },
        { "cell": "E7", "outcome": "sunk" }, { "cell": "F7", "outcome": "sunk" },
        { "cell": "H10", "outcome": "miss" },
    ]);
    assert_eq!(board["shots"], shots);
    let ship = json!({ "start": "E7", "length": 2, "direction": "across", "sunk": true });
    assert_eq!(board["ships"], json!([ship]));
}

#[test]
fn r12_a_ship_of_one_cell_sinks_at_once_and_is_shown_across() {
    let fleet = "A1v4 C1v3 E1v3 G1v2 I1v2 A6v2 C6v1 E6v1 G6v1 I6v1";
    let mut model = Model::new(Options { russian: true, ..options(10) });
    model.joined(Host);
    for seat in [Host, Guest] {
        model.act(seat, &Action::Place(layout(fleet, "J10"))).unwrap();
    }

    let done = model.act(Host, &shots("C6")).unwrap();

    let ship = json!({ "start": "C6", "length": 1, "direction": "across" });
    let expected = json!([{ "cell": "C6", "outcome": "sunk", "ship": ship }]);
    assert_eq!(done.shots, Some(expected));
    assert_eq!(model.view(None)["players"]["guest"]["ships_afloat"], 9);
    assert_eq!(model.view(Some(Guest))["boards"]["guest"]["ships"][6]["direction"], "across");
}

#[test]
fn r14_the_turn_passes_or_goes_on_after_a_success() {
    let mut plain = battle(&options(10), "H3", "H3");
    fire(&mut plain, Host, "A1");
    assert_eq!(plain.awaiting(), json!([owes("guest", "fire", 1)]));

    let mut again = battle(&Options { shoot_again: true, ..options(10) }, "H3", "H3");
    for (shot, outcome, next) in
        [("E7", "hit", "host"), ("F7", "sunk", "host"), ("A1", "hit", "host"), ("A2", "miss", "guest")]
    {
        assert_eq!(fire(&mut again, Host, shot), outcome);
        assert_eq!(again.awaiting(), json!([owes(next, "fire", 1)]));
    }
}

#[test]
fn r14_in_salvo_each_success_earns_a_shot() {
    let mut plain = battle(&salvo(10), "H3", "H3");
    fire(&mut plain, Host, "A1 B1 C1 D1 E1");
    assert_eq!(plain.awaiting(), json!([owes("guest", "fire", 4)]));

    let mut again = battle(&Options { shoot_again: true, ..salvo(10) }, "H3", "H3");
    // Two hits and a sinking; then one hit; then nothing.
    assert_eq!(fire(&mut again, Host, "E7 F7 A1 H8 I8"), "hit sunk hit miss miss");
    assert_eq!(again.awaiting(), json!([owes("host", "fire", 3)]));
    assert_eq!(refusal(&mut again, Host, &shots("A3 B3 C3 D3 A5")), "wrong_shot_count");
    assert_eq!(fire(&mut again, Host, "J8 B1 J10"), "miss hit miss");
    assert_eq!(again.awaiting(), json!([owes("host", "fire", 1)]));
    assert_eq!(fire(&mut again, Host, "A10"), "miss");
    assert_eq!(again.awaiting(), json!([owes("guest", "fire", 4)]));
}

#[test]
fn r14_in_salvo_at_most_the_cells_left_are_earned() {
    let mut model = battle(&Options { mines: false, shoot_again: true, ..salvo(8) }, "", "");
    let mut plan = water(8);
    plan.truncate(45);
    let mut other_plan = plan.clone();
    while !plan.is_empty() {
        fire_from(&mut model, Host, &mut plan);
        fire_from(&mut model, Guest, &mut other_plan);
    }

    // 19 cells are left: 17 of ships, 2 of water.
    assert_eq!(fire(&mut model, Host, "A1 B1 C1 D1 A3"), "hit hit hit hit hit");
    assert_eq!(fire(&mut model, Host, "B3 C3 A5 B5 A7"), "hit hit hit hit hit");
    assert_eq!(fire(&mut model, Host, "B7 E7 E1 D3 C5"), "hit hit sunk sunk sunk");
    assert_eq!(model.awaiting(), json!([owes("host", "fire", 4)]));
    let mut last: Vec<String> = water(8).split_off(45);
    last.extend(words("C7 F7"));
    assert_eq!(fire(&mut model, Host, &last.join(" ")), "miss miss sunk sunk");
    assert_eq!(model.status(), "finished");
}

#[test]
fn r15_r16_r19_a_struck_mine_is_no_success_and_costs_a_cell() {
    for shoot_again in [false, true] {
        let mut model = battle(&Options { shoot_again, ..salvo(12) }, "L12 L10", "L12 L10");

        let done = model.act(Host, &shots("A1 L10 E7 F7 L12")).unwrap();

        assert_eq!(outcomes(&done), "hit mine hit sunk mine");
        assert_eq!(done.owed, Some(2));
        assert_eq!(model.awaiting(), json!([owes("host", "reveal", 2)]));
        assert_eq!(refusal(&mut model, Host, &shots("A3")), "reveal_due");
        assert_eq!(refusal(&mut model, Guest, &shots("A3")), "not_your_turn");
        assert_eq!(refusal(&mut model, Guest, &reveal("A3 B3")), "not_your_turn");
        let own: Value = ship_cells(FLEET).into();
        assert_eq!(model.view(Some(Host))["revealable"], own);
        assert_eq!(model.view(Some(Guest))["revealable"], Value::Null);
        assert_eq!(model.view(None)["revealable"], Value::Null);

        give(&mut model, Host, "C7 A1");
        assert_eq!(model.awaiting(), json!([owes("guest", "fire", 4)]));
        let expected = json!(["A1", "C7"]);
        assert_eq!(model.view(Some(Guest))["boards"]["host"]["revealed"], expected);
        assert_eq!(model.view(None)["boards"]["host"]["revealed"], expected);
        assert_eq!(model.view(None)["boards"]["host"]["ships"], json!([]));
        assert_eq!(refusal(&mut model, Guest, &reveal("A1")), "no_reveal_due");
        assert_eq!(model.view(Some(Host))["boards"]["guest"]["mines"], json!(["L10", "L12"]));
        assert_eq!(model.view(None)["boards"]["guest"]["mines"], json!(["L10", "L12"]));
        assert_eq!(model.view(Some(Guest))["boards"]["host"]["mines"], json!([]));
    }
}

#[test]
fn r16_only_own_ship_cells_neither_hit_nor_given_can_be_given() {
    // One of two mines struck before, A1 given, then B1 hit by the guest.
    let mut model = battle(&options(12), "L12 L10", "L12 L10");
    fire(&mut model, Host, "L10");
    give(&mut model, Host, "A1");
    fire(&mut model, Guest, "B1");
    let done = model.act(Host, &shots("L12")).unwrap();
    assert_eq!((outcomes(&done).as_str(), done.owed), ("mine", Some(1)));

    for (sent, status, code, cells) in [
        ("", 422, "wrong_reveal_count", None),
        ("C1 C1", 422, "wrong_reveal_count", None),
        ("M1", 422, "outside_grid", Some("M1")),
        ("A1", 422, "not_revealable", Some("A1")),   // given before
        ("B1", 422, "not_revealable", Some("B1")),   // hit
        ("L12", 422, "not_revealable", Some("L12")), // a mine
        ("H8", 422, "not_revealable", Some("H8")),   // water
    ] {
        let before = model.clone();
        let refused = model.act(Host, &reveal(sent)).unwrap_err();
        assert_eq!((refused.status, refused.code), (status, code), "{sent}");
        assert_eq!(refused.cells, cells.map(words), "{sent}");
        assert_eq!(model, before);
    }
    give(&mut model, Host, "C1");
    assert_eq!(model.awaiting(), json!([owes("guest", "fire", 1)]));
}

#[test]
fn r19_all_that_is_owed_comes_in_one_request_of_distinct_cells() {
    let mut model = battle(&salvo(12), "L12 L10", "L12 L10");
    fire(&mut model, Host, "H8 L10 H9 H10 L12");

    let repeated = model.act(Host, &reveal("A1 A1")).unwrap_err();
    assert_eq!((repeated.code, repeated.cells), ("repeated_cell", Some(words("A1"))));
    let too_few = model.act(Host, &reveal("A1")).unwrap_err();
    assert_eq!((too_few.code, too_few.expected), ("wrong_reveal_count", Some(2)));
    let half = model.act(Host, &reveal("A1 A2")).unwrap_err();
    assert_eq!((half.code, half.cells), ("not_revealable", Some(words("A2"))));
    assert_eq!(model.view(None)["boards"]["host"]["revealed"], json!([]));

    let done = model.act(Host, &reveal("C7 A1")).unwrap();
    assert_eq!(done, Done { cells: Some(words("C7 A1")), ..Done::default() });
}

#[test]
fn r17_last_ship_ends_the_game_even_when_a_mine_was_hit() {
    for sent in ["H3 F7 J1 J2 J3", "J1 F7 J2 J3 H3"] {
        let mut model = battle(&salvo(10), "H3", "H3");
        for volley in ["A1 B1 C1 D1 E1", "A3 B3 C3 D3 A5", "B5 C5 A7 B7 C7", "E7 H9 H8 H7 H6"] {
            fire(&mut model, Host, volley);
            fire_water(&mut model, Guest);
        }

        let done = model.act(Host, &shots(sent)).unwrap();

        assert_eq!(done.owed, Some(0));
        assert!(outcomes(&done).contains("sunk") && outcomes(&done).contains("mine"));
        assert_eq!(model.status(), "finished");
        assert_eq!(model.result(), json!({ "winner": "host", "reason": "fleet_sunk" }));
        assert_eq!(model.awaiting(), json!([]));
        assert_eq!(refusal(&mut model, Host, &reveal("A1")), "game_over");
    }
}

#[test]
fn r18_with_single_shots_only_given_cells_left_means_that_nothing_is_owed() {
    let mut model = battle(&options(12), "L12 L10", "L12 L10");
    fire(&mut model, Host, "L10");
    give(&mut model, Host, "F7");
    // The guest hits all but the given cell.
    for cell in ship_cells(FLEET).into_iter().filter(|cell| cell != "F7") {
        fire(&mut model, Guest, &cell);
        if model.view(None)["boards"]["host"]["shots"].as_array().unwrap().len() < 16 {
            fire_water(&mut model, Host);
        }
    }

    let done = model.act(Host, &shots("L12")).unwrap();

    assert_eq!((outcomes(&done).as_str(), done.owed), ("mine", Some(0)));
    assert_eq!(model.awaiting(), json!([owes("guest", "fire", 1)]));
    assert_eq!(refusal(&mut model, Host, &reveal("F7")), "not_your_turn");
    assert_eq!(fire(&mut model, Guest, "F7"), "sunk");
    assert_eq!(model.result()["winner"], "guest");
}

#[test]
fn r18_in_salvo_two_mines_and_one_cell_left_to_give_owe_one() {
    let mut model = nearly_lost();
    assert_eq!(model.awaiting(), json!([owes("host", "fire", 2)]));

    let done = model.act(Host, &shots("O15 O11")).unwrap();

    assert_eq!((outcomes(&done).as_str(), done.owed), ("mine mine", Some(1)));
    assert_eq!(model.awaiting(), json!([owes("host", "reveal", 1)]));
    assert_eq!(model.view(Some(Host))["revealable"], json!(["A1"]));
    assert_eq!(refusal(&mut model, Host, &reveal("F7")), "not_revealable");
    give(&mut model, Host, "A1");
    assert_eq!(model.awaiting(), json!([owes("guest", "fire", 5)]));
    assert_eq!(fire(&mut model, Guest, "A1 F7 O1 O2 O3"), "sunk sunk miss miss miss");
    assert_eq!(model.status(), "finished");
}

#[test]
fn r18_in_salvo_only_given_cells_left_owe_nothing_and_the_turn_passes() {
    let mut model = nearly_lost();
    fire(&mut model, Host, "O11 O1");
    give(&mut model, Host, "A1");
    fire_water(&mut model, Guest);

    let done = model.act(Host, &shots("O2 O15")).unwrap();

    assert_eq!((outcomes(&done).as_str(), done.owed), ("miss mine", Some(0)));
    assert_eq!(model.awaiting(), json!([owes("guest", "fire", 5)]));
    assert_eq!(model.view(Some(Host))["revealable"], Value::Null);
}

#[test]
fn r20_a_given_cell_is_a_mark_and_firing_at_it_an_ordinary_shot() {
    let mut model = battle(&Options { shoot_again: true, ..options(10) }, "H3", "H3");
    fire(&mut model, Host, "H3");
    give(&mut model, Host, "E7");
    assert_eq!(model.view(None)["players"]["host"]["ships_afloat"], 5);

    // Elsewhere first, then at the mark: a hit, so the turn goes on; the mark stays a mark.
    assert_eq!(fire(&mut model, Guest, "J10"), "miss");
    fire_water(&mut model, Host);
    assert_eq!(fire(&mut model, Guest, "E7"), "hit");
    assert_eq!(model.awaiting(), json!([owes("guest", "fire", 1)]));
    assert_eq!(fire(&mut model, Guest, "F7"), "sunk");
    assert_eq!(model.view(Some(Guest))["boards"]["host"]["revealed"], json!(["E7"]));
    assert_eq!(refusal(&mut model, Guest, &shots("E7")), "already_fired");
}

#[test]
fn r24_resigning_loses_a_battle_and_aborts_what_comes_before_it() {
    let mut waiting = Model::new(options(10));
    waiting.act(Host, &Action::Resign).unwrap();
    assert_eq!(waiting.status(), "aborted");
    assert_eq!(waiting.result(), json!({ "winner": null, "reason": "aborted" }));
    assert_eq!(refusal(&mut waiting, Host, &Action::Join), "game_over");
    assert_eq!(waiting.stranger_joins().unwrap_err().code, "game_over");

    let mut placing = Model::new(options(10));
    placing.joined(Guest);
    placing.act(Host, &Action::Place(layout(FLEET, "H3"))).unwrap();
    placing.act(Guest, &Action::Resign).unwrap();
    assert_eq!(placing.result(), json!({ "winner": null, "reason": "aborted" }));
    // R26: after an abort the layout is shown to its owner alone.
    assert_eq!(placing.view(Some(Host))["boards"]["host"]["ships"][0]["start"], "A1");
    assert_eq!(placing.view(Some(Guest))["boards"]["host"]["ships"], json!([]));
    assert_eq!(placing.view(None)["boards"]["host"]["mines"], json!([]));

    // In battle on the own turn, on the other's, and while cells are owed.
    for (seat, mine, winner) in
        [(Host, false, "guest"), (Guest, false, "host"), (Host, true, "guest"), (Guest, true, "host")]
    {
        let mut model = battle(&options(10), "H3", "H3");
        if mine {
            fire(&mut model, Host, "H3");
        }
        model.act(seat, &Action::Resign).unwrap();
        assert_eq!(model.result(), json!({ "winner": winner, "reason": "resigned" }));
        assert_eq!(model.view(Some(Host))["revealable"], Value::Null);
        for eyes in [Some(Host), Some(Guest), None] {
            let boards = &model.view(eyes)["boards"];
            assert_eq!(boards["host"]["ships"].as_array().unwrap().len(), 5);
            assert_eq!(boards["guest"]["mines"], json!(["H3"]));
        }
        assert_eq!(refusal(&mut model, seat, &Action::Resign), "game_over");
    }
}

#[test]
fn r25_the_clock_loses_a_battle_and_aborts_the_placing() {
    let mut placing = Model::new(options(10));
    placing.joined(Host);
    assert_eq!(placing.clone().time_out(), None);
    placing.act(Guest, &Action::Place(layout(FLEET, "H3"))).unwrap();
    assert_eq!(placing.time_out(), Some(Host));
    assert_eq!(placing.result(), json!({ "winner": null, "reason": "aborted" }));

    let mut model = battle(&options(10), "H3", "H3");
    fire(&mut model, Host, "H3");
    assert_eq!(model.time_out(), Some(Host));
    assert_eq!(model.result(), json!({ "winner": "guest", "reason": "timed_out" }));

    let mut unjoined = Model::new(options(10));
    unjoined.expire();
    assert_eq!(unjoined.result(), json!({ "winner": null, "reason": "expired" }));
}

#[test]
fn known_empty_follows_from_hits_sinkings_mines_and_given_cells_alone() {
    let known = |model: &Model, seat: Seat| {
        let mut lists = Vec::new();
        for eyes in [Some(Host), Some(Guest), None] {
            lists.push(model.view(eyes)["boards"][seat.name()]["known_empty"].clone());
        }
        assert!(lists.iter().all(|list| *list == lists[0]), "all see the same");
        lists.remove(0)
    };
    let mut model = battle(&options(10), "J10", "H3");

    // A miss proves nothing, a hit its four corners, less what was fired at.
    fire(&mut model, Host, "D8");
    fire_water(&mut model, Guest);
    assert_eq!(known(&model, Guest), json!([]));
    fire(&mut model, Host, "E7");
    fire_water(&mut model, Guest);
    assert_eq!(known(&model, Guest), json!(["D6", "F6", "F8"]));
    // A sinking proves all around the ship.
    fire(&mut model, Host, "F7");
    fire_water(&mut model, Guest);
    let around = ["D6", "E6", "F6", "G6", "D7", "G7", "E8", "F8", "G8"];
    assert_eq!(known(&model, Guest), json!(around));
    // A struck mine proves all around it; the given cell its corners, on the other board.
    assert_eq!(known(&model, Host), json!([]));
    fire(&mut model, Host, "H3");
    give(&mut model, Host, "A5");
    let mine = ["G2", "H2", "I2", "G3", "I3", "G4", "H4", "I4"];
    assert_eq!(known(&model, Guest), json!([&mine[..], &around[..]].concat()));
    assert_eq!(known(&model, Host), json!(["B4", "B6"]));
    // Hit by the owner of the mine it proves the same, and the end changes nothing.
    fire(&mut model, Guest, "A5");
    assert_eq!(known(&model, Host), json!(["B4", "B6"]));
    model.act(Host, &Action::Resign).unwrap();
    assert_eq!(known(&model, Host), json!(["B4", "B6"]));
}

#[test]
fn r27_r28_a_view_tells_the_own_board_and_of_the_other_what_was_found() {
    let mut model = battle(&options(10), "J10", "H3");
    fire(&mut model, Host, "E7");
    fire(&mut model, Guest, "J8");

    let own = &model.view(Some(Guest))["boards"]["guest"];
    assert_eq!(own["ships"].as_array().unwrap().len(), 5);
    assert_eq!(own["mines"], json!(["H3"]));
    for eyes in [Some(Host), None] {
        let seen = &model.view(eyes)["boards"]["guest"];
        assert_eq!(seen["ships"], json!([]));
        assert_eq!(seen["mines"], json!([]));
        assert_eq!(seen["shots"], json!([{ "cell": "E7", "outcome": "hit" }]));
    }
    let spectator = model.view(None);
    assert_eq!(spectator["boards"]["host"]["shots"], json!([{ "cell": "J8", "outcome": "miss" }]));
    assert_eq!(spectator["setup"], json!({ "ships": [5, 4, 3, 3, 2], "mines": 1 }));
    assert_eq!(spectator["players"]["host"], json!({ "placed": true, "ships_afloat": 5 }));
    assert_eq!(spectator["first"], "host");
}

#[test]
fn random_games_of_every_configuration_end() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut nothing_owed = 0;
    for options in Options::all() {
        for _ in 0..20 {
            let mut model = Model::new(options.clone());
            model.joined(if rng.random() { Host } else { Guest });
            let mut actions = 0;
            while let Some(&(seat, ..)) = model.awaited().first() {
                let action = random_action(&model, seat, &mut rng);
                let done = model.act(seat, &action).expect("a random action is legal");
                if done.owed == Some(0) && model.status() == "battle" {
                    nothing_owed += 1; // R18
                }
                actions += 1;
                assert!(actions < 600, "{options:?} goes on and on");
            }
            assert_eq!(model.status(), "finished");
            assert_eq!(model.result()["reason"], "fleet_sunk");
            let players = &model.view(None)["players"];
            let afloat = |seat: &str| players[seat]["ships_afloat"].as_u64().unwrap();
            let lost = if model.result()["winner"] == "host" { "guest" } else { "host" };
            assert_eq!(afloat(lost), 0);
            assert_ne!(afloat("host") + afloat("guest"), 0);
        }
    }
    assert_ne!(nothing_owed, 0, "random play reaches R18");
}

#[test]
fn random_nonsense_meets_every_refusal_and_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut refusals, mut layout_faults) = (BTreeSet::new(), BTreeSet::new());
    let (mut refused, mut taken) = (0, 0);
    for options in Options::all() {
        let mut model = Model::new(options.clone());
        let mut joined = false;
        for _ in 0..200 {
            let before = model.clone();
            let (seat, action) = random_nonsense(&model, &mut rng);
            match model.act(seat, &action) {
                Err(refusal) => {
                    refused += 1;
                    assert_eq!(model, before, "{action:?} is refused with {}", refusal.code);
                    refusals.insert(refusal.code);
                    layout_faults.extend(refusal.faults.into_iter().map(|fault| fault.0));
                }
                Ok(_) => taken += 1,
            }
            if !joined && rng.random_ratio(1, 5) {
                model.joined(Host);
                joined = true;
            } else if joined
                && rng.random_bool(0.5)
                && let Some(&(seat, ..)) = model.awaited().first()
            {
                model.act(seat, &random_action(&model, seat, &mut rng)).expect("it is legal");
            }
        }
    }

    let expected = BTreeSet::from([
        "already_fired",
        "already_placed",
        "game_over",
        "illegal_layout",
        "no_reveal_due",
        "not_in_battle",
        "not_joined",
        "not_revealable",
        "not_your_turn",
        "outside_grid",
        "own_game",
        "repeated_cell",
        "reveal_due",
        "wrong_reveal_count",
        "wrong_shot_count",
    ]);
    assert_eq!(refusals, expected);
    let expected = [
        "mine_on_ship",
        "mine_touches",
        "no_room_for_mines",
        "outside_grid",
        "overlap",
        "touch",
        "wrong_fleet",
        "wrong_mine_count",
    ];
    assert_eq!(layout_faults.into_iter().collect::<Vec<_>>(), expected);
    assert!(taken * 10 < refused, "{taken} of {refused} were no nonsense");
}

#[test]
fn r26_r27_random_games_hide_what_was_not_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for options in Options::all() {
        let mut model = Model::new(options.clone());
        model.joined(Host);
        while model.status() == "placing" || model.status() == "battle" {
            let (seat, ..) = model.awaited()[0];
            model.act(seat, &random_action(&model, seat, &mut rng)).expect("it is legal");
            if rng.random_ratio(7, 8) || model.status() == "placing" {
                continue;
            }
            let [host, guest, nobody] = [Some(Host), Some(Guest), None].map(|eyes| model.view(eyes));
            for (seat, own, other) in [("host", &host, &guest), ("guest", &guest, &host)] {
                let shown = LayoutSent {
                    ships: sent_again(&own["boards"][seat]["ships"]),
                    mines: strings_of(&own["boards"][seat]["mines"]),
                };
                assert_eq!(faults(&options, &shown), []);
                // `known_empty` is true, and what was not found is in nobody else's view.
                let occupied: BTreeSet<String> =
                    shown.ships.iter().flat_map(|ship| ship.cells().into_iter().map(name)).chain(shown.mines).collect();
                let board = &nobody["boards"][seat];
                assert!(strings_of(&board["known_empty"]).iter().all(|cell| !occupied.contains(cell)));
                if model.status() == "battle" {
                    assert_eq!(*board, other["boards"][seat]);
                    let public = board.to_string();
                    let fired: BTreeSet<String> = board["shots"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|shot| shot["cell"].as_str().unwrap().to_owned())
                        .chain(strings_of(&board["revealed"]))
                        .collect();
                    for hidden in occupied.difference(&fired) {
                        assert!(!public.contains(&format!("\"{hidden}\"")), "{hidden} in {public}");
                    }
                }
            }
            if model.status() == "finished" {
                assert_eq!(host["boards"], guest["boards"]);
                assert_eq!(host["boards"], nobody["boards"]);
            }
        }
    }
}

/// Options of single shots with mines and the classic fleet.
fn options(grid: u8) -> Options {
    Options { grid, russian: false, mines: true, salvo: false, shoot_again: false }
}

/// The same with Salvo.
fn salvo(grid: u8) -> Options {
    Options { salvo: true, ..options(grid) }
}

/// A battle that the host begins, both with the same fleet.
fn battle(options: &Options, host_mines: &str, guest_mines: &str) -> Model {
    let mut model = Model::new(options.clone());
    model.joined(Host);
    model.act(Host, &Action::Place(layout(FLEET, host_mines))).unwrap();
    model.act(Guest, &Action::Place(layout(FLEET, guest_mines))).unwrap();
    model
}

/// Salvo on 15×15: the host has struck a mine and given F7, and has but F7 and A1 left.
fn nearly_lost() -> Model {
    let mut model = battle(&salvo(15), "O15 O13 O11", "O15 O13 O11");
    fire(&mut model, Host, "O13 N1 N2 N3 N4");
    give(&mut model, Host, "F7");
    for volley in ["B1 C1 D1 E1 A3", "B3 C3 D3 A5 B5", "C5 A7 B7 C7 E7"] {
        fire(&mut model, Guest, volley);
        fire_water(&mut model, Host);
    }
    fire_water(&mut model, Guest);
    model
}

/// A layout from its short form.
fn layout(fleet: &str, mines: &str) -> LayoutSent {
    LayoutSent { ships: ships(fleet), mines: words(mines) }
}

/// The faults of a layout in one line: code, ship, mine.
fn told(options: &Options, fleet: &str, mines: &str) -> String {
    let index = |index: Option<usize>| index.map_or("-".to_owned(), |index| index.to_string());
    let told = |(code, ship, mine): Fault| format!("{code} {} {}", index(ship), index(mine));
    let faults = faults(options, &layout(fleet, mines));
    faults.into_iter().map(told).collect::<Vec<_>>().join(", ")
}

/// The codes of the faults of a layout, each once.
fn codes(options: &Options, layout: &LayoutSent) -> Vec<String> {
    let mut codes: Vec<String> = faults(options, layout).into_iter().map(|fault| fault.0).collect();
    codes.dedup();
    codes
}

/// The words of a line.
fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Owned copies.
fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The strings of a JSON list.
fn strings_of(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The ships of a board, ready to be sent.
fn sent_again(ships: &Value) -> Vec<ShipSent> {
    let mut sent = Vec::new();
    for ship in ships.as_array().unwrap() {
        sent.push(ShipSent {
            start: ship["start"].as_str().unwrap().to_owned(),
            length: u8::try_from(ship["length"].as_u64().unwrap()).unwrap(),
            down: ship["direction"] == "down",
        });
    }
    sent
}

/// A volley from a line.
fn shots(line: &str) -> Action {
    Action::Fire(words(line))
}

/// A giving away from a line.
fn reveal(line: &str) -> Action {
    Action::Reveal(words(line))
}

/// Fires and returns the outcomes in one line.
fn fire(model: &mut Model, seat: Seat, line: &str) -> String {
    outcomes(&model.act(seat, &shots(line)).unwrap())
}

/// Gives cells away.
fn give(model: &mut Model, seat: Seat, line: &str) {
    model.act(seat, &reveal(line)).unwrap();
}

/// The outcomes of a volley in one line.
fn outcomes(done: &Done) -> String {
    let shots = done.shots.as_ref().unwrap().as_array().unwrap();
    shots.iter().map(|shot| shot["outcome"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

/// The code of a refusal by which nothing changes.
fn refusal(model: &mut Model, seat: Seat, action: &Action) -> &'static str {
    let before = model.clone();
    let code = model.act(seat, action).unwrap_err().code;
    assert_eq!(*model, before);
    code
}

/// An entry of `awaiting`.
fn owes(seat: &str, action: &str, count: usize) -> Value {
    json!({ "seat": seat, "action": action, "count": count, "until": null })
}

/// The cells of a fleet, row by row.
fn ship_cells(fleet: &str) -> Vec<String> {
    let cells: BTreeSet<Cell> = ships(fleet).iter().flat_map(ShipSent::cells).collect();
    cells.into_iter().map(name).collect()
}

/// The cells of a grid without the fleet of these tests, row by row.
fn water(grid: u8) -> Vec<String> {
    let ships = ship_cells(FLEET);
    let cells = options(grid).cells().into_iter().map(name);
    cells.filter(|cell| !ships.contains(cell)).collect()
}

/// Fires as many as are due from a plan.
fn fire_from(model: &mut Model, seat: Seat, plan: &mut Vec<String>) {
    let (_, _, count) = model.awaited()[0];
    let volley: Vec<String> = plan.drain(..count).collect();
    model.act(seat, &Action::Fire(volley)).unwrap();
}

/// Fires as many as are due at water in the columns H to N, never at a mine of these tests.
fn fire_water(model: &mut Model, seat: Seat) {
    let (_, _, count) = model.awaited()[0];
    let fired = model.view(None)["boards"][seat.other().name()]["shots"].to_string();
    let mut cells = water(model.options().grid);
    cells.retain(|text| (7..14).contains(&cell(text).1) && !fired.contains(&format!("\"{text}\"")));
    cells.retain(|text| !["H3", "J10", "L10", "L12"].contains(&text.as_str()));
    cells.truncate(count);
    let outcomes = fire(model, seat, &cells.join(" "));
    assert!(outcomes.split(' ').all(|outcome| outcome == "miss"), "it was water");
}
