//! What happens on a connection, from the socket to the app.

use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use actix_http::error::DispatchError;
use actix_http::{HttpService, KeepAlive, Request};
use actix_service::{IntoServiceFactory, ServiceFactoryExt as _, map_config};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, Response, ServiceFactory, fn_service};
use actix_web::rt::net::TcpStream;

use super::admission::Admission;
use super::paced_stream::PacedStream;
use super::plain_stream::PlainStream;
use crate::deadlines;
use crate::metrics::Metrics;

/// Serves connections by HTTP/1.1 alone, until `stopping`: then each answers what it was asked and closes. One too many
/// is closed at once.
pub(super) fn serve_connections<F, S, B, W>(
    app: F,
    stopping: impl Fn() -> W + 'static,
    admission: Arc<Admission>,
    metrics: Arc<Metrics>,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = (), InitError = ()>
where
    F: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = actix_web::Error> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>> + 'static,
    S::Service: 'static,
    B: MessageBody + 'static,
    W: Future<Output = ()> + 'static,
{
    let app = app.into_factory().map_err(|error| Response::from(error.error_response()));
    let http = HttpService::build()
        .graceful_shutdown_signal(stopping)
        .client_request_timeout(deadlines::HEAD)
        // How long a connection is kept is seen to by `PacedStream`.
        .keep_alive(KeepAlive::Os)
        .client_disconnect_timeout(deadlines::PARTING)
        .on_connect_ext(|stream: &PacedStream<TcpStream>, data| {
            data.insert(Rc::clone(stream.wire()));
        })
        .h1(map_config(app, |()| AppConfig::default()))
        .map_err(move |error| tell(&error, &metrics));
    fn_service(move |connection: TcpStream| {
        let admission = Arc::clone(&admission);
        async move {
            let peer = connection.peer_addr().ok();
            let place = admission.admit(peer.map(|peer| peer.ip())).ok_or(())?;
            prepare(&connection);
            Ok((PacedStream::new(PlainStream::new(connection), place), peer))
        }
    })
    .and_then(http)
}

fn prepare(connection: &TcpStream) {
    // An event goes out at once, also where the one before it has not been acknowledged yet.
    if let Err(error) = connection.set_nodelay(true) {
        log::debug!("a connection gathers what it sends: {error}");
    }
    give_up_on_the_silent(connection);
}

/// Has the system close a connection whose peer no longer takes what is sent: else a reader that
/// is gone would keep its place until the system gives up, many minutes later.
#[cfg(target_os = "linux")]
fn give_up_on_the_silent(connection: &TcpStream) {
    if let Ok(millis) = u32::try_from(deadlines::PEER_SILENCE.as_millis())
        && let Err(error) = rustix::net::sockopt::set_tcp_user_timeout(connection, millis)
    {
        log::debug!("a connection has no time-out: {error}");
    }
}

/// Other systems have no such time-out, and close such a connection when they give up.
#[cfg(not(target_os = "linux"))]
fn give_up_on_the_silent(_: &TcpStream) {}

/// Says why a connection ended. What actix-http says itself is left out of the log: there a scanner's every line is an
/// error.
fn tell(error: &DispatchError, metrics: &Metrics) {
    let broke_off = matches!(
        error,
        DispatchError::Io(_)
            | DispatchError::SlowRequestTimeout
            | DispatchError::DisconnectTimeout
            | DispatchError::HandlerDroppedPayload
    );
    if let DispatchError::Parse(reason) = error {
        metrics.came_unreadable();
        log::debug!("what came is no request, and was refused: {reason}");
    } else if broke_off {
        log::debug!("a connection broke off: {error}");
    } else {
        // The server's own fault, also where a later release of actix-http adds to what there is.
        log::error!("a connection failed: {error}");
    }
}
