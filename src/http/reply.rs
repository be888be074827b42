use std::io::Write as _;

use actix_web::body::{BoxBody, MessageBody as _};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, LOCATION, VARY,
};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::encoding::accepts_gzip;
use super::files::{AT_A_TIME, Slices};
use super::problem::Problem;
use super::rate_limit::NewSeat;
use crate::entropy::Token;
use crate::schema::SeatingBody;
use crate::service::Tag;

/// What a handler answers.
pub(super) type Reply = Result<HttpResponse, Problem>;

/// The reply of a game may be kept by nobody but who asked, and must be asked for anew. A proxy that compressed it would
/// change its tag, and have its length tell of what is hidden in it.
pub(super) const PRIVATE: &str = "private, no-cache, no-transform";

/// What every reply of a game has.
pub(super) const OF_A_GAME: [(HeaderName, HeaderValue); 2] =
    [(CACHE_CONTROL, HeaderValue::from_static(PRIVATE)), (VARY, HeaderValue::from_static("Authorization"))];

/// What every reply about many games has.
pub(super) const OF_GAMES: [(HeaderName, HeaderValue); 1] = [(CACHE_CONTROL, HeaderValue::from_static(PRIVATE))];

/// Adds a header of requests to those that a reply depends on.
pub(super) fn vary_by(name: &str, headers: &mut HeaderMap) {
    let known = headers.get_all(VARY).filter_map(|names| names.to_str().ok());
    let mut names: Vec<&str> = known.flat_map(|names| names.split(',')).map(str::trim).collect();
    if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        names.push(name);
    }
    #[expect(clippy::expect_used, reason = "it was made of headers")]
    let all = HeaderValue::from_str(&names.join(", ")).expect("a list of headers is a header");
    headers.insert(VARY, all);
}

/// A reply in JSON.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Reply {
    Ok(HttpResponseBuilder::new(status).insert_header((CONTENT_TYPE, "application/json")).body(written(body)?))
}

/// A page of what everybody may know, packed for whoever takes that, where it is worth it. What else a game answers is
/// never packed: its length would tell of what is hidden in it.
pub(super) fn public_page(request: &HttpRequest, vary: &'static str, body: &impl Serialize) -> Reply {
    let mut body = serde_json::to_vec(body).map_err(cannot_be_written)?;
    let mut reply = HttpResponse::Ok();
    reply
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((CACHE_CONTROL, PRIVATE))
        .insert_header((VARY, vary));
    if body.len() > WORTH_PACKING && accepts_gzip(request) {
        body = packed(&body).map_err(|error| cannot_be_written(serde_json::Error::io(error)))?;
        reply.insert_header((CONTENT_ENCODING, "gzip"));
    }
    Ok(reply.body(sliced(body)))
}

/// What is shorter travels in one packet anyway.
const WORTH_PACKING: usize = 1_024;

/// Packs quickly: a log becomes a fifth as long, and a better packing of it costs thrice the time.
fn packed(plain: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(plain)?;
    gzip.finish()
}

/// A reply that shows a state of a game.
pub(super) fn tagged(tag: Tag, body: &impl Serialize) -> Reply {
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((ETAG, tag.to_string()))
        .body(written(body)?))
}

/// The state is the one that the caller has.
pub(super) fn not_modified(tag: Tag) -> HttpResponse {
    HttpResponse::NotModified().insert_header((ETAG, tag.to_string())).finish()
}

/// A seat with its token: for nobody to keep.
pub(super) fn seating(tag: Tag, location: Option<String>, body: &SeatingBody) -> Reply {
    let mut reply = HttpResponse::Created();
    reply
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((ETAG, tag.to_string()))
        .insert_header((CACHE_CONTROL, "no-store"));
    if let Some(location) = location {
        reply.insert_header((LOCATION, location));
    }
    let mut reply = reply.body(written(body)?);
    if let Some(token) = Token::parse(&body.token) {
        reply.extensions_mut().insert(NewSeat { game: body.game.id, token });
    }
    Ok(reply)
}

fn written(body: &impl Serialize) -> Result<BoxBody, Problem> {
    serde_json::to_vec(body).map(sliced).map_err(cannot_be_written)
}

fn sliced(body: Vec<u8>) -> BoxBody {
    if body.len() > AT_A_TIME { Slices(body.into()).boxed() } else { BoxBody::new(body) }
}

/// `500 internal` for a body that cannot be written.
#[expect(clippy::needless_pass_by_value, reason = "it is mapped over")]
pub(super) fn cannot_be_written(error: serde_json::Error) -> Problem {
    log::error!("a reply could not be written: {error}");
    Problem::internal()
}
