//! Random play: legal layouts, legal actions, and actions that are likely to be refused.

use std::collections::BTreeSet;

use rand::seq::{IndexedMutRandom, IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use super::{
    Action, Cell, LayoutSent, Model, Options, Seat, ShipSent, blocked_classic_fleet, blocked_russian_fleet, faults,
    free_mine_cells, name, touch,
};

/// A legal layout (R1 to R7): ships longest first, then mines, begun again until all fits.
pub fn random_layout(options: &Options, rng: &mut impl Rng) -> LayoutSent {
    loop {
        if let Some(mut layout) = try_layout(options, rng) {
            layout.ships.shuffle(rng);
            assert_eq!(faults(options, &layout), []);
            return layout;
        }
    }
}

/// One try at a layout; `None` where a ship or a mine finds no place.
fn try_layout(options: &Options, rng: &mut impl Rng) -> Option<LayoutSent> {
    let mut layout = LayoutSent { ships: Vec::new(), mines: Vec::new() };
    // The cells that touch no ship yet.
    let mut free: BTreeSet<Cell> = options.cells().into_iter().collect();
    for length in options.fleet() {
        let mut places = Vec::new();
        for &(row, column) in &free {
            if (0..length).all(|step| free.contains(&(row, column + step))) {
                places.push((name((row, column)), false));
            }
            if (0..length).all(|step| free.contains(&(row + step, column))) {
                places.push((name((row, column)), true));
            }
        }
        let (start, down) = places.choose(rng)?.clone();
        let ship = ShipSent { start, length, down };
        let cells = ship.cells();
        free.retain(|&cell| !cells.iter().any(|&other| touch(cell, other)));
        layout.ships.push(ship);
    }
    for _ in 0..options.mine_count() {
        layout.mines.push(name(pick(&list(&free_mine_cells(options, &layout)), rng)?));
    }
    Some(layout)
}

/// What a random legal player sends next, who must be awaited to place, fire or reveal.
///
/// Now and then the player has a sixth sense for ships or mines, or is spared the mines, so that
/// what is rare by chance (R17, R18) comes to pass.
pub fn random_action(model: &Model, seat: Seat, rng: &mut impl Rng) -> Action {
    let (_, action, count) =
        *model.awaited().iter().find(|(awaited, ..)| *awaited == seat).expect("the seat owes an action");
    match action {
        "place" => Action::Place(random_layout(&model.options, rng)),
        "fire" => Action::Fire(random_shots(model, seat, count, rng)),
        "reveal" => Action::Reveal(draw(&list(&model.side(seat).revealable()), count, rng)),
        _ => panic!("a {action} is not an action of a seat"),
    }
}

/// So many cells not yet fired at (R9, R10).
fn random_shots(model: &Model, seat: Seat, count: usize, rng: &mut impl Rng) -> Vec<String> {
    let enemy = model.side(seat.other());
    let ships = enemy.ship_cells();
    let desperate = model.side(seat).revealable().len() < 4;
    let mood = rng.random_range(0..8);
    let (mut wanted, mut others): (Vec<Cell>, Vec<Cell>) =
        unfired(model, seat).into_iter().partition(|cell| match mood {
            0..3 => enemy.mines.contains(cell) == desperate,
            3..5 => ships.contains(cell),
            _ => true,
        });
    let mut shots = Vec::new();
    while shots.len() < count {
        // Nothing wanted is left: then anything.
        if wanted.is_empty() {
            wanted.append(&mut others);
        }
        shots.push(name(wanted.swap_remove(rng.random_range(0..wanted.len()))));
    }
    shots.shuffle(rng);
    shots
}

/// The cells that a seat has not fired at (R10).
fn unfired(model: &Model, seat: Seat) -> Vec<Cell> {
    let fired = &model.side(seat.other()).fired;
    model.options.cells().into_iter().filter(|cell| !fired.contains(cell)).collect()
}

/// An action that is likely to be refused, and who sends it; over time every refusal comes up.
pub fn random_nonsense(model: &Model, rng: &mut impl Rng) -> (Seat, Action) {
    // Before somebody joined there is nobody but the host.
    let seats = if model.first.is_some() { vec![Seat::Host, Seat::Guest] } else { vec![Seat::Host] };
    let mut seat = *seats.choose(rng).expect("the host is always there");
    let mut kind = *["join", "place", "fire", "reveal"].choose(rng).expect("four kinds");
    // Mostly the right seat with the right kind of action, for only it gets beyond the table.
    if let Some(&(awaited, action, _)) = model.awaited().choose(rng)
        && seats.contains(&awaited)
        && rng.random_ratio(2, 3)
    {
        (seat, kind) = (awaited, action);
    }
    let awaited = model.awaited().iter().any(|owed| (owed.0, owed.1) == (seat, kind));
    let action = match kind {
        "join" => Action::Join,
        "place" if awaited || rng.random_bool(0.5) => Action::Place(spoiled_layout(&model.options, rng)),
        "place" => Action::Place(random_layout(&model.options, rng)),
        "fire" => Action::Fire(spoiled_shots(model, seat, rng)),
        _ => Action::Reveal(spoiled_cells(model, seat, rng)),
    };
    if model.status() == "aborted" || model.status() == "finished" {
        return (seat, if rng.random_ratio(1, 4) { Action::Resign } else { action });
    }
    (seat, action)
}

/// A legal volley with one thing or two wrong with it (R9, R10).
fn spoiled_shots(model: &Model, seat: Seat, rng: &mut impl Rng) -> Vec<String> {
    let fired = list(&model.side(seat.other()).fired);
    let unfired = unfired(model, seat);
    let mut shots = draw(&unfired, owed(model, seat, "fire", rng), rng);
    for _ in 0..rng.random_range(1..=2) {
        match rng.random_range(0..4) {
            0 => put(&mut shots, pick(&fired, rng), rng),
            1 => put(&mut shots, pick(&outside(&model.options), rng), rng),
            _ => spoil_list(&mut shots, &unfired, rng),
        }
    }
    shots
}

/// A legal giving away with one thing or two wrong with it (R16, R19).
fn spoiled_cells(model: &Model, seat: Seat, rng: &mut impl Rng) -> Vec<String> {
    let own = model.side(seat);
    let (given, mines) = (list(&own.given), list(&own.mines));
    let revealable = list(&own.revealable());
    let ships = own.ship_cells();
    let hit: Vec<Cell> = ships.intersection(&own.fired).copied().collect();
    let mut water = model.options.cells();
    water.retain(|cell| !ships.contains(cell) && !own.mines.contains(cell));
    let mut cells = draw(&revealable, owed(model, seat, "reveal", rng), rng);
    for _ in 0..rng.random_range(1..=2) {
        match rng.random_range(0..7) {
            0 => put(&mut cells, pick(&water, rng), rng),
            1 => put(&mut cells, pick(&mines, rng), rng),
            2 => put(&mut cells, pick(&hit, rng), rng),
            3 => put(&mut cells, pick(&given, rng), rng),
            4 => put(&mut cells, pick(&outside(&model.options), rng), rng),
            _ => spoil_list(&mut cells, &revealable, rng),
        }
    }
    cells
}

/// How many cells a seat owes, or a few where it owes none of this kind.
fn owed(model: &Model, seat: Seat, kind: &str, rng: &mut impl Rng) -> usize {
    for (awaited, action, count) in model.awaited() {
        if awaited == seat && action == kind {
            return count;
        }
    }
    rng.random_range(1..=3)
}

/// Makes a list empty, longer or shorter, or repeats one of its cells (R9, R19).
fn spoil_list(list: &mut Vec<String>, more: &[Cell], rng: &mut impl Rng) {
    let copy = list.choose(rng).cloned();
    match rng.random_range(0..5) {
        0 => list.clear(),
        1 => drop(list.pop()),
        2 => list.extend(pick(more, rng).map(name)),
        3 => list.extend(copy),
        _ => {
            if let (Some(place), Some(copy)) = (list.choose_mut(rng), copy) {
                *place = copy;
            }
        }
    }
}

/// Puts a cell in the place of one of a list.
fn put(list: &mut [String], cell: Option<Cell>, rng: &mut impl Rng) {
    if let (Some(place), Some(cell)) = (list.choose_mut(rng), cell) {
        *place = name(cell);
    }
}

/// A layout with one thing to three wrong with it (R1 to R7), or the fleet that leaves no mine cell.
pub fn spoiled_layout(options: &Options, rng: &mut impl Rng) -> LayoutSent {
    if rng.random_ratio(1, 8) && options.grid == 8 {
        let ships = if options.russian { blocked_russian_fleet() } else { blocked_classic_fleet() };
        let mines = draw(&options.cells(), options.mine_count(), rng);
        return LayoutSent { ships, mines };
    }
    let mut layout = random_layout(options, rng);
    for _ in 0..rng.random_range(1..=3) {
        spoil_layout(options, &mut layout, rng);
    }
    layout
}

/// Does one random wrong to a layout.
fn spoil_layout(options: &Options, layout: &mut LayoutSent, rng: &mut impl Rng) {
    // On the grid or close by.
    let edge = (options.grid + 2).min(15);
    let somewhere = name((rng.random_range(0..edge), rng.random_range(0..edge)));
    let on_a_ship: Vec<Cell> = layout.ships.iter().flat_map(ShipSent::cells).collect();
    let copy = layout.ships.choose(rng).cloned();
    let ship = layout.ships.choose_mut(rng);
    match (rng.random_range(0..10), ship) {
        (0, Some(ship)) => ship.start = somewhere,
        (1, Some(ship)) => ship.down = !ship.down,
        (2, Some(ship)) => ship.length = rng.random_range(1..=15),
        (3, Some(_)) => drop(layout.ships.pop()),
        (4, Some(ship)) => *ship = copy.expect("there is a ship to copy"),
        (5, _) => {
            let length = *options.fleet().choose(rng).expect("a fleet has ships");
            layout.ships.push(ShipSent { start: somewhere, length, down: rng.random() });
        }
        (6, _) => drop(layout.mines.pop()),
        (7, _) => layout.mines.extend(layout.mines.choose(rng).cloned()),
        (8, _) => {
            let (row, column) = *on_a_ship.choose(rng).unwrap_or(&(0, 0));
            // On the ship, or beside it.
            let column = (column + rng.random_range(0..2)).min(14);
            layout.mines.push(name((row.min(14), column)));
        }
        _ => layout.mines.push(somewhere),
    }
    // Mostly as many mines as there ought to be, so that other faults stand alone.
    if rng.random_bool(0.7) {
        let excess = layout.mines.len().saturating_sub(options.mine_count());
        layout.mines.drain(..excess);
    }
}

/// The cells that can be spelled but lie outside the grid; none on 15×15.
fn outside(options: &Options) -> Vec<Cell> {
    let largest = Options { grid: 15, ..options.clone() };
    largest.cells().into_iter().filter(|&cell| !options.has(cell)).collect()
}

/// The cells of a set, row by row.
fn list(cells: &BTreeSet<Cell>) -> Vec<Cell> {
    cells.iter().copied().collect()
}

/// A random cell of a list.
fn pick(cells: &[Cell], rng: &mut impl Rng) -> Option<Cell> {
    cells.choose(rng).copied()
}

/// So many random distinct cells of a list, or all where it has fewer.
fn draw(cells: &[Cell], count: usize, rng: &mut impl Rng) -> Vec<String> {
    let mut cells = cells.to_vec();
    cells.shuffle(rng);
    cells.truncate(count);
    cells.into_iter().map(name).collect()
}
