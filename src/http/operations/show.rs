use actix_web::web::{self, Data};

use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::parameters::GameId;
use crate::http::reply::{self, Reply};
use crate::http::request::RawRequest;
use crate::schema::GameBody;
use crate::service::{Caller, Games};

pub(in crate::http) static SHOW: Operation = Operation {
    subject: Subject::Game,
    refusals: &[KEPT],
    ..Operation::new::<__path_show>("/v1/games/{game_id}", || web::to(show))
};

/// Look at a game
///
/// Shows the game as you may see it: with a seat's token that seat's own board whole and of the
/// other what is known (R27), without a token what both players know (R28), and both boards whole
/// once somebody has won (R26).
#[utoipa::path(
    get,
    operation_id = "getGame",
    path = SHOW.path,
    tag = "games",
    params(
        GameId,
        ("If-None-Match" = Option<String>, Header, example = "\"0-host\"", description = "Answer 304 while the game is in this state, such as \"9-host\"."),
    ),
    responses(
        (status = 200, description = "The game.", body = GameBody, headers(("ETag"))),
        (status = 304, description = "The game is in the state named in If-None-Match."),
    )
)]
pub(crate) async fn show(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let game = games.enter(&caller).await?;
    request.no_query()?;
    let known = request.if_none_match()?;
    let seen = game.look().await?;
    let tag = seen.tag();
    if known.is_some_and(|known| known.holds(&tag)) {
        return Ok(reply::not_modified(tag));
    }
    reply::tagged(tag, &GameBody::from(&seen))
}
