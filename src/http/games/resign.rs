use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{Nothing, ProgressBody};
use crate::service::{Games, Move, MoveRequest};

/// Resign
///
/// In battle the other side wins; before, the game ends without a winner (R24).
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/resign",
    operation_id = "resign",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body(content = Option<Nothing>, description = "Nothing. An empty body counts as `{}`."),
    responses((status = 200, description = "The game has ended.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn resign(games: Data<Games>, caller: Asking, request: RawRequest) -> Result<HttpResponse, Problem> {
    let read = move || {
        request.body::<Nothing>(EmptyBody::IsEmptyObject)?;
        Ok::<_, Problem>(MoveRequest {
            deed: Move::Resign,
            precondition: request.if_match()?,
            repeatable: request.repeatable("/resign")?,
        })
    };
    let progress = games.act(caller.0, read).await?;
    reply::tagged(progress.tag, &ProgressBody::from(progress))
}
