//! What `If-Match` and `If-None-Match` name (RFC 9110 §13.1).

use actix_web::http::header::EntityTag;

use crate::service::Precondition;

/// What proxies that compress put behind a tag, after `-` or `;`: the coding.
const CODINGS: [&str; 4] = ["gzip", "br", "deflate", "zstd"];

impl Precondition {
    /// Reads `*`, or a list of entity tags; commas may stand inside of their quotes (RFC 9110
    /// §8.8.3). actix-web's own `IfMatch` would cut a tag there, and pass over what is none.
    ///
    /// A tag names a state of a game and no bytes, so it counts as the server gave it, also where a proxy that compresses
    /// has made it weak or put a coding behind it. RFC 9110 §13.1.1 would have `If-Match` hold for no weak tag.
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
        let tags = list.map(|tag| tag.trim().parse().map(|tag: EntityTag| as_given(tag.tag())));
        tags.collect::<Result<_, _>>().ok().map(Self::OneOf)
    }
}

/// A tag as the server gave it, in its quotes.
fn as_given(tag: &str) -> String {
    let coding = |coding: &&str| tag.strip_suffix(*coding)?.strip_suffix(['-', ';']);
    let given = CODINGS.iter().find_map(coding).unwrap_or(tag);
    format!("\"{given}\"")
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
        assert_eq!(tags(r#""a,b", W/"c" ,"d""#).as_deref(), Some(r#""a,b" "c" "d""#));
        for list in ["", "9-host", r#""9-host"#, r#""a" "b""#, r#""a","#, r#"w/"a""#, r#""a b""#, ","] {
            assert_eq!(tags(list), None, "{list}");
        }
    }
    #[test]
    fn a_tag_that_a_proxy_changed_is_the_one_that_was_given() {
        let given = |tag: &str| match Precondition::parse(tag) {
            Some(Precondition::OneOf(tags)) => tags.join(" "),
            Some(Precondition::Any) | None => String::new(),
        };
        for coding in ["gzip", "br", "deflate", "zstd"] {
            for sent in [
                format!("\"9-host-{coding}\""),
                format!("\"9-host;{coding}\""),
                format!("W/\"9-host-{coding}\""),
                "W/\"9-host\"".to_owned(),
            ] {
                assert_eq!(given(&sent), "\"9-host\"", "{sent}");
            }
        }
        for other in ["9-host-GZIP", "9-hostgzip", "9-host-lzma", "9-host-gzip-", "9-host--", "gzip", "9-host gzip"] {
            let sent = format!("\"{other}\"");
            assert_ne!(given(&sent), "\"9-host\"", "{sent}");
        }
        assert_eq!(given("\"9-host-gzip-gzip\""), "\"9-host-gzip\"", "no proxy compresses twice");
    }
}
