use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::web::{self, Data};

use crate::address::Address;
use crate::http::ServerSettings;
use crate::http::event_stream::is_liked_better;
use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::operations::stream::{Follow, LAST_SEQ, resumed_after};
use crate::http::parameters::GameId;
use crate::http::reply::{self, Reply};
use crate::http::request::{RawRequest, seconds_to_wait, whole_number};
use crate::http::stream_quota::{Following, StreamQuota};
use crate::metrics::Metrics;
use crate::schema::LogBody;
use crate::service::{Caller, Games, Malformed, Reading, Stretch};

pub(in crate::http) static EVENTS: Operation = Operation {
    subject: Subject::Game,
    refusals: &[KEPT],
    ..Operation::new::<__path_events>("/v1/games/{game_id}/events", || web::to(events))
};

/// Read or follow the log
///
/// Everything that happened, in order. The log is public: it holds only what both players know.
///
/// With `wait` the reply is held back while there is nothing. Where `Accept` likes `text/event-stream`
/// better than JSON it is a stream, as at `/v1/games/{game_id}/stream`.
#[utoipa::path(
    get,
    operation_id = "listEvents",
    path = EVENTS.path,
    tag = "games",
    params(
        GameId,
        ("after" = Option<u32>, Query, minimum = 0, maximum = 2_147_483_647, example = 0, description = "Only events with a greater `seq`. Default 0."),
        ("limit" = Option<u16>, Query, minimum = 1, maximum = 500, example = 100, description = "At most so many events. Default 100. A stream ignores it."),
        ("wait" = Option<u8>, Query, minimum = 0, maximum = 25, example = 0, description = "Seconds to wait while there is nothing. Default 0. A stream ignores it."),
        ("lastEventId" = Option<u32>, Query, minimum = 0, maximum = 2_147_483_647, example = 0, description = "The same as `Last-Event-ID`, for those who cannot send headers."),
        ("Last-Event-ID" = Option<u32>, Header, minimum = 0, maximum = 2_147_483_647, example = 0, description = "Where a stream goes on: the `seq` of the last event that came."),
    ),
    responses(
        (status = 200, description = "A stretch of the log, or a stream of it.", content(
            (LogBody = "application/json"),
            (String = "text/event-stream"),
        ), headers(("X-Accel-Buffering"))),
        (status = 204, description = "A stream was asked for and nothing is left to come."),
    )
)]
pub(crate) async fn events(
    games: Data<Games>,
    places: Data<StreamQuota>,
    settings: Data<ServerSettings>,
    metrics: Data<Metrics>,
    caller: Caller,
    request: RawRequest,
    http: HttpRequest,
) -> Reply {
    let asked = read_stretch(&request);
    if is_liked_better(&http) {
        let follow = Follow { games: &games, places: &places, settings: &settings, metrics: &metrics, http: &http };
        return follow.stream(&caller, asked.map(|(_, resumed)| resumed)).await;
    }
    let mut stretch = asked.map(|(stretch, _)| stretch);
    // What is asked for in `HEAD` is answered at once.
    if http.method() == Method::HEAD {
        stretch = stretch.map(|stretch| Stretch { wait: Duration::ZERO, ..stretch });
    }
    let address = Address::of(&http, settings.proxies);
    if stretch.as_ref().is_ok_and(|stretch| !stretch.wait.is_zero()) {
        places.look(address, caller.spectated())?;
    }
    let game = games.enter(&caller).await?;
    let (id, seat) = (game.game(), game.seat());
    let log = match game.log(stretch?).await? {
        Reading::Done(log) => log,
        Reading::Ahead(awaited) => {
            let place = places.take(address, Following::Wait, Some((id, seat)), &http)?;
            let nothing = awaited.nothing();
            place.hold(awaited.wait()).await.unwrap_or(Ok(nothing))?
        }
    };
    reply::public_page(&http, "Authorization, Accept-Encoding", &LogBody::from(log))
}

/// What is asked for, and after which event a stream goes on. Both are read either way: what is
/// malformed is refused also where it would be ignored.
fn read_stretch(request: &RawRequest) -> Result<(Stretch, u32), Malformed> {
    let [after, limit, wait, last] = request.query_of(&["after", "limit", "wait", "lastEventId"])?;
    let stretch = Stretch {
        after: whole_number("after", after.as_deref(), 0, 0..=LAST_SEQ)?,
        limit: whole_number("limit", limit.as_deref(), 100, 1..=500)?,
        wait: seconds_to_wait(wait.as_deref())?,
    };
    let resumed = resumed_after(request, stretch.after, last.as_deref())?;
    Ok((stretch, resumed))
}
