use actix_web::body::{BoxBody, MessageBody as _};
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, LOCATION, VARY};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;

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

/// A reply in JSON.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Reply {
    Ok(HttpResponseBuilder::new(status).insert_header((CONTENT_TYPE, "application/json")).body(written(body)?))
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
    let body = serde_json::to_vec(body).map_err(cannot_be_written)?;
    Ok(if body.len() > AT_A_TIME { Slices(body.into()).boxed() } else { BoxBody::new(body) })
}

/// `500 internal` for a body that cannot be written.
#[expect(clippy::needless_pass_by_value, reason = "it is mapped over")]
pub(super) fn cannot_be_written(error: serde_json::Error) -> Problem {
    log::error!("a reply could not be written: {error}");
    Problem::internal()
}
