use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::web::{self, Data};

use crate::address::Address;
use crate::http::ServerSettings;
use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::parameters::GameId;
use crate::http::reply::{self, Reply};
use crate::http::request::{RawRequest, seconds_to_wait};
use crate::http::stream_quota::{Following, StreamQuota};
use crate::schema::GameBody;
use crate::service::{Caller, Games, Malformed, Precondition, ShownGame};

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
///
/// With `If-None-Match` and `wait` the reply is held back until the tag changes: by an event, or by the rematch of
/// a game that has ended.
#[utoipa::path(
    get,
    operation_id = "getGame",
    path = SHOW.path,
    tag = "games",
    params(
        GameId,
        ("wait" = Option<u8>, Query, minimum = 0, maximum = 25, example = 0, description = "Seconds to wait while the game is in a state named in If-None-Match, or with `*` in the one that it is in. Default 0."),
        ("If-None-Match" = Option<String>, Header, example = "\"0-host\"", description = "Answer 304 while the game is in this state, such as \"9-host\"."),
    ),
    responses(
        (status = 200, description = "The game.", body = GameBody, headers(("ETag"))),
        (status = 304, description = "The game is in the state named in If-None-Match."),
    )
)]
pub(crate) async fn show(
    games: Data<Games>,
    places: Data<StreamQuota>,
    settings: Data<ServerSettings>,
    caller: Caller,
    request: RawRequest,
    http: HttpRequest,
) -> Reply {
    let asked = read(&request);
    let address = Address::of(&http, settings.proxies);
    // What is asked for in `HEAD` is answered at once. Nobody waits for a state that they do not name.
    let may_wait = http.method() != Method::HEAD;
    let waits = may_wait && matches!(&asked, Ok((wait, Some(_))) if !wait.is_zero());
    if waits {
        places.look(address, caller.spectated())?;
    }
    let game = games.enter(&caller).await?;
    let (wait, known) = asked?;
    let tag = game.tag();
    match known.filter(|known| known.holds(&tag)) {
        None => shown(&game.look().await?),
        Some(_) if !waits => Ok(reply::not_modified(tag)),
        Some(known) => {
            let following = Some((game.game(), game.seat()));
            let unchanged = game.beyond(known, wait);
            let place = places.take(address, Following::Wait, following, &http)?;
            let seen = place.hold(unchanged.wait()).await.transpose()?.flatten();
            seen.map_or_else(|| Ok(reply::not_modified(tag)), |seen| shown(&seen))
        }
    }
}

/// How long to wait, and which states the caller has.
fn read(request: &RawRequest) -> Result<(Duration, Option<Precondition>), Malformed> {
    let [wait] = request.query_of(&["wait"])?;
    Ok((seconds_to_wait(wait.as_deref())?, request.if_none_match()?))
}

fn shown(seen: &ShownGame) -> Reply {
    reply::tagged(seen.tag(), &GameBody::from(seen))
}
