use actix_web::web::{self, Data};

use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{Code, CreateRequest, SeatingBody};
use crate::service::{Games, Origin};
use engine::Seat;

pub(in crate::http) static CREATE: Operation = Operation {
    subject: Subject::NewGame,
    budget: Some(Budget::Create),
    refusals: &[KEPT, &[Code::Unavailable, Code::IdempotencyMismatch]],
    ..Operation::new::<__path_create>("/v1/games", || web::to(create))
};

/// Create a game
///
/// Seats you as the host and gives you the seat's token, once. Send the game's id to somebody: the
/// first to join has the other seat. `{}` is a 10×10 game with the classic fleet and mines.
#[utoipa::path(
    post,
    operation_id = "createGame",
    path = CREATE.path,
    tag = "games",
    params(
        ("Idempotency-Key" = Option<String>, Header, min_length = 32, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key and body gives the same game and token for 24 hours. It must be random and is as secret as the token."),
    ),
    request_body = CreateRequest,
    responses((status = 201, description = "The game, and your seat in it.", body = SeatingBody, headers(("Location"), ("ETag"))))
)]
pub(crate) async fn create(games: Data<Games>, origin: Origin, request: RawRequest) -> Reply {
    let creation = request.body::<CreateRequest>(EmptyBody::IsMalformed)?.read()?;
    let repeatable = request.secretly_repeatable(&CREATE)?;
    let seating = games.create(origin, creation, repeatable).await?;
    let location = format!("/v1/games/{}", seating.seen.stored.id);
    reply::seating(seating.seen.tag(), Some(location), &SeatingBody::new(Seat::Host, &seating))
}
