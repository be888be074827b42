//! The log's form: what an event is written as, and how it is read back.
//!
//! The form is version 1, as the event `created` says (`"rules": 1`): RFC 8785 text of only
//! integers and ASCII keys, hashed as it is, and served as it is.

pub mod proof;
mod read;
mod write;

pub use read::{Happened, Recorded, Unreadable, read};
pub use write::{Entry, time, write};
