use actix_web::http::StatusCode;
use actix_web::web::{self, Data};

use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::parameters::GameId;
use crate::http::rate_limit::Budget;
use crate::http::reply::{self, Reply};
use crate::http::request::{RawRequest, whole_number};
use crate::schema::{Code, GameBody, ViewerWord};
use crate::service::{Caller, Games, Malformed, Moment};
use crate::text::Message;
use engine::{Viewer, Words as _};

pub(in crate::http) static REPLAY: Operation = Operation {
    subject: Subject::Game,
    budget: Some(Budget::Check),
    refusals: &[KEPT, &[Code::NotOver]],
    ..Operation::new::<__path_replay>("/v1/games/{game_id}/replay", || web::to(replay))
};

/// See a game as it stood
///
/// Shows the game exactly as it was shown to some eyes right after an event; only `you` is yours.
/// Your own eyes and a spectator's are always open to you. Others, and `all`, which sees each board
/// whole from its placing on, open once the game is finished, and never after an abort (R26).
#[utoipa::path(
    get,
    operation_id = "replayGame",
    path = REPLAY.path,
    tag = "games",
    params(
        GameId,
        ("upto" = Option<u32>, Query, minimum = 1, maximum = 2_147_483_647, example = 1, description = "Right after this event: 1 to the game's version, which is the default."),
        ("as" = Option<ViewerWord>, Query, example = "spectator", description = "Through whose eyes. Default: your own."),
    ),
    responses((status = 200, description = "The game as it stood.", body = GameBody))
)]
pub(crate) async fn replay(games: Data<Games>, caller: Caller, request: RawRequest) -> Reply {
    let game = games.enter(&caller).await?;
    let moment = read_moment(&request, game.version())?;
    let seen = game.replay(moment).await?;
    reply::json(StatusCode::OK, &GameBody::from(&seen))
}

fn read_moment(request: &RawRequest, version: u32) -> Result<Moment, Malformed> {
    let [upto, eyes] = request.query_of(&["upto", "as"])?;
    let upto = whole_number("upto", upto.as_deref(), version, 1..=version)?;
    let eyes = eyes.map(|eyes| {
        Viewer::from_word(&eyes).ok_or_else(|| {
            let words = Viewer::WORDS.join(", ");
            Malformed::content(Message::ParameterWords { name: "as".to_owned(), words })
        })
    });
    Ok(Moment { upto, eyes: eyes.transpose()? })
}
