use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{JoinRequest, SeatingBody};
use crate::service::{Games, Invitation};
use engine::Seat;

/// Join a game
///
/// Takes the guest's seat and gives you its token, once. The coin for who shoots first is thrown
/// here (R22).
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/join",
    operation_id = "join",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 32, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key and body gives the same seat and token for 24 hours. It must be random and is as secret as the token."),
        ("If-Match" = Option<String>, Header, description = "Join only while the game is in this state, such as \"1-spectator\"."),
    ),
    request_body(content = Option<JoinRequest>, description = "Your name, if you like. An empty body counts as `{}`."),
    responses((status = 201, description = "The game, and your seat in it.", body = SeatingBody, headers(
        ("ETag" = String, description = "The state of the game through your eyes, such as \"2-guest\"."),
    ))),
    security((), ("seat_token" = []))
)]
pub(crate) async fn join(games: Data<Games>, caller: Asking, request: RawRequest) -> Result<HttpResponse, Problem> {
    let read = move || {
        let name = request.body::<JoinRequest>(EmptyBody::IsEmptyObject)?.read()?;
        Ok::<_, Problem>(Invitation {
            name,
            precondition: request.if_match()?,
            repeatable: request.secretly_repeatable("/join")?,
        })
    };
    let seating = games.join(caller.0, read).await?;
    reply::seating(seating.seen.tag(), None, &SeatingBody::new(Seat::Guest, &seating))
}
