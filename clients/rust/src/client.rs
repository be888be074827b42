use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::{Checked, Create, Drawn, Error, Lobby, Page, Retries, Rules, Seat, Seating, Table, ToCheck, Token, Wanted};

/// A server of Naval Battle. Clones are cheap and share connections.
#[derive(Clone, Debug)]
pub struct Client {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    http: reqwest::Client,
    base: Url,
    retries: Retries,
}

/// Shorter than servers keep idle connections, so that none is used at the moment when it closes.
const IDLE: Duration = Duration::from_secs(4);

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(5);

impl Client {
    /// The server at an address such as `http://127.0.0.1:8080`; a path in it stands before every
    /// path of the API.
    ///
    /// # Errors
    ///
    /// [`Error::Address`] where that is none, [`Error::NoAnswer`] where the system gives no sockets.
    pub fn new(address: &str) -> Result<Self, Error> {
        let http = reqwest::Client::builder().pool_idle_timeout(IDLE).connect_timeout(CONNECT).build();
        Self::over(http.map_err(Error::NoAnswer)?, address)
    }

    /// The same over connections of one's own making, as for TLS or a proxy.
    ///
    /// # Errors
    ///
    /// [`Error::Address`] where the address is none.
    pub fn over(http: reqwest::Client, address: &str) -> Result<Self, Error> {
        let base = address.parse().ok().filter(|url: &Url| url.has_host() && !url.cannot_be_a_base());
        let base = base.ok_or_else(|| Error::Address(address.to_owned()))?;
        Ok(Self { shared: Arc::new(Shared { http, base, retries: Retries::default() }) })
    }

    /// The same with other retries.
    #[must_use]
    pub fn retrying(&self, retries: Retries) -> Self {
        let Shared { http, base, .. } = &*self.shared;
        Self { shared: Arc::new(Shared { http: http.clone(), base: base.clone(), retries }) }
    }

    /// Creates a game and takes the host's seat.
    ///
    /// # Errors
    ///
    /// [`Error`]
    pub async fn create(&self, game: &Create) -> Result<(Table, Seating), Error> {
        let seating: Seating = self.send(Call::post(self.url(&["games"]), None, game)?).await?;
        Ok((self.seat(&seating.game.id, seating.seat, &seating.token)?, seating))
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
        let mut url = self.shared.base.clone();
        below(&mut url, &["v1"]);
        below(&mut url, path);
        url
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.shared.http
    }

    pub(crate) fn retries(&self) -> Retries {
        self.shared.retries
    }

    pub(crate) async fn send<T: DeserializeOwned>(&self, call: Call<'_>) -> Result<T, Error> {
        call.send(&self.shared.http, self.shared.retries).await
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
