use super::super::{Action, Awaiting, BoardView, Cells, Game, GameView, Options, Seat, Viewer};

/// What a seat sees when something is awaited of it, and what that is.
///
/// It is taken through the seat's own eyes alone, so it is the same in all games that differ in
/// nothing but what is hidden from the seat (R27).
#[derive(Clone, PartialEq, Debug)]
pub struct SeatView {
    pub(super) options: Options,
    /// What is awaited of the seat: all but to join.
    pub(super) awaited: Awaiting,
    /// The seat's own board, whole.
    pub(super) own: BoardView,
    /// The other board, as far as it is known.
    pub(super) enemy: BoardView,
    /// The cells that the seat may give away, where it owes any.
    pub(super) revealable: Cells,
}

impl SeatView {
    /// What the seat sees; `None` where nothing is awaited of it but perhaps to join.
    pub fn of(game: &Game, seat: Seat) -> Option<Self> {
        let is_due = |awaited: &Awaiting| awaited.seat == seat && awaited.action != Action::Join;
        let awaited = game.awaiting().find(is_due)?;
        let GameView { revealable, boards, .. } = GameView::new(game, Viewer::Seat(seat));
        let (own, enemy) = match seat {
            Seat::Host => (boards.host, boards.guest),
            Seat::Guest => (boards.guest, boards.host),
        };
        Some(Self { options: *game.options(), awaited, own, enemy, revealable: revealable.unwrap_or_default() })
    }
}
