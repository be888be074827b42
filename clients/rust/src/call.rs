use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{
    ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_NONE_MATCH,
};
use reqwest::{Method, Request, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::sleep;

use crate::client::Link;
use crate::retries::retry_after;
use crate::{Code, Error, Key, Problem};

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
    if_none_match: Option<HeaderValue>,
    key: Option<Key>,
    patience: Duration,
    counts_once: bool,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) body: Bytes,
    pub(crate) tag: Option<String>,
}

/// What came of one attempt.
enum Attempt {
    Done(Answer),
    /// It is not known whether it had an effect.
    Lost(Error, Option<Duration>),
    /// It had none, for now.
    TurnedAway(Error, Option<Duration>),
    Failed(Error),
}

impl<'a> Call<'a> {
    pub(crate) fn get(url: Url, token: Option<&'a HeaderValue>) -> Self {
        let (if_match, if_none_match) = (None, None);
        let (method, patience) = (Method::GET, PATIENCE);
        Self { method, url, body: None, token, if_match, if_none_match, key: None, patience, counts_once: true }
    }

    pub(crate) fn post<B: Serialize>(url: Url, token: Option<&'a HeaderValue>, body: &B) -> Result<Self, Error> {
        let body = serde_json::to_vec(body).map_err(Error::Unwritable)?;
        Ok(Self { method: Method::POST, body: Some(body.into()), ..Self::get(url, token) })
    }

    /// The same without what would be read.
    pub(crate) fn head(self) -> Self {
        Self { method: Method::HEAD, ..self }
    }

    /// Under this key.
    pub(crate) fn under(mut self, key: &Key) -> Self {
        self.key = Some(key.clone());
        self
    }

    /// Only where there is something else than this tag is of.
    pub(crate) fn if_none_match(mut self, tag: HeaderValue) -> Self {
        self.if_none_match = Some(tag);
        self
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

    /// Sends it until there is an answer or patience ends, and reads that.
    pub(crate) async fn send<T: DeserializeOwned>(self, link: &Link) -> Result<T, Error> {
        self.ask(link).await?.read()
    }

    /// Sends it until there is an answer or patience ends.
    pub(crate) async fn ask(mut self, link: &Link) -> Result<Answer, Error> {
        let Link { http, retries, language, .. } = link;
        if self.key.is_none() && self.body.is_some() && retries.most > 0 {
            self.key = Some(Key::random()?);
        }
        let mut was_lost = false;
        let mut retry = 0;
        loop {
            let (error, asked) = match self.attempt(http, language.as_ref(), was_lost).await {
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

    async fn attempt(&self, http: &reqwest::Client, language: Option<&HeaderValue>, was_lost: bool) -> Attempt {
        let response = match http.execute(self.request(language)).await {
            Ok(response) => response,
            Err(error) => return Attempt::Lost(Error::NoAnswer(error), None),
        };
        let (status, asked) = (response.status(), retry_after(response.headers()));
        let tag = response.headers().get(ETAG).and_then(|tag| Some(tag.to_str().ok()?.to_owned()));
        let body = match response.bytes().await {
            Ok(body) => body,
            Err(error) => return Attempt::Lost(Error::NoAnswer(error), None),
        };
        if status.is_success() || status == StatusCode::NOT_MODIFIED {
            return Attempt::Done(Answer { status, body, tag });
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

    fn request(&self, language: Option<&HeaderValue>) -> Request {
        let mut request = Request::new(self.method.clone(), self.url.clone());
        *request.timeout_mut() = Some(self.patience);
        *request.body_mut() = self.body.clone().map(Into::into);
        let headers = request.headers_mut();
        if self.body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let own = [
            (ACCEPT_LANGUAGE, language),
            (AUTHORIZATION, self.token),
            (IDEMPOTENCY_KEY, self.key.as_ref().map(Key::header)),
            (IF_MATCH, self.if_match.as_ref()),
            (IF_NONE_MATCH, self.if_none_match.as_ref()),
        ];
        insert(headers, own);
        request
    }
}

impl Answer {
    /// Reads it as JSON.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(&self.body).map_err(|source| Error::Unreadable { status: self.status, source })
    }

    /// Its text, as it came.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
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
