use std::time::Duration;

use futures_util::stream::{self, Stream};
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::{Method, Request, Response, StatusCode, Url};
use tokio::time::{sleep, timeout};

use crate::call::refusal;
use crate::client::Client;
use crate::lines::Lines;
use crate::retries::retry_after;
use crate::{Error, Event};

/// A game followed live: every event once, in order, up to the last one of the game.
///
/// A stream that breaks off is opened again behind the last event that came, after a pause as
/// [`Retries`](crate::Retries) say; anything that comes, be it a comment, starts their count anew.
#[derive(Debug)]
pub struct Feed {
    client: Client,
    url: Url,
    authorization: Option<HeaderValue>,
    last: u32,
    state: State,
    /// How often in a row it broke off before anything came.
    failures: u32,
}

#[derive(Debug)]
enum State {
    Closed,
    Open { response: Response, lines: Lines },
    Over,
}

/// Silence for so long is a connection that is gone: the server sends a comment every 15 seconds.
const SILENCE: Duration = Duration::from_secs(40);

/// How long a stream may take to begin.
const OPENING: Duration = Duration::from_secs(10);

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// What the stream gave.
enum Given {
    Event(Box<Event>),
    Comment,
    Nothing(Error),
}

impl Feed {
    pub(crate) fn new(client: Client, url: Url, authorization: Option<HeaderValue>, after: u32) -> Self {
        Self { client, url, authorization, last: after, state: State::Closed, failures: 0 }
    }

    /// The next event; none after the last one of the game.
    ///
    /// # Errors
    ///
    /// [`Error::Problem`] where the server refuses, [`Error::NoAnswer`], [`Error::Torn`] or
    /// [`Error::Unreadable`] where retries have not helped. Asked again it tries again.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        loop {
            let given = match &mut self.state {
                State::Over => return Ok(None),
                State::Closed => match self.open().await {
                    Ok(()) => continue,
                    Err((error, asked)) => {
                        self.pause(error, asked).await?;
                        continue;
                    }
                },
                State::Open { response, lines } => read(response, lines).await,
            };
            match given {
                Given::Event(event) if event.seq <= self.last => {}
                Given::Event(event) if event.seq == self.last + 1 => {
                    self.failures = 0;
                    self.last = event.seq;
                    if event.result.is_some() {
                        self.state = State::Over;
                    }
                    return Ok(Some(*event));
                }
                // Something was left out: what is missing comes behind the last event that came.
                Given::Event(_) => self.close(Error::Torn).await?,
                Given::Comment => self.failures = 0,
                Given::Nothing(error) => self.close(error).await?,
            }
        }
    }

    /// The same as a stream, which ends with the game or with the first error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Event, Error>> {
        stream::try_unfold(self, async |mut feed| Ok(feed.next().await?.map(|event| (event, feed))))
    }

    /// Opens it behind the last event that came.
    async fn open(&mut self) -> Result<(), (Error, Option<Duration>)> {
        let mut request = Request::new(Method::GET, self.url.clone());
        let headers = request.headers_mut();
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        headers.insert(LAST_EVENT_ID, self.last.into());
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        let opening = timeout(OPENING, self.client.http().execute(request)).await;
        let response = opening.map_err(|_| (Error::Torn, None))?.map_err(|error| (Error::NoAnswer(error), None))?;
        self.state = match response.status() {
            StatusCode::OK => State::Open { response, lines: Lines::default() },
            StatusCode::NO_CONTENT => State::Over,
            status => {
                let asked = retry_after(response.headers());
                let body = response.bytes().await.map_err(|error| (Error::NoAnswer(error), asked))?;
                return Err((refusal(status, &body, asked), asked));
            }
        };
        Ok(())
    }

    async fn close(&mut self, error: Error) -> Result<(), Error> {
        self.state = State::Closed;
        self.pause(error, None).await
    }

    /// Waits before the next try, or gives up.
    async fn pause(&mut self, error: Error, asked: Option<Duration>) -> Result<(), Error> {
        let is_final = match &error {
            Error::Problem(problem) => ![429, 502, 503, 504].contains(&problem.status),
            Error::Unreadable { status, .. } => !status.is_server_error(),
            Error::NoAnswer(_) | Error::Torn => false,
            Error::Address(_) | Error::Token | Error::Unwritable(_) | Error::NoEntropy(_) => true,
        };
        let pause = self.client.retries().pause(self.failures, asked).filter(|_| !is_final);
        let Some(pause) = pause else {
            self.failures = 0;
            return Err(error);
        };
        self.failures += 1;
        sleep(pause).await;
        Ok(())
    }
}

/// Reads on.
async fn read(response: &mut Response, lines: &mut Lines) -> Given {
    loop {
        match lines.next().map(|block| block.data) {
            Some(Some(data)) => {
                let status = response.status();
                return match serde_json::from_str(&data) {
                    Ok(event) => Given::Event(Box::new(event)),
                    Err(source) => Given::Nothing(Error::Unreadable { status, source }),
                };
            }
            Some(None) => return Given::Comment,
            None => {}
        }
        match timeout(SILENCE, response.chunk()).await {
            Ok(Ok(Some(bytes))) => lines.push(&bytes),
            Ok(Ok(None)) | Err(_) => return Given::Nothing(Error::Torn),
            Ok(Err(error)) => return Given::Nothing(Error::NoAnswer(error)),
        }
    }
}
