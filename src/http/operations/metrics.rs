use actix_web::http::header::{ACCEPT, CONTENT_TYPE};
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse};

use crate::http::operation::Operation;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use crate::http::request::RawRequest;
use crate::metrics::Metrics;
use crate::service::Games;

/// What every reader of Prometheus' form takes.
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The same lines under the name of their standard, for whoever asks for it.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(in crate::http) static METRICS: Operation = Operation::new::<__path_metrics>("/metrics", || web::to(metrics));

/// What is counted
///
/// Requests by route and status, latency, moves, games, streams and connections of this server, in
/// the form that Prometheus reads.
#[utoipa::path(
    get,
    path = METRICS.path,
    tag = "operation",
    responses((status = 200, description = "The counts.", content(
        (String = "text/plain"),
        (String = "application/openmetrics-text"),
    )))
)]
pub(crate) async fn metrics(
    metrics: Data<Metrics>,
    games: Data<Games>,
    request: RawRequest,
    http: HttpRequest,
) -> Reply {
    request.no_query()?;
    let page = metrics.write(games.connections()).map_err(|error| {
        log::error!("the metrics could not be written: {error}");
        Problem::internal()
    })?;
    let accept = http.headers().get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let form = if accept.contains("application/openmetrics-text") { OPEN_METRICS } else { PROMETHEUS };
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, form)).body(page))
}
