use std::convert::Infallible;
use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use uuid::Uuid;

use super::request::IDEMPOTENCY_KEY;
use super::serve::{Limits, ServerSettings};
use crate::address::Address;
use crate::schema::game_id;
use crate::service::{Caller, Credential, Key, Origin};

/// It judges nothing: extractors run together, and the first failure
/// would answer, in whatever order.
impl FromRequest for Caller {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

/// Without limits nobody's share is counted, so all come from nowhere.
impl FromRequest for Origin {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

impl Origin {
    fn of(request: &HttpRequest) -> Self {
        let settings = request.app_data::<Data<ServerSettings>>();
        let limited = settings.filter(|settings| settings.limits == Limits::On);
        Self(limited.and_then(|settings| Address::of(request, settings.proxies)))
    }
}

impl Caller {
    /// Whoever sent this request.
    pub(in crate::http) fn of(request: &HttpRequest) -> Self {
        let game = request.match_info().get("game_id").and_then(game_id);
        let headers = request.headers();
        let key = headers.get(IDEMPOTENCY_KEY).and_then(|key| Key::parse(key.to_str().ok()?));
        Self { origin: Origin::of(request), game, token: credential(headers), key }
    }

    /// The game that a caller without a token asks for.
    pub(in crate::http) fn spectated(&self) -> Option<Uuid> {
        self.game.filter(|_| self.token == Credential::Nothing)
    }
}

/// Reads the token; the scheme's name is the same in any case (RFC 9110 §11.1).
fn credential(headers: &HeaderMap) -> Credential {
    let mut values = headers.get_all(AUTHORIZATION);
    match (values.next(), values.next()) {
        (None, _) => Credential::Nothing,
        (Some(value), None) => value
            .to_str()
            .ok()
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map_or(Credential::Invalid, |(_, token)| Credential::parse(token.trim_start_matches(' '))),
        (Some(_), Some(_)) => Credential::Invalid,
    }
}
