use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Map, Value};
use uuid::Uuid;

use crate::answer::proofs_in;
use crate::file_text::{NoText, decode};
use crate::{GameBody, Proof};

/// A downloaded game: what `GET` of the game and of its whole log gave.
pub struct Download {
    /// The game as `GET` of it gave it.
    pub game: GameBody,
    /// Its events, from the first to the last.
    pub events: Vec<Value>,
}

/// The files are no downloaded game.
#[derive(Debug, thiserror::Error)]
pub enum NoDownload {
    /// A file cannot be read.
    #[error("{} cannot be read", file.display())]
    Unreadable {
        /// The file that was to be read.
        file: PathBuf,
        /// What the system says of it.
        #[source]
        cause: io::Error,
    },
    /// A file holds something else.
    #[error("{} is not {what}", file.display())]
    SomethingElse {
        /// The file that was read.
        file: PathBuf,
        /// What it should be.
        what: &'static str,
        /// What it is.
        #[source]
        cause: SomethingElse,
    },
}

/// What a file is instead.
#[derive(Debug, thiserror::Error)]
pub enum SomethingElse {
    /// No text.
    #[error(transparent)]
    NoText(#[from] NoText),
    /// The log in place of the game.
    #[error("it is a game's log; the game goes first, then its log")]
    Log,
    /// The game in place of the log.
    #[error("it is the game itself; its log is what /events below the game gives")]
    Game,
    /// What the server said when it refused.
    #[error("it is the server's refusal, {status} {code}: {detail}")]
    Refusal {
        /// The HTTP status.
        status: u64,
        /// The stable word for what was wrong.
        code: String,
        /// The sentence about the request.
        detail: String,
    },
    /// A stream of events as it came.
    #[error("it is a stream of server-sent events; ask for application/json")]
    Stream,
    /// JSON that ends too soon.
    #[error("it ends in the middle, so the download broke off")]
    CutOff,
    /// Other JSON, or none.
    #[error(transparent)]
    Json(serde_json::Error),
}

/// What is odd about a log as it was downloaded, before anything in it is checked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Odd {
    /// There is nothing in it.
    #[error("the log has no events")]
    Empty,
    /// It is that of another game.
    #[error("the log is that of game {log}, not of {game}")]
    OtherGame {
        /// Whose log it is.
        log: Uuid,
        /// Which game was given with it.
        game: Uuid,
    },
    /// Its first pages are missing.
    #[error("the log begins with event {first}: the pages before it are missing")]
    Beginning {
        /// The first event that is there.
        first: u64,
    },
    /// Its last pages are missing.
    #[error("the log ends with event {last} of {version}: fetch the pages after it with ?after={last} and join them")]
    End {
        /// The last event that is there.
        last: u64,
        /// The last event that the game has.
        version: u32,
    },
}

/// The most bytes that a file may have: no game comes near it.
const MOST_BYTES: u64 = 64 << 20;

impl Download {
    /// Reads the two files. A log may lie in several pages, one after the other.
    ///
    /// # Errors
    ///
    /// [`NoDownload`] that names the file.
    pub fn read(game: &Path, events: &Path) -> Result<Self, NoDownload> {
        let parsed_game = read(game, "a game", game_in)?;
        let events = read(events, "a list of events", events_in)?;
        Ok(Self { game: parsed_game, events })
    }

    /// Reads a file of proofs: an array of them as they were downloaded, or one after the other.
    ///
    /// # Errors
    ///
    /// [`NoDownload`] that names the file.
    pub fn read_proofs(file: &Path) -> Result<Vec<Proof>, NoDownload> {
        let parse = |text: &str| {
            proofs_in(text)
                .map_err(|error| instead(text, error, |object| object.contains_key("boards"), SomethingElse::Game))
        };
        read(file, "a list of proofs", parse)
    }

    /// What is odd about the log at first sight.
    pub fn odd(&self) -> Option<Odd> {
        let seq = |event: Option<&Value>| event?.get("seq")?.as_u64();
        let Some(first) = self.events.first() else { return Some(Odd::Empty) };
        let of = first.get("game").and_then(Value::as_str).and_then(|id| id.parse::<Uuid>().ok());
        let (game, version) = (self.game.id, self.game.version);
        if let Some(log) = of.filter(|log| *log != game) {
            return Some(Odd::OtherGame { log, game });
        }
        if let Some(first) = seq(Some(first)).filter(|first| *first > 1) {
            return Some(Odd::Beginning { first });
        }
        let last = seq(self.events.last()).filter(|last| *last < u64::from(version));
        last.map(|last| Odd::End { last, version })
    }
}

/// Reads a file as something.
fn read<T>(
    file: &Path,
    what: &'static str,
    parse: impl FnOnce(&str) -> Result<T, SomethingElse>,
) -> Result<T, NoDownload> {
    let unreadable = |cause| NoDownload::Unreadable { file: file.to_owned(), cause };
    let mut bytes = Vec::new();
    File::open(file).and_then(|opened| opened.take(MOST_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if u64::try_from(bytes.len()).map_or(true, |length| length > MOST_BYTES) {
        return Err(unreadable(io::Error::other("it is larger than any game")));
    }
    let parsed = decode(&bytes).map_err(SomethingElse::from).and_then(|text| parse(&text));
    parsed.map_err(|cause| NoDownload::SomethingElse { file: file.to_owned(), what, cause })
}

fn game_in(text: &str) -> Result<GameBody, SomethingElse> {
    serde_json::from_str(text)
        .map_err(|error| instead(text, error, |object| object.contains_key("events"), SomethingElse::Log))
}

/// The events of a log as it is served, of several pages of it, or of a list made of pages.
fn events_in(text: &str) -> Result<Vec<Value>, SomethingElse> {
    let mut all = Vec::new();
    for page in Deserializer::from_str(text).into_iter::<Events>() {
        let page =
            page.map_err(|error| instead(text, error, |object| object.contains_key("boards"), SomethingElse::Game))?;
        all.extend(page.events());
    }
    Ok(all)
}

/// What a text is that was not read.
fn instead(
    text: &str,
    error: serde_json::Error,
    is_other: impl FnOnce(&Map<String, Value>) -> bool,
    other: SomethingElse,
) -> SomethingElse {
    let starts_with = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    if starts_with(&["id:", "data:", ":\n", "event:", "retry:"]) {
        return SomethingElse::Stream;
    }
    let word = |object: &Map<String, Value>, field| object.get(field).and_then(Value::as_str).map(crate::printable);
    match serde_json::from_str(text) {
        Ok(Value::Array(list)) if list.iter().any(|event| event.get("head").is_some()) => SomethingElse::Log,
        Ok(Value::Object(object)) if is_other(&object) => other,
        Ok(Value::Object(object)) => {
            let status = object.get("status").and_then(Value::as_u64);
            match (status, word(&object, "code"), word(&object, "detail")) {
                (Some(status), Some(code), detail) => {
                    SomethingElse::Refusal { status, code, detail: detail.unwrap_or_default() }
                }
                (_, _, _) => SomethingElse::Json(error),
            }
        }
        Err(broken) if broken.is_eof() || error.is_eof() => SomethingElse::CutOff,
        Ok(_) | Err(_) => SomethingElse::Json(error),
    }
}

/// A page of a log as it is served, events alone, or a list of pages.
#[derive(Deserialize)]
#[serde(untagged, expecting = "it is neither a list nor an object with a list `events`")]
enum Events {
    Served { events: Vec<Value> },
    Pages(Vec<Page>),
    Alone(Vec<Value>),
}

/// A page among others.
#[derive(Deserialize)]
struct Page {
    #[serde(rename = "version")]
    _version: IgnoredAny,
    events: Vec<Value>,
}

impl Events {
    fn events(self) -> Vec<Value> {
        match self {
            Self::Served { events } | Self::Alone(events) => events,
            Self::Pages(pages) => pages.into_iter().flat_map(|page| page.events).collect(),
        }
    }
}
