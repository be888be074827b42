//! Ships flush against the edges of every grid, as they are sent and shown.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::api::asking::side_by_side;
use ground::server::Server;
use ground::table::Table;
use testing::model::{LayoutSent, Options, Seat, ShipSent, faults, free_mine_cells, name, touch};

use Seat::{Guest, Host};

#[tokio::test]
async fn every_length_lies_flush_against_each_edge_and_corner_of_8_by_8() {
    every_length_lies_flush(8).await;
}

#[tokio::test]
async fn every_length_lies_flush_against_each_edge_and_corner_of_10_by_10() {
    every_length_lies_flush(10).await;
}

#[tokio::test]
async fn every_length_lies_flush_against_each_edge_and_corner_of_12_by_12() {
    every_length_lies_flush(12).await;
}

#[tokio::test]
async fn every_length_lies_flush_against_each_edge_and_corner_of_15_by_15() {
    every_length_lies_flush(15).await;
}

/// Places every length of both fleets, in both directions, into each corner and along each edge.
async fn every_length_lies_flush(grid: u8) {
    let server = Server::shared().await;
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(grid));
    let mut tables = Vec::new();
    for russian in [false, true] {
        let options = Options { grid, russian, mines: true, salvo: false, shoot_again: false };
        let mut layouts = Vec::new();
        for length in 1..=5 {
            if options.fleet().contains(&length) {
                layouts.extend(flush(grid, length).into_iter().map(|ship| around_a_ship(&options, &ship, &mut rng)));
            }
        }
        for pair in layouts.chunks(2) {
            tables.push(both_are_taken_and_shown(&server, options.clone(), pair.to_vec()));
        }
    }
    assert_eq!(tables.len(), 8 * 8);
    side_by_side(tables).await;
}

async fn both_are_taken_and_shown(server: &Server, options: Options, layouts: Vec<LayoutSent>) {
    let table = Table::joined(server, &options.to_json()).await;
    for (seat, layout) in [Host, Guest].into_iter().zip(&layouts) {
        table.place(server, seat, layout).await.expect(200);

        let look = table.look(server, Some(seat)).await;
        assert_eq!(look.expect(200)["boards"][seat.name()]["ships"], shown(layout), "{layout:?}");
        assert_eq!(look.json["boards"][seat.name()]["mines"].as_array().unwrap().len(), options.mine_count());
    }
}

/// A ship of this length in each corner and in the middle of each edge, across and down.
fn flush(grid: u8, length: u8) -> Vec<ShipSent> {
    let mut ships = Vec::new();
    for down in [false, true] {
        let (rows, columns) = if down { (grid - length, grid - 1) } else { (grid - 1, grid - length) };
        for row in [0, rows / 2, rows] {
            for column in [0, columns / 2, columns] {
                // The middle of the grid lies at no edge.
                if row != rows / 2 || column != columns / 2 {
                    ships.push(ShipSent { start: name((row, column)), length, down });
                }
            }
        }
    }
    assert_eq!(ships.len(), 16);
    ships
}

/// A legal layout that has this ship.
fn around_a_ship(options: &Options, ship: &ShipSent, rng: &mut impl Rng) -> LayoutSent {
    loop {
        if let Some(layout) = try_around_a_ship(options, ship, rng) {
            assert_eq!(faults(options, &layout), []);
            return layout;
        }
    }
}

fn try_around_a_ship(options: &Options, ship: &ShipSent, rng: &mut impl Rng) -> Option<LayoutSent> {
    let mut lengths = options.fleet();
    let placed = lengths.iter().position(|length| *length == ship.length)?;
    lengths.remove(placed);
    let mut layout = LayoutSent { ships: vec![ship.clone()], mines: Vec::new() };
    for length in lengths {
        let taken: Vec<_> = layout.ships.iter().flat_map(ShipSent::cells).collect();
        let mut free = Vec::new();
        for (row, column) in options.cells() {
            let next = ShipSent { start: name((row, column)), length, down: rng.random() };
            let fits = |cell| options.has(cell) && !taken.iter().any(|&other| touch(cell, other));
            if next.cells().into_iter().all(fits) {
                free.push(next);
            }
        }
        layout.ships.push(free.choose(rng)?.clone());
    }
    for _ in 0..options.mine_count() {
        let free: Vec<_> = free_mine_cells(options, &layout).into_iter().collect();
        layout.mines.push(name(*free.choose(rng)?));
    }
    Some(layout)
}

/// The ships of a layout as their owner is shown them: by their start, row by row.
fn shown(layout: &LayoutSent) -> Value {
    let mut ships = layout.ships.clone();
    ships.sort_by_key(|ship| ship.cells()[0]);
    let mut list = Vec::new();
    for ship in ships {
        let mut shown = ship.shown();
        shown["sunk"] = json!(false);
        list.push(shown);
    }
    json!(list)
}
