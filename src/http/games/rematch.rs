use actix_web::web::Data;

use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{Nothing, SeatingBody};
use crate::service::{Caller, Games};

/// Play again
///
/// Gives each seat of an ended game the same seat of one new game, whoever asks first; the loser of
/// the last one shoots first (R22). Who asks again gets the same token.
#[utoipa::path(
    post,
    path = "/v1/games/{game_id}/rematch",
    operation_id = "rematch",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The ended game's id."),
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key, path and body gives the same reply and has no second effect."),
    ),
    request_body(content = Option<Nothing>, description = "Nothing. An empty body counts as `{}`."),
    responses((status = 201, description = "The new game, and your seat in it.", body = SeatingBody, headers(
        ("Location" = String, description = "The path of the new game."),
        ("ETag" = String, description = "The state of the new game through your eyes, such as \"1-host\"."),
    ))),
    security(("seat_token" = []))
)]
pub(crate) async fn rematch(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = request.body::<Nothing>(EmptyBody::IsEmptyObject).and_then(|_| request.repeatable("/rematch"));
    let (seat, seating) = games.rematch(caller, asked).await?;
    let location = format!("/v1/games/{}", seating.seen.stored.id);
    reply::seating(seating.seen.tag(), Some(location), &SeatingBody::new(seat, &seating))
}
