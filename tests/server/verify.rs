//! Whoever trusts nobody can check a game: `GET …/verify`, the commands, and what is kept for ever.

pub(crate) mod command;
pub(crate) mod forgery;
mod forms;
mod golden;
mod restored;
mod rows;
mod sheets;
mod stages;
mod tampering;
mod true_games;
