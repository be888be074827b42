//! In which encoding a caller takes what may be compressed.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};
use actix_web::middleware::Next;

/// Leaves of what a caller accepts what there is: gzip, or the body as it is, which is sent to
/// whoever takes neither (RFC 9110 §12.5.3 lets a server do so).
pub(super) async fn gzip_or_plain(
    mut request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let takes_gzip = accepts_gzip(request.headers());
    request.headers_mut().remove(ACCEPT_ENCODING);
    if takes_gzip {
        request.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    next.call(request).await
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let quality = |name: &str| {
        headers
            .get_all(ACCEPT_ENCODING)
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|coding| coding.split(';').map(str::trim))
            .find_map(|mut parts| parts.next()?.eq_ignore_ascii_case(name).then(|| parts.next()))
            .map(|quality| quality.and_then(|quality| quality.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0))
    };
    let quality: f32 = quality("gzip").or_else(|| quality("*")).unwrap_or(0.0);
    quality > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_for_those_who_take_it() {
        let accepts = |accept: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accept));
            accepts_gzip(&headers)
        };
        for accept in ["gzip", "br, GZIP;q=0.5", "*", "gzip, deflate, br, zstd", "identity;q=0, *;q=0.1"] {
            assert!(accepts(accept), "{accept}");
        }
        for accept in ["", "br", "identity", "gzip;q=0", "gzip;q=0, *", "br, identity;q=0", "x-gzip;q=inconsistent"] {
            assert!(!accepts(accept), "{accept}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
