use actix_web::http::Method;
use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::unfold;

use crate::address::Address;
use crate::http::operation::{KEPT, Operation, Subject};
use crate::http::parameters::GameId;
use crate::http::reply::Reply;
use crate::http::request::{RawRequest, whole_number};
use crate::http::stream_quota::{Following, StreamQuota};
use crate::http::{ServerSettings, event_stream};
use crate::metrics::Metrics;
use crate::service::{Caller, FollowItem, Games, Malformed};

/// The largest `seq`.
pub(super) const LAST_SEQ: u32 = 2_147_483_647;

pub(in crate::http) static STREAM: Operation = Operation {
    subject: Subject::Game,
    refusals: &[KEPT],
    ..Operation::new::<__path_stream>("/v1/games/{game_id}/stream", || web::to(stream))
};

/// Follow the log
///
/// The log as a stream of server-sent events, whatever `Accept` says: for each event an `id`, its
/// `seq`, and one line of `data`, the event. It begins after `Last-Event-ID`, else after
/// `lastEventId`, else after `after`, has a comment every 15 seconds, ends after the game's last
/// event, and is `204` where nothing is left to come.
#[utoipa::path(
    get,
    operation_id = "streamEvents",
    path = STREAM.path,
    tag = "games",
    params(
        GameId,
        ("after" = Option<u32>, Query, minimum = 0, maximum = 2_147_483_647, example = 0, description = "Only events with a greater `seq`. Default 0."),
        ("lastEventId" = Option<u32>, Query, minimum = 0, maximum = 2_147_483_647, example = 0, description = "The same as `Last-Event-ID`, for those who cannot send headers."),
        ("Last-Event-ID" = Option<u32>, Header, minimum = 0, maximum = 2_147_483_647, example = 0, description = "Where the stream goes on: the `seq` of the last event that came."),
    ),
    responses(
        (status = 200, description = "The events, each a `GameEvent` in one line of `data`.", content((String = "text/event-stream")), headers(("X-Accel-Buffering"))),
        (status = 204, description = "Nothing is left to come."),
    )
)]
pub(crate) async fn stream(
    games: Data<Games>,
    places: Data<StreamQuota>,
    settings: Data<ServerSettings>,
    metrics: Data<Metrics>,
    caller: Caller,
    request: RawRequest,
    http: HttpRequest,
) -> Reply {
    let after = read_after(&request);
    let follow = Follow { games: &games, places: &places, settings: &settings, metrics: &metrics, http: &http };
    follow.stream(&caller, after).await
}

fn read_after(request: &RawRequest) -> Result<u32, Malformed> {
    let [after, last] = request.query_of(&["after", "lastEventId"])?;
    let after = whole_number("after", after.as_deref(), 0, 0..=LAST_SEQ)?;
    resumed_after(request, after, last.as_deref())
}

/// After which event a stream goes on that would begin after this one.
pub(super) fn resumed_after(request: &RawRequest, after: u32, last: Option<&str>) -> Result<u32, Malformed> {
    let resumed = whole_number("lastEventId", last, after, 0..=LAST_SEQ)?;
    whole_number("Last-Event-ID", request.single_header("last-event-id")?, resumed, 0..=LAST_SEQ)
}

/// What it takes to follow a log.
pub(super) struct Follow<'a> {
    pub games: &'a Games,
    pub places: &'a StreamQuota,
    pub settings: &'a ServerSettings,
    pub metrics: &'a Metrics,
    pub http: &'a HttpRequest,
}

impl Follow<'_> {
    /// Streams the log of the caller's game from after an event on. `HEAD` is answered at once.
    pub(super) async fn stream(self, caller: &Caller, after: Result<u32, Malformed>) -> Reply {
        let address = Address::of(self.http, self.settings.proxies);
        // That there is no place is said before anything is looked up, where it does not take a look to know.
        self.places.look(address, caller.spectated())?;
        let game = self.games.enter(caller).await?;
        let game_and_seat = Some((game.game(), game.seat()));
        let Some(follower) = game.follow(after?) else { return Ok(HttpResponse::NoContent().finish()) };
        if self.http.method() == Method::HEAD {
            return Ok(event_stream::head().finish());
        }
        let place = self.places.take(address, Following::Stream, game_and_seat, self.http)?;
        let lines = unfold(follower, async |mut follower| {
            let lines = follower.next().await?.lines();
            Some((lines, follower))
        });
        Ok(event_stream::send(lines, place, self.metrics.open_stream()))
    }
}

impl FollowItem {
    fn lines(self) -> serde_json::Result<Bytes> {
        match self {
            Self::Silence => Ok(event_stream::silence()),
            Self::Event(event) => Ok(event_stream::event(event.seq, &event.to_json()?)),
        }
    }
}
