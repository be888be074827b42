//! How players find each other: the list of open games, and another game after the last.

mod anew;
mod lobby;
mod rematch;
