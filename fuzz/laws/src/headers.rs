use engine::Seat;
use naval_battle::service::{Key, Precondition, Tag};

/// A condition holds for a tag exactly where the tag stands in it, and a key is what it was sent as.
pub fn headers(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };

    let visible = (1..=255).contains(&text.len()) && text.chars().all(|letter| ('!'..='~').contains(&letter));
    assert_eq!(Key::parse(text).is_some(), visible, "{text:?}");
    assert!(Key::parse(text).is_none_or(|key| key.is_secret() == (text.len() >= 32)));

    let parsed = Precondition::parse(text);
    match &parsed {
        None => {}
        Some(Precondition::Any) => assert_eq!(text.trim(), "*"),
        Some(Precondition::OneOf(tags)) => {
            assert!(!tags.is_empty());
            for tag in tags {
                assert!(tag.trim_start_matches("W/").len() >= 2 && text.contains(tag.as_str()), "{tag} in {text:?}");
            }
            assert_eq!(Precondition::parse(&tags.join(", ")), parsed, "written anew");
        }
    }
    for (version, seat, rematches) in [(9, Some(Seat::Host), 0), (12, Some(Seat::Guest), 2), (1, None, 1)] {
        let tag = Tag { version, seat, rematches };
        if parsed.as_ref().is_some_and(|condition| condition.holds(&tag)) {
            assert!(text.trim() == "*" || text.contains(&tag.to_string()), "{tag} holds for {text:?}");
        }
        let one_more = format!("{text}, {tag}");
        if matches!(parsed, Some(Precondition::OneOf(_))) {
            assert!(Precondition::parse(&one_more).is_some_and(|condition| condition.holds(&tag)), "{one_more:?}");
        }
    }
}
