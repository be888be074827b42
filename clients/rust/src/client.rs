use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::call::{Answer, Call};
use crate::{
    Checked, Create, Drawn, Error, GamesFeed, Glance, Key, Known, Lobby, Page, Retries, Rules, Seat, Seating, Table,
    ToCheck, Token, Wanted, tls,
};

/// A server of Naval Battle. Clones are cheap and share connections.
#[derive(Clone, Debug)]
pub struct Client {
    link: Arc<Link>,
}

/// How a server is reached.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) http: reqwest::Client,
    pub(crate) retries: Retries,
    pub(crate) language: Option<HeaderValue>,
    base: Url,
}

#[derive(Serialize)]
struct Glances<'a> {
    games: &'a [Known],
}

#[derive(Deserialize)]
struct Told {
    games: Vec<Option<Glance>>,
}

/// Shorter than servers keep idle connections, so that none is used at the moment when it closes.
const IDLE: Duration = Duration::from_secs(4);

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);

impl Client {
    /// The server at an address such as `http://127.0.0.1:8080`; a path in it stands before every
    /// path of the API. Addresses with `https` need the feature `tls`, which is on by default.
    ///
    /// # Errors
    ///
    /// [`Error::Address`] where that is none, [`Error::Tls`] where there is no TLS for one with `https`,
    /// [`Error::NoAnswer`] where the system gives no sockets.
    pub fn new(address: &str) -> Result<Self, Error> {
        let builder = reqwest::Client::builder().pool_idle_timeout(IDLE).connect_timeout(CONNECT);
        let needs_tls = address.trim_start().get(..6).is_some_and(|start| start.eq_ignore_ascii_case("https:"));
        let http = tls::connecting(builder, needs_tls)?.build();
        Self::over(http.map_err(Error::NoAnswer)?, address)
    }

    /// The same over connections of one's own making, as through a proxy.
    ///
    /// # Errors
    ///
    /// [`Error::Address`] where the address is none.
    pub fn over(http: reqwest::Client, address: &str) -> Result<Self, Error> {
        let base = address.parse().ok().filter(|url: &Url| url.has_host() && !url.cannot_be_a_base());
        let base = base.ok_or_else(|| Error::Address(address.to_owned()))?;
        Ok(Self { link: Arc::new(Link { http, base, retries: Retries::default(), language: None }) })
    }

    /// The same with other retries.
    #[must_use]
    pub fn retrying(&self, retries: Retries) -> Self {
        Self { link: Arc::new(Link { retries, ..Link::clone(&self.link) }) }
    }

    /// The same with titles and details in a language, as `Accept-Language` has it: `de`, or `fi, en;q=0.5`.
    ///
    /// # Errors
    ///
    /// [`Error::Header`] where it cannot stand in a header.
    pub fn speaking(&self, language: &str) -> Result<Self, Error> {
        let language = Some(HeaderValue::from_str(language).map_err(|_| Error::Header)?);
        Ok(Self { link: Arc::new(Link { language, ..Link::clone(&self.link) }) })
    }

    /// Creates a game and takes the host's seat.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn create(&self, game: &Create) -> Result<(Table, Seating), Error> {
        self.take_seat(Call::post(self.url(&["games"]), None, game)?).await
    }

    /// The same under a key of one's own: whoever asks again with it gets the same seat.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn create_under(&self, key: &Key, game: &Create) -> Result<(Table, Seating), Error> {
        self.take_seat(Call::post(self.url(&["games"]), None, game)?.under(key)).await
    }

    /// Where games stand, 1 to 50 of them, through the seats that the tokens open; none for one that is not there.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn status(&self, games: &[Known]) -> Result<Vec<Option<Glance>>, Error> {
        let asked = Glances { games };
        let told: Told = self.send(Call::post(self.url(&["games", "status"]), None, &asked)?).await?;
        Ok(told.games)
    }

    /// Follows several games live by one stream, 1 to 50 of them: each from the event behind the `seq` that stands
    /// beside its id, until all have ended.
    pub fn feed(&self, games: &[(&str, u32)]) -> GamesFeed {
        GamesFeed::new(self, games)
    }

    /// The games that their hosts offer to strangers.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn list(&self, page: &Page) -> Result<Lobby, Error> {
        let mut url = self.url(&["games"]);
        let limit = page.limit.map(|limit| limit.to_string());
        query(&mut url, &[("limit", limit.as_deref()), ("after", page.after.as_deref())]);
        self.send(Call::get(url, None)).await
    }

    /// A game as a spectator sees it; whoever comes first may join it.
    pub fn table(&self, id: &str) -> Table {
        Table::watched(self.clone(), id)
    }

    /// A seat that was taken before, by what was kept of it.
    ///
    /// # Errors
    ///
    /// [`Error::Token`] where the token is none.
    pub fn seat(&self, id: &str, seat: Seat, token: &Token) -> Result<Table, Error> {
        Table::seated(self.clone(), id, seat, token)
    }

    /// A legal layout, each as likely as any other; with a seed always the same one.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn random_layout(&self, wanted: &Wanted) -> Result<Drawn, Error> {
        self.send(Call::post(self.url(&["layouts", "random"]), None, wanted)?).await
    }

    /// What is wrong with a layout, and where one more mine could lie.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn check_layout(&self, layout: &ToCheck) -> Result<Checked, Error> {
        self.send(Call::post(self.url(&["layouts", "check"]), None, layout)?).await
    }

    /// The rules of the game.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn rules(&self) -> Result<Rules, Error> {
        self.send(Call::get(self.url(&["rules"]), None)).await
    }

    /// A path of the API.
    pub(crate) fn url(&self, path: &[&str]) -> Url {
        let mut url = self.link.base.clone();
        below(&mut url, &["v1"]);
        below(&mut url, path);
        url
    }

    async fn take_seat(&self, call: Call<'_>) -> Result<(Table, Seating), Error> {
        let seating: Seating = self.send(call).await?;
        Ok((self.seat(&seating.game.id, seating.seat, &seating.token)?, seating))
    }

    pub(crate) fn link(&self) -> &Link {
        &self.link
    }

    pub(crate) async fn send<T: DeserializeOwned>(&self, call: Call<'_>) -> Result<T, Error> {
        call.send(&self.link).await
    }

    pub(crate) async fn ask(&self, call: Call<'_>) -> Result<Answer, Error> {
        call.ask(&self.link).await
    }
}

/// Goes down a path, whatever is written in its parts.
pub(crate) fn below(url: &mut Url, path: &[&str]) {
    // There is no path where there is no host, and such an address was refused.
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
}

/// Adds those that are there.
pub(crate) fn query(url: &mut Url, pairs: &[(&str, Option<&str>)]) {
    for (name, value) in pairs {
        if let Some(value) = value {
            url.query_pairs_mut().append_pair(name, value);
        }
    }
}
