//! From the second layout to the turn that goes on (R6 to R14).

use crate::positions::script::play;

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
