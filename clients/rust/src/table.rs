use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderValue;
use reqwest::{StatusCode, Url};
use serde::Serialize;

use crate::call::Call;
use crate::client::{Client, below, query};
use crate::request::{Fire, Join, Nothing, Reveal};
use crate::{
    Analysis, Cell, Chances, Download, Error, Event, Eyes, Feed, Game, Key, Layout, Log, Moment, Progress, Proof, Seat,
    Seating, Stretch, Token, Verification,
};

/// The most events of an answer.
const MOST_EVENTS: u32 = 500;

/// A game, from one of its seats or from beside the table. Clones are cheap.
#[derive(Clone, Debug)]
pub struct Table {
    client: Client,
    place: Arc<Place>,
    version: Option<u32>,
}

#[derive(Debug)]
struct Place {
    id: String,
    url: Url,
    seat: Option<Seat>,
    authorization: Option<HeaderValue>,
}

impl Table {
    pub(crate) fn watched(client: Client, id: &str) -> Self {
        let url = url_of(&client, id);
        let place = Place { id: id.to_owned(), url, seat: None, authorization: None };
        Self { client, place: Arc::new(place), version: None }
    }

    pub(crate) fn seated(client: Client, id: &str, seat: Seat, token: &Token) -> Result<Self, Error> {
        let bearer = HeaderValue::from_str(&format!("Bearer {}", token.as_str()));
        let mut authorization = bearer.map_err(|_| Error::Token)?;
        authorization.set_sensitive(true);
        let url = url_of(&client, id);
        let place = Place { id: id.to_owned(), url, seat: Some(seat), authorization: Some(authorization) };
        Ok(Self { client, place: Arc::new(place), version: None })
    }

    /// The game's id.
    pub fn id(&self) -> &str {
        &self.place.id
    }

    /// One's seat; none from beside the table.
    pub fn seat(&self) -> Option<Seat> {
        self.place.seat
    }

    /// The same, with joins and moves that count only while the game is at this version, else
    /// they are refused as `stale_version`.
    #[must_use]
    pub fn at(&self, version: u32) -> Self {
        Self { version: Some(version), ..self.clone() }
    }

    /// Takes the guest's seat.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn join(&self, name: Option<&str>) -> Result<(Self, Seating), Error> {
        self.take_seat(self.post("join", &Join { name })?).await
    }

    /// The same under a key of one's own: whoever asks again with it gets the same seat.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn join_under(&self, key: &Key, name: Option<&str>) -> Result<(Self, Seating), Error> {
        self.take_seat(self.post("join", &Join { name })?.under(key)).await
    }

    /// Hides ships and mines, for good.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn place(&self, layout: &Layout) -> Result<Progress, Error> {
        self.client.send(self.post("place", layout)?).await
    }

    /// Fires at cells of the other side: one, with Salvo as many as are awaited.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn fire(&self, shots: &[Cell]) -> Result<Progress, Error> {
        self.client.send(self.post("fire", &Fire { shots })?.of_a_turn()).await
    }

    /// Gives away cells of one's own ships: as many as are awaited.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn reveal(&self, cells: &[Cell]) -> Result<Progress, Error> {
        self.client.send(self.post("reveal", &Reveal { cells })?.of_a_turn()).await
    }

    /// Gives up.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn resign(&self) -> Result<Progress, Error> {
        self.client.send(self.post("resign", &Nothing {})?).await
    }

    /// The same seat of another game between the same players, once this one has ended.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn rematch(&self) -> Result<(Self, Seating), Error> {
        self.take_seat(self.post("rematch", &Nothing {})?).await
    }

    /// The game as one may see it.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn look(&self) -> Result<Game, Error> {
        self.client.send(self.get(&[], &[])).await
    }

    /// The game as one may see it, once it is another one than this tag is of; none where it stayed the same for so
    /// many seconds, 0 to 25.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn look_past(&self, tag: &str, wait: u8) -> Result<Option<Game>, Error> {
        let tag = HeaderValue::from_str(tag).map_err(|_| Error::Header)?;
        let seconds = (wait > 0).then(|| wait.to_string());
        let call = self.get(&[], &[("wait", seconds.as_deref())]).if_none_match(tag);
        let answer = self.client.ask(call.waits(Duration::from_secs(wait.into()))).await?;
        if answer.status == StatusCode::NOT_MODIFIED { Ok(None) } else { answer.read().map(Some) }
    }

    /// The tag of what one would see, such as `"9-host"`: it changes with every event, and once there is a rematch.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn tag(&self) -> Result<String, Error> {
        let answer = match self.client.ask(self.get(&[], &[]).head()).await {
            // Why it is refused is said to `GET` alone.
            Err(Error::Unreadable { status, .. }) if status.is_client_error() => {
                self.client.ask(self.get(&[], &[])).await?
            }
            answer => answer?,
        };
        answer.tag.ok_or(Error::NoTag)
    }

    /// The game and its whole log as anybody gets them, byte for byte.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn download(&self) -> Result<Download, Error> {
        let open = Self::watched(self.client.clone(), &self.place.id);
        let game = open.client.ask(open.get(&[], &[])).await?;
        let Game { version, .. } = game.read()?;
        let mut events = String::new();
        let mut after = 0;
        while after < version {
            // No event that came since the game was read.
            let limit = (version - after).min(MOST_EVENTS);
            let (from, most) = (after.to_string(), limit.to_string());
            let query = [("after", Some(&*from)), ("limit", Some(&*most))];
            let page = open.client.ask(open.get(&["events"], &query)).await?;
            let separator = if after > 0 { "\n" } else { "" };
            events.push_str(separator);
            events.push_str(&page.text());
            after += limit;
        }
        Ok(Download { game: game.text(), events })
    }

    /// A proof that the cells of this `fired` or `revealed` hold what was said.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn proof(&self, seq: u32) -> Result<Proof, Error> {
        self.client.send(self.get(&["events", &seq.to_string(), "proof"], &[])).await
    }

    /// How well and how luckily each side has played, once the game is finished.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn analysis(&self) -> Result<Analysis, Error> {
        self.client.send(self.get(&["analysis"], &[])).await
    }

    /// What the seat that fired could reckon before this event, once the game is finished.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn chances(&self, seq: u32) -> Result<Chances, Error> {
        self.client.send(self.get(&["analysis", &seq.to_string()], &[])).await
    }

    /// The game as it was at a moment.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn replay(&self, moment: Moment) -> Result<Game, Error> {
        let upto = moment.upto.map(|upto| upto.to_string());
        let eyes = moment.eyes.map(Eyes::word);
        let query = [("upto", upto.as_deref()), ("as", eyes)];
        self.client.send(self.get(&["replay"], &query)).await
    }

    /// What the server finds when it checks the game.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn verify(&self) -> Result<Verification, Error> {
        self.client.send(self.get(&["verify"], &[])).await
    }

    /// A part of the log.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn events(&self, stretch: Stretch) -> Result<Log, Error> {
        let after = stretch.after.to_string();
        let limit = stretch.limit.map(|limit| limit.to_string());
        let wait = (stretch.wait > 0).then(|| stretch.wait.to_string());
        let query = [("after", Some(&*after)), ("limit", limit.as_deref()), ("wait", wait.as_deref())];
        let call = self.get(&["events"], &query).waits(Duration::from_secs(stretch.wait.into()));
        self.client.send(call).await
    }

    /// The whole log as it is by now.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn log(&self) -> Result<Vec<Event>, Error> {
        let mut events: Vec<Event> = Vec::new();
        loop {
            let after = events.last().map_or(0, |last| last.seq);
            let log = self.events(Stretch { after, limit: Some(500), wait: 0 }).await?;
            let is_whole = log.events.last().is_none_or(|last| last.seq >= log.version);
            events.extend(log.events);
            if is_whole {
                return Ok(events);
            }
        }
    }

    /// Follows the game from the event behind this `seq` to its last one; 0 is from the first.
    pub fn follow(&self, after: u32) -> Feed {
        let Place { url, authorization, .. } = &*self.place;
        let mut url = url.clone();
        below(&mut url, &["events"]);
        Feed::new(&self.client, url, authorization.clone(), after)
    }

    async fn take_seat(&self, call: Call<'_>) -> Result<(Self, Seating), Error> {
        let seating: Seating = self.client.send(call).await?;
        Ok((self.client.seat(&seating.game.id, seating.seat, &seating.token)?, seating))
    }

    fn get(&self, path: &[&str], pairs: &[(&str, Option<&str>)]) -> Call<'_> {
        let mut url = self.place.url.clone();
        below(&mut url, path);
        query(&mut url, pairs);
        Call::get(url, self.place.authorization.as_ref())
    }

    fn post<B: Serialize>(&self, action: &str, body: &B) -> Result<Call<'_>, Error> {
        let mut url = self.place.url.clone();
        below(&mut url, &[action]);
        Ok(Call::post(url, self.place.authorization.as_ref(), body)?.if_match(self.own_tag()))
    }

    /// The `ETag` of the version that is insisted on.
    fn own_tag(&self) -> Option<HeaderValue> {
        let eyes = self.place.seat.map_or("spectator", Seat::word);
        HeaderValue::from_str(&format!("\"{}-{eyes}\"", self.version?)).ok()
    }
}

/// Where a game is. What a URL would drop from its path is no id, and must not lead elsewhere.
fn url_of(client: &Client, id: &str) -> Url {
    let is_dropped = id.bytes().all(|byte| byte == b'.');
    client.url(&["games", if is_dropped { "-" } else { id }])
}
