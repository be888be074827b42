use std::fmt;

use crate::store::Snapshot;
use engine::Seat;

/// The state of a game through somebody's eyes, as an entity tag: `"9-host"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The `seq` of the last event.
    pub version: u32,
    /// Whose eyes; none for a spectator.
    pub seat: Option<Seat>,
    /// Whether the ended game has a rematch.
    pub has_next: bool,
}

/// What `If-Match` or `If-None-Match` named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Precondition {
    /// `*`: any state.
    Any,
    /// These entity tags, quotes included.
    OneOf(Vec<String>),
}

impl Tag {
    /// The tag of a game for the one who looks.
    pub fn of(stored: &Snapshot, seat: Option<Seat>) -> Self {
        Self { version: stored.version, seat, has_next: stored.next.is_some() }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = self.seat.map_or("spectator", Seat::word);
        let next = if self.has_next { "-next" } else { "" };
        write!(out, "\"{}-{seat}{next}\"", self.version)
    }
}

impl Precondition {
    /// Reads `*`, or a list of entity tags (RFC 9110 §13.1.1).
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "*" => Some(Self::Any),
            list => entity_tags(list).map(Self::OneOf),
        }
    }

    /// Whether it names this tag.
    pub fn holds(&self, tag: &Tag) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(tags) => {
                let tag = tag.to_string();
                tags.contains(&tag)
            }
        }
    }
}

/// Splits a list of entity tags; commas may stand inside of their quotes (RFC 9110 §8.8.3).
fn entity_tags(mut list: &str) -> Option<Vec<String>> {
    let mut tags = Vec::new();
    loop {
        let weak = if list.starts_with("W/") { "W/" } else { "" };
        let opaque = list.strip_prefix(weak)?.strip_prefix('"')?;
        let (opaque, rest) = opaque.split_once('"')?;
        if opaque.contains(|letter: char| letter.is_ascii_whitespace() || letter.is_ascii_control()) {
            return None;
        }
        tags.push(format!("{weak}\"{opaque}\""));
        let rest = rest.trim_start();
        if rest.is_empty() {
            return Some(tags);
        }
        list = rest.strip_prefix(',')?.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_entity_tags_is_split_outside_of_quotes() {
        let tags = |list| entity_tags(list).map(|tags| tags.join(" "));
        assert_eq!(tags(r#""9-host""#).as_deref(), Some(r#""9-host""#));
        assert_eq!(tags(r#""a,b", W/"c" ,"d""#).as_deref(), Some(r#""a,b" W/"c" "d""#));
        for list in ["", "9-host", r#""9-host"#, r#""a" "b""#, r#""a","#, r#"w/"a""#, r#""a b""#, ","] {
            assert_eq!(tags(list), None, "{list}");
        }
    }
}
