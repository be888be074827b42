//! Below which path a proxy in front has the service.

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderValue, LOCATION};
use actix_web::web::Data;

use super::ServerSettings;

/// The path that a trusted proxy strips from each request; empty where none says so.
pub(super) struct Prefix(String);

impl Prefix {
    /// What the proxy put into `X-Forwarded-Prefix`. Anything that is no path of plain segments is ignored, and all of it
    /// where no proxy is trusted.
    pub(super) fn of(request: &HttpRequest) -> Self {
        let trusted = request.app_data::<Data<ServerSettings>>().is_some_and(|settings| settings.proxies > 0);
        let mut said = request.headers().get_all("x-forwarded-prefix").filter(|_| trusted);
        let prefix = match (said.next(), said.next()) {
            (Some(prefix), None) => prefix.to_str().ok().filter(|prefix| is_prefix(prefix)),
            (_, Some(_)) | (None, _) => None,
        };
        Self(prefix.unwrap_or_default().to_owned())
    }

    /// A path of the service, as the client knows it.
    pub(super) fn before(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// Has `Location` lead below it.
    pub(super) fn lead(&self, headers: &mut HeaderMap) {
        let path =
            headers.get(LOCATION).and_then(|location| location.to_str().ok()).filter(|path| path.starts_with('/'));
        if let Some(Ok(location)) = path.map(|path| HeaderValue::from_str(&self.before(path))) {
            headers.insert(LOCATION, location);
        }
    }
}

/// Whether a text is `(/[A-Za-z0-9._~-]+)+`.
fn is_prefix(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._~-".contains(letter);
    let is_segment = |segment: &str| !segment.is_empty() && segment.chars().all(is_plain);
    text.strip_prefix('/').is_some_and(|segments| segments.split('/').all(is_segment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_a_path_of_plain_segments() {
        for prefix in ["/sea", "/some/prefix", "/a.b/~c/1-2"] {
            assert!(is_prefix(prefix), "{prefix}");
        }
        for other in
            ["", "/", "sea", "/sea/", "//sea", "/sea//x", "/a b", "/a?b", "/a#b", "/%2e", "/a,/b", "/ä", "https://x"]
        {
            assert!(!is_prefix(other), "{other}");
        }
    }
}
