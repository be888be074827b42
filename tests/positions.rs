//! Positions made by hand from the page of the rules, as scripts of what a person could play.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests, which stop where something is not as it should be"
)]

#[path = "positions/layouts.rs"]
mod layouts;
#[path = "common/notation.rs"]
mod notation;
#[path = "positions/script.rs"]
mod script;

use naval_battle::engine::{Event, Impossible, Seat};
use notation::cells;
use script::play;

#[test]
fn r6_a_layout_is_final_and_the_second_starts_the_battle() {
    let mut game = play("10x10, classic, mines, guest first");

    game.play(
        "due: host places, guest places
         host places A1>5 A3>4 A5>3 A7>3 with H3 = illegal_layout: wrong_fleet
         everybody sees host ships:
         host fires A1 = not_in_battle
         host places A1>5 A3>4 A5>3 A7>3 E7>2 with H3
         due: guest places
         host places A1>5 A3>4 A5>3 A7>3 E7>2 with H3 = already_placed
         guest fires A1 = not_in_battle
         guest reveals A1 = not_in_battle
         guest places A1v5 C1v4 E1v3 G1v3 I1v2 with J10",
    );

    game.play(
        "due: guest fires 1
         guest places A1v5 C1v4 E1v3 G1v3 I1v2 with J10 = already_placed
         host fires A1 = not_your_turn
         guest reveals A1 = no_reveal_due
         host sees host ships: A1>5, A3>4, A5>3, A7>3, E7>2
         host sees host mines: H3
         guest sees guest ships: A1v5, C1v4, E1v3, G1v3, I1v2",
    );
}

#[test]
fn r8_without_salvo_a_turn_is_one_shot() {
    let mut game = play(
        "10x10, russian, host first
         both place A1>4 A3>3 A5>3 A7>2 D7>2 G7>2 G1>1 I1>1 G3>1 I3>1",
    );

    game.play(
        "due: host fires 1
         host fires A1 B1 = wrong_shot_count 1
         host fires G1 = sunk:G1>1",
    );

    game.play(
        "due: guest fires 1
         guest has 9 afloat
         guest sees guest ships: A1>4, G1>1 sunk, I1>1, A3>3, G3>1, I3>1, A5>3, A7>2, D7>2, G7>2",
    );
}

#[test]
fn r9_a_volley_has_a_shot_for_every_ship_afloat_when_the_turn_begins() {
    let mut game = play(
        "10x10, classic, mines, salvo, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
    );

    game.play(
        "due: host fires 5
         host fires A1 B1 C1 D1 = wrong_shot_count 5
         host fires A1 B1 C1 D1 E1 F1 = wrong_shot_count 5
         host fires = wrong_shot_count 5
         host fires A1 A1 B1 B1 B1 = repeated_cell A1 B1
         host fires A1 B1 E7 F7 J10 = hit hit hit sunk:E7>2 miss
         due: guest fires 4
         guest fires E7 A1 C1 J10 = hit hit hit miss",
    );

    // A ship that is hit still shoots, and one in two halves is one.
    game.play("due: host fires 5");
}

#[test]
fn r9_a_volley_has_at_most_as_many_shots_as_cells_are_left() {
    let mut game = play(
        "15x15, classic, salvo, guest first
         both place A1>5 A3>4 A5>3 A7>3 E7>2
         guest fires E7 F7 O1 O2 O3 = hit sunk:E7>2 miss miss miss
         host fires A3 B3 C3 D3 = hit hit hit sunk:A3>4
         guest fires at water
         host fires A5 B5 C5 A7 = hit hit sunk:A5>3 hit
         guest fires at water
         host fires B7 C7 E7 F7 = hit sunk:A7>3 hit sunk:E7>2
         due: guest fires 1
         guest fires at water",
    );

    // All the water that there is: 225 cells less 17.
    game.play(&"host fires at water\nguest fires at water\n".repeat(52));
    game.play("host fires A1 B1 C1 D1 = hit hit hit hit\nguest fires at water");

    game.play(
        "host has 4 afloat
         due: host fires 1
         host fires E1 A1 = wrong_shot_count 1
         host fires E1 = sunk:A1>5
         result: host by fleet_sunk",
    );
}

#[test]
fn r10_nobody_fires_at_a_cell_twice() {
    let mut game = play(
        "12x12, classic, mines, salvo, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3 L12
         host fires A1 L1 H3 E7 F7 = hit miss mine hit sunk:E7>2, owes 1
         host reveals A1
         guest fires at water",
    );

    // Hit, missed, struck, sunk: each was fired at. A volley is judged whole.
    game.play(
        "host fires B1 C1 D1 E1 A1 = already_fired A1
         host fires B1 C1 L1 A1 E1 = already_fired A1 L1
         host fires H3 C1 D1 E1 F1 = already_fired H3
         host fires F7 C1 D1 E1 F1 = already_fired F7
         host fires A3 M1 H3 A13 F1 = outside_grid M1 A13
         host fires M1 M1 H3 H3 F1 = repeated_cell M1 H3",
    );

    game.play(
        "due: host fires 5
         spectator sees guest shots: A1 hit, L1 miss, H3 mine, E7 sunk, F7 sunk
         host fires B1 C1 D1 E1 L12 = hit hit hit sunk:A1>5 mine, owes 1",
    );
}

#[test]
fn r11_r12_only_the_shot_that_takes_the_last_cell_sinks_and_tells_the_ship() {
    let mut game = play(
        "10x10, classic, mines, salvo, host first
         both place A1v5 C1v4 E1v3 G1v3 I1v2 with J10",
    );

    game.play("host fires E3 I1 E1 I2 E2 = hit hit hit sunk:I1v2 sunk:E1v3");

    // On the board all of its cells are sunk now; what was told stays as it was.
    game.play(
        "everybody sees guest shots: E1 sunk, I1 sunk, E2 sunk, I2 sunk, E3 sunk
         host sees guest ships: E1v3 sunk, I1v2 sunk
         guest has 3 afloat
         due: guest fires 3",
    );
}

#[test]
fn r11_a_hit_tells_nothing_about_the_ship() {
    let mut game = play(
        "10x10, classic, host first
         both place A1v5 C1v4 E1v3 G1v3 I1v2",
    );

    game.play("host fires E2 = hit\nguest fires at water\nhost fires E1 = hit");

    game.play(
        "host sees guest ships:
         spectator sees guest ships:
         guest has 5 afloat
         guest fires at water
         host fires E3 = sunk:E1v3
         host sees guest ships: E1v3 sunk
         guest has 4 afloat",
    );
}

#[test]
fn r13_the_water_around_a_sunk_ship_is_known_and_not_fired_at() {
    let mut game = play(
        "10x10, classic, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2",
    );

    game.play("host fires E7 = hit\nhost fires F7 = sunk:E7>2");

    game.play(
        "everybody sees guest shots: E7 sunk, F7 sunk
         everybody sees guest known_empty: D6 E6 F6 G6 D7 G7 D8 E8 F8 G8
         host fires D6 = miss
         everybody sees guest known_empty: E6 F6 G6 D7 G7 D8 E8 F8 G8",
    );
}

#[test]
fn r14_without_shoot_again_the_turn_passes_after_every_shot() {
    let mut game = play(
        "10x10, classic, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2",
    );

    game.play(
        "host fires E7 = hit
         due: guest fires 1
         guest fires J10 = miss
         due: host fires 1
         host fires F7 = sunk:E7>2",
    );

    game.play("due: guest fires 1");
}

#[test]
fn r14_with_shoot_again_a_shot_that_hits_or_sinks_earns_one_more() {
    let mut game = play(
        "10x10, classic, mines, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
    );

    game.play(
        "host fires E7 = hit
         due: host fires 1
         guest fires A1 = not_your_turn
         host fires F7 = sunk:E7>2
         due: host fires 1
         host fires A1 = hit
         host fires A2 = miss",
    );

    game.play("due: guest fires 1");
}

#[test]
fn r14_without_shoot_again_the_turn_passes_after_every_volley() {
    let mut game = play(
        "10x10, classic, salvo, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2",
    );

    game.play("host fires A1 B1 C1 D1 E1 = hit hit hit hit sunk:A1>5");

    game.play("due: guest fires 4");
}

#[test]
fn r14_with_shoot_again_each_success_of_a_volley_earns_one_shot() {
    let mut game = play(
        "10x10, classic, salvo, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2",
    );

    game.play(
        "host fires E7 F7 A1 I9 J9 = hit sunk:E7>2 hit miss miss
         due: host fires 3
         host fires A3 B3 C3 D3 = wrong_shot_count 3
         host fires A3 I8 B3 = hit miss hit
         due: host fires 2
         host fires J8 J7 = miss miss
         due: guest fires 4
         guest fires A1 B1 C1 D1 = hit hit hit hit
         due: guest fires 4
         guest fires at water",
    );

    game.play("due: host fires 5");
}

#[test]
fn r14_no_more_is_earned_than_cells_are_left() {
    let mut game = play(
        "8x8, classic, salvo, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2",
    );
    game.play(&"host fires at water\nguest fires at water\n".repeat(9));

    // 19 cells are left, 17 of them of ships.
    game.play(
        "host fires A1 B1 C1 D1 A3 = hit hit hit hit hit
         host fires B3 C3 A5 B5 A7 = hit hit hit hit hit
         host fires B7 E7 E1 D3 C5 = hit hit sunk:A1>5 sunk:A3>4 sunk:A5>3",
    );

    game.play("due: host fires 4");
}

#[test]
fn r15_a_volley_that_strikes_a_mine_is_no_success_and_passes_the_turn() {
    for shoot_again in ["", ", shoot again"] {
        let mut game = play(&format!(
            "10x10, classic, mines, salvo, host first{shoot_again}
             both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3"
        ));

        game.play(
            "host fires E7 A1 H3 F7 B1 = hit hit mine sunk:E7>2 hit, owes 1
             due: host reveals 1
             host reveals A1",
        );

        game.play("due: guest fires 4");
    }
}

#[test]
fn r15_a_single_shot_that_strikes_a_mine_passes_the_turn() {
    for shoot_again in ["", ", shoot again"] {
        let mut game = play(&format!(
            "10x10, classic, mines, host first{shoot_again}
             both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3"
        ));

        game.play("host fires H3 = mine, owes 1\nhost reveals A1");

        game.play("due: guest fires 1");
    }
}

#[test]
fn r15_a_volley_of_miss_hit_mine_hit_is_answered_alike_in_every_order() {
    let shots = [("J10", "miss"), ("A1", "hit"), ("H3", "mine"), ("A3", "hit")];
    for order in every_order(shots) {
        let mut game = play(
            "10x10, classic, mines, salvo, shoot again, guest first
             both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3
             guest fires E7 F7 J8 J9 J10 = hit sunk:E7>2 miss miss miss
             guest fires J7 J6 = miss miss",
        );

        let [cells, outcomes] =
            [order.map(|(cell, _)| cell), order.map(|(_, outcome)| outcome)].map(|words| words.join(" "));
        game.play(&format!("host fires {cells} = {outcomes}, owes 1"));

        game.play(
            "spectator sees guest shots: A1 hit, A3 hit, H3 mine, J10 miss
             due: host reveals 1
             host reveals A1
             due: guest fires 5",
        );
    }
}

#[test]
fn r16_a_struck_mine_harms_nothing_and_costs_a_cell_of_the_shooters_choice() {
    let mut game = play(
        "10x10, classic, mines, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
    );

    game.play("host fires H3 = mine, owes 1");

    game.play(
        "host has 5 afloat
         host can give: A1 B1 C1 D1 E1 A3 B3 C3 D3 A5 B5 C5 A7 B7 C7 E7 F7
         guest can give: nothing
         spectator can give: nothing
         host reveals F7
         host can give: nothing
         everybody sees host revealed: F7
         guest sees host ships:
         guest sees host shots:
         host has 5 afloat",
    );
}

#[test]
fn r16_only_an_own_ship_cell_neither_hit_nor_given_can_be_given() {
    let mut game = play(
        "12x12, classic, mines, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3 L12
         host fires H3 = mine, owes 1
         host reveals A1
         guest fires B1 = hit
         host fires L12 = mine, owes 1",
    );

    game.play(
        "host reveals = wrong_reveal_count 1
         host reveals C1 D1 = wrong_reveal_count 1
         host reveals M1 = outside_grid M1
         host reveals A1 = not_revealable A1
         host reveals B1 = not_revealable B1
         host reveals H3 = not_revealable H3
         host reveals G7 = not_revealable G7",
    );

    game.play(
        "due: host reveals 1
         spectator sees host revealed: A1
         host can give: C1 D1 E1 A3 B3 C3 D3 A5 B5 C5 A7 B7 C7 E7 F7
         host reveals C1
         spectator sees host revealed: A1 C1",
    );
}

#[test]
fn r17_last_ship_ends_the_game_even_when_a_mine_was_hit() {
    for (volley, outcomes) in
        [("H3 F7 J1 J2 J3", "mine sunk:E7>2 miss miss miss"), ("J1 F7 J2 J3 H3", "miss sunk:E7>2 miss miss mine")]
    {
        let mut game = play(
            "10x10, classic, mines, salvo, host first
             both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3
             host fires A1 B1 C1 D1 E1 = hit hit hit hit sunk:A1>5
             guest fires at water
             host fires A3 B3 C3 D3 A5 = hit hit hit sunk:A3>4 hit
             guest fires at water
             host fires B5 C5 A7 B7 C7 = hit sunk:A5>3 hit hit sunk:A7>3
             guest fires at water
             host fires E7 G10 H10 I10 J10 = hit miss miss miss miss
             guest fires at water",
        );

        game.play(&format!("host fires {volley} = {outcomes}, owes 0"));

        game.play(
            "result: host by fleet_sunk
             due: nothing
             host can give: nothing
             host reveals A1 = game_over",
        );
    }
}

#[test]
fn r18_with_single_shots_only_given_cells_left_owe_nothing_and_the_turn_passes() {
    // On 12×12 the host has one cell left, which was given for the first mine.
    let mut game = play(
        "12x12, classic, mines, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3 L12
         host fires H3 = mine, owes 1
         host reveals F7",
    );
    for cell in "A1 B1 C1 D1 A3 B3 C3 A5 B5 A7 B7 E7".split(' ') {
        game.play(&format!("guest fires {cell} = hit\nhost fires at water"));
    }
    game.play(
        "guest fires E1 = sunk:A1>5
         host fires at water
         guest fires D3 = sunk:A3>4
         host fires at water
         guest fires C5 = sunk:A5>3
         host fires at water
         guest fires C7 = sunk:A7>3",
    );

    game.play("host fires L12 = mine, owes 0");

    game.play(
        "due: guest fires 1
         host reveals F7 = not_your_turn
         guest fires F7 = sunk:E7>2
         result: guest by fleet_sunk",
    );
}

/// Salvo on 15×15: the host has struck a mine and given F7, and has but F7 and A1 left.
const NEARLY_LOST: &str = "15x15, classic, mines, salvo, host first
    both place A1>5 A3>4 A5>3 A7>3 E7>2 with O15 O13 O11
    host fires O13 N1 N2 N3 N4 = mine miss miss miss miss, owes 1
    host reveals F7
    guest fires B1 C1 D1 E1 A3 = hit hit hit hit hit
    host fires at water
    guest fires B3 C3 D3 A5 B5 = hit hit sunk:A3>4 hit hit
    host fires at water
    guest fires C5 A7 B7 C7 E7 = sunk:A5>3 hit hit sunk:A7>3 hit
    host fires at water
    guest fires at water
    due: host fires 2";

#[test]
fn r18_in_salvo_two_mines_struck_and_one_cell_left_to_give_owe_one() {
    let mut game = play(NEARLY_LOST);

    game.play("host fires O15 O11 = mine mine, owes 1");

    game.play(
        "due: host reveals 1
         host can give: A1
         host reveals F7 = not_revealable F7
         host reveals A1 F7 = wrong_reveal_count 1
         host reveals A1
         due: guest fires 5",
    );
}

#[test]
fn r18_in_salvo_one_mine_struck_and_only_given_cells_left_owe_nothing_and_the_turn_passes() {
    let mut game = play(NEARLY_LOST);
    game.play(
        "host fires O15 O1 = mine miss, owes 1
         host reveals A1
         guest fires at water",
    );

    game.play("host fires O2 O11 = miss mine, owes 0");

    game.play(
        "due: guest fires 5
         host can give: nothing
         guest fires A1 F7 O1 O2 O3 = sunk:A1>5 sunk:E7>2 miss miss miss
         result: guest by fleet_sunk",
    );
}

#[test]
fn r15_r18_a_struck_mine_passes_the_turn_also_where_nothing_is_owed_and_a_ship_was_hit() {
    let mut game = play(
        "15x15, classic, mines, salvo, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with O15 O13 O11
         host fires O13 N1 N2 N3 N4 = mine miss miss miss miss, owes 1
         host reveals F7
         guest fires B1 C1 D1 E1 A3 = hit hit hit hit hit
         guest fires B3 C3 D3 A5 B5 = hit hit sunk:A3>4 hit hit
         guest fires C5 A7 B7 C7 E7 = sunk:A5>3 hit hit sunk:A7>3 hit
         guest fires at water
         host fires O15 O1 = mine miss, owes 1
         host reveals A1
         guest fires at water",
    );

    game.play("host fires O11 A1 = mine hit, owes 0");

    game.play("due: guest fires 5");
}

#[test]
fn r19_nobody_fires_while_cells_are_owed_and_all_come_at_once() {
    let mut game = play(
        "15x15, classic, mines, salvo, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with O15 O13 O11
         host fires O15 A1 O13 B1 O11 = mine hit mine hit mine, owes 3",
    );

    game.play(
        "due: host reveals 3
         host fires C1 D1 E1 = reveal_due
         guest fires C1 D1 E1 = not_your_turn
         guest reveals A1 B1 C1 = not_your_turn
         host reveals A1 = wrong_reveal_count 3
         host reveals A1 A1 B1 = repeated_cell A1
         host reveals A1 B2 O15 = not_revealable B2 O15
         spectator sees host revealed:
         host reveals C7 A1 E1",
    );

    game.play(
        "spectator sees host revealed: A1 E1 C7
         due: guest fires 5",
    );
}

#[test]
fn r19_a_log_that_gives_one_cell_for_two_mines_is_impossible() {
    let mut game = play(
        "12x12, classic, mines, salvo, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with L12 L10
         host fires L12 L10 J1 J2 J3 = mine mine miss miss miss, owes 2",
    );
    let gift = |line: &str| Event::Revealed { seat: Seat::Host, cells: cells(line).into_iter().collect() };

    let [twice, one, three, both] = ["A1 A1", "A1", "A1 B1 C1", "A1 B1"].map(|line| game.game.apply(&gift(line)));

    assert_eq!(twice, Err(Impossible::WrongCell));
    assert_eq!([one, three], [Err(Impossible::WrongCount); 2]);
    assert_eq!(both, Ok(()));
    game.play("due: guest fires 5\neverybody sees host revealed: A1 B1");
}

#[test]
fn r20_firing_at_a_given_cell_is_an_ordinary_shot_at_any_later_turn() {
    let mut game = play(
        "10x10, classic, mines, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3
         host fires H3 = mine, owes 1
         host reveals E7",
    );

    game.play(
        "guest fires J10 = miss
         host fires at water
         guest fires E7 = hit
         due: guest fires 1
         guest fires F7 = sunk:E7>2",
    );

    game.play(
        "due: guest fires 1
         everybody sees host revealed: E7
         everybody sees host shots: E7 sunk, F7 sunk, J10 miss
         guest fires E7 = already_fired E7",
    );
}

#[test]
fn r21_mines_are_no_ships_and_need_not_be_found() {
    let mut game = play(
        "8x8, russian, mines, salvo, host first
         both place A1>4 A3>3 A5>3 A7>2 D7>2 G7>2 F1>1 H1>1 F3>1 H3>1 with H5
         due: host fires 10
         host fires A1 B1 C1 D1 A3 B3 C3 A5 B5 H5 = hit hit hit sunk:A1>4 hit hit sunk:A3>3 hit hit mine, owes 1
         host reveals A1
         due: guest fires 8",
    );
    game.play("guest fires A8 B8 C8 D8 E8 F8 G8 H8 = miss miss miss miss miss miss miss miss");

    game.play(
        "due: host fires 10
         host fires C5 A7 B7 D7 E7 G7 H7 F1 H1 F3 \
         = sunk:A5>3 hit sunk:A7>2 hit sunk:D7>2 hit sunk:G7>2 sunk:F1>1 sunk:H1>1 sunk:F3>1
         due: guest fires 1
         guest fires at water
         host fires H3 A2 B2 C2 D2 E2 F2 G2 H2 E1 = sunk:H3>1 miss miss miss miss miss miss miss miss miss",
    );

    game.play("result: host by fleet_sunk");
}

#[test]
fn r22_who_shoots_first_is_as_the_options_say() {
    for first in ["host", "guest"] {
        let mut game = play(&format!("10x10, classic, {first} first"));

        game.play("both place A1>5 A3>4 A5>3 A7>3 E7>2");

        game.play(&format!("due: {first} fires 1"));
    }
}

#[test]
fn r23_the_last_ship_ends_the_game_at_once() {
    let mut game = play(
        "10x10, classic, mines, shoot again, host first
         both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
    );
    for cell in "A1 B1 C1 D1 A3 B3 C3 A5 B5 A7 B7 E7".split(' ') {
        game.play(&format!("host fires {cell} = hit"));
    }
    game.play(
        "host fires E1 = sunk:A1>5
         host fires D3 = sunk:A3>4
         host fires C5 = sunk:A5>3
         host fires C7 = sunk:A7>3
         result: none
         due: host fires 1",
    );

    game.play("host fires F7 = sunk:E7>2");

    game.play(
        "result: host by fleet_sunk
         due: nothing
         guest has 0 afloat
         guest fires A1 = game_over
         host fires A2 = game_over
         host places A1>5 A3>4 A5>3 A7>3 E7>2 with H3 = game_over
         guest resigns = game_over
         time runs out = game_over",
    );
}

#[test]
fn r24_resigning_in_battle_loses_on_anybodys_turn_and_while_cells_are_owed() {
    for (seat, winner) in [("host", "guest"), ("guest", "host")] {
        for shot in ["host fires J10 = miss", "host fires H3 = mine, owes 1"] {
            let mut game = play(
                "10x10, classic, mines, host first
                 both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
            );
            game.play(shot);

            game.play(&format!("{seat} resigns"));

            game.play(&format!(
                "result: {winner} by resigned
                 due: nothing
                 host can give: nothing
                 {seat} resigns = game_over"
            ));
        }
    }
}

#[test]
fn r24_resigning_before_the_battle_aborts_the_game() {
    for seat in ["host", "guest"] {
        for placed in ["", "host places A1>5 A3>4 A5>3 A7>3 E7>2", "guest places A1>5 A3>4 A5>3 A7>3 E7>2"] {
            let mut game = play("10x10, classic, host first");
            game.play(placed);

            game.play(&format!("{seat} resigns"));

            game.play("result: nobody by aborted\ndue: nothing");
        }
    }
}

#[test]
fn r25_the_clock_loses_a_battle_for_who_owes_the_next_action() {
    for (shot, late, winner) in [
        ("", "host", "guest"),
        ("host fires J10 = miss", "guest", "host"),
        ("host fires H3 = mine, owes 1", "host", "guest"),
    ] {
        let mut game = play(
            "10x10, classic, mines, host first
             both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
        );
        game.play(shot);

        game.play(&format!("time runs out = {late}"));

        game.play(&format!("result: {winner} by timed_out\nguest fires A1 = game_over"));
    }
}

#[test]
fn r25_the_clock_aborts_the_placing() {
    for (placed, late) in [
        ("", "both"),
        ("host places A1>5 A3>4 A5>3 A7>3 E7>2", "guest"),
        ("guest places A1>5 A3>4 A5>3 A7>3 E7>2", "host"),
    ] {
        let mut game = play("10x10, classic, host first");
        game.play(placed);

        game.play(&format!("time runs out = {late}"));

        game.play("result: nobody by aborted\ntime runs out = game_over");
    }
}

#[test]
fn r26_a_victory_opens_both_layouts_and_an_abort_none() {
    for ending in ["host resigns", "time runs out = host"] {
        let mut won = play(
            "10x10, classic, mines, host first
             both place A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
        );
        let mut aborted = play(
            "10x10, classic, mines, host first
             guest places A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
        );

        won.play(ending);
        aborted.play(ending);

        won.play(
            "everybody sees host ships: A1>5, A3>4, A5>3, A7>3, E7>2
             everybody sees guest ships: A1>5, A3>4, A5>3, A7>3, E7>2
             everybody sees host mines: H3
             everybody sees guest mines: H3",
        );
        aborted.play(
            "guest sees guest ships: A1>5, A3>4, A5>3, A7>3, E7>2
             guest sees guest mines: H3
             host sees guest ships:
             host sees guest mines:
             spectator sees guest ships:
             spectator sees guest mines:",
        );
    }
}

#[test]
fn r27_r28_a_view_is_the_own_board_and_of_the_other_what_was_found() {
    let mut game = play(
        "12x12, classic, mines, host first
         host places A1>5 A3>4 A5>3 A7>3 E7>2 with H3 L12
         guest places A1v5 C1v4 E1v3 G1v3 I1v2 with K5 K7",
    );

    game.play(
        "host fires A1 = hit
         guest fires B1 = hit
         host fires I1 = hit
         guest fires L1 = miss
         host fires I2 = sunk:I1v2
         guest fires H3 = mine, owes 1
         guest reveals C4",
    );

    game.play(
        "everybody sees host shots: B1 hit, L1 miss, H3 mine
         everybody sees guest shots: A1 hit, I1 sunk, I2 sunk
         everybody sees guest revealed: C4
         host sees host ships: A1>5, A3>4, A5>3, A7>3, E7>2
         host sees host mines: H3 L12
         host sees guest ships: I1v2 sunk
         host sees guest mines:
         guest sees host ships:
         guest sees host mines: H3
         guest sees guest ships: A1v5, C1v4, E1v3, G1v3, I1v2 sunk
         guest sees guest mines: K5 K7
         spectator sees host ships:
         spectator sees host mines: H3
         spectator sees guest ships: I1v2 sunk
         spectator sees guest mines:",
    );
}

#[test]
fn known_empty_follows_from_hits_sinkings_mines_and_given_cells_alone() {
    let mut game = play(
        "10x10, classic, mines, host first
         host places A1>5 A3>4 A5>3 A7>3 E7>2 with J10
         guest places A1>5 A3>4 A5>3 A7>3 E7>2 with H3",
    );

    // A miss proves nothing; a hit its corners, less what was fired at; a sinking all around.
    game.play(
        "host fires D8 = miss
         everybody sees guest known_empty:
         guest fires at water
         host fires E7 = hit
         everybody sees guest known_empty: D6 F6 F8
         guest fires at water
         host fires F7 = sunk:E7>2
         everybody sees guest known_empty: D6 E6 F6 G6 D7 G7 E8 F8 G8
         guest fires at water",
    );
    // Nor do two hits in a row tell where the ship may not go on.
    game.play(
        "host fires C3 = hit
         guest fires at water
         host fires D3 = hit
         everybody sees guest known_empty: B2 C2 D2 E2 B4 C4 D4 E4 D6 E6 F6 G6 D7 G7 E8 F8 G8
         guest fires at water",
    );
    // A mine proves all around it, a given cell its corners on the other board.
    game.play(
        "host fires H3 = mine, owes 1
         host reveals A5
         everybody sees guest known_empty: B2 C2 D2 E2 G2 H2 I2 G3 I3 B4 C4 D4 E4 G4 H4 I4 D6 E6 F6 G6 D7 G7 E8 F8 G8
         everybody sees host known_empty: B4 B6
         guest fires A5 = hit
         everybody sees host known_empty: B4 B6
         host resigns",
    );

    game.play(
        "everybody sees host known_empty: B4 B6
         everybody sees guest known_empty: B2 C2 D2 E2 G2 H2 I2 G3 I3 B4 C4 D4 E4 G4 H4 I4 D6 E6 F6 G6 D7 G7 E8 F8 G8",
    );
}

#[test]
fn p12_a1_and_a10_are_never_mixed_up() {
    for grid in ["10x10", "12x12", "15x15"] {
        let mut game = play(&format!(
            "{grid}, classic, host first
             both place A1>5 C3>4 C5>3 C7>3 H7>2"
        ));

        game.play(
            "host fires A10 = miss
             guest fires A1 = hit",
        );

        game.play(
            "everybody sees guest shots: A10 miss
             everybody sees host shots: A1 hit
             everybody sees host known_empty: B2
             everybody sees guest known_empty:",
        );
    }
}

#[test]
fn p13_letters_are_columns_and_numbers_are_rows() {
    let mut game = play(
        "8x8, classic, shoot again, host first
         both place C8>4 A1v5 C1>3 C3>3 H5v2",
    );

    game.play(
        "host fires C8 = hit
         host fires H3 = miss",
    );

    game.play("everybody sees guest shots: H3 miss, C8 hit\neverybody sees guest known_empty: B7 D7");
}

/// The shots in each order, those that look alike once.
fn every_order<T: Copy>(shots: [T; 4]) -> Vec<[T; 4]> {
    let mut orders = Vec::new();
    for one in 0..4 {
        for two in (0..4).filter(|two| *two != one) {
            for three in (0..4).filter(|three| ![one, two].contains(three)) {
                let four = 6 - one - two - three;
                orders.push([shots[one], shots[two], shots[three], shots[four]]);
            }
        }
    }
    orders
}
