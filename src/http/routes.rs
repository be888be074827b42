use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::middleware::{Compress, Condition, DefaultHeaders, Next, from_fn};
use actix_web::{HttpResponse, Route, body, guard, web};
use futures_util::FutureExt as _;
use utoipa::openapi::path::PathItem;

use super::encoding::gzip_or_plain;
use super::problem::Problem;
use super::rate_limit::within_budget;
use super::serve::Counts;
use super::{docs, games, health, layouts, metrics, openapi, reply, rules};
use crate::schema::Code;
use crate::text::Message;

/// The handler of each operation, by the id that the document gives it.
fn handler(operation: &str) -> Option<Route> {
    Some(match operation {
        "create" => web::to(games::create::create),
        "list" => web::to(games::list::list),
        "show" => web::to(games::show::show),
        "join" => web::to(games::join::join),
        "place" => web::to(games::moves::place),
        "fire" => web::to(games::moves::fire),
        "reveal" => web::to(games::moves::reveal),
        "resign" => web::to(games::moves::resign),
        "rematch" => web::to(games::rematch::rematch),
        "events" => web::to(games::events::events),
        "replay" => web::to(games::replay::replay),
        "verify" => web::to(games::verify::verify),
        "random_layout" => web::to(layouts::random::random_layout),
        "check_layout" => web::to(layouts::check::check_layout),
        "rules" => web::to(rules::rules),
        "alive" => web::to(health::alive),
        "ready" => web::to(health::ready),
        "metrics" => web::to(metrics::metrics),
        _ => return None,
    })
}

/// Where games are created and listed.
const CREATE: &str = "/v1/games";

/// Where the counts are told.
pub(super) const METRICS: &str = "/metrics";

/// Mounts what the document lists and nothing else, then the document and its pages.
pub(super) fn mount(config: &mut web::ServiceConfig, counts: Counts) {
    for (path, item) in &openapi::document().paths.paths {
        if path != METRICS || counts == Counts::Here {
            config.service(resource(path, operations(item)));
        }
    }
    docs::mount(config);
    config.default_service(web::to(nothing_here));
}

/// Mounts the counts alone, for an address of their own.
pub(super) fn mount_counts(config: &mut web::ServiceConfig) {
    config.service(resource(METRICS, vec![(Method::GET, web::to(metrics::metrics))]));
    config.default_service(web::to(nothing_here));
}

async fn nothing_here() -> Result<HttpResponse, Problem> {
    Err(Problem::new(Code::RouteNotFound, Message::NothingHere))
}

fn operations(item: &PathItem) -> Vec<(Method, Route)> {
    let by_method = [(Method::GET, &item.get), (Method::POST, &item.post)];
    let route = |operation: &utoipa::openapi::path::Operation| handler(operation.operation_id.as_deref()?);
    by_method.into_iter().filter_map(|(method, operation)| Some((method, route(operation.as_ref()?)?))).collect()
}

/// A path with its methods. `HEAD` comes with `GET`, `OPTIONS` with everything; a method that the
/// path does not take is a 405, and a panic is a 500 after which the process lives on.
pub(super) fn resource(
    path: &str,
    operations: Vec<(Method, Route)>,
) -> impl actix_web::dev::HttpServiceFactory + 'static {
    let of_a_game = path.starts_with("/v1/games/{game_id}");
    let mut allowed: Vec<&str> = Vec::new();
    for (method, _) in &operations {
        allowed.extend(if method == Method::GET { &["GET", "HEAD"][..] } else { &["POST"] });
    }
    allowed.push("OPTIONS");
    let allowed = allowed.join(", ");
    let mut resource = web::resource(path);
    for (method, route) in operations {
        resource = resource.route(if method == Method::GET {
            route.guard(guard::Any(guard::Get()).or(guard::Head()))
        } else {
            route.method(method)
        });
    }
    let other = move |method: Method| {
        let allowed = allowed.clone();
        async move { other_method(&method, &allowed) }
    };
    let headers = if of_a_game { reply::OF_A_GAME.to_vec() } else { Vec::new() };
    let headers = headers.into_iter().fold(DefaultHeaders::new(), DefaultHeaders::add);
    resource
        .default_service(web::to(other))
        .wrap(from_fn(catch_panic))
        .wrap(from_fn(within_budget))
        .wrap(headers)
        // A reply about a game is never compressed: its length would tell of what is hidden in it,
        // and its tag is for these very bytes.
        .wrap(Condition::new(!of_a_game && path != CREATE, Compress::default()))
        .wrap(from_fn(gzip_or_plain))
}

fn other_method(method: &Method, allowed: &str) -> HttpResponse {
    let mut reply = if method == Method::OPTIONS {
        HttpResponse::NoContent().finish()
    } else {
        let detail = Message::PathTakes { methods: allowed.to_owned() };
        HttpResponse::from_error(Problem::new(Code::MethodNotAllowed, detail))
    };
    if let Ok(allowed) = header::HeaderValue::from_str(allowed) {
        reply.headers_mut().insert(header::ALLOW, allowed);
    }
    reply
}

async fn catch_panic(
    request: ServiceRequest,
    next: Next<body::BoxBody>,
) -> Result<ServiceResponse<body::BoxBody>, actix_web::Error> {
    let asked = request.request().clone();
    if let Ok(response) = std::panic::AssertUnwindSafe(next.call(request)).catch_unwind().await {
        return response;
    }
    log::error!("a handler panicked at {}", asked.match_pattern().unwrap_or_default());
    Ok(ServiceResponse::new(asked, HttpResponse::from_error(Problem::internal())))
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::{App, test};
    use serde_json::Value;

    use super::*;

    async fn panics() -> HttpResponse {
        panic!("B2 is a secret")
    }

    async fn panics_later() -> HttpResponse {
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        panic!("B2 is a secret")
    }

    async fn answers() -> HttpResponse {
        HttpResponse::Ok().finish()
    }

    #[actix_web::test]
    async fn a_handler_that_panics_is_a_500_problem_and_the_next_request_is_fine() {
        let path = "/v1/games/{game_id}/fire";
        let operations = vec![(Method::POST, web::to(panics)), (Method::GET, web::to(panics_later))];
        let fine = vec![(Method::GET, web::to(answers))];
        let app = App::new().service(resource(path, operations)).service(resource("/healthz", fine));
        let app = app.wrap(from_fn(super::super::language::speak)).wrap(from_fn(super::super::access_log::access_log));
        let app = test::init_service(app).await;
        for _ in 0..3 {
            for request in [test::TestRequest::post(), test::TestRequest::get()] {
                let response = test::call_service(
                    &app,
                    request.uri("/v1/games/x/fire").insert_header(("accept-language", "de")).to_request(),
                )
                .await;

                assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
                assert_eq!(response.headers().get(header::CONTENT_TYPE).unwrap(), "application/problem+json");
                assert!(response.headers().contains_key("x-request-id"));
                assert_eq!(response.headers().get(header::CACHE_CONTROL).unwrap(), "private, no-cache");
                assert_eq!(response.headers().get(header::CONTENT_LANGUAGE).unwrap(), "de");
                assert_eq!(response.headers().get(header::VARY).unwrap(), "Authorization, Accept-Language");
                let problem: Value = test::read_body_json(response).await;
                assert_eq!((&problem["status"], &problem["code"]), (&500.into(), &"internal".into()));
                assert_eq!(problem["title"], "Interner Fehler");
                assert!(!problem.to_string().contains("B2"));
            }

            let next = test::call_service(&app, test::TestRequest::get().uri("/healthz").to_request()).await;
            assert_eq!(next.status(), StatusCode::OK);
        }
    }
}
