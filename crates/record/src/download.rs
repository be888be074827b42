use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::GameBody;

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
        cause: std::io::Error,
    },
    /// A file holds something else.
    #[error("{} is not {what}", file.display())]
    SomethingElse {
        /// The file that was read.
        file: PathBuf,
        /// What it should be.
        what: &'static str,
        /// Why it is not.
        #[source]
        cause: serde_json::Error,
    },
}

/// The log as it is served, or its events alone.
#[derive(Deserialize)]
#[serde(untagged, expecting = "it is neither a list nor an object with a list `events`")]
enum Events {
    Served { events: Vec<Value> },
    Alone(Vec<Value>),
}

impl Download {
    /// Reads the two files.
    ///
    /// # Errors
    ///
    /// [`NoDownload`] that names the file.
    pub fn read(game: &Path, events: &Path) -> Result<Self, NoDownload> {
        let text =
            |file: &Path| fs::read(file).map_err(|cause| NoDownload::Unreadable { file: file.to_owned(), cause });
        let something_else = |file: &Path, what| {
            let file = file.to_owned();
            move |cause| NoDownload::SomethingElse { file, what, cause }
        };
        let parsed_game = serde_json::from_slice(&text(game)?).map_err(something_else(game, "a game"))?;
        let parsed_events: Events =
            serde_json::from_slice(&text(events)?).map_err(something_else(events, "a list of events"))?;
        let events = match parsed_events {
            Events::Served { events } | Events::Alone(events) => events,
        };
        Ok(Self { game: parsed_game, events })
    }
}
