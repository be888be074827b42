use std::time::Duration;

use reqwest::StatusCode;
use serde::{Deserialize, Serialize};

use crate::{Cell, Code, FaultCode};

/// Why a call has no answer of its own kind.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address given is none of a server.
    #[error("{0} is no address of a server: it looks like http://127.0.0.1:8080")]
    Address(String),
    /// The token given cannot stand in a header.
    #[error("a token has visible ASCII characters only")]
    Token,
    /// A key or a language cannot stand in a header.
    #[error("a key and a language have visible ASCII characters only")]
    Header,
    /// The system's certificates cannot be read, or `https` was asked for without the feature `tls`.
    #[error("no TLS is to be had")]
    Tls(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The server refused.
    #[error("{0}")]
    Problem(Box<Problem>),
    /// No whole answer came, however often it was asked for.
    #[error("the server gave no answer")]
    NoAnswer(#[source] reqwest::Error),
    /// The answer is none of this API's, as from a proxy in between.
    #[error("an answer with status {status} that is none of the API's")]
    Unreadable {
        /// The HTTP status.
        status: StatusCode,
        /// What is wrong with its body.
        #[source]
        source: serde_json::Error,
    },
    /// An answer came without the tag that was asked for.
    #[error("an answer without a tag")]
    NoTag,
    /// The request could not be written as JSON.
    #[error("the request cannot be written as JSON")]
    Unwritable(#[source] serde_json::Error),
    /// The system gives no random bytes, without which no key is safe.
    #[error("the system gives no random bytes")]
    NoEntropy(#[source] getrandom::Error),
}

/// A request that was not carried out (RFC 9457).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{detail}")]
pub struct Problem {
    /// Leads to a page that explains the code.
    pub r#type: String,
    /// What the code is called.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong with this very request.
    pub detail: String,
    /// The stable word for what is wrong.
    pub code: Code,
    /// The current version, with `stale_version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// How many there must be, with `wrong_shot_count` and `wrong_reveal_count`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u8>,
    /// The cells at fault, with `repeated_cell`, `outside_grid`, `already_fired`, `not_revealable`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// Every fault of the layout, with `illegal_layout`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// How long to wait before trying again, where the server said it.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}

/// One thing that is wrong with a layout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// The stable word for it.
    pub code: FaultCode,
    /// The ship's place in the list sent, from 0; none where it is about no ship.
    pub ship: Option<usize>,
    /// The mine's place in the list sent, from 0; none where it is about no mine.
    pub mine: Option<usize>,
    /// The place of the other one of two ships.
    pub other_ship: Option<usize>,
    /// The place of the other one of two mines.
    pub other_mine: Option<usize>,
    /// The cells at fault, as far as they have a name.
    pub cells: Vec<Cell>,
    /// The fault in a sentence.
    pub message: String,
}

impl Error {
    /// The code, where the server refused.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Problem(problem) => Some(problem.code),
            Self::Address(_)
            | Self::Token
            | Self::Header
            | Self::Tls(_)
            | Self::NoAnswer(_)
            | Self::Unreadable { .. }
            | Self::NoTag
            | Self::Unwritable(_)
            | Self::NoEntropy(_) => None,
        }
    }
}
