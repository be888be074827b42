use std::time::Duration;

use actix_web::http::header::{Accept, CACHE_CONTROL, CONTENT_TYPE, Header as _, Quality};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};

use crate::address::Address;
use crate::deadlines::LONGEST_WAIT;
use crate::http::ServerSettings;
use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::parameters::GameId;
use crate::http::reply::{self, PRIVATE, Reply};
use crate::http::request::{RawRequest, whole_number};
use crate::http::stream_quota::{Following, StreamPlace, StreamQuota};
use crate::metrics::{Metrics, OpenStream};
use crate::schema::LogBody;
use crate::service::{Caller, Credential, FollowItem, Follower, Games, Malformed, Reading, Stretch};

/// The largest `seq`.
const LAST_SEQ: u32 = 2_147_483_647;

pub(in crate::http) static EVENTS: Operation = Operation {
    subject: Subject::Game,
    refusals: &[KEPT],
    ..Operation::new::<__path_events>("/v1/games/{game_id}/events", || web::to(events))
};

/// Read or follow the log
///
/// Everything that happened, in order. The log is public: it holds only what both players know.
///
/// With `wait` the reply is held back while there is nothing. With `Accept: text/event-stream` it is
/// a stream of server-sent events: for each event an `id`, its `seq`, and one line of `data`, the
/// event. It begins after `Last-Event-ID`, else after `lastEventId`, else after `after`, has a comment
/// every 15 seconds, ends after the game's last event, and is `204` where nothing is left to come.
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
    // What is asked for in `HEAD` is answered at once: it neither waits nor streams.
    let head = http.method() == Method::HEAD;
    let address = Address::of(&http, settings.proxies);
    // That there is no place is said before anything is looked up, where it does not take a look to know.
    let spectated = caller.game.filter(|_| caller.token == Credential::Nothing);
    if wants_stream(&http) {
        places.look(address, spectated)?;
        let game = games.enter(&caller).await?;
        let (id, seat) = (game.game(), game.seat());
        let (_, after) = read_stretch(&request)?;
        return Ok(match game.follow(after) {
            None => HttpResponse::NoContent().finish(),
            Some(_) if head => stream_head().finish(),
            Some(follower) => {
                let place = places.take(address, Following::Stream, (id, seat), &http)?;
                stream(follower, place, metrics.open_stream())
            }
        });
    }
    let mut stretch = read_stretch(&request).map(|(stretch, _)| stretch);
    if head {
        stretch = stretch.map(|stretch| Stretch { wait: Duration::ZERO, ..stretch });
    }
    if stretch.as_ref().is_ok_and(|stretch| !stretch.wait.is_zero()) {
        places.look(address, spectated)?;
    }
    let game = games.enter(&caller).await?;
    let (id, seat) = (game.game(), game.seat());
    let log = match game.log(stretch?).await? {
        Reading::Done(log) => log,
        Reading::Ahead(awaited) => {
            let place = places.take(address, Following::Wait, (id, seat), &http)?;
            let nothing = awaited.nothing();
            place.hold(awaited.wait()).await.unwrap_or(Ok(nothing))?
        }
    };
    reply::json(StatusCode::OK, &LogBody::from(log))
}

/// What is asked for, and after which event a stream goes on. Both are read either way: what is
/// malformed is refused also where it would be ignored.
fn read_stretch(request: &RawRequest) -> Result<(Stretch, u32), Malformed> {
    let [after, limit, wait, last] = request.query_of(&["after", "limit", "wait", "lastEventId"])?;
    let stretch = Stretch {
        after: whole_number("after", after.as_deref(), 0, 0..=LAST_SEQ)?,
        limit: whole_number("limit", limit.as_deref(), 100, 1..=500)?,
        wait: Duration::from_secs(whole_number("wait", wait.as_deref(), 0, 0..=LONGEST_WAIT.as_secs())?),
    };
    let resumed = whole_number("lastEventId", last.as_deref(), stretch.after, 0..=LAST_SEQ)?;
    let last = request.single_header("last-event-id")?;
    let resumed = whole_number("Last-Event-ID", last, resumed, 0..=LAST_SEQ)?;
    Ok((stretch, resumed))
}

/// Whether `Accept` prefers a stream of events to JSON (RFC 9110 §12.5.1).
fn wants_stream(request: &impl HttpMessage) -> bool {
    let Ok(Accept(ranges)) = Accept::parse(request) else { return false };
    let quality = |name| ranges.iter().find(|range| range.item.essence_str() == name).map(|range| range.quality);
    let json = quality("application/json").unwrap_or(Quality::ZERO);
    quality("text/event-stream").is_some_and(|stream| stream > Quality::ZERO && stream >= json)
}

fn stream_head() -> actix_web::HttpResponseBuilder {
    let mut reply = HttpResponse::Ok();
    reply
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, PRIVATE))
        // Asks a proxy in front to pass each event on at once.
        .insert_header(("X-Accel-Buffering", "no"));
    reply
}

fn stream(follower: Follower, place: StreamPlace, open: OpenStream) -> HttpResponse {
    let lines = futures_util::stream::unfold((follower, place, open), async |(mut follower, place, open)| {
        let lines = place.hold(follower.next()).await??.lines();
        Some((lines, (follower, place, open)))
    });
    stream_head().streaming(lines)
}

impl FollowItem {
    /// As lines of a stream of server-sent events (WHATWG HTML §9.2).
    fn lines(self) -> serde_json::Result<Bytes> {
        match self {
            Self::Silence => Ok(Bytes::from_static(b":\n\n")),
            Self::Event(event) => {
                let seq = event.seq;
                let json = event.to_json()?;
                Ok(Bytes::from(format!("id: {seq}\ndata: {json}\n\n")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_stream_is_given_to_those_who_prefer_it() {
        let wants = |accept: &'static str| {
            wants_stream(&TestRequest::default().insert_header((ACCEPT, accept)).to_http_request())
        };
        for accept in [
            "text/event-stream",
            "Text/Event-Stream; charset=utf-8",
            "text/event-stream, */*",
            "application/json;q=0.5, text/event-stream",
            "text/event-stream, application/json",
        ] {
            assert!(wants(accept), "{accept}");
        }
        for accept in
            ["*/*", "application/json", "text/*", "text/event-stream;q=0", "application/json, text/event-stream;q=0.9"]
        {
            assert!(!wants(accept), "{accept}");
        }
        assert!(!wants_stream(&TestRequest::default().to_http_request()));
    }
}
