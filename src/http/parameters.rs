//! Parameters that several operations take, as the document describes them.

#![expect(dead_code, reason = "requests are read by hand, in the order of the contract")]

use utoipa::IntoParams;
use uuid::Uuid;

/// The parameter of every path below a game.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct GameId {
    /// The game's id.
    #[param(example = "019a0f3c-5d1e-7c4b-9a66-2f8e1b7d4c05")]
    game_id: Uuid,
}

/// What makes a request of a seat safe to repeat.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub(super) struct RepeatKey {
    /// Names the request: a repeat with the same key, path and body gives the same reply and has no second effect.
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 255, pattern = "^[!-~]+$")]
    key: Option<String>,
}

/// On which condition a seat moves.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub(super) struct IfMatch {
    /// Act only while the game is in this state, such as "9-host".
    #[param(rename = "If-Match", example = "*")]
    state: Option<String>,
}
