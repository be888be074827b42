use futures_util::stream::{self, Stream};
use reqwest::Url;
use reqwest::header::HeaderValue;

use crate::client::{Client, query};
use crate::wire::Wire;
use crate::{Error, Event};

/// A game followed live: every event once, in order, up to the last one of the game.
///
/// A stream that breaks off is opened again behind the last event that came, for as long as it takes: a server that
/// is away is waited for, with pauses that double up to half a minute. Whoever has waited enough drops it.
#[derive(Debug)]
pub struct Feed {
    wire: Wire,
    last: u32,
}

/// Several games followed live by one stream: every event of each once, in its order, until all have ended.
///
/// The event's `game` says which one it is of. It goes on like a [`Feed`].
#[derive(Debug)]
pub struct GamesFeed {
    wire: Wire,
    games: Vec<Followed>,
}

/// A game among others.
#[derive(Debug)]
struct Followed {
    id: String,
    last: u32,
    has_ended: bool,
}

impl Feed {
    pub(crate) fn new(client: &Client, url: Url, authorization: Option<HeaderValue>, after: u32) -> Self {
        Self { wire: Wire::new(client.clone(), url, authorization), last: after }
    }

    /// The same, with this called at anything that comes, comments too, which come every 15 seconds: the connection
    /// is alive.
    #[must_use]
    pub fn heard(mut self, heard: impl Fn() + Send + Sync + 'static) -> Self {
        self.wire.tell(heard);
        self
    }

    /// The next event; none after the last one of the game.
    ///
    /// # Errors
    ///
    /// [`Error::Problem`] or [`Error::Unreadable`] where it is refused for good.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        loop {
            let Some(event) = self.wire.next::<Event>(&self.last.to_string()).await? else { return Ok(None) };
            if event.seq > self.last.saturating_add(1) {
                // Something was left out: what is missing comes behind the last event that came.
                self.wire.reopen(None).await;
            } else if event.seq > self.last {
                self.last = event.seq;
                if event.result.is_some() {
                    self.wire.end();
                }
                return Ok(Some(event));
            }
        }
    }

    /// The same as a stream, which ends with the game or with the first error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Event, Error>> {
        stream::try_unfold(self, async |mut feed| Ok(feed.next().await?.map(|event| (event, feed))))
    }
}

impl GamesFeed {
    pub(crate) fn new(client: &Client, games: &[(&str, u32)]) -> Self {
        let ids: Vec<&str> = games.iter().map(|(id, _)| *id).collect();
        let mut url = client.url(&["feed"]);
        query(&mut url, &[("games", Some(&ids.join(",")))]);
        let followed = |&(id, last): &(&str, u32)| Followed { id: id.to_owned(), last, has_ended: false };
        let mut wire = Wire::new(client.clone(), url, None);
        if games.is_empty() {
            wire.end();
        }
        Self { wire, games: games.iter().map(followed).collect() }
    }

    /// The same, with this called at anything that comes, comments too, which come every 15 seconds: the connection
    /// is alive.
    #[must_use]
    pub fn heard(mut self, heard: impl Fn() + Send + Sync + 'static) -> Self {
        self.wire.tell(heard);
        self
    }

    /// The next event of any of the games; none once all have ended.
    ///
    /// # Errors
    ///
    /// [`Error::Problem`] or [`Error::Unreadable`] where it is refused for good.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        loop {
            let reached: Vec<String> = self.games.iter().map(|game| game.last.to_string()).collect();
            let Some(event) = self.wire.next::<Event>(&reached.join(".")).await? else { return Ok(None) };
            let of = |game: &&mut Followed| event.game.as_ref() == Some(&game.id);
            let Some(game) = self.games.iter_mut().find(of) else { continue };
            if event.seq > game.last.saturating_add(1) {
                self.wire.reopen(None).await;
            } else if event.seq > game.last {
                game.last = event.seq;
                game.has_ended = event.result.is_some();
                if self.games.iter().all(|game| game.has_ended) {
                    self.wire.end();
                }
                return Ok(Some(event));
            }
        }
    }

    /// The same as a stream, which ends with the games or with the first error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Event, Error>> {
        stream::try_unfold(self, async |mut feed| Ok(feed.next().await?.map(|event| (event, feed))))
    }
}
