//! How players find each other: the list of open games, and many games at a glance, and another game after the last.

mod anew;
mod glance;
mod listed;
//! How players find each other: the list of open games, hiding before the other comes, and another game after the last.

mod anew;
mod hiding;
mod lobby;
mod rematch;
