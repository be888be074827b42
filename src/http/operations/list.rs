use actix_web::http::StatusCode;
use actix_web::web::{self, Data};

use crate::http::operation::Operation;
use crate::http::reply::{self, Reply};
use crate::http::request::{RawRequest, whole_number};
use crate::schema::{Code, LobbyBody, Waiting, place_of};
use crate::service::{Games, Malformed, Origin};
use crate::text::Message;
use engine::Status;

pub(in crate::http) static LIST: Operation =
    Operation { refusals: &[&[Code::Unavailable]], ..Operation::new::<__path_list>("/v1/games", || web::to(list)) };

/// List the games that you can join
///
/// Those that their hosts had `listed`, newest first. A game leaves the list the moment it is
/// joined or has expired.
#[utoipa::path(
    get,
    operation_id = "listGames",
    path = LIST.path,
    tag = "games",
    params(
        ("status" = Option<Waiting>, Query, example = "waiting", description = "`waiting`, which is the default and the only one."),
        ("limit" = Option<u16>, Query, minimum = 1, maximum = 100, example = 20, description = "At most so many games. Default 20."),
        ("after" = Option<String>, Query, min_length = 32, max_length = 32, pattern = "^[A-Za-z0-9_-]{32}$", example = "f_______________________________", description = "`next` of the page before."),
    ),
    responses((status = 200, description = "A page of the list.", body = LobbyBody))
)]
pub(crate) async fn list(games: Data<Games>, origin: Origin, request: RawRequest) -> Reply {
    let [status, limit, after] = request.query_of(&["status", "limit", "after"])?;
    if status.is_some_and(|status| status != Status::Waiting.word()) {
        let (name, word) = ("status".to_owned(), Status::Waiting.word().to_owned());
        return Err(Malformed::content(Message::ParameterIs { name, word }).into());
    }
    let limit = whole_number("limit", limit.as_deref(), 20, 1..=100)?;
    let place = |after: String| place_of(&after).ok_or_else(|| Malformed::content(Message::AfterIsNext));
    let lobby = games.lobby(origin, after.map(place).transpose()?, limit).await?;
    reply::json(StatusCode::OK, &LobbyBody::from(lobby))
}
