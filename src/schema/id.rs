use uuid::Uuid;

/// Reads the one spelling of an id: lower case with dashes.
pub fn game_id(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok().filter(|id| id.hyphenated().to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        let id = "0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";
        assert_eq!(game_id(id).map(|id| id.to_string()).as_deref(), Some(id));
        for other in [
            id.to_uppercase(),
            id.replace('-', ""),
            format!("{{{id}}}"),
            format!("urn:uuid:{id}"),
            format!(" {id}"),
            String::new(),
            "x".repeat(300),
        ] {
            assert_eq!(game_id(&other), None, "{other}");
        }
    }
}
