//! The words for people, in five languages through Fluent.
//!
//! A text is asked for as a [`Message`] with its arguments, so none can be asked for that is not
//! there. A new one is a line in `messages.rs` and a line in each language's `.ftl`.

mod accepted;
mod bundle;
mod language;
mod messages;

pub use language::Language;
pub use messages::Message;
