//! What somebody is not entitled to see has no influence on what they see (R26 to R28).
//!
//! Two games are twins when one side's layout differs and everything that happened is the same:
//! whoever does not own the layout must not be able to tell one from the other.

use engine::{
    Abort, Cells, Coordinate, Direction, Ending, Event, Game, GameView, Layout, Placement, Refusal, Seat, Ship, Viewer,
    time_out,
};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use crate::laws::table::{Table, of_every_configuration};
use crate::mirror;
use testing::model::random_nonsense;

/// Enough to come by a legal layout where the grid is small and the fleet large.
const MANY_TRIES: u32 = 1000;

#[test]
fn r27_r28_nobody_sees_what_was_not_found() {
    of_every_configuration(1, |mut table, steps| {
        table.goes_to_battle();
        // Before the first shot every legal layout is a twin's.
        assert!(twins_are_alike(&mut table, Seat::Host, MANY_TRIES));
        assert!(twins_are_alike(&mut table, Seat::Guest, MANY_TRIES));

        for _ in 0..steps {
            table.goes_on();
            if table.game.ending().is_some() {
                break;
            }
            if table.rng.random_ratio(1, 6) {
                let owner = if table.rng.random() { Seat::Host } else { Seat::Guest };
                twins_are_alike(&mut table, owner, 10);
            }
        }
    });
}

#[test]
fn r26_after_an_abort_nothing_hidden_is_shown() {
    of_every_configuration(2, |mut table, _| {
        while table.game.awaiting().count() != 1 || table.game.first().is_none() {
            table.goes_on();
        }
        let owner = if table.game.board(Seat::Host).is_some() { Seat::Host } else { Seat::Guest };
        if table.rng.random() {
            table.runs_out_of_time();
        } else {
            table.is_resigned();
        }

        assert_eq!(table.game.ending(), Some(Ending::Aborted(Abort::Aborted)));
        assert!(twins_are_alike(&mut table, owner, MANY_TRIES));
    });
}

/// Looks for a twin of the game in which this seat's layout differs, and holds one against the
/// other; false where none was found in so many tries.
fn twins_are_alike(table: &mut Table, owner: Seat, tries: u32) -> bool {
    let Some(twin) = (0..tries).find_map(|_| twin_of(table, owner)) else { return false };
    let (game, others) = (table.game, [Viewer::Seat(owner.other()), Viewer::Spectator]);
    assert_ne!(
        GameView::new(&game, Viewer::Seat(owner)),
        GameView::new(&twin, Viewer::Seat(owner)),
        "the owner sees the difference"
    );
    for eyes in others {
        assert_eq!(GameView::new(&game, eyes), GameView::new(&twin, eyes), "{eyes:?} sees through {owner:?}'s board");
    }
    assert_eq!((game.status(), game.ending(), game.first()), (twin.status(), twin.ending(), twin.first()));
    assert!(game.awaiting().eq(twin.awaiting()));
    assert_eq!(time_out(&game), time_out(&twin));
    for _ in 0..8 {
        let (seat, action) = random_nonsense(&table.model, &mut table.rng);
        let seat = mirror::seat(seat);
        let [one, other] = [&game, &twin].map(|game| mirror::ask(game, seat, &action).err());
        // Who owns the board may hear of it.
        if seat != owner
            || !matches!((&one, &other), (Some(Refusal::NotRevealable(_)), _) | (_, Some(Refusal::NotRevealable(_))))
        {
            assert_eq!(one, other, "{seat:?} hears of {owner:?}'s board by {action:?}");
        }
    }
    true
}

/// The same game over another layout of this seat, with which all that happened can happen.
fn twin_of(table: &mut Table, owner: Seat) -> Option<Game> {
    let layout = other_layout(&table.game, owner, &mut table.rng)?;
    let mut twin = table.fresh;
    for (event, _) in &table.log {
        let is_placed = matches!(event, Event::Placed { seat, .. } if *seat == owner);
        let event = if is_placed { Event::Placed { seat: owner, layout } } else { event.clone() };
        twin.apply(&event).ok()?;
    }
    (twin != table.game).then_some(twin)
}

/// A random layout that agrees with what was found: the ships sunk, the mines struck, the cells
/// hit or given away, and water where nothing was.
fn other_layout(game: &Game, owner: Seat, rng: &mut impl Rng) -> Option<Layout> {
    let (board, options) = (game.board(owner)?, game.options());
    let (sunk, struck) = (board.sunk(), board.mines() & board.shots());
    let mut placement = Placement { mines: struck.iter().collect(), ..Placement::default() };
    let mut lengths = options.fleet.ships().to_vec();
    for ship in board.ships_in_order().filter(|ship| (ship.cells() - sunk).is_empty()) {
        let same = lengths.iter().position(|length| *length == ship.length())?;
        lengths.swap_remove(same);
        placement.ships.push(ship);
    }

    let mut found = ((board.ships() & board.shots()) | board.revealed()) - sunk;
    let mut free = ((options.grid.cells() - board.shots()) | found) - (sunk | struck).with_neighbours();
    lengths.shuffle(rng);
    for length in lengths {
        let ship = *places(length, found.iter().next(), free)
            .into_iter()
            .filter(|ship| (found & (ship.cells().with_neighbours() - ship.cells())).is_empty())
            .filter(|ship| !(ship.cells() - board.shots()).is_empty())
            .collect::<Vec<_>>()
            .choose(rng)?;
        placement.ships.push(ship);
        found = found - ship.cells();
        free = free - ship.cells().with_neighbours();
    }
    while placement.mines.len() < usize::from(options.mine_count()) {
        let mine = *(free - board.shots()).iter().collect::<Vec<_>>().choose(rng)?;
        placement.mines.push(mine);
        free = free - Cells::from(mine).with_neighbours();
    }
    placement.check(options).ok()
}

/// Where a ship of this length can lie on free cells, over `through` where there is one.
fn places(length: u8, through: Option<Coordinate>, free: Cells) -> Vec<Ship> {
    let mut places = Vec::new();
    for start in free.iter() {
        for direction in [Direction::Across, Direction::Down] {
            let ship = Ship::new(start, length, direction).unwrap();
            let cells = ship.cells();
            if cells.len() == length && (cells - free).is_empty() && through.is_none_or(|cell| cells.contains(cell)) {
                places.push(ship);
            }
        }
    }
    places
}
