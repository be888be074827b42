//! In which language a caller is answered.

use std::future::{Ready, ready};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, HeaderMap, HeaderValue, VARY};
use actix_web::middleware::Next;
use actix_web::{FromRequest, HttpRequest};

use super::problem::Problem;
use crate::text::Language;

/// The caller's language.
#[derive(Clone, Copy)]
pub(super) struct Spoken(pub Language);

impl Spoken {
    fn by(request: &HttpRequest) -> Self {
        let headers = request.headers().get_all(ACCEPT_LANGUAGE);
        Self(Language::accepted(headers.filter_map(|header| header.to_str().ok())))
    }

    /// Tells that a reply is in this language.
    pub(super) fn mark(self, headers: &mut HeaderMap) {
        headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(self.0.tag()));
    }
}

impl FromRequest for Spoken {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::by(request)))
    }
}

/// Whatever is in a language could have been in another (RFC 9110 §12.5.5).
pub(super) async fn speak(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let mut response = next.call(request).await?.map_into_boxed_body();
    if response.headers().contains_key(CONTENT_LANGUAGE) {
        vary(response.headers_mut());
    }
    Ok(response)
}

/// Adds `Accept-Language` to what a reply depends on.
fn vary(headers: &mut HeaderMap) {
    let others = headers.get(VARY).and_then(|others| others.to_str().ok());
    let all = others.map_or_else(|| "Accept-Language".to_owned(), |others| format!("{others}, Accept-Language"));
    if let Ok(all) = HeaderValue::from_str(&all) {
        headers.insert(VARY, all);
    }
}
