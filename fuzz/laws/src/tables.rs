//! Volleys and gifts against games under way, judged by what anybody can see.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use engine::{
    Awaiting, Battle, Cells, Command, Coordinate, Due, Event, Game, Outcome, Phase, Placement, Refusal, Seat, Ship,
};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::placing::{model_options, options};
use testing::{decide, model};

/// After how many actions games are kept.
const STAGES: [usize; 6] = [0, 1, 4, 15, 40, 90];

/// Games in battle, of all configurations and at several stages.
static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
    let stages = |choice| STAGES.map(|actions| game_after(choice, actions));
    (0..64).flat_map(stages).filter(|game| matches!(game.phase(), Phase::Battle(_))).collect()
});

/// A volley is taken exactly where it is due, of the right size, and of distinct cells of the grid
/// not fired at before; else the first of these that is not so is the reason (R8 to R10, R19).
pub(super) fn fires_by_the_rules(shots: &[Coordinate], bytes: &[u8]) {
    let (game, battle) = some_game(bytes);
    let decided = decide(game, battle.turn, Command::Fire(shots));
    let target = battle.boards.of(battle.turn.other());
    let fired = |cell: &Coordinate| target.shots().contains(*cell);
    let expected = match battle.due {
        Due::Reveal(owed) => Some(Refusal::RevealDue { expected: owed.get() }),
        Due::Fire(due) if shots.len() != usize::from(due.get()) => {
            Some(Refusal::WrongShotCount { expected: due.get(), sent: shots.len() })
        }
        Due::Fire(_) => not_distinct_on_grid(game, shots)
            .or_else(|| at_fault(shots.iter().copied().filter(fired), Refusal::AlreadyFired)),
    };

    assert_eq!(decided.as_ref().err(), expected.as_ref());
    assert_eq!(decide(game, battle.turn.other(), Command::Fire(shots)), Err(Refusal::NotYourTurn));
    if let Ok(event) = decided {
        let Event::Fired { seat, shots: answers, .. } = &event else { panic!("{event:?}") };
        assert_eq!(*seat, battle.turn);
        assert!(answers.iter().map(|shot| shot.cell).eq(shots.iter().copied()), "answers come in the order sent");
        for shot in answers {
            let (on_ship, on_mine) = (target.ships().contains(shot.cell), target.mines().contains(shot.cell));
            assert_eq!(on_ship, matches!(shot.outcome, Outcome::Hit | Outcome::Sunk(_)));
            assert_eq!(on_mine, matches!(shot.outcome, Outcome::Mine));
        }
        goes_on(game, &event);
    }
}

/// Cells are given exactly where they are owed, as many, distinct, and the seat's to give; else the
/// first of these that is not so is the reason (R16, R19).
pub(super) fn reveals_by_the_rules(cells: &[Coordinate], bytes: &[u8]) {
    let (game, battle) = some_game(bytes);
    let decided = decide(game, battle.turn, Command::Reveal(cells));
    let own = battle.boards.of(battle.turn);
    let kept = |cell: &Coordinate| {
        !own.ships().contains(*cell) || own.shots().contains(*cell) || own.revealed().contains(*cell)
    };
    let expected = match battle.due {
        Due::Fire(_) => Some(Refusal::NoRevealDue),
        Due::Reveal(owed) if cells.len() != usize::from(owed.get()) => {
            Some(Refusal::WrongRevealCount { expected: owed.get(), sent: cells.len() })
        }
        Due::Reveal(_) => not_distinct_on_grid(game, cells)
            .or_else(|| at_fault(cells.iter().copied().filter(kept), Refusal::NotRevealable)),
    };

    assert_eq!(decided.as_ref().err(), expected.as_ref());
    assert_eq!(decide(game, battle.turn.other(), Command::Reveal(cells)), Err(Refusal::NotYourTurn));
    if let Ok(event) = decided {
        goes_on(game, &event);
    }
}

fn not_distinct_on_grid(game: &Game, cells: &[Coordinate]) -> Option<Refusal> {
    let mut times: BTreeMap<Coordinate, usize> = BTreeMap::new();
    for cell in cells {
        *times.entry(*cell).or_default() += 1;
    }
    let side = game.options().grid.side();
    let repeated = times.iter().filter(|(_, times)| **times > 1).map(|(cell, _)| *cell);
    let outside = cells.iter().copied().filter(|cell| cell.column() >= side || cell.row() >= side);
    at_fault(repeated, Refusal::RepeatedCell).or_else(|| at_fault(outside, Refusal::OutsideGrid))
}

fn at_fault(cells: impl Iterator<Item = Coordinate>, refusal: fn(Cells) -> Refusal) -> Option<Refusal> {
    let cells: Cells = cells.collect();
    (!cells.is_empty()).then(|| refusal(cells))
}

/// What was decided can happen, once, and is a game that is read back.
pub(super) fn goes_on(game: &Game, event: &Event) -> Game {
    let mut next = *game;
    next.apply(event).unwrap();
    let packed = next.pack();
    assert_eq!(Game::unpack(*next.options(), &packed), Ok(next), "after {event:?}");
    next
}

/// What the seat that is awaited can do, always in the same way; none at the end.
pub(super) fn legal_event(game: &Game) -> Option<Event> {
    let Awaiting { seat, count, .. } = game.awaiting().next()?;
    let Phase::Battle(battle) = game.phase() else { return None };
    let count = usize::from(count);
    let (own, target) = (battle.boards.of(seat), battle.boards.of(seat.other()));
    let decided = match battle.due {
        Due::Fire(_) => {
            let cells: Vec<Coordinate> = (game.options().grid.cells() - target.shots()).iter().collect();
            let shots: Vec<Coordinate> = spread(&cells, count, usize::from(target.shots().len()));
            decide(game, seat, Command::Fire(&shots))
        }
        Due::Reveal(_) => {
            let cells: Vec<Coordinate> = own.revealable().iter().collect();
            decide(game, seat, Command::Reveal(&spread(&cells, count, 0)))
        }
    };
    Some(decided.unwrap_or_else(|refusal| panic!("{refusal}: {game:?}")))
}

/// So many of these, from here and there.
fn spread(cells: &[Coordinate], count: usize, offset: usize) -> Vec<Coordinate> {
    let count = count.min(cells.len());
    (0..count).map(|index| cells[(offset * 7 + index * (cells.len() / count)) % cells.len()]).collect()
}

fn some_game(bytes: &[u8]) -> (&'static Game, &'static Battle) {
    // Which one hangs on all bytes, so that the same volley meets many games.
    let sum: usize = bytes.iter().map(|byte| usize::from(*byte)).sum();
    let game = &GAMES[sum % GAMES.len()];
    match game.phase() {
        Phase::Battle(battle) => (game, battle),
        Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Over { .. } => panic!("the games are in battle"),
    }
}

fn game_after(choice: usize, actions: usize) -> Game {
    let options = options(choice);
    let mut dice = ChaCha8Rng::seed_from_u64(u64::try_from(choice).unwrap());
    let mut game = Game::new(options, Seat::Guest);
    game.apply(&Event::Joined { seat: Seat::Guest, first: Seat::Host }).unwrap();
    for seat in Seat::BOTH {
        let placement = placement(&model::random_layout(&model_options(&options), &mut dice));
        let event = decide(&game, seat, Command::Place(&placement)).unwrap();
        game.apply(&event).unwrap();
    }
    for _ in 0..actions {
        if let Some(event) = legal_event(&game) {
            game.apply(&event).unwrap();
        }
    }
    game
}

fn placement(sent: &model::LayoutSent) -> Placement {
    use engine::Direction::{Across, Down};
    let cell = |text: &str| Coordinate::parse(text).unwrap();
    let ship = |ship: &model::ShipSent| {
        Ship::new(cell(&ship.start), ship.length, if ship.down { Down } else { Across }).unwrap()
    };
    Placement {
        ships: sent.ships.iter().map(ship).collect(),
        mines: sent.mines.iter().map(|mine| cell(mine)).collect(),
    }
}
