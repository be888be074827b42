use std::time::Duration;

use actix_web::http::Method;
use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::unfold;
use uuid::Uuid;

use crate::address::Address;
use crate::http::claims::Guesser;
use crate::http::event_stream::is_liked_better;
use crate::http::operation::{Operation, Subject};
use crate::http::operations::stream::LAST_SEQ;
use crate::http::problem::Problem;
use crate::http::reply::{self, Reply};
use crate::http::request::{RawRequest, seconds_to_wait, whole_number};
use crate::http::stream_quota::{Following, StreamQuota};
use crate::http::{ServerSettings, event_stream};
use crate::metrics::Metrics;
use crate::schema::{Code, FeedBody, MOST_GAMES, game_id, in_feed, joined};
use crate::service::{Credential, FeedItem, FeedReading, Games, Gathered, Malformed, Named, Origin};
use crate::text::Message;

pub(in crate::http) static FEED: Operation = Operation {
    subject: Subject::Games,
    refusals: &[&[Code::GameNotFound]],
    ..Operation::new::<__path_feed>("/v1/feed", || web::to(feed))
};

/// Follow many games
///
/// The logs of up to 50 games in one, each in order: every event has its `game` before all else. It
/// begins with what comes next, or after the events that `after` names, one of each game in their
/// order, joined by dots: zeros are the beginning.
///
/// With `wait` the reply is held back while there is nothing. Where `Accept` likes `text/event-stream`
/// better than JSON it is a stream of server-sent events, whose `id` goes into `after`. It begins after
/// `Last-Event-ID`, else after `lastEventId`, else after `after`, has a comment every 15 seconds, ends
/// when all games have ended, and is `204` where nothing is left to come.
#[utoipa::path(
    get,
    operation_id = "followGames",
    path = FEED.path,
    tag = "games",
    params(
        ("games" = String, Query, min_length = 1, max_length = 1849, pattern = "^[^,]+(,[^,]+){0,49}$", example = "019a0f3c-5d1e-7c4b-9a66-2f8e1b7d4c05", description = "The games' ids, each once, separated by commas."),
        ("after" = Option<String>, Query, pattern = r"^[0-9]{1,10}(\.[0-9]{1,10}){0,49}$", example = "0", description = "Only events with a greater `seq`: one of each game, joined by dots. Default: what comes next."),
        ("wait" = Option<u8>, Query, minimum = 0, maximum = 25, example = 0, description = "Seconds to wait while there is nothing. Default 0. A stream ignores it."),
        ("lastEventId" = Option<String>, Query, pattern = r"^[0-9]{1,10}(\.[0-9]{1,10}){0,49}$", example = "0", description = "The same as `Last-Event-ID`, for those who cannot send headers."),
        ("Last-Event-ID" = Option<String>, Header, pattern = r"^[0-9]{1,10}(\.[0-9]{1,10}){0,49}$", example = "0", description = "Where a stream goes on: the `id` of the last event that came."),
    ),
    responses(
        (status = 200, description = "A page of the feed, or a stream of it.", content(
            (FeedBody = "application/json"),
            (String = "text/event-stream"),
        ), headers(("X-Accel-Buffering"))),
        (status = 204, description = "A stream was asked for and nothing is left to come."),
    )
)]
pub(crate) async fn feed(
    games: Data<Games>,
    (places, settings, metrics): (Data<StreamQuota>, Data<ServerSettings>, Data<Metrics>),
    origin: Origin,
    guesser: Guesser,
    request: RawRequest,
    http: HttpRequest,
) -> Reply {
    let (head, streams) = (http.method() == Method::HEAD, is_liked_better(&http));
    let address = Address::of(&http, settings.proxies);
    let named = read_names(&request);
    let asked = named.as_ref().map_err(Malformed::clone).and_then(|named| Asked::read(&request, named.len()));
    if streams || asked.as_ref().is_ok_and(|asked| !asked.wait.is_zero()) {
        places.look(address, None)?;
    }
    let named = named?;
    let ids: Vec<Option<Uuid>> = named.iter().map(|name| game_id(name)).collect();
    let mut gathering = match look_up(&games, &guesser, origin, &ids).await? {
        Gathered::All(gathering) => gathering,
        Gathered::Missing(missing) => {
            let unknown = missing.iter().filter_map(|at| named.get(*at).cloned()).collect();
            return Err(Problem::no_such_games(unknown));
        }
    };
    let Asked { after, resumed, wait } = asked?;
    if streams {
        gathering.resume(resumed);
        if gathering.is_done() {
            return Ok(HttpResponse::NoContent().finish());
        }
        if head {
            return Ok(event_stream::head().finish());
        }
        let place = places.take(address, Following::Stream, None, &http)?;
        let ids: Vec<Uuid> = ids.into_iter().flatten().collect();
        let lines = unfold((gathering.follow().await?, ids), async |(mut follower, ids)| {
            let lines = lines(follower.next().await?, &ids);
            Some((lines, (follower, ids)))
        });
        return Ok(event_stream::send(lines, place, metrics.open_stream()));
    }
    gathering.resume(after);
    let page = match gathering.page(if head { Duration::ZERO } else { wait }).await? {
        FeedReading::Done(page) => page,
        FeedReading::Ahead(awaited) => {
            let place = places.take(address, Following::Wait, None, &http)?;
            let nothing = awaited.nothing();
            place.hold(awaited.wait()).await.unwrap_or(Ok(nothing))?
        }
    };
    reply::public_page(&http, "Accept-Encoding", &FeedBody::from(page))
}

/// Finds the games, and counts those that are not there as failed guesses.
async fn look_up(games: &Games, guesser: &Guesser, origin: Origin, ids: &[Option<Uuid>]) -> Result<Gathered, Problem> {
    let named: Vec<Named> = ids.iter().map(|game| Named { game: *game, token: Credential::Nothing }).collect();
    let is_there = |gathered: &Gathered, at| match gathered {
        Gathered::All(_) => true,
        Gathered::Missing(missing) => !missing.contains(&at),
    };
    guesser.look_up(&named, games.gather(origin, ids), is_there).await
}

/// The games as they are named.
fn read_names(request: &RawRequest) -> Result<Vec<String>, Malformed> {
    let malformed = || Malformed::content(Message::GamesAreListed { name: "games".to_owned(), most: MOST_GAMES });
    let text = request.parameter("games")?.ok_or_else(malformed)?;
    let names: Vec<String> = text.split(',').map(str::to_owned).collect();
    let is_once = |(at, name): (usize, &String)| !name.is_empty() && !names.iter().take(at).any(|other| other == name);
    let all_once = names.len() <= MOST_GAMES && names.iter().enumerate().all(is_once);
    if all_once { Ok(names) } else { Err(malformed()) }
}

/// What is asked for beside the games.
struct Asked {
    /// After which events a page begins; none where it begins with what comes next.
    after: Option<Vec<u32>>,
    /// After which events a stream begins.
    resumed: Option<Vec<u32>>,
    wait: Duration,
}

impl Asked {
    /// All is read either way: what is malformed is refused also where it would be ignored.
    fn read(request: &RawRequest, count: usize) -> Result<Self, Malformed> {
        let [_, after, wait, last] = request.query_of(&["games", "after", "wait", "lastEventId"])?;
        let after = read_positions("after", after.as_deref(), count)?;
        let wait = seconds_to_wait(wait.as_deref())?;
        let last = read_positions("lastEventId", last.as_deref(), count)?;
        let sent = read_positions("Last-Event-ID", request.single_header("last-event-id")?, count)?;
        Ok(Self { resumed: sent.or(last).or_else(|| after.clone()), after, wait })
    }
}

/// Reads a position in each of so many logs.
fn read_positions(name: &str, text: Option<&str>, count: usize) -> Result<Option<Vec<u32>>, Malformed> {
    let Some(text) = text else { return Ok(None) };
    let malformed = || Malformed::content(Message::IsPositions { name: name.to_owned(), count });
    let positions: Vec<u32> = text
        .split('.')
        .map(|position| whole_number(name, Some(position), 0, 0..=LAST_SEQ).map_err(|_| malformed()))
        .collect::<Result<_, _>>()?;
    if positions.len() == count { Ok(Some(positions)) } else { Err(malformed()) }
}

/// As lines of the stream.
fn lines(item: FeedItem, ids: &[Uuid]) -> serde_json::Result<Bytes> {
    match item {
        FeedItem::Silence => Ok(event_stream::silence()),
        FeedItem::Event { place, event, reached } => {
            let game = ids.get(place).copied().unwrap_or_default();
            Ok(event_stream::event(joined(&reached), &in_feed(game, &event)?))
        }
    }
}
