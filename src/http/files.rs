//! Files that are the same for everybody: packed once, and served as they lie.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    IF_NONE_MATCH, VARY,
};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use super::encoding::accepts_gzip;

/// How many bytes of a file wait in the server for a reader, who may not read.
pub(super) const AT_A_TIME: usize = 16 * 1024;

/// A file as it is served.
pub(super) struct File {
    content_type: HeaderValue,
    /// What it may do that a browser shows as a page.
    policy: Option<&'static str>,
    /// Whether its path has its version wherever it is named.
    named_by_version: bool,
    plain: Bytes,
    /// Packed, where that makes it smaller.
    packed: Option<Bytes>,
    version: String,
}

/// What may be kept of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeping {
    /// For ever: its name says which version of it is meant.
    Forever,
    /// For as long as the server says that it is still the same.
    WhileTheSame,
}

impl File {
    /// A file with these bytes; it is packed here.
    ///
    /// # Errors
    ///
    /// Those of the packer, which has no reason to give one here.
    pub(super) fn new(content_type: &str, plain: impl Into<Bytes>) -> io::Result<Self> {
        let plain = plain.into();
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&plain)?;
        let packed = gzip.finish()?;
        let content_type = HeaderValue::from_str(content_type).map_err(io::Error::other)?;
        let mut version = hex::encode(Sha256::digest(&plain));
        version.truncate(16);
        Ok(Self {
            content_type,
            policy: None,
            named_by_version: false,
            packed: (packed.len() < plain.len()).then(|| packed.into()),
            plain,
            version,
        })
    }

    /// The same file as a page under this content policy.
    pub(super) fn under(self, policy: &'static str) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// The same file, where its path says which version of it is meant: it is kept for ever.
    pub(super) fn for_ever(self) -> Self {
        Self { named_by_version: true, ..self }
    }

    /// What changes with its bytes. Where a path has it as its query, as in `app.js?0123456789abcdef`, the file is kept
    /// for ever.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Answers with the file, or that it is the one that the caller has.
    pub(super) fn serve(&self, request: &HttpRequest) -> HttpResponse {
        let known = self.is_known(request.headers());
        let packed = self.packed.as_ref().filter(|_| accepts_gzip(request));
        let mut reply = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        let is_this_version = self.named_by_version || request.query_string() == self.version;
        let keeping = if is_this_version { Keeping::Forever } else { Keeping::WhileTheSame };
        reply
            .insert_header((ETAG, format!("\"{}{}\"", self.version, if packed.is_some() { "-gzip" } else { "" })))
            .insert_header((CACHE_CONTROL, keeping.words()))
            .insert_header((VARY, "Accept-Encoding"));
        if let Some(policy) = self.policy {
            reply.insert_header((CONTENT_SECURITY_POLICY, policy));
        }
        if known {
            return reply.finish();
        }
        reply.insert_header((CONTENT_TYPE, self.content_type.clone()));
        if packed.is_some() {
            reply.insert_header((CONTENT_ENCODING, "gzip"));
        }
        reply.body(Slices(packed.unwrap_or(&self.plain).clone()))
    }

    /// Whether the caller has it already, in whichever encoding, also where a proxy has changed the tag (RFC 9110 §13.1.2).
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let tags =
            headers.get_all(IF_NONE_MATCH).filter_map(|tags| tags.to_str().ok()).flat_map(|tags| tags.split(','));
        tags.map(str::trim).any(|tag| {
            let tag = tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"');
            tag == "*" || tag.split(['-', ';']).next() == Some(&self.version)
        })
    }
}

impl Keeping {
    fn words(self) -> &'static str {
        match self {
            Self::Forever => "public, max-age=31536000, immutable",
            Self::WhileTheSame => "public, no-cache",
        }
    }
}

/// Bytes that are sent a slice at a time. actix-http copies what it is given at once, and keeps it for a reader that does
/// not read.
pub(super) struct Slices(pub Bytes);

impl MessageBody for Slices {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let next = self.0.len().min(AT_A_TIME);
        Poll::Ready((next > 0).then(|| Ok(self.0.split_to(next))))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::http::header::ACCEPT_ENCODING;
    use actix_web::test::TestRequest;

    use super::*;

    fn ask(file: &File, uri: &str, headers: &[(&str, &str)]) -> HttpResponse {
        let request = headers.iter().fold(TestRequest::with_uri(uri), |request, header| request.insert_header(*header));
        file.serve(&request.to_http_request())
    }

    fn header(reply: &HttpResponse, name: impl actix_web::http::header::AsHeaderName) -> Option<&str> {
        reply.headers().get(name).and_then(|value| value.to_str().ok())
    }

    #[actix_web::test]
    async fn a_file_is_packed_once_and_for_those_who_take_it() {
        let text = "the same again and again. ".repeat(4_000);
        let file = File::new("text/plain", text.clone()).unwrap();

        let plain = ask(&file, "/f", &[]);
        let packed = ask(&file, "/f", &[(ACCEPT_ENCODING.as_str(), "gzip")]);
        let small = ask(&File::new("text/plain", "x").unwrap(), "/f", &[(ACCEPT_ENCODING.as_str(), "gzip")]);

        assert_eq!((header(&plain, CONTENT_ENCODING), header(&packed, CONTENT_ENCODING)), (None, Some("gzip")));
        assert_ne!(header(&plain, ETAG), header(&packed, ETAG));
        assert_eq!(header(&small, CONTENT_ENCODING), None, "packing would make it larger");
        assert_eq!(header(&packed, VARY), Some("Accept-Encoding"));
        let sent = actix_web::body::to_bytes(plain.into_body()).await.unwrap();
        assert!(sent == text.as_bytes());
    }

    #[test]
    fn whoever_has_it_is_told_so_whatever_became_of_the_tag() {
        let file = File::new("text/plain", "x".repeat(1_000)).unwrap();
        let version = file.version().to_owned();

        for tag in [
            format!("\"{version}\""),
            format!("\"{version}-gzip\""),
            format!("W/\"{version}\""),
            format!("\"other\", \"{version};gzip\""),
            "*".to_owned(),
        ] {
            let reply = ask(&file, "/f", &[(IF_NONE_MATCH.as_str(), &tag)]);
            assert_eq!((reply.status(), reply.body().size()), (StatusCode::NOT_MODIFIED, BodySize::Sized(0)), "{tag}");
        }
        for tag in ["\"other\"".to_owned(), version[..15].to_owned(), String::new()] {
            assert_eq!(ask(&file, "/f", &[(IF_NONE_MATCH.as_str(), &tag)]).status(), StatusCode::OK, "{tag}");
        }
    }

    #[test]
    fn only_what_names_its_version_is_kept_for_ever() {
        let file = File::new("text/plain", "x").unwrap();

        let kept = ask(&file, &format!("/f?{}", file.version()), &[]);
        let other = ask(&file, "/f?0123456789abcdef", &[]);
        let by_path = ask(&File::new("text/plain", "x").unwrap().for_ever(), "/f-0123", &[]);

        for kept in [kept, by_path] {
            assert_eq!(header(&kept, CACHE_CONTROL), Some("public, max-age=31536000, immutable"));
        }
        assert_eq!(header(&other, CACHE_CONTROL), Some("public, no-cache"));
    }

    #[actix_web::test]
    async fn a_large_file_comes_in_slices() {
        let mut body = Slices(Bytes::from(vec![7; 3 * AT_A_TIME + 1]));
        let mut sizes = Vec::new();

        while let Some(Ok(slice)) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).await {
            sizes.push(slice.len());
        }

        assert_eq!(sizes, [AT_A_TIME, AT_A_TIME, AT_A_TIME, 1]);
    }
}
