use engine::Refusal;

/// Why a request is declined: the caller is told, and nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Declined {
    /// There is no such game.
    #[error("there is no game with this id")]
    NoSuchGame,
    /// No token, something that is no token, or the token of another game: one answer for all.
    #[error("this needs a token of this game, as `Authorization: Bearer …`")]
    Unauthorized,
    /// The game has moved on since the version named in `If-Match`.
    #[error("the game has moved on: its version is {version}")]
    Stale {
        /// The current version.
        version: u32,
    },
    /// What was asked for is shown when the game is finished.
    #[error("this is shown when the game is finished")]
    NotOver,
    /// A request of the same seat came first, or another session holds the game.
    #[error("another request for this game is being carried out: look at the game and try again")]
    InFlight,
    /// The key was sent before, with another request.
    #[error("this Idempotency-Key was sent before with another path or body")]
    Mismatch,
    /// The rules say no.
    #[error(transparent)]
    Rules(#[from] Refusal),
}
