use std::sync::LazyLock;

use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use unic_langid::LanguageIdentifier;

use super::Language;

/// So many ranges are looked at: nobody reads more languages, and looking costs time.
const MOST_RANGES: usize = 50;

/// The tags, as they are compared.
static IDENTIFIERS: LazyLock<Vec<LanguageIdentifier>> =
    LazyLock::new(|| Language::ALL.iter().map(|language| language.identifier()).collect());

impl Language {
    /// The language that an `Accept-Language` asks for (RFC 9110 §12.5.4), by lookup: the best
    /// liked range that one of the languages serves (RFC 4647 §3.4), else the first language.
    ///
    /// The header may stand more than once. What is no range is passed over, for a reply in another
    /// language is better than none.
    pub fn accepted<'a>(headers: impl Iterator<Item = &'a str>) -> Self {
        let ranges = headers.flat_map(|header| header.split(',')).filter_map(Range::parse).take(MOST_RANGES);
        let (refused, mut wanted): (Vec<Range>, Vec<Range>) = ranges.partition(|range| range.quality == 0);
        // Stable: of two that are liked equally the first counts.
        wanted.sort_by_key(|range| std::cmp::Reverse(range.quality));
        let is_refused = |language: &Self| refused.iter().any(|range| range.is_exactly(*language));
        for range in wanted {
            // A `*` leaves the choice to us.
            let served = match range.language {
                Some(language) => Self::serving(&language),
                None => Self::ALL.iter().copied().find(|language| !is_refused(language)),
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

    /// The tag as it is compared and as it tells how to count. A test holds that each is one.
    pub(super) fn identifier(self) -> LanguageIdentifier {
        self.tag().parse().unwrap_or_default()
    }
}

/// A language range, and how much it is liked.
struct Range {
    /// None for `*`.
    language: Option<LanguageIdentifier>,
    /// In thousandths.
    quality: u16,
}

impl Range {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let range = parts.next()?;
        let quality = match parts.next() {
            None => 1_000,
            Some(weight) => weight.strip_prefix("q=").or_else(|| weight.strip_prefix("Q=")).and_then(thousandths)?,
        };
        if parts.next().is_some() {
            return None;
        }
        if range == "*" {
            return Some(Self { language: None, quality });
        }
        // Lookup leaves out extensions and what is private, which begin with a single letter.
        let known: Vec<&str> = range.split('-').take_while(|subtag| subtag.len() != 1).collect();
        let language = known.join("-").parse().ok()?;
        Some(Self { language: Some(language), quality })
    }

    fn is_exactly(&self, language: Language) -> bool {
        self.language.as_ref() == Some(&language.identifier())
    }
}

/// Reads a weight, 0 to 1 with at most three decimals (RFC 9110 §12.4.2).
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, decimals) = weight.split_once('.').unwrap_or((weight, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    match (whole, decimals) {
        ("0", decimals) => Some(decimals),
        ("1", 0) => Some(1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(header: &str) -> &'static str {
        Language::accepted(std::iter::once(header)).tag()
    }

    #[test]
    fn every_tag_is_a_language_identifier() {
        for language in Language::ALL {
            assert_eq!(language.identifier().to_string(), language.tag());
            assert_eq!(accepted(language.tag()), language.tag());
        }
    }

    #[test]
    fn the_best_liked_range_that_is_served_decides() {
        for (header, tag) in [
            ("de-AT", "de"),
            ("DE-at", "de"),
            ("de-Latn-CH-1996", "de"),
            ("ru-Cyrl-RU", "ru"),
            ("de-DE-u-co-phonebk", "de"),
            ("it-x-mine", "it"),
            ("fr, it", "it"),
            ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "en"),
            ("en;q=0.2, fi;q=0.8", "fi"),
            ("en;q=0.2,fi ; q=0.8", "fi"),
            ("fi;q=0.8, ru;q=0.8", "fi"),
            ("ru;q=0.80, fi;q=0.801", "fi"),
            ("de;q=1.000, en;q=1", "de"),
            ("de;Q=0.3", "de"),
            (" \t de \t ", "de"),
            (",, de,", "de"),
        ] {
            assert_eq!(accepted(header), tag, "{header}");
        }
        assert_eq!(Language::accepted(["fr", "fi;q=0.1"].into_iter()).tag(), "fi", "two headers are one list");
    }

    #[test]
    fn a_star_leaves_the_choice_and_nought_refuses() {
        for (header, tag) in [
            ("*", "en"),
            ("fr, *;q=0.1", "en"),
            ("en;q=0, *", "de"),
            ("en;q=0, de;q=0.0, *;q=0.001", "fi"),
            ("de;q=0", "en"),
            ("de;q=0, de-AT", "en"),
            ("de-AT;q=0, de", "de"),
            ("ru, *;q=0", "ru"),
            ("*;q=0", "en"),
        ] {
            assert_eq!(accepted(header), tag, "{header}");
        }
    }

    #[test]
    fn what_nobody_serves_or_understands_is_english() {
        let long = "xx,".repeat(5_000) + "de";
        for header in [
            "",
            " ",
            ",",
            ";",
            "xx",
            "zz-ZZ",
            "fr, ja",
            "und",
            "i-klingon",
            "deutsch-sprachig-bitte",
            "de_",
            "-",
            "-de",
            "*-DE",
            "de;q=2",
            "de;q=-1",
            "de;q=x",
            "de;q=",
            "de;q=0.1234",
            "de;q=1.1",
            "de;q=.5",
            "de;level=1",
            "de;q=0.5;q=0.5",
            "\u{0}",
            "дe",
            &long,
        ] {
            assert_eq!(accepted(header), "en", "{header:.40}");
        }
        assert_eq!(Language::accepted(std::iter::empty()).tag(), "en");
    }
}
