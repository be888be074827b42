//! The shapes on the wire, both ways, with their schemas, and the one way to read a body.

mod board;
mod cell;
mod code;
mod event;
mod game;
mod json;
mod layout;
mod layouts;
mod lobby;
mod misread;
mod options;
mod problem;
mod progress;
mod rules;
mod verify;
mod words;

pub use board::{BoardBody, SeenShip};
pub use cell::Cell;
pub use code::Code;
pub use event::{Event, EventBody};
pub use game::{GameBody, Length, PlayerBody, SeatingBody};
pub use json::read;
pub use layout::{FireRequest, JoinRequest, Nothing, PlaceRequest, RevealRequest, ShipBody};
pub use layouts::{CheckLayoutRequest, CheckedLayoutBody, RandomLayoutBody, RandomLayoutRequest};
pub use lobby::{LobbyBody, place_of};
pub use misread::Misread;
pub use options::{CreateRequest, GridSize, Name, OptionsBody, OptionsRequest};
pub use problem::{FaultBody, ProblemBody};
pub use progress::{AwaitedBody, LogBody, ProgressBody, ResultBody, Time};
pub use rules::RulesBody;
pub use verify::{FlawBody, FlawCode, Seal, SealsBody, VerifyBody};
pub use words::{Action, Direction, EyesBody, FaultCode, FirstShot, Fleet, Level, Mark, Reason, Seat, Status, Waiting};
