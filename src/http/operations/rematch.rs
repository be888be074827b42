use actix_web::web::{self, Data};

use crate::http::operation::{CHANGE, Operation, Subject};
use crate::http::parameters::RepeatKey;
use crate::http::rate_limit::{Allowance, Budget};
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{Code, EmptyRequest, SeatingBody};
use crate::service::{Caller, Games, Rematch};

pub(in crate::http) static REMATCH: Operation = Operation {
    subject: Subject::Seat,
    budget: Some(Budget::Moves),
    refusals: &[CHANGE, &[Code::NotOver, Code::NotJoined]],
    ..Operation::new::<__path_rematch>("/v1/games/{game_id}/rematch", || web::to(rematch))
};

/// Play again
///
/// Gives each seat of an ended game the same seat of one new game, whoever asks first; the loser of
/// the last one shoots first (R22). Who asks again gets the same token. While that game was aborted
/// (called off, expired, or out of time while placing), whoever asks gets another one: `next` then
/// leads there, and the tag ends in `-next2`, `-next3` and so on. A request with a key keeps its reply.
#[utoipa::path(
    post,
    operation_id = "rematchGame",
    path = REMATCH.path,
    tag = "games",
    params(
        ("game_id" = Uuid, Path, example = "019a0f3c-5d1e-7c4b-9a66-2f8e1b7d4c05", description = "The ended game's id."),
        RepeatKey,
    ),
    request_body(content = Option<EmptyRequest>, description = "Nothing. An empty body counts as `{}`."),
    responses((status = 201, description = "The new game, and your seat in it.", body = SeatingBody, headers(("Location"), ("ETag"))))
)]
pub(crate) async fn rematch(games: Data<Games>, caller: Caller, allowance: Allowance, request: RawRequest) -> Reply {
    let asked = request.body::<EmptyRequest>(EmptyBody::IsEmptyObject).and_then(|_| request.repeatable(&REMATCH));
    // What a rematch costs beside a move is known once it is looked up.
    let draw = move |rematch| {
        allowance.draw(match rematch {
            Rematch::Created => Budget::Create,
            Rematch::Joined => Budget::Join,
        })
    };
    let (seat, seating) = games.rematch(caller, asked, draw).await?;
    let location = format!("/v1/games/{}", seating.seen.stored.id);
    reply::seating(seating.seen.tag(), Some(location), &SeatingBody::new(seat, &seating))
}
