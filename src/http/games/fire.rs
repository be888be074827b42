use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{FireRequest, ProgressBody};
use crate::service::{Games, Move, MoveRequest};

/// Fire at the opponent's cells
///
/// Answers what each shot found. A struck mine obliges the shooter to reveal cells of their own
/// ships before anybody fires again (R16, R19).
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/fire",
    operation_id = "fire",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
        ("If-Match" = Option<String>, Header, description = "Act only while the game is in this state, such as \"9-host\"."),
    ),
    request_body = FireRequest,
    responses((status = 200, description = "What the shots found.", body = ProgressBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"9-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn fire(games: Data<Games>, caller: Asking, request: RawRequest) -> Result<HttpResponse, Problem> {
    let read = move || {
        let shots = request.body::<FireRequest>(EmptyBody::IsMalformed)?.read()?;
        Ok::<_, Problem>(MoveRequest {
            deed: Move::Fire(shots),
            precondition: request.if_match()?,
            repeatable: request.repeatable("/fire")?,
        })
    };
    let progress = games.act(caller.0, read).await?;
    reply::tagged(progress.tag, &ProgressBody::from(progress))
}
