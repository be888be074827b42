use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{PlaceRequest, ProgressBody};
use crate::service::{Games, Move, MoveRequest};

/// Place ships and mines
///
/// Accepted or refused whole (R5), and final (R6); a refusal lists every fault. The second layout
/// starts the battle. The reply has the salt of your commitment: keep it.
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/place",
    operation_id = "place",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body = PlaceRequest,
    responses((status = 200, description = "The layout is placed.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn place(games: Data<Games>, caller: Asking, request: RawRequest) -> Result<HttpResponse, Problem> {
    let read = move || {
        let placement = request.body::<PlaceRequest>(EmptyBody::IsMalformed)?.read()?;
        Ok::<_, Problem>(MoveRequest {
            deed: Move::Place(placement),
            precondition: request.if_match()?,
            repeatable: request.repeatable("/place")?,
        })
    };
    let progress = games.act(caller.0, read).await?;
    reply::tagged(progress.tag, &ProgressBody::from(progress))
}
