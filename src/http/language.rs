//! In which language a caller is answered.

use std::cmp::Reverse;
use std::future::{Ready, ready};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_TYPE, HeaderMap, HeaderValue, Quality, QualityItem,
};
use actix_web::middleware::Next;
use actix_web::{FromRequest, HttpRequest};

use super::prefix::Prefix;
use super::problem::Problem;
use super::reply;
use crate::text::Language;

/// So many ranges are looked at: nobody reads more languages, and looking costs time.
const MOST_RANGES: usize = 50;

/// The caller's language.
#[derive(Clone, Copy)]
pub(super) struct CallerLanguage(pub Language);

impl CallerLanguage {
    fn by(request: &HttpRequest) -> Self {
        let headers = request.headers().get_all(ACCEPT_LANGUAGE);
        Self(accepted(headers.filter_map(|header| header.to_str().ok())))
    }

    /// Marks a reply as written in this language.
    pub(super) fn mark(self, headers: &mut HeaderMap) {
        headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(self.0.tag()));
    }
}

impl FromRequest for CallerLanguage {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::by(request)))
    }
}

/// Reads `Accept-Language` (RFC 9110 §12.5.4), which may stand more than once. What is no range is
/// passed over, for a reply in another language is better than none. actix-web's `AcceptLanguage`
/// would read all ranges, however many there are.
fn accepted<'a>(headers: impl Iterator<Item = &'a str>) -> Language {
    let ranges = headers.flat_map(|header| header.split(',')).filter_map(|range| range.trim().parse().ok());
    let (refused, mut wanted): (Vec<_>, Vec<_>) =
        ranges.take(MOST_RANGES).partition(|range: &QualityItem<String>| range.quality == Quality::ZERO);
    // Stable: of two that are liked equally the first counts.
    wanted.sort_by_key(|range| Reverse(range.quality));
    let refused: Vec<&str> = refused.iter().map(|range| range.item.as_str()).collect();
    Language::accepted(wanted.iter().map(|range| range.item.as_str()), &refused)
}

/// Puts every problem into the caller's language, whoever found it: nowhere else does one become a
/// body. And whatever is in a language could have been in another (RFC 9110 §12.5.5).
pub(super) async fn write_problems(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let mut response = next.call(request).await?.map_into_boxed_body();
    let prefix = Prefix::of(response.request());
    prefix.lead(response.headers_mut());
    if let Some(problem) = response.response().error().and_then(|error| error.as_error::<Problem>()) {
        let spoken = CallerLanguage::by(response.request());
        let body = problem.say(spoken.0, &prefix);
        response = response.map_body(|_, _| BoxBody::new(body));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        spoken.mark(response.headers_mut());
    }
    if response.headers().contains_key(CONTENT_LANGUAGE) {
        reply::vary_by("Accept-Language", response.headers_mut());
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag_for(header: &str) -> &'static str {
        accepted(std::iter::once(header)).tag()
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
            assert_eq!(tag_for(header), tag, "{header}");
        }
        assert_eq!(accepted(["fr", "fi;q=0.1"].into_iter()).tag(), "fi", "two headers are one list");
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
            assert_eq!(tag_for(header), tag, "{header}");
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
            assert_eq!(tag_for(header), "en", "{header:.40}");
        }
        assert_eq!(accepted(std::iter::empty()).tag(), "en");
    }
}
