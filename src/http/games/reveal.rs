use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{ProgressBody, RevealRequest};
use crate::service::{Games, Move, MoveRequest};

/// Give cells of your own ships away
///
/// Due after you struck a mine: as many cells as `awaiting` says, neither hit nor given away before
/// (R16). Then the turn is the mine owner's (R19).
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/reveal",
    operation_id = "reveal",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body = RevealRequest,
    responses((status = 200, description = "The cells are given away.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn reveal(games: Data<Games>, caller: Asking, request: RawRequest) -> Result<HttpResponse, Problem> {
    let read = move || {
        let cells = request.body::<RevealRequest>(EmptyBody::IsMalformed)?.read()?;
        Ok::<_, Problem>(MoveRequest {
            deed: Move::Reveal(cells),
            precondition: request.if_match()?,
            repeatable: request.repeatable("/reveal")?,
        })
    };
    let progress = games.act(caller.0, read).await?;
    reply::tagged(progress.tag, &ProgressBody::from(progress))
}
