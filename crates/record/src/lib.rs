//! A game of Naval Battle as it is recorded, and how a record is checked.
//!
//! The form is version 1, as the event `created` says (`"rules": 1`): RFC 8785 text of only
//! integers and ASCII keys, hashed as it is, and served as it is. With the feature `openapi` each
//! shape has its schema.

mod answer;
mod canonical;
mod download;
mod event;
mod file_text;
mod game;
mod logged;
mod options;
pub mod proof;
mod shapes;
mod show;
mod tree;
pub mod verify;
mod words;

pub use answer::{CellProof, FalseProof, Proof, check_proofs};
pub use download::{Download, NoDownload, Odd, SomethingElse};
pub use event::{Details, Happened, RecordedEvent, RecordedShip, RecordedShot, Unreadable, read};
pub use file_text::NoText;
pub use game::{BoardBody, BoardsBody, GameBody, PlayerBody, PlayersBody, SetupBody, ShownShip, ShownShot};
pub use logged::{AwaitedBody, GameStatus, Logged, RecordedResult, served};
pub use options::RecordedOptions;
pub use shapes::{Cell, GridSize, Hex, Length, Name, Time, time};
pub use show::show;
pub use tree::Content;
pub use words::{
    ActionWord, ContentWord, DirectionWord, FirstShotWord, FlawWord, FleetWord, LevelWord, MarkWord, ReasonWord,
    SealWord, SeatWord, StatusWord, ViewerWord, Word,
};
#[cfg(feature = "openapi")]
pub use words::{Described, type_name};

/// A text out of a file as it may go to a terminal, which control characters would make tell another story.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}
