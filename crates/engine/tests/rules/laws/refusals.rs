//! What the rules refuse is refused for the model's reason, and changes nothing.

use std::collections::BTreeSet;

use engine::{Cells, Fault, FaultKind, Options, Placement, Refusal};
use rand::RngExt;

use crate::laws::table::of_every_configuration;
use crate::mirror::{self, Told};
use testing::model::{self, random_nonsense, spoiled_layout};

#[test]
fn r5_r9_r10_r16_r19_nonsense_is_refused_as_the_model_says() {
    let met = std::cell::RefCell::new(BTreeSet::new());
    of_every_configuration(1, |mut table, steps| {
        for _ in 0..steps {
            let before = table.game;
            let (seat, action) = random_nonsense(&table.model, &mut table.rng);
            let awaited = table.game.awaiting().next().map(|awaited| awaited.count);

            let told = table.hears(seat, &action);

            if let Err(refusal) = told {
                assert_eq!(table.game, before);
                met.borrow_mut().insert(Told::from(&refusal).code);
                if let Refusal::RevealDue { expected } = refusal {
                    assert_eq!(Some(expected), awaited);
                }
                if let Refusal::WrongShotCount { sent, .. } | Refusal::WrongRevealCount { sent, .. } = refusal {
                    let (model::Action::Fire(cells) | model::Action::Reveal(cells)) = &action else {
                        panic!("{action:?} has no count");
                    };
                    assert_eq!(sent, cells.len());
                }
            }
            table.hears_a_stranger();
            if table.rng.random_ratio(1, 2) && !table.goes_on() {
                break;
            }
        }
    });

    let expected = [
        "already_fired",
        "already_placed",
        "game_over",
        "illegal_layout",
        "no_reveal_due",
        "not_in_battle",
        "not_revealable",
        "not_your_turn",
        "outside_grid",
        "own_game",
        "repeated_cell",
        "reveal_due",
        "wrong_reveal_count",
        "wrong_shot_count",
    ];
    assert_eq!(met.into_inner().into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn r5_every_fault_of_a_layout_is_told_with_its_cells() {
    of_every_configuration(10, |mut table, _| {
        let sent = spoiled_layout(table.model.options(), &mut table.rng);
        let (options, placement) = (table.game.options(), mirror::placement(&sent));

        let faults = placement.check(options).err().unwrap_or_default();

        let told = Told::from(&Refusal::IllegalLayout(faults.clone())).faults;
        assert_eq!(told, model::faults(table.model.options(), &sent), "{sent:?}");
        for fault in faults {
            is_exact(&fault, options, &placement, &sent);
        }
    });
}

/// Whether a fault names the cells and the other party that it is about, found cell by cell.
fn is_exact(fault: &Fault, options: &Options, placement: &Placement, sent: &model::LayoutSent) {
    // It tells the ships and mines themselves beside their places.
    let sent_ship = |index: Option<usize>| index.map(|index| placement.ships[index]);
    let sent_mine = |index: Option<usize>| index.map(|index| placement.mines[index]);
    assert_eq!((fault.ship, fault.mine), (sent_ship(fault.kind.ship()), sent_mine(fault.kind.mine())));
    let others = (sent_ship(fault.kind.other_ship()), sent_mine(fault.kind.other_mine()));
    assert_eq!((fault.other_ship, fault.other_mine), others);
    let on_grid = |cell: &model::Cell| cell.0 < options.grid.side() && cell.1 < options.grid.side();
    let ship = |index: usize| sent.ships[index].cells();
    let ship_on_grid = |index: usize| ship(index).into_iter().filter(on_grid).collect::<Vec<_>>();
    let named: BTreeSet<model::Cell> = fault.cells.iter().map(|cell| (cell.row(), cell.column())).collect();
    let expected: Vec<model::Cell> = match fault.kind {
        FaultKind::ShipOutside { ship: index } => ship(index).into_iter().filter(|cell| !on_grid(cell)).collect(),
        FaultKind::SurplusShip { ship: index, length } => {
            assert_eq!(length, placement.ships[index].length());
            ship(index)
        }
        FaultKind::Overlap { ship: later, earlier } => {
            assert!(earlier < later);
            let other = ship_on_grid(earlier);
            ship_on_grid(later).into_iter().filter(|cell| other.contains(cell)).collect()
        }
        FaultKind::Touch { ship: later, earlier } => {
            assert!(earlier < later);
            let other = ship_on_grid(earlier);
            let touches = |cell: &model::Cell| other.iter().any(|other| model::touch(*cell, *other));
            ship_on_grid(later).into_iter().filter(touches).collect()
        }
        FaultKind::MineOutside { mine }
        | FaultKind::MineOnShip { mine, .. }
        | FaultKind::MineTouchesShip { mine, .. } => vec![model::cell(&sent.mines[mine])],
        FaultKind::MineTouchesMine { mine: later, earlier } => {
            assert!(earlier < later);
            assert!(model::touch(model::cell(&sent.mines[earlier]), model::cell(&sent.mines[later])));
            vec![model::cell(&sent.mines[later])]
        }
        FaultKind::MissingShip { length } => {
            let sent = placement.ships.iter().filter(|ship| ship.length() == length).count();
            assert!(sent < options.fleet.ships_of(length));
            vec![]
        }
        FaultKind::WrongMineCount { expected } => {
            assert_eq!(expected, options.mine_count());
            vec![]
        }
        FaultKind::NoRoomForMines => vec![],
    };
    // What lies beyond the largest grid has no name.
    let expected: BTreeSet<model::Cell> = expected.into_iter().filter(|cell| cell.0 < 15 && cell.1 < 15).collect();
    assert_eq!(named, expected, "{fault:?}");
    assert!((fault.cells - Cells::ALL).is_empty());
}
