//! One file per operation on games: take, ask, answer.

pub(crate) mod create;
pub(crate) mod events;
pub(crate) mod fire;
pub(crate) mod join;
pub(crate) mod list;
pub(crate) mod place;
pub(crate) mod rematch;
pub(crate) mod replay;
pub(crate) mod resign;
pub(crate) mod reveal;
pub(crate) mod show;
pub(crate) mod verify;
