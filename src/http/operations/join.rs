use actix_web::web::{self, Data};

use crate::http::operation::{CHANGE, CONDITIONAL, OVER, Operation, Subject};
use crate::http::parameters::GameId;
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{Code, JoinRequest, SeatingBody};
use crate::service::{Caller, Games, Invitation, Malformed};
use engine::Seat;

pub(in crate::http) static JOIN: Operation = Operation {
    subject: Subject::Game,
    budget: Some(Budget::Join),
    refusals: &[CHANGE, OVER, CONDITIONAL, &[Code::GameFull, Code::OwnGame]],
    ..Operation::new::<__path_join>("/v1/games/{game_id}/join", || web::to(join))
};

/// Join a game
///
/// Takes the guest's seat and gives you its token, once. The coin for who shoots first is thrown
/// here (R22).
#[utoipa::path(
    post,
    operation_id = "joinGame",
    path = JOIN.path,
    tag = "games",
    params(
        GameId,
        ("Idempotency-Key" = Option<String>, Header, min_length = 32, max_length = 255, pattern = "^[!-~]+$", description = "Names the request: a repeat with the same key and body gives the same seat and token for 24 hours. It must be random and is as secret as the token."),
        ("If-Match" = Option<String>, Header, example = "*", description = "Join only while the game is in this state, such as \"1-spectator\"."),
    ),
    request_body(content = Option<JoinRequest>, description = "Your name, if you like. An empty body counts as `{}`."),
    responses((status = 201, description = "The game, and your seat in it.", body = SeatingBody, headers(("ETag"))))
)]
pub(crate) async fn join(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let asked = read_invitation(&request);
    let seating = games.join(caller, asked).await?;
    reply::seating(seating.seen.tag(), None, &SeatingBody::new(Seat::Guest, &seating))
}

fn read_invitation(request: &RawRequest) -> Result<Invitation, Malformed> {
    let name = request.body::<JoinRequest>(EmptyBody::IsEmptyObject)?.read()?;
    Ok(Invitation { name, precondition: request.if_match()?, repeatable: request.secretly_repeatable(&JOIN)? })
}
