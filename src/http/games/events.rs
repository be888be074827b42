use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::unread::{Unread, whole_number};
use crate::play::Games;
use crate::wire::LogBody;

/// The largest `seq`.
const LAST_SEQ: u32 = 2_147_483_647;

/// Read the log
///
/// Everything that happened, in order. The log is public: it holds only what both players know.
#[utoipa::path(
    get,
    path = "/v1/games/{game_id}/events",
    operation_id = "events",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("after" = Option<u32>, Query, minimum = 0, maximum = 2_147_483_647, description = "Only events with a greater `seq`. Default 0."),
        ("limit" = Option<u16>, Query, minimum = 1, maximum = 500, description = "At most so many events. Default 100."),
    ),
    responses((status = 200, description = "A stretch of the log.", body = LogBody)),
    security((), ("seat_token" = []))
)]
pub(crate) async fn events(games: Data<Games>, caller: Asking, request: Unread) -> Result<HttpResponse, Problem> {
    let read = || {
        let [after, limit] = request.query_of(&["after", "limit"])?;
        let after = whole_number("after", after.as_deref(), 0, 0..=LAST_SEQ)?;
        let limit = whole_number("limit", limit.as_deref(), 100, 1..=500)?;
        Ok::<_, Problem>((after, limit))
    };
    let log = games.log(&caller.0, read).await?;
    reply::json(StatusCode::OK, &LogBody::from(log))
}
