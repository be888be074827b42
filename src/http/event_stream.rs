//! Streams of server-sent events (WHATWG HTML §9.2).

use std::fmt::Display;

use actix_web::http::header::{Accept, CACHE_CONTROL, CONTENT_TYPE, Header as _, Quality};
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpResponse, HttpResponseBuilder};
use futures_util::{Stream, StreamExt as _};

use super::reply::PRIVATE;
use super::stream_quota::StreamPlace;
use crate::metrics::OpenStream;

/// Whether `Accept` likes a stream of events better than JSON (RFC 9110 §12.5.1). At a tie it does not: whoever lists all
/// that the document names, as generated clients do, reads JSON.
pub(super) fn is_liked_better(request: &impl HttpMessage) -> bool {
    let Ok(Accept(ranges)) = Accept::parse(request) else { return false };
    let of = |name: &str| ranges.iter().find(|range| range.item.essence_str() == name).map(|range| range.quality);
    // The most specific range decides.
    let quality = |names: [&str; 3]| names.into_iter().find_map(of).unwrap_or(Quality::ZERO);
    quality(["text/event-stream", "text/*", "*/*"]) > quality(["application/json", "application/*", "*/*"])
}

/// A stream without its events, as `HEAD` gets it.
pub(super) fn head() -> HttpResponseBuilder {
    let mut reply = HttpResponse::Ok();
    reply
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, PRIVATE))
        // Asks a proxy in front to pass each event on at once.
        .insert_header(("X-Accel-Buffering", "no"));
    reply
}

/// Sends these lines as they come, for as long as there is the place.
pub(super) fn send(
    lines: impl Stream<Item = serde_json::Result<Bytes>> + 'static,
    place: StreamPlace,
    open: OpenStream,
) -> HttpResponse {
    let held = (Box::pin(lines), place, open);
    head().streaming(futures_util::stream::unfold(held, async |(mut lines, place, open)| {
        let next = place.hold(lines.next()).await??;
        Some((next, (lines, place, open)))
    }))
}

/// An event: where a stream goes on after it, and its only line of data.
pub(super) fn event(id: impl Display, json: &str) -> Bytes {
    Bytes::from(format!("id: {id}\ndata: {json}\n\n"))
}

/// A comment, which says that nothing has come.
pub(super) fn silence() -> Bytes {
    Bytes::from_static(b":\n\n")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_stream_is_given_to_those_who_like_it_better_than_json() {
        let likes = |accept: &'static str| {
            is_liked_better(&TestRequest::default().insert_header((ACCEPT, accept)).to_http_request())
        };
        for accept in [
            "text/event-stream",
            "Text/Event-Stream; charset=utf-8",
            "text/*",
            "text/event-stream, */*;q=0.9",
            "text/event-stream, application/json;q=0.9",
            "application/json;q=0.5, text/event-stream",
            "application/*;q=0.2, text/*;q=0.3",
            "*/*, application/json;q=0",
        ] {
            assert!(likes(accept), "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "application/json",
            "application/json, text/event-stream, application/problem+json",
            "text/event-stream, application/json",
            "text/event-stream, */*",
            "text/event-stream;q=0",
            "text/event-stream;q=0, */*",
            "text/event-stream;q=0.1, text/*, */*;q=0.1",
            "application/json, text/event-stream;q=0.9",
            "application/json;q=0.9, text/event-stream;q=0.1",
            "application/json, text/plain, */*",
            "application/json, */*;q=0.1",
            "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
            "image/png",
            "nonsense",
        ] {
            assert!(!likes(accept), "{accept}");
        }
        assert!(!is_liked_better(&TestRequest::default().to_http_request()));
    }
}
