use crate::text::Message;

/// Something in a request that is not what its operation takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misread {
    /// Where it stands, such as `ships[1].start`; none for the request as a whole.
    pub place: Option<String>,
    /// What is wrong with it, or what is expected there.
    pub message: Message,
}

impl Misread {
    /// Something at this place.
    pub fn at(place: impl Into<String>, message: Message) -> Self {
        Self { place: Some(place.into()), message }
    }

    /// The same, below this place.
    #[must_use]
    pub fn below(self, place: &str) -> Self {
        let place = self.place.map_or_else(|| place.to_owned(), |inner| format!("{place}.{inner}"));
        Self { place: Some(place), message: self.message }
    }
}
