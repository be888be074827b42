//! The rules of Naval Battle with Mines, R1 to R30.
//!
//! Nothing here reads a clock, throws a coin or waits, and nothing but a bot allocates per shot.
//! [`Game::play`] turns what a seat wants to do into an [`Event`] and the game after it, or into a
//! [`Refusal`]; [`Game::apply`] turns a game and an event into the next game, once the event is
//! what the boards say. A game is the fold of its log over its two layouts. There is one place
//! where a shot is judged, so live play, replay, verification and tests run the same rules.
//!
//! What is left to chance, [`random_placement`] and the [`bot`]s, takes its [`Dice`] from outside.
//!
//! No type of this crate can be serialised: what leaves the server passes [`GameView`], which is
//! given its [`Viewer`].

pub mod analysis;
mod battle;
mod board;
pub mod bot;
mod cells;
mod coordinate;
mod dice;
mod event;
mod fault;
mod fleet;
mod game;
mod grid;
mod options;
mod packed;
mod placement;
mod places;
mod play;
mod random;
mod refusal;
mod seat;
mod seeded_dice;
mod ship;
mod view;
mod words;

pub use battle::{Battle, Due};
pub use board::{Board, Mark, Outcome};
pub use bot::Level;
pub use cells::Cells;
pub use coordinate::{Coordinate, NotACell};
pub use dice::Dice;
pub use event::{Event, Given, MOST_GIVEN, MOST_SHOTS, Shot, Volley};
pub use fault::{Fault, FaultKind, MOST_PAIRS, may_be_more};
pub use fleet::Fleet;
pub use game::{Abort, Action, Awaiting, Ending, Game, Impossible, Phase, Status, Victory};
pub use grid::Grid;
pub use options::{FirstShot, Options};
pub use packed::{PACKED_BYTES, PackedBytes, UnpackError};
pub use placement::{Layout, Placement};
pub use play::{Command, expire, extend, join, time_out};
pub use random::random_placement;
pub use refusal::Refusal;
pub use seat::{BySeat, Seat};
pub use seeded_dice::SeededDice;
pub use ship::{Direction, Ship};
pub use view::{BoardView, GameView, Viewer};
pub use words::{Reason, Words};
