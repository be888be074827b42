use crate::budget::Spent;
use engine::Refusal;

/// Why a request is declined. Nothing has changed. It is displayed by its name: sentences for people
/// stand in `text` alone.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum Declined {
    /// There is no such game.
    NoSuchGame,
    /// No token, something that is no token, or the token of another game: one answer for all.
    Unauthorized,
    /// The game has moved on since the version named in `If-Match`.
    Stale {
        /// The current version.
        version: u32,
    },
    /// What was asked for is shown when the game is finished.
    NotOver,
    /// The event answers nothing that could be proven, or there is none.
    NothingToProve,
    /// The event is no shot, or there is none.
    NothingToAnalyse,
    /// A request of the same seat came first, or another session holds the game.
    InFlight,
    /// The address has as many requests at work as it may.
    Crowded,
    /// The address has as many open games in the lobby as it may.
    ListsEnough,
    /// A budget of the address has nothing left.
    Spent(Spent),
    /// The key was sent before, with another request.
    Mismatch,
    /// The rules say no.
    Rules(#[from] Refusal),
}
