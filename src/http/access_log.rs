use std::iter;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Instant;

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ResponseHead, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, Version};
use actix_web::middleware::Next;
use actix_web::web::Data;

use super::paced_stream::{Answering, Wire};
use crate::deadlines;
use crate::entropy;
use crate::metrics::Metrics;

/// Headers of requests that mean something here.
const ALLOWED: &str =
    "Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID";

/// Headers that a page of any origin may read.
const EXPOSED: &str = "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, Content-Language, Date, X-Request-Id, \
                       WWW-Authenticate";

/// What a reply may do that a browser shows as a page: nothing.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// What every reply gets, whoever made it: an id, leave for any origin to read it, no guessing of
/// its type, no leave to do anything as a page, no telling of where somebody came from; and one
/// line in the log, with the route's pattern instead of its path.
pub(super) async fn access_log(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let began = Instant::now();
    let answering = request.conn_data::<Rc<Wire>>().map(Wire::answer);
    let method = request.method().clone();
    let preflight = Preflight::of(&request);
    let id = entropy::request_id();
    let metrics = request.app_data::<Data<Metrics>>().cloned();
    let mut response = next.call(request).await?;

    let status = response.status().as_u16();
    let route = response.request().match_pattern();
    let route = route.as_deref().unwrap_or("none");
    let headers = response.headers_mut();
    let has_policy = headers.contains_key(header::CONTENT_SECURITY_POLICY);
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    if !has_policy {
        set(header::CONTENT_SECURITY_POLICY, NOTHING);
    }
    if let Some(Preflight { allowed }) = preflight {
        set(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, POST, OPTIONS");
        set(header::ACCESS_CONTROL_MAX_AGE, "86400");
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    }
    #[expect(clippy::expect_used, reason = "it is hexadecimal")]
    let named = HeaderValue::from_str(&id).expect("an id can stand in a header");
    headers.insert(HeaderName::from_static("x-request-id"), named);
    if response.request().version() < Version::HTTP_11 && response.response().body().size() == BodySize::Stream {
        end_with_the_connection(response.response_mut().head_mut());
    }
    let (asked, version) = (response.request().head().connection_type(), response.request().version());
    // actix-http sets it when it writes the reply, and until then it may be another's.
    response.response_mut().head_mut().version = version;
    if asked == ConnectionType::KeepAlive && response.response().head().keep_alive() {
        // So that no client sends one too late.
        response.headers_mut().insert(HeaderName::from_static("keep-alive"), KEPT.clone());
    }
    let elapsed = began.elapsed();
    if let Some(metrics) = metrics {
        metrics.answered(method.as_str(), route, status, elapsed);
    }
    log::info!(
        method = method.as_str(), route = route, status = status, id = id.as_str(),
        micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        "answered"
    );
    Ok(response.map_body(|_, body| Answering::until_sent(answering, body.boxed())))
}

/// What a browser asks before it lets a page of another origin send its request.
struct Preflight {
    /// The headers that the page may send.
    allowed: HeaderValue,
}

impl Preflight {
    fn of(request: &ServiceRequest) -> Option<Self> {
        let headers = request.headers();
        let is_one = request.method() == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        is_one.then(|| Self { allowed: allowed(headers) })
    }
}

/// The headers that mean something here, and whichever else are asked for: packages add their own, which are ignored.
fn allowed(headers: &HeaderMap) -> HeaderValue {
    let asked = headers.get_all(header::ACCESS_CONTROL_REQUEST_HEADERS).filter_map(|names| names.to_str().ok());
    let asked = asked.flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty());
    let is_known = |name: &str| ALLOWED.split(", ").any(|known| known.eq_ignore_ascii_case(name));
    let names: Vec<&str> = iter::once(ALLOWED).chain(asked.filter(|name| !is_known(name))).collect();
    HeaderValue::from_str(&names.join(", ")).unwrap_or(HeaderValue::from_static(ALLOWED))
}

/// How long a connection is kept for a next request.
#[expect(clippy::expect_used, reason = "it is a number")]
static KEPT: LazyLock<HeaderValue> = LazyLock::new(|| {
    HeaderValue::from_str(&format!("timeout={}", deadlines::KEPT.as_secs())).expect("a number is a header")
});

/// Whoever speaks HTTP/1.0 knows no chunks: a body of unknown length ends with its connection (RFC 9112 §6.3).
fn end_with_the_connection(reply: &mut ResponseHead) {
    reply.no_chunking(true);
    reply.set_connection_type(ConnectionType::Close);
}
