//! How players find each other: the list of open games, many games at a glance, hiding before the other comes, and another
//! game after the last.

mod anew;
mod glance;
mod hiding;
mod listed;
mod lobby;
mod rematch;
