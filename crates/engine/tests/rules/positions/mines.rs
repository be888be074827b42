//! Mines, and the cells that they cost (R15 to R21).

use engine::{Event, Impossible, Seat};

use crate::positions::script::play;
use testing::notation::cells;

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
