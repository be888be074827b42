//! Plays Naval Battle over its REST API.
//!
//! [`Client`] is a server, [`Table`] a game on it, from one of its seats or from beside the table,
//! and [`Feed`] a game followed live. Every POST has an `Idempotency-Key` of its own and is sent
//! again with it where the answer was lost, so nothing happens twice; [`Retries`] say how often.
//!
//! `https` addresses work by the feature `tls`: rustls on ring, with the certificates that the system
//! trusts. The feature `verify` checks a [`Download`] and a [`Proof`] without the server. Both are on by
//! default. It runs on Tokio, as `reqwest` does.
//!
//! ```no_run
//! # async fn play() -> Result<(), naval_battle_client::Error> {
//! use naval_battle_client::{Client, Create};
//!
//! let api = Client::new("http://127.0.0.1:8080")?;
//! let (anna, _) = api.create(&Create::by("Anna")).await?;
//! let (boris, _) = api.table(anna.id()).join(Some("Boris")).await?;
//! boris.resign().await?;
//! let mut feed = anna.follow(0);
//! while let Some(event) = feed.next().await? {
//!     println!("{} {:?}", event.seq, event.kind);
//! }
//! # Ok(())
//! # }
//! ```

mod call;
mod cell;
mod client;
mod download;
mod error;
mod event;
mod feed;
mod game;
mod glance;
mod key;
mod layouts;
mod lines;
mod lobby;
mod proof;
mod request;
mod retries;
mod rules;
mod table;
mod tls;
mod token;
mod wire;
mod words;

pub use cell::{Cell, NotACell};
pub use client::Client;
pub use download::Download;
#[cfg(feature = "verify")]
pub use download::{Finding, Findings};
pub use error::{Error, Fault, Problem};
pub use event::{Event, Flaw, Log, Progress, Shot, SunkShip, Verification};
pub use feed::{Feed, GamesFeed};
pub use game::{Awaited, Board, BySeat, Game, GameResult, Options, Player, Seating, SeenShip, SeenShot, Setup};
pub use glance::{Analysis, Best, Chances, Glance, JudgedShot, Known, Skill};
pub use key::Key;
pub use layouts::{Checked, Drawn, ToCheck, Wanted};
pub use lobby::{Host, Lobby, Offer, Page};
pub use proof::{Content, Proof, ProvenCell};
pub use request::{Choice, Create, Layout, Moment, Ship, Stretch};
pub use retries::Retries;
pub use rules::{Answers, Change, FleetRules, GridRules, OptionRules, OptionWord, Rules, RulesText, TurnSeconds};
pub use table::Table;
pub use token::Token;
pub use words::{
    Action, Bot, Code, Direction, EventKind, Eyes, FaultCode, FirstShot, Fleet, Mark, Reason, Seal, Seat, Status,
};
