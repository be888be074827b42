//! The operations on games, each of which takes, asks and answers.

pub(crate) mod create;
pub(crate) mod events;
pub(crate) mod join;
pub(crate) mod list;
pub(crate) mod moves;
pub(crate) mod rematch;
pub(crate) mod replay;
pub(crate) mod show;
pub(crate) mod verify;
