use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::language::CallerLanguage;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::request::RawRequest;
use crate::schema::{GameBody, VerifyBody};
use crate::service::{Archive, Games};
use crate::verify;

/// Verify a game
///
/// Checks the chain over the log and, once the game is opened, both commitments, both layouts, every
/// answer and every derived field. Whoever trusts nobody downloads the game and its log and runs the
/// same check at home.
#[utoipa::path(
    get,
    path = "/v1/games/{game_id}/verify",
    operation_id = "verify",
    tag = "games",
    params(("game_id" = Uuid, Path, description = "The game's id.")),
    responses((status = 200, description = "What was found.", body = VerifyBody)),
    security((), ("seat_token" = []))
)]
pub(crate) async fn verify(
    games: Data<Games>,
    caller: Asking,
    request: RawRequest,
    spoken: CallerLanguage,
) -> Result<HttpResponse, Problem> {
    let Archive { seen, events } = games.archive(&caller.0, || request.no_query()).await?;
    let events = events
        .into_iter()
        .map(|event| serde_json::from_str(&event.to_json()?))
        .collect::<serde_json::Result<Vec<_>>>()
        .map_err(reply::cannot_be_written)?;
    let findings = verify::check(&GameBody::from(&seen), &events, None, spoken.0);
    let mut reply = reply::json(StatusCode::OK, &findings.body)?;
    spoken.mark(reply.headers_mut());
    Ok(reply)
}
