use std::sync::LazyLock;

use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use unic_langid::LanguageIdentifier;

use super::Language;

/// The tags, as they are compared.
static IDENTIFIERS: LazyLock<Vec<LanguageIdentifier>> =
    LazyLock::new(|| Language::ALL.iter().map(|language| language.identifier()).collect());

impl Language {
    /// The language for somebody who accepts these ranges, the best liked first, and refuses those:
    /// that of the first range which one of the languages serves, by lookup (RFC 4647 §3.4), else
    /// English. A `*` leaves the choice to us; what is no range is passed over.
    pub fn accepted<'a>(wanted: impl Iterator<Item = &'a str>, refused: &[&str]) -> Self {
        let refused: Vec<LanguageIdentifier> = refused.iter().filter_map(|range| parse(range)).collect();
        let is_refused = |language: &Self| refused.contains(&language.identifier());
        for range in wanted {
            let served = match range {
                "*" => Self::ALL.iter().copied().find(|language| !is_refused(language)),
                range => parse(range).and_then(|language| Self::serving(&language)),
            };
            if let Some(language) = served.filter(|language| !is_refused(language)) {
                return language;
            }
        }
        Self::English
    }

    fn serving(wanted: &LanguageIdentifier) -> Option<Self> {
        let served = negotiate_languages(&[wanted], &IDENTIFIERS, None, NegotiationStrategy::Lookup);
        let served = *served.first()?;
        Self::ALL.iter().copied().find(|language| language.identifier() == *served)
    }

    /// The tag as it is compared and as it tells how to count.
    #[expect(clippy::expect_used, reason = "a test holds that each is one")]
    pub(super) fn identifier(self) -> LanguageIdentifier {
        self.tag().parse().expect("a tag is a language's identifier")
    }
}

/// Reads a range as far as lookup looks at it: without extensions and what is private, which begin
/// with a single letter.
fn parse(range: &str) -> Option<LanguageIdentifier> {
    let known: Vec<&str> = range.split('-').take_while(|subtag| subtag.len() != 1).collect();
    known.join("-").parse().ok()
}
