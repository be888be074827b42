//! What `If-Match` and `If-None-Match` name (RFC 9110 §13.1).

use actix_web::http::header::EntityTag;

use crate::service::Precondition;

impl Precondition {
    /// Reads `*`, or a list of entity tags; commas may stand inside of their quotes (RFC 9110
    /// §8.8.3). actix-web's own `IfMatch` would cut a tag there, and pass over what is none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "*" {
            return Some(Self::Any);
        }
        let mut quoted = false;
        let list = text.split(|letter| {
            quoted ^= letter == '"';
            letter == ',' && !quoted
        });
        let tags = list.map(|tag| tag.trim().parse().map(|tag: EntityTag| tag.to_string()));
        tags.collect::<Result<_, _>>().ok().map(Self::OneOf)
    }

    /// The same, where a weak tag counts like a strong one (RFC 9110 §13.1.2).
    pub(super) fn weak(self) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::OneOf(tags) => {
                let strong = |tag: String| tag.strip_prefix("W/").map(str::to_owned).unwrap_or(tag);
                Self::OneOf(tags.into_iter().map(strong).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_entity_tags_is_split_outside_of_quotes() {
        let tags = |list| match Precondition::parse(list)? {
            Precondition::Any => None,
            Precondition::OneOf(tags) => Some(tags.join(" ")),
        };
        assert_eq!(tags(r#""9-host""#).as_deref(), Some(r#""9-host""#));
        assert_eq!(tags(r#""a,b", W/"c" ,"d""#).as_deref(), Some(r#""a,b" W/"c" "d""#));
        for list in ["", "9-host", r#""9-host"#, r#""a" "b""#, r#""a","#, r#"w/"a""#, r#""a b""#, ","] {
            assert_eq!(tags(list), None, "{list}");
        }
    }
}
