use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, HeaderName, HeaderValue};
use reqwest::{Method, Request, Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use tokio::time::{sleep, timeout};

use crate::Error;
use crate::call::refusal;
use crate::client::Client;
use crate::lines::Lines;
use crate::retries::retry_after;

/// A stream of events that is opened again whenever it breaks off, for as long as it takes.
#[derive(Debug)]
pub(crate) struct Wire {
    client: Client,
    url: Url,
    authorization: Option<HeaderValue>,
    state: State,
    /// How often in a row it broke off before anything came.
    failures: u32,
    heard: Option<Heard>,
}

#[derive(Debug)]
enum State {
    Closed,
    Open { response: Response, lines: Lines },
    Over,
}

/// What is called at anything that comes.
#[derive(Clone)]
struct Heard(Arc<dyn Fn() + Send + Sync>);

/// Silence for so long is a connection that is gone: the server sends a comment every 15 seconds.
const SILENCE: Duration = Duration::from_secs(40);

/// How long a stream may take to begin.
const OPENING: Duration = Duration::from_secs(10);

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

impl Wire {
    pub(crate) fn new(client: Client, url: Url, authorization: Option<HeaderValue>) -> Self {
        Self { client, url, authorization, state: State::Closed, failures: 0, heard: None }
    }

    /// Has this called at anything that comes, comments too.
    pub(crate) fn tell(&mut self, heard: impl Fn() + Send + Sync + 'static) {
        self.heard = Some(Heard(Arc::new(heard)));
    }

    /// The next event that comes, wherever it stands; none where nothing comes any more. A stream that has to be
    /// opened begins behind what was reached.
    ///
    /// # Errors
    ///
    /// Where the server refuses for good.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self, reached: &str) -> Result<Option<T>, Error> {
        loop {
            let lost = match &mut self.state {
                State::Over => return Ok(None),
                State::Closed => match self.open(reached).await {
                    Ok(()) => {
                        self.hear();
                        None
                    }
                    Err(lost) => Some(lost?),
                },
                State::Open { response, lines } => match read(response, lines).await {
                    Some(data) => {
                        self.failures = 0;
                        self.hear();
                        match data.map(|data| serde_json::from_str(&data)) {
                            Some(Ok(event)) => return Ok(Some(event)),
                            // What is no event may come whole the next time.
                            Some(Err(_)) => Some(None),
                            None => None,
                        }
                    }
                    None => Some(None),
                },
            };
            if let Some(asked) = lost {
                self.reopen(asked).await;
            }
        }
    }

    /// Leaves the stream, to open it again after a pause.
    pub(crate) async fn reopen(&mut self, asked: Option<Duration>) {
        self.state = State::Closed;
        let pause = self.client.link().retries.pause_of_stream(self.failures, asked);
        self.failures = self.failures.saturating_add(1);
        sleep(pause).await;
    }

    /// Nothing comes any more.
    pub(crate) fn end(&mut self) {
        self.state = State::Over;
    }

    fn hear(&self) {
        if let Some(Heard(heard)) = &self.heard {
            heard();
        }
    }

    /// Opens it; else says when it may be tried again, or why not.
    async fn open(&mut self, reached: &str) -> Result<(), Result<Option<Duration>, Error>> {
        let link = self.client.link();
        let mut request = Request::new(Method::GET, self.url.clone());
        let headers = request.headers_mut();
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        headers.insert(LAST_EVENT_ID, HeaderValue::from_str(reached).map_err(|_| Err(Error::Header))?);
        for (name, value) in [(AUTHORIZATION, &self.authorization), (ACCEPT_LANGUAGE, &link.language)] {
            if let Some(value) = value {
                headers.insert(name, value.clone());
            }
        }
        let Ok(Ok(response)) = timeout(OPENING, link.http.execute(request)).await else { return Err(Ok(None)) };
        let (status, asked) = (response.status(), retry_after(response.headers()));
        self.state = match status {
            StatusCode::OK => State::Open { response, lines: Lines::default() },
            StatusCode::NO_CONTENT => State::Over,
            _ if may_pass(status) => return Err(Ok(asked)),
            _ => {
                let Ok(Ok(body)) = timeout(OPENING, response.bytes()).await else { return Err(Ok(asked)) };
                return Err(Err(refusal(status, &body, asked)));
            }
        };
        Ok(())
    }
}

impl fmt::Debug for Heard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Heard(…)")
    }
}

/// Whether what was refused may be had later.
fn may_pass(status: StatusCode) -> bool {
    let late = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    status.is_server_error() || late.contains(&status)
}

/// The next block, of which a comment has no data; none where the stream breaks off.
async fn read(response: &mut Response, lines: &mut Lines) -> Option<Option<String>> {
    loop {
        if let Some(block) = lines.next() {
            return Some(block.data);
        }
        match timeout(SILENCE, response.chunk()).await {
            Ok(Ok(Some(bytes))) => lines.push(&bytes),
            Ok(Ok(None) | Err(_)) | Err(_) => return None,
        }
    }
}
