use super::{Battle, Board, BySeat, Cells, Coordinate, Due, Ending, Game, Mark, Phase, Seat, Ship};

/// Who looks at a game (R27, R28).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// A player's: their own board whole, of the other what is known.
    Seat(Seat),
    /// Anybody's: what both players know.
    Spectator,
    /// Everything: for a game that is finished (R26).
    All,
}

/// A game as a viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameView {
    /// The cells that the viewer owes and may give; none where the viewer owes none (R16).
    pub revealable: Option<Cells>,
    /// Ships not yet announced as sunk, the whole fleet from the start.
    pub ships_afloat: BySeat<usize>,
    /// Both boards, as far as the viewer may see them.
    pub boards: BySeat<BoardView>,
}

/// One board as a viewer may see it. It is empty before its seat has placed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BoardView {
    /// The ships seen, by their start, and whether each is sunk.
    pub ships: Vec<(Ship, bool)>,
    /// The mines seen.
    pub mines: Cells,
    /// The cells fired at, with what each is now: every cell of a sunk ship is sunk.
    pub shots: Vec<(Coordinate, Mark)>,
    /// The cells given away, also those fired at since (R20).
    pub revealed: Cells,
    /// The cells not fired at that hold neither ship nor mine by R2 and R4, as far as the public
    /// record tells at once: around a sunk ship or a struck mine, and at the corners of a cell
    /// hit or given away.
    pub known_empty: Cells,
}

impl GameView {
    /// Looks at a game.
    pub fn new(game: &Game, viewer: Viewer) -> Self {
        Self {
            revealable: revealable(game, viewer),
            ships_afloat: BySeat::from_fn(|seat| {
                game.board(seat).map_or(game.options().fleet.ships().len(), |board| usize::from(board.afloat()))
            }),
            boards: BySeat::from_fn(|seat| {
                game.board(seat).map_or_else(BoardView::default, |board| {
                    BoardView::new(board, game.options().grid.cells(), visibility(game, viewer, seat))
                })
            }),
        }
    }
}

impl BoardView {
    fn new(board: &Board, grid: Cells, visibility: Visibility) -> Self {
        let sunk = board.sunk();
        let ships = board.ships_in_order().map(|ship| (ship, sunk.contains(ship.start())));
        let struck = board.mines() & board.shots();
        let hit = board.ships() & board.shots();
        let known_empty = (sunk | struck).with_neighbours() | (hit | board.revealed()).corners();
        Self {
            ships: match visibility {
                Visibility::All => ships.collect(),
                Visibility::PublicRecord => ships.filter(|(_, sunk)| *sunk).collect(),
            },
            mines: match visibility {
                Visibility::All => board.mines(),
                Visibility::PublicRecord => struck,
            },
            shots: board.marks().collect(),
            revealed: board.revealed(),
            known_empty: (known_empty & grid) - board.shots(),
        }
    }
}

/// How much of a board is shown.
#[derive(Clone, Copy)]
enum Visibility {
    All,
    PublicRecord,
}

/// One's own board is always seen whole; both are once somebody has won (R26, R27).
fn visibility(game: &Game, viewer: Viewer, seat: Seat) -> Visibility {
    match (viewer, game.ending()) {
        (_, Some(Ending::Won { .. })) | (Viewer::All, _) => Visibility::All,
        (Viewer::Seat(own), _) if own == seat => Visibility::All,
        (Viewer::Seat(_) | Viewer::Spectator, None | Some(Ending::Aborted(_))) => Visibility::PublicRecord,
    }
}

/// Only the seat that owes cells is told what it may give.
fn revealable(game: &Game, viewer: Viewer) -> Option<Cells> {
    match game.phase() {
        Phase::Battle(Battle { turn, boards, due: Due::Reveal(_), .. }) if viewer == Viewer::Seat(*turn) => {
            Some(boards.of(*turn).revealable())
        }
        Phase::Waiting { .. } | Phase::Placing { .. } | Phase::Battle(_) | Phase::Over { .. } => None,
    }
}
