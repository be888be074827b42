//! Who sees what (R27 to R29).

use crate::positions::script::play;

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
