//! How players find each other: the list of open games, and many games at a glance, and another game after the last.

mod anew;
mod glance;
mod listed;
mod lobby;
mod rematch;
