use serde::{Deserialize, Serialize};

use crate::Options;

/// A page of the games that strangers may join, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lobby {
    /// The games.
    pub games: Vec<Offer>,
    /// What [`Page::after`] is for the next page; none at the end.
    pub next: Option<String>,
}

/// A game that can be joined.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// Its id.
    pub id: String,
    /// When it was created (RFC 3339).
    pub created_at: String,
    /// What is played.
    pub options: Options,
    /// Who waits.
    pub host: Host,
    /// When it expires unless somebody joins (RFC 3339).
    pub until: Option<String>,
}

/// Who waits for somebody to join.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Host {
    /// The name, if given.
    pub name: Option<String>,
}

/// Which page of the list to read. The default is the first, of twenty games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// At most so many, 1 to 100.
    pub limit: Option<u8>,
    /// What [`Lobby::next`] of the page before said.
    pub after: Option<String>,
}
