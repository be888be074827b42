//! Who begins, and how a game ends (R22 to R26).

use crate::positions::script::play;

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
