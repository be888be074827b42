//! Whole legal games, worked out by the engine before they are played.

use engine::SeededDice;
use engine::bot::{SeatView, choose};
use engine::{
    self, Command, Coordinate, Event, FirstShot, Game, Grid, Level, Options, Outcome, Placement, random_placement,
};
use naval_battle_client::{BySeat, Cell, Choice, Direction, Layout, Mark, Seat, Ship};

/// What is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The default game, 10×10 with mines, by two bots of level `medium`.
    Usual,
    /// 15×15 with mines and Salvo, by the same.
    Salvo,
    /// 15×15 without mines, in which nobody hits for as long as there is water.
    Long,
}

/// A game from the placing to the end.
pub(crate) struct Script {
    /// What the seats hide.
    pub(crate) layouts: BySeat<Layout>,
    /// What they do then.
    pub(crate) moves: Vec<Move>,
}

/// What somebody does, and what comes of it.
pub(crate) struct Move {
    /// Who.
    pub(crate) seat: Seat,
    /// What.
    pub(crate) deed: Deed,
    /// The game after it, as the store packs it.
    pub(crate) state: Vec<u8>,
}

/// What can be done in battle.
pub(crate) enum Deed {
    /// Shots, and what each finds.
    Fire(Vec<(Cell, Mark)>),
    /// Cells given away.
    Reveal(Vec<Cell>),
}

impl Kind {
    /// The options as a client chooses them; the host shoots first, so that the script holds.
    pub(crate) fn choice(self) -> Choice {
        let options = self.options();
        Choice {
            grid: Some(options.grid.side()),
            mines: Some(options.mines),
            salvo: Some(options.salvo),
            first: Some(naval_battle_client::FirstShot::Host),
            ..Choice::default()
        }
    }

    fn options(self) -> Options {
        let first = FirstShot::Host;
        match self {
            Self::Usual => Options { first, ..Options::default() },
            Self::Salvo => Options { first, grid: Grid::Fifteen, salvo: true, ..Options::default() },
            Self::Long => Options { first, grid: Grid::Fifteen, mines: false, ..Options::default() },
        }
    }
}

impl Script {
    /// The game of this seed, always the same.
    pub(crate) fn new(kind: Kind, seed: u64) -> Self {
        let options = kind.options();
        let mut dice = SeededDice::from_number(seed);
        let mut game = Game::new(options, engine::Seat::Guest);
        let joined = engine::join(&game, None, engine::Seat::Host).expect("the seat is free");
        game.apply(&joined).expect("the rules decided on it");
        let placements = engine::BySeat::from_fn(|_| random_placement(&options, &mut dice));
        for seat in engine::Seat::BOTH {
            game.play(seat, Command::Place(placements.of(seat))).expect("the layout is legal");
        }
        let mut moves = Vec::new();
        loop {
            let Some(awaited) = game.awaiting().next() else { break };
            let event = play(kind, &mut game, awaited.seat, &mut dice);
            moves.push(Move { seat: seat(awaited.seat), deed: deed(&event), state: game.pack().to_vec() });
        }
        let layouts = BySeat { host: layout(&placements.host), guest: layout(&placements.guest) };
        Self { layouts, moves }
    }
}

/// Does what a seat does next.
fn play(kind: Kind, game: &mut Game, seat: engine::Seat, dice: &mut SeededDice) -> Event {
    let water = (kind == Kind::Long).then(|| water(game, seat)).flatten();
    let event = if let Some(cell) = water {
        game.play(seat, Command::Fire(&[cell]))
    } else {
        let sight = SeatView::of(game, seat).expect("a seat that is awaited can see");
        game.play(seat, choose(Level::Medium, &sight, dice).command())
    };
    event.expect("what was chosen is legal")
}

/// A cell of the other side that is water and was not fired at.
fn water(game: &Game, shooter: engine::Seat) -> Option<Coordinate> {
    let board = game.board(shooter.other()).expect("in battle both have placed");
    (game.options().grid.cells() - board.ships() - board.mines() - board.shots()).iter().next()
}

fn deed(event: &Event) -> Deed {
    match event {
        Event::Fired { shots, .. } => {
            Deed::Fire(shots.iter().map(|shot| (cell(shot.cell), mark(shot.outcome))).collect())
        }
        Event::Revealed { cells, .. } => Deed::Reveal(cells.iter().map(|given| cell(*given)).collect()),
        Event::Joined { .. }
        | Event::Placed { .. }
        | Event::Resigned { .. }
        | Event::TimedOut { .. }
        | Event::Expired
        | Event::Extended { .. } => panic!("no move in battle: {event:?}"),
    }
}

fn layout(placement: &Placement) -> Layout {
    let ship = |ship: &engine::Ship| Ship {
        start: cell(ship.start()),
        length: ship.length(),
        direction: match ship.direction() {
            engine::Direction::Across => Direction::Across,
            engine::Direction::Down => Direction::Down,
        },
    };
    Layout {
        ships: placement.ships.iter().map(ship).collect(),
        mines: placement.mines.iter().map(|mine| cell(*mine)).collect(),
    }
}

fn cell(coordinate: Coordinate) -> Cell {
    Cell::new(coordinate.column(), coordinate.row()).expect("both know the same grids")
}

fn mark(outcome: Outcome) -> Mark {
    match outcome {
        Outcome::Miss => Mark::Miss,
        Outcome::Hit => Mark::Hit,
        Outcome::Sunk(_) => Mark::Sunk,
        Outcome::Mine => Mark::Mine,
    }
}

fn seat(seat: engine::Seat) -> Seat {
    match seat {
        engine::Seat::Host => Seat::Host,
        engine::Seat::Guest => Seat::Guest,
    }
}
