//! A player who knows the rules and nothing else: joins a game, or creates one and waits for
//! somebody to join, and plays it at random to its end.
//!
//! ```sh
//! cargo run -p naval-battle-client --example play -- http://127.0.0.1:8080 [GAME]
//! ```

#![expect(clippy::print_stdout, reason = "it is a program for the terminal")]

use std::error::Error;

use naval_battle_client::{
    Action, Board, Cell, Client, Create, Direction, Game, Layout, Options, Seat, Setup, Ship, Stretch, Table,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let api = Client::new(&arguments.next().ok_or("tell me the address of a server, such as http://127.0.0.1:8080")?)?;
    let (table, seating) = match arguments.next() {
        Some(id) => api.table(&id).join(None).await?,
        None => api.create(&Create::default()).await?,
    };
    println!("game {}, as {}", table.id(), seating.seat.word());
    let game = play(&table, seating.seat).await?;
    let verification = table.verify().await?;
    println!("{:?} after {} events, which are true: {}", game.result, game.version, verification.ok);
    Ok(())
}

/// Does what is due until nothing is any more.
async fn play(table: &Table, seat: Seat) -> Result<Game, Box<dyn Error>> {
    loop {
        let game = table.look().await?;
        if game.is_over() {
            return Ok(game);
        }
        let Some(due) = game.owes(seat) else {
            table.events(Stretch { after: game.version, limit: Some(1), wait: 25 }).await?;
            continue;
        };
        let count = usize::from(due.count);
        match due.action {
            Action::Place => drop(table.place(&random_layout(&game.options, &game.setup)).await?),
            Action::Fire => {
                let unknown = worth_a_shot(&game.options, game.boards.of(seat.other()));
                drop(table.fire(&some_of(unknown, count)).await?);
            }
            Action::Reveal => {
                let mut revealable = game.revealable.ok_or("cells are owed and none can be given")?;
                fastrand::shuffle(&mut revealable);
                drop(table.reveal(&some_of(revealable, count)).await?);
            }
            Action::Join => return Err("whoever has a seat does not join".into()),
        }
    }
}

/// The cells that may hold something; where they are too few for a volley, all not fired at.
fn worth_a_shot(options: &Options, board: &Board) -> Vec<Cell> {
    let mut cells = all_cells(options.grid);
    cells.retain(|cell| board.shots.iter().all(|shot| shot.cell != *cell));
    // First those of which nothing is known.
    fastrand::shuffle(&mut cells);
    cells.sort_by_key(|cell| board.known_empty.contains(cell));
    cells
}

/// The first ones of a list that has been shuffled as far as it matters.
fn some_of(mut cells: Vec<Cell>, count: usize) -> Vec<Cell> {
    cells.truncate(count);
    cells
}

fn all_cells(grid: u8) -> Vec<Cell> {
    (0..grid).flat_map(|row| (0..grid).filter_map(move |column| Cell::new(column, row))).collect()
}

/// Tries until everything has found a place.
fn random_layout(options: &Options, setup: &Setup) -> Layout {
    loop {
        if let Some(layout) = try_layout(options.grid, setup) {
            return layout;
        }
    }
}

/// Puts ships and mines where they touch nothing, the longest first; none where one finds no place.
fn try_layout(grid: u8, setup: &Setup) -> Option<Layout> {
    let mut layout = Layout::default();
    let mut taken: Vec<Cell> = Vec::new();
    for length in &setup.ships {
        let ship = fastrand::choice(places(grid, *length, &taken))?;
        taken.extend(cells_of(ship, grid)?);
        layout.ships.push(ship);
    }
    for _ in 0..setup.mines {
        let mine = fastrand::choice(places(grid, 1, &taken))?.start;
        taken.push(mine);
        layout.mines.push(mine);
    }
    Some(layout)
}

/// Everywhere that a ship of this length can lie.
fn places(grid: u8, length: u8, taken: &[Cell]) -> Vec<Ship> {
    let touches = |cell: &Cell, other: &Cell| {
        cell.column().abs_diff(other.column()) <= 1 && cell.row().abs_diff(other.row()) <= 1
    };
    let is_free = |ship: &Ship| {
        let cells = cells_of(*ship, grid);
        cells.is_some_and(|cells| !cells.iter().any(|cell| taken.iter().any(|other| touches(cell, other))))
    };
    let both_ways = |start| [Ship::across(start, length), Ship::down(start, length)];
    all_cells(grid).into_iter().flat_map(both_ways).filter(is_free).collect()
}

/// A ship's cells; none where it reaches beyond the grid.
fn cells_of(ship: Ship, grid: u8) -> Option<Vec<Cell>> {
    let cell = |offset| {
        let (column, row) = match ship.direction {
            Direction::Across => (ship.start.column() + offset, ship.start.row()),
            Direction::Down => (ship.start.column(), ship.start.row() + offset),
        };
        Cell::new(column, row).filter(|cell| cell.column() < grid && cell.row() < grid)
    };
    (0..ship.length).map(cell).collect()
}
