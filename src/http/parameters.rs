//! Parameters that several operations take, as the document describes them.

#![expect(dead_code, reason = "requests are read by hand, in the order of the contract")]

use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
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

/// The `seq` of an event in the path; none where it is no number in the one spelling.
pub(super) struct Seq(pub(super) Option<u32>);

/// It judges nothing: what the caller may not ask for is said in the order of the contract.
impl FromRequest for Seq {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.match_info().get("seq").and_then(seq))))
    }
}

/// Reads the one spelling of a number: digits alone, the first of them not 0.
fn seq(text: &str) -> Option<u32> {
    text.parse::<u32>().ok().filter(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seq_has_one_spelling() {
        assert_eq!(seq("12"), Some(12));
        for text in ["", "012", "+12", "-1", "1.0", " 12", "12 ", "x", "99999999999", "１２"] {
            assert_eq!(seq(text), None, "{text}");
        }
    }
}
