use std::ops::RangeInclusive;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, IF_MATCH, IF_NONE_MATCH,
};
use actix_web::web::{Bytes, BytesMut};
use actix_web::{FromRequest, HttpRequest};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;

use super::operation::Operation;
use super::problem::Problem;
use crate::deadlines;
use crate::schema::{self, Code, Misread};
use crate::service::{Key, LONGEST_KEY, Malformed, Move, MoveRequest, Precondition, Repeatable, SHORTEST_SECRET};
use crate::text::Message;

/// The most bytes that a body may have: no legal request has more.
pub(super) const BODY_LIMIT: usize = 16 * 1024;

/// Names a request, so that it can be repeated safely.
pub(super) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Query, headers and body as they came: what they say is read once game and token are known to
/// be good. Only a body that is too large or never comes fails before.
pub(super) struct RawRequest {
    headers: HeaderMap,
    query: String,
    body: Bytes,
}

/// Whether an operation takes an empty body for `{}`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EmptyBody {
    /// It does, and then needs no `Content-Type`.
    IsEmptyObject,
    /// It does not, and such a request lacks its `Content-Type`.
    IsMalformed,
}

impl FromRequest for RawRequest {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let headers = request.headers().clone();
        let query = request.query_string().to_owned();
        let payload = payload.take();
        Box::pin(async move {
            let body = tokio::time::timeout(deadlines::BODY, receive(&headers, payload)).await.map_err(|_| {
                Problem::new(Code::RequestTimeout, Message::BodyIsLate { seconds: deadlines::BODY.as_secs() })
            })??;
            Ok(Self { headers, query, body })
        })
    }
}

async fn receive(headers: &HeaderMap, mut payload: Payload) -> Result<Bytes, Problem> {
    let too_large = || Problem::new(Code::BodyTooLarge, Message::BodyHasLimit { limit: BODY_LIMIT });
    let promised = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if promised.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > BODY_LIMIT)) {
        return Err(too_large());
    }
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| Malformed::content(Message::BodyBrokeOff))?;
        if body.len() + chunk.len() > BODY_LIMIT {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

impl RawRequest {
    /// Reads what a seat asks for: the move that its body stands for, `If-Match` and
    /// `Idempotency-Key`.
    ///
    /// # Errors
    ///
    /// Those of [`RawRequest::body`], then 400 for the headers.
    pub(super) fn read_move<T: DeserializeOwned>(
        &self,
        operation: &Operation,
        empty: EmptyBody,
        read: impl FnOnce(T) -> Result<Move, Misread>,
    ) -> Result<MoveRequest, Malformed> {
        Ok(MoveRequest {
            action: read(self.body(empty)?)?,
            precondition: self.if_match()?,
            repeatable: self.repeatable(operation)?,
        })
    }

    /// Reads the body of an operation without query parameters.
    ///
    /// # Errors
    ///
    /// 415, then 400 for the query, then 400 for the body.
    pub(super) fn body<T: DeserializeOwned>(&self, empty: EmptyBody) -> Result<T, Malformed> {
        let body = if self.body.is_empty() && empty == EmptyBody::IsEmptyObject {
            b"{}"
        } else {
            self.check_type()?;
            &*self.body
        };
        self.no_query()?;
        Ok(schema::read(body)?)
    }

    /// Refuses any query parameter.
    ///
    /// # Errors
    ///
    /// `400 malformed` that names the first.
    pub(super) fn no_query(&self) -> Result<(), Malformed> {
        self.query_of(&[]).map(|_| ())
    }

    /// Reads the query: the value of each of these parameters, in this order.
    ///
    /// # Errors
    ///
    /// `400 malformed` for an unknown or doubled parameter.
    pub(super) fn query_of<const COUNT: usize>(
        &self,
        names: &[&str; COUNT],
    ) -> Result<[Option<String>; COUNT], Malformed> {
        let mut values = [const { None }; COUNT];
        for (name, value) in form_urlencoded::parse(self.query.as_bytes()) {
            let slot = names.iter().zip(&mut values).find(|(known, _)| **known == name);
            match slot {
                Some((_, slot @ None)) => *slot = Some(value.into_owned()),
                Some((known, Some(_))) => {
                    return Err(Malformed::content(Message::ParameterTwice { name: (*known).to_owned() }));
                }
                None if COUNT == 0 => return Err(Malformed::content(Message::NoParameters)),
                None => {
                    return Err(Malformed::content(Message::UnknownParameter { known: names.join(", ") }));
                }
            }
        }
        Ok(values)
    }

    /// Reads a parameter of the query whatever else stands there.
    ///
    /// # Errors
    ///
    /// `400 malformed` where it stands twice.
    pub(super) fn parameter(&self, name: &str) -> Result<Option<String>, Malformed> {
        let mut values = form_urlencoded::parse(self.query.as_bytes()).filter(|(known, _)| known == name);
        match (values.next(), values.next()) {
            (value, None) => Ok(value.map(|(_, value)| value.into_owned())),
            (_, Some(_)) => Err(Malformed::content(Message::ParameterTwice { name: name.to_owned() })),
        }
    }

    /// Reads a header that may stand once.
    ///
    /// # Errors
    ///
    /// `400 malformed` where it stands twice or is no text.
    pub(crate) fn single_header(&self, name: &str) -> Result<Option<&str>, Malformed> {
        let mut values = self.headers.get_all(name);
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => value
                .to_str()
                .map(Some)
                .map_err(|_| Malformed::content(Message::HeaderIsNoText { name: name.to_owned() })),
            (Some(_), Some(_)) => Err(Malformed::content(Message::HeaderTwice { name: name.to_owned() })),
        }
    }

    /// Reads `Idempotency-Key`: what names a request that may be repeated.
    pub(crate) fn repeatable(&self, operation: &Operation) -> Result<Option<Repeatable>, Malformed> {
        let Some(text) = self.single_header(IDEMPOTENCY_KEY)? else { return Ok(None) };
        let key = Key::parse(text).ok_or_else(|| Malformed::content(Message::KeyForm { most: LONGEST_KEY }))?;
        Ok(Some(Repeatable { key, path: operation.path_below_game(), body: self.body.to_vec() }))
    }

    /// Reads an `Idempotency-Key` that stands for a seat: it is as secret as a token.
    ///
    /// # Errors
    ///
    /// `400 malformed`, also for one that is short enough to be guessed.
    pub(crate) fn secretly_repeatable(&self, operation: &Operation) -> Result<Option<Repeatable>, Malformed> {
        let repeatable = self.repeatable(operation)?;
        if repeatable.as_ref().is_some_and(|repeatable| !repeatable.key.is_secret()) {
            return Err(Malformed::content(Message::KeyIsSecret { least: SHORTEST_SECRET }));
        }
        Ok(repeatable)
    }

    /// Reads `If-Match`.
    pub(super) fn if_match(&self) -> Result<Option<Precondition>, Malformed> {
        self.precondition(&IF_MATCH)
    }

    /// Reads `If-None-Match`.
    pub(super) fn if_none_match(&self) -> Result<Option<Precondition>, Malformed> {
        self.precondition(&IF_NONE_MATCH)
    }

    fn precondition(&self, name: &HeaderName) -> Result<Option<Precondition>, Malformed> {
        let malformed = || Malformed::content(Message::IsEntityTags { name: name.to_string() });
        let mut text = String::new();
        for value in self.headers.get_all(name) {
            let separator = if text.is_empty() { "" } else { "," };
            text = text + separator + value.to_str().map_err(|_| malformed())?;
        }
        if !self.headers.contains_key(name) {
            return Ok(None);
        }
        Precondition::parse(&text).map(Some).ok_or_else(malformed)
    }

    /// A body is JSON, as it is.
    fn check_type(&self) -> Result<(), Malformed> {
        if self.headers.contains_key(CONTENT_ENCODING) {
            return Err(Malformed::MediaType(Message::BodyWithoutEncoding));
        }
        let mut types = self.headers.get_all(CONTENT_TYPE);
        let (first, second) = (types.next(), types.next());
        let essence = first
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split(';').next())
            .map(|essence| essence.trim().to_ascii_lowercase());
        match (essence.as_deref(), second) {
            (Some("application/json"), None) => Ok(()),
            (Some(_), Some(_)) => Err(Malformed::content(Message::HeaderTwice { name: CONTENT_TYPE.to_string() })),
            (Some(_), None) => Err(Malformed::MediaType(Message::BodyIsJson)),
            (None, _) => Err(Malformed::MediaType(Message::BodyNeedsType)),
        }
    }
}

/// Reads a whole number in digits alone, within bounds.
///
/// # Errors
///
/// `400 malformed` that names the parameter and its bounds.
pub(super) fn whole_number<T>(
    name: &str,
    text: Option<&str>,
    default: T,
    bounds: RangeInclusive<T>,
) -> Result<T, Malformed>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    let Some(text) = text else { return Ok(default) };
    Some(text)
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| text.parse::<T>().ok())
        .filter(|number| bounds.contains(number))
        .ok_or_else(|| {
            let (min, max) = (bounds.start().to_string(), bounds.end().to_string());
            Malformed::content(Message::WholeNumberBetween { name: name.to_owned(), min, max })
        })
}

/// Reads for how long a reply may be held back.
///
/// # Errors
///
/// `400 malformed` beyond what a client may ask for.
pub(super) fn seconds_to_wait(wait: Option<&str>) -> Result<Duration, Malformed> {
    whole_number("wait", wait, 0, 0..=deadlines::LONGEST_WAIT.as_secs()).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_digits_alone() {
        assert_eq!(whole_number("limit", None, 100, 1..=500).ok(), Some(100));
        assert_eq!(whole_number("limit", Some("007"), 100, 1..=500).ok(), Some(7));
        for text in ["", "+5", "-1", "0", "501", "1.0", "5 ", "99999999999999999999"] {
            assert!(whole_number("limit", Some(text), 100, 1..=500).is_err(), "{text}");
        }
    }
}
