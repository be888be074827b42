//! In which encoding a caller takes what may be compressed.

use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT_ENCODING, AcceptEncoding, Encoding, Header as _, HeaderValue, Preference, Quality,
};
use actix_web::middleware::Next;

use super::reply;

/// Leaves of what a caller accepts what there is: gzip, or the body as it is, which is sent to
/// whoever takes neither (RFC 9110 §12.5.3 lets a server do so).
pub(super) async fn gzip_or_plain(
    mut request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let takes_gzip = accepts_gzip(&request);
    request.headers_mut().remove(ACCEPT_ENCODING);
    if takes_gzip {
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    next.call(request).await
}

/// Says of a reply that is packed as it is made that it depends on who asks, also where it is not.
pub(super) async fn vary_by_encoding(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let mut response = next.call(request).await?;
    if response.status().is_success() {
        reply::vary_by("Accept-Encoding", response.headers_mut());
    }
    Ok(response)
}

/// Reads `Accept-Encoding`. What it prefers is not asked for: who takes neither would be refused.
pub(super) fn accepts_gzip(request: &impl HttpMessage) -> bool {
    let Ok(AcceptEncoding(codings)) = AcceptEncoding::parse(request) else { return false };
    let quality = |name| codings.iter().find(|coding| coding.item == name).map(|coding| coding.quality);
    let gzip = quality(Preference::Specific(Encoding::gzip())).or_else(|| quality(Preference::Any));
    gzip.is_some_and(|quality| quality > Quality::ZERO)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn gzip_is_for_those_who_take_it() {
        let accepts = |accept: &'static str| {
            accepts_gzip(&TestRequest::default().insert_header((ACCEPT_ENCODING, accept)).to_http_request())
        };
        for accept in ["gzip", "br, GZIP;q=0.5", "*", "gzip, deflate, br, zstd", "identity;q=0, *;q=0.1"] {
            assert!(accepts(accept), "{accept}");
        }
        for accept in ["", "br", "identity", "gzip;q=0", "gzip;q=0, *", "br, identity;q=0", "x-gzip;q=inconsistent"] {
            assert!(!accepts(accept), "{accept}");
        }
        assert!(!accepts_gzip(&TestRequest::default().to_http_request()));
    }
}
