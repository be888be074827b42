use actix_web::http::StatusCode;
use actix_web::web::{self, Data};

use crate::http::claims::Guesser;
use crate::http::operation::{Operation, Subject};
use crate::http::reply::{self, Reply};
use crate::http::request::{EmptyBody, RawRequest};
use crate::schema::{GamesStatusBody, GamesStatusRequest};
use crate::service::{Games, Glance, Origin};

pub(in crate::http) static STATUS: Operation =
    Operation { subject: Subject::Games, ..Operation::new::<__path_status>("/v1/games/status", || web::to(status)) };

/// Look at many games
///
/// Where each of up to 50 games stands, in the order sent: all of one's own at a glance. A game that
/// there is not, or whose token is wrong, is `null`. Nothing is changed.
#[utoipa::path(
    post,
    operation_id = "getGameStatuses",
    path = STATUS.path,
    tag = "games",
    request_body = GamesStatusRequest,
    responses((status = 200, description = "Where each stands.", body = GamesStatusBody))
)]
pub(crate) async fn status(games: Data<Games>, origin: Origin, guesser: Guesser, request: RawRequest) -> Reply {
    let named = request.body::<GamesStatusRequest>(EmptyBody::IsMalformed)?.read()?;
    let is_there = |glances: &Vec<Option<Glance>>, at: usize| glances.get(at).is_some_and(Option::is_some);
    let glances = guesser.look_up(&named, games.glance(origin, &named), is_there).await?;
    reply::json(StatusCode::OK, &GamesStatusBody::from(glances))
}
