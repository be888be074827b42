//! The shapes on the wire, both ways, with their schemas, and the one way to read a body.

mod analysis;
mod code;
mod feed;
mod game;
mod id;
mod json;
mod layout;
mod layouts;
mod lobby;
mod misread;
mod options;
mod problem;
mod progress;
mod rules;
mod status;
mod verify;

pub use analysis::{AnalysisBody, TurnAnalysisBody};
pub use code::Code;
pub use feed::{FeedBody, in_feed, joined};
pub use game::SeatingBody;
pub use id::game_id;
pub use json::read;
pub use layout::{EmptyRequest, FireRequest, JoinRequest, PlaceRequest, RevealRequest};
pub use layouts::{CheckLayoutRequest, CheckedLayoutBody, RandomLayoutBody, RandomLayoutRequest};
pub use lobby::{LobbyBody, Waiting, place_of};
pub use misread::Misread;
pub use options::{CreateRequest, OptionsRequest};
pub use problem::{FaultBody, FaultCode, ProblemBody};
pub use progress::{LogBody, ProgressBody};
pub use rules::RulesBody;
pub use status::{GamesStatusBody, GamesStatusRequest, MOST_GAMES};
pub use verify::{FlawBody, SealsBody, VerifyBody};

/// What is recorded is served in the same shapes.
pub use record::{Cell, GameBody, Proof, ViewerWord};
