use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, IF_MATCH};
use reqwest::{Method, Request, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::sleep;

use crate::retries::{Retries, retry_after};
use crate::{Code, Error, Problem};

/// How long an answer may take beyond what was asked to be waited for. The server answers within
/// 3 seconds, well or ill.
const PATIENCE: Duration = Duration::from_secs(10);

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// One request, which is built anew from here each time that it is sent.
pub(crate) struct Call<'a> {
    method: Method,
    url: Url,
    body: Option<Bytes>,
    token: Option<&'a HeaderValue>,
    if_match: Option<HeaderValue>,
    patience: Duration,
    counts_once: bool,
}

/// What came of one attempt.
enum Attempt<T> {
    Done(T),
    /// It is not known whether it had an effect.
    Lost(Error, Option<Duration>),
    /// It had none, for now.
    TurnedAway(Error, Option<Duration>),
    Failed(Error),
}

impl<'a> Call<'a> {
    pub(crate) fn get(url: Url, token: Option<&'a HeaderValue>) -> Self {
        Self { method: Method::GET, url, body: None, token, if_match: None, patience: PATIENCE, counts_once: true }
    }

    pub(crate) fn post<B: Serialize>(url: Url, token: Option<&'a HeaderValue>, body: &B) -> Result<Self, Error> {
        let body = serde_json::to_vec(body).map_err(Error::Unwritable)?;
        Ok(Self { method: Method::POST, body: Some(body.into()), ..Self::get(url, token) })
    }

    /// Only while the game is in the state of this tag.
    pub(crate) fn if_match(mut self, tag: Option<HeaderValue>) -> Self {
        self.if_match = tag;
        self
    }

    /// The server is asked to wait so long.
    pub(crate) fn waits(mut self, time: Duration) -> Self {
        self.patience = PATIENCE + time;
        self
    }

    /// What may be done on each turn.
    ///
    /// Where another request of the same seat came first, the server refuses it as `in_flight`,
    /// lest it count on a later turn than the one it was meant for; so would it when sent again.
    pub(crate) fn of_a_turn(mut self) -> Self {
        self.counts_once = false;
        self
    }

    /// Sends it until there is an answer or patience ends.
    pub(crate) async fn send<T: DeserializeOwned>(self, http: &reqwest::Client, retries: Retries) -> Result<T, Error> {
        let key = if self.body.is_some() && retries.most > 0 { Some(new_key()?) } else { None };
        let mut was_lost = false;
        let mut retry = 0;
        loop {
            let (error, asked) = match self.attempt(http, key.as_ref(), was_lost).await {
                Attempt::Done(answer) => return Ok(answer),
                Attempt::Failed(error) => return Err(error),
                Attempt::TurnedAway(error, asked) => (error, asked),
                Attempt::Lost(error, asked) => {
                    was_lost = true;
                    (error, asked)
                }
            };
            match retries.pause(retry, asked) {
                Some(pause) => sleep(pause).await,
                None => return Err(error),
            }
            retry += 1;
        }
    }

    async fn attempt<T: DeserializeOwned>(
        &self,
        http: &reqwest::Client,
        key: Option<&HeaderValue>,
        was_lost: bool,
    ) -> Attempt<T> {
        let response = match http.execute(self.request(key)).await {
            Ok(response) => response,
            Err(error) => return Attempt::Lost(Error::NoAnswer(error), None),
        };
        let (status, asked) = (response.status(), retry_after(response.headers()));
        let body = match response.bytes().await {
            Ok(body) => body,
            Err(error) => return Attempt::Lost(Error::NoAnswer(error), None),
        };
        if status.is_success() {
            return match serde_json::from_slice(&body) {
                Ok(answer) => Attempt::Done(answer),
                Err(source) => Attempt::Failed(Error::Unreadable { status, source }),
            };
        }
        let error = refusal(status, &body, asked);
        let is_exact = self.counts_once || self.if_match.is_some() || was_lost;
        match (status, error.code()) {
            (StatusCode::TOO_MANY_REQUESTS, _) => Attempt::TurnedAway(error, asked),
            (StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT, _) => {
                Attempt::Lost(error, asked)
            }
            (_, Some(Code::InFlight)) if is_exact => Attempt::TurnedAway(error, asked),
            _ => Attempt::Failed(error),
        }
    }

    fn request(&self, key: Option<&HeaderValue>) -> Request {
        let mut request = Request::new(self.method.clone(), self.url.clone());
        *request.timeout_mut() = Some(self.patience);
        *request.body_mut() = self.body.clone().map(Into::into);
        let headers = request.headers_mut();
        if self.body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let own = [(AUTHORIZATION, self.token), (IDEMPOTENCY_KEY, key), (IF_MATCH, self.if_match.as_ref())];
        insert(headers, own);
        request
    }
}

fn insert<const N: usize>(headers: &mut HeaderMap, values: [(HeaderName, Option<&HeaderValue>); N]) {
    for (name, value) in values {
        if let Some(value) = value {
            headers.insert(name, value.clone());
        }
    }
}

/// What the server, or somebody in between, said instead of an answer.
pub(crate) fn refusal(status: StatusCode, body: &[u8], asked: Option<Duration>) -> Error {
    match serde_json::from_slice::<Problem>(body) {
        Ok(problem) => Error::Problem(Box::new(Problem { retry_after: asked, ..problem })),
        Err(source) => Error::Unreadable { status, source },
    }
}

/// A key that nobody else has: on create and join it is as secret as the token that it brings back.
fn new_key() -> Result<HeaderValue, Error> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(Error::NoEntropy)?;
    // Of 24 bytes base64 makes 32 characters, all of which a header may hold.
    let mut key = HeaderValue::from_str(&URL_SAFE_NO_PAD.encode(bytes)).map_err(|_| Error::Token)?;
    key.set_sensitive(true);
    Ok(key)
}
