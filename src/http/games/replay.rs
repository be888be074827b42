use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::web::Data;

use crate::http::caller::Asking;
use crate::http::problem::Problem;
use crate::http::reply;
use crate::http::request::{RawRequest, whole_number};
use crate::schema::{GameBody, ViewerWord};
use crate::service::{Games, Moment};
use crate::text::Message;
use engine::{Viewer, Words as _};

/// See a game as it stood
///
/// Shows the game exactly as it was shown to some eyes right after an event; only `you` is yours.
/// Your own eyes and a spectator's are always open to you. Others, and `all`, which sees each board
/// whole from its placing on, open once the game is finished, and never after an abort (R26).
#[utoipa::path(
    get,
    path = "/v1/games/{game_id}/replay",
    operation_id = "replay",
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game's id."),
        ("upto" = Option<u32>, Query, minimum = 1, maximum = 2_147_483_647, description = "Right after this event: 1 to the game's version, which is the default."),
        ("as" = Option<ViewerWord>, Query, description = "Through whose eyes. Default: your own."),
    ),
    responses((status = 200, description = "The game as it stood.", body = GameBody)),
    security((), ("seat_token" = []))
)]
pub(crate) async fn replay(games: Data<Games>, caller: Asking, request: RawRequest) -> Result<HttpResponse, Problem> {
    let read = |version| {
        let [upto, eyes] = request.query_of(&["upto", "as"])?;
        let upto = whole_number("upto", upto.as_deref(), version, 1..=version)?;
        let eyes = eyes.map(|eyes| {
            Viewer::from_word(&eyes).ok_or_else(|| {
                let words = Viewer::WORDS.join(", ");
                Problem::malformed(Message::ParameterWords { name: "as".to_owned(), words })
            })
        });
        Ok::<_, Problem>(Moment { upto, eyes: eyes.transpose()? })
    };
    let seen = games.replay(&caller.0, read).await?;
    reply::json(StatusCode::OK, &GameBody::from(&seen))
}
