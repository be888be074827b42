//! In which language a caller is answered.

use std::future::{Ready, ready};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_TYPE, HeaderMap, HeaderValue, VARY};
use actix_web::middleware::Next;
use actix_web::{FromRequest, HttpRequest};

use super::problem::Problem;
use crate::text::Language;

/// The caller's language.
#[derive(Clone, Copy)]
pub(super) struct CallerLanguage(pub Language);

impl CallerLanguage {
    fn by(request: &HttpRequest) -> Self {
        let headers = request.headers().get_all(ACCEPT_LANGUAGE);
        Self(Language::accepted(headers.filter_map(|header| header.to_str().ok())))
    }

    /// Tells that a reply is in this language.
    pub(super) fn mark(self, headers: &mut HeaderMap) {
        headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(self.0.tag()));
    }
}

impl FromRequest for CallerLanguage {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::by(request)))
    }
}

/// Puts every problem into the caller's language, whoever found it: nowhere else does one become a
/// body. And whatever is in a language could have been in another (RFC 9110 §12.5.5).
pub(super) async fn speak(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let mut response = next.call(request).await?.map_into_boxed_body();
    if let Some(problem) = response.response().error().and_then(|error| error.as_error::<Problem>()) {
        let spoken = CallerLanguage::by(response.request());
        let body = problem.say(spoken.0);
        response = response.map_body(|_, _| BoxBody::new(body));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        spoken.mark(response.headers_mut());
    }
    if response.headers().contains_key(CONTENT_LANGUAGE) {
        vary(response.headers_mut());
    }
    Ok(response)
}

/// Adds `Accept-Language` to what a reply depends on.
fn vary(headers: &mut HeaderMap) {
    let others = headers.get_all(VARY).filter_map(|others| others.to_str().ok());
    let all = others.chain(["Accept-Language"]).collect::<Vec<_>>().join(", ");
    if let Ok(all) = HeaderValue::from_str(&all) {
        headers.insert(VARY, all);
    }
}
