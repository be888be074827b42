//! What lies in the database is read back as it was written, and is a game that can be played on.

use engine::{
    Command, Coordinate, Due, Game, GameView, Layout, Options, Phase, Refusal, Seat, Status, UnpackError, Viewer,
    expire, join, time_out,
};
use record::proof::{self, Salt};

use super::placing::{model_options, options};
use super::tables::{goes_on, legal_event};
use testing::{decide, model};

/// How many actions are played on from a stored game.
const STEPS: usize = 2;

/// The state of a game: the first byte chooses the options, the rest is the packed game.
pub fn state(bytes: &[u8]) {
    let Some((choice, packed)) = bytes.split_first() else { return };
    let mut game = match Game::unpack(options(usize::from(*choice)), packed) {
        Ok(game) => game,
        Err(UnpackError::UnknownForm(form)) => return assert!(packed[0] == form && form != 1),
        Err(UnpackError::Damaged) => return assert!(packed.first().is_none_or(|form| *form == 1)),
    };
    assert_eq!(game.pack().as_slice(), packed, "no other bytes are this game");

    is_shown(&game);
    is_judged(&game);
    for _ in 0..STEPS {
        let Some(event) = legal_event(&game) else { break };
        game = goes_on(&game, &event);
        is_shown(&game);
    }
    if game.status() == Status::Battle {
        assert_eq!(game.awaiting().count(), 1, "a battle goes on until somebody has won");
    }
}

/// A kept layout: the first byte chooses the options, the rest is the packed layout.
pub fn stored_layout(bytes: &[u8]) {
    let Some((choice, packed)) = bytes.split_first() else { return };
    let options = options(usize::from(*choice));
    let grid = options.grid;
    let Ok(layout) = Layout::unpack(&options, packed) else { return };

    assert_eq!(layout.pack(grid).as_slice(), packed, "no other bytes are this layout");
    is_legal(&options, &layout);
    let root = |salt| proof::root(grid.side(), &layout, &Salt::new(salt));
    assert_ne!(root([0; 32]), root([1; 32]), "the salt blinds the root");
}

/// The model finds no fault with the ships that the cells are, each run from its first cell.
fn is_legal(options: &Options, layout: &Layout) {
    let is_ship = |column: Option<u8>, row: Option<u8>| {
        let cell = column.zip(row).and_then(|(column, row)| Coordinate::new(column, row));
        cell.is_some_and(|cell| layout.ships().contains(cell))
    };
    let mut ships = Vec::new();
    for start in layout.ships().iter() {
        let (column, row) = (start.column(), start.row());
        if is_ship(column.checked_sub(1), Some(row)) || is_ship(Some(column), row.checked_sub(1)) {
            continue;
        }
        let across = (1..=15).find(|step| !is_ship(Some(column + step), Some(row))).unwrap();
        let down = (1..=15).find(|step| !is_ship(Some(column), Some(row + step))).unwrap();
        ships.push(model::ShipSent { start: start.to_string(), length: across.max(down), down: down > across });
    }
    let sent = model::LayoutSent { ships, mines: layout.mines().iter().map(|mine| mine.to_string()).collect() };
    assert_eq!(model::faults(&model_options(options), &sent), []);
}

/// Everybody can look, and nobody sees more than there is.
fn is_shown(game: &Game) {
    let grid = game.options().grid.cells();
    let ships = game.options().fleet.ships().len();
    for eyes in [Viewer::Seat(Seat::Host), Viewer::Seat(Seat::Guest), Viewer::Spectator, Viewer::All] {
        let view = GameView::new(game, eyes);
        for seat in Seat::BOTH {
            let (board, seen) = (game.board(seat), view.boards.of(seat));
            assert!(seen.ships.len() <= ships && *view.ships_afloat.of(seat) <= ships);
            assert!(seen.mines.len() <= game.options().mine_count());
            let Some(board) = board else { continue };
            let hidden = board.ships() | board.mines();
            assert!((seen.known_empty & hidden).is_empty(), "what is known to be empty is");
            assert!(((seen.known_empty | board.shots()) - grid).is_empty());
            assert_eq!(seen.shots.len(), usize::from(board.shots().len()));
            for (ship, sunk) in &seen.ships {
                assert!((ship.cells() - board.ships()).is_empty());
                assert_eq!(*sunk, (ship.cells() - board.shots()).is_empty());
            }
        }
    }
}

/// Every command is taken or refused, and what is taken can happen.
fn is_judged(game: &Game) {
    for seat in Seat::BOTH {
        for command in [Command::Resign, Command::Fire(&[]), Command::Reveal(&[])] {
            if let Ok(event) = decide(game, seat, command) {
                goes_on(game, &event);
            }
        }
        if let Ok(event) = join(game, None, seat) {
            goes_on(game, &event);
        }
    }
    match time_out(game) {
        Ok(event) => drop(goes_on(game, &event)),
        Err(refusal) => assert!(refusal == Refusal::GameOver && game.ending().is_some()),
    }
    if let Some(event) = expire(game) {
        assert!(goes_on(game, &event).ending().is_some());
    }
    if let Phase::Battle(battle) = game.phase() {
        let (own, target) = (battle.boards.of(battle.turn), battle.boards.of(battle.turn.other()));
        match battle.due {
            Due::Fire(shots) => assert!(shots.get() <= (game.options().grid.cells() - target.shots()).len()),
            Due::Reveal(cells) => assert!(cells.get() <= own.revealable().len()),
        }
    }
}
