use actix_web::http::header::{Accept, CONTENT_TYPE, Header as _, Quality, VARY};
use actix_web::mime::Mime;
use actix_web::web::{self, Data};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};

use crate::http::operation::Operation;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use crate::http::request::RawRequest;
use crate::metrics::{Form, Metrics};
use crate::service::Games;

/// What every reader of Prometheus' form takes.
const CLASSIC: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The standard that came of it, for whoever asks for it.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(in crate::http) static METRICS: Operation = Operation::new::<__path_metrics>("/metrics", || web::to(metrics));

/// What is counted
///
/// Requests by route and status, latency, moves, games, streams and connections of this server, in
/// the classic form of Prometheus, or as OpenMetrics for those who ask for it.
#[utoipa::path(
    get,
    operation_id = "getMetrics",
    path = METRICS.path,
    tag = "operation",
    responses((status = 200, description = "The counts.", content(
        (String = "text/plain"),
        (String = "application/openmetrics-text"),
    ), headers(("Vary"))))
)]
pub(crate) async fn metrics(
    metrics: Data<Metrics>,
    games: Data<Games>,
    request: RawRequest,
    http: HttpRequest,
) -> Reply {
    request.no_query()?;
    let (form, media_type) =
        if wants_open_metrics(&http) { (Form::OpenMetrics, OPEN_METRICS) } else { (Form::Classic, CLASSIC) };
    let page = metrics.write(form, games.connections()).map_err(|error| {
        log::error!("the metrics could not be written: {error}");
        Problem::internal()
    })?;
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, media_type)).insert_header((VARY, "Accept")).body(page))
}

/// Whether `Accept` names OpenMetrics, in the version that there is, and likes it as well as plain text.
fn wants_open_metrics(request: &impl HttpMessage) -> bool {
    let Ok(Accept(ranges)) = Accept::parse(request) else { return false };
    let best = |is_meant: fn(&Mime) -> bool| {
        let meant = ranges.iter().filter(|range| is_meant(&range.item));
        meant.map(|range| range.quality).fold(Quality::ZERO, Quality::max)
    };
    let open = best(|range| {
        let version = range.get_param("version");
        range.essence_str() == "application/openmetrics-text" && version.is_none_or(|version| version == "1.0.0")
    });
    open > Quality::ZERO && open >= best(|range| range.essence_str() == "text/plain")
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn open_metrics_is_for_those_who_ask_for_it() {
        let wants = |accept: &'static str| {
            wants_open_metrics(&TestRequest::default().insert_header((ACCEPT, accept)).to_http_request())
        };
        for accept in [
            "application/openmetrics-text",
            "application/openmetrics-text; version=1.0.0; charset=utf-8",
            // As Prometheus asks.
            "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
             application/openmetrics-text;version=0.0.1;q=0.5,\
             text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
            "text/plain, application/openmetrics-text",
        ] {
            assert!(wants(accept), "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "text/plain",
            "text/plain; version=0.0.4",
            "text/html, application/xhtml+xml, */*;q=0.8",
            "application/openmetrics-text;q=0",
            "application/openmetrics-text; version=0.0.1, text/plain;q=0.5",
            "application/openmetrics-text; version=2.0.0, text/plain",
            "application/openmetrics-text;q=0.1, text/plain",
            "application/*",
        ] {
            assert!(!wants(accept), "{accept}");
        }
        assert!(!wants_open_metrics(&TestRequest::default().to_http_request()));
    }
}
