use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::middleware::{Compress, Condition, DefaultHeaders, Next, from_fn};
use actix_web::{HttpResponse, Route, body, guard, web};
use futures_util::FutureExt as _;

use super::encoding::{gzip_or_plain, vary_by_encoding};
use super::operation::{Operation, Subject};
use super::operations::{OPERATIONS, metrics};
use super::problem::Problem;
use super::rate_limit::within_budget;
use super::serve::{Counts, Page};
use super::{docs, page, reply};
use crate::schema::Code;
use crate::text::Message;

/// Mounts the operations, then the document and its pages, and the page to play on.
pub(super) fn mount(config: &mut web::ServiceConfig, counts: Counts, shown: Page) {
    for operations in OPERATIONS.chunk_by(|one, next| one.path == next.path) {
        if counts == Counts::Here || !operations.iter().any(|one| one.path == metrics::METRICS.path) {
            mount_path(config, operations);
        }
    }
    docs::mount(config);
    if shown == Page::Shown {
        page::mount(config);
    }
    config.default_service(web::to(nothing_here));
}

/// Mounts the counts alone, for an address of their own.
pub(super) fn mount_counts(config: &mut web::ServiceConfig) {
    static COUNTS: [&Operation; 1] = [&metrics::METRICS];
    mount_path(config, &COUNTS);
    config.default_service(web::to(nothing_here));
}

/// Mounts the operations of one path.
fn mount_path(config: &mut web::ServiceConfig, operations: &'static [&Operation]) {
    let routes = operations.iter().map(|one| (one.method(), (one.handler)())).collect();
    if let [one, ..] = operations {
        config.service(resource(one.path, routes, operations));
    }
}

async fn nothing_here() -> Result<HttpResponse, Problem> {
    Err(Problem::new(Code::RouteNotFound, Message::NothingHere))
}

/// Whether replies are packed as they are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    /// They are, for whoever takes that.
    AsTheyAreMade,
    /// They are as they should be already.
    Never,
}

/// A path of a file, which is packed already.
pub(super) fn file(path: &str, route: Route) -> impl actix_web::dev::HttpServiceFactory + 'static {
    resource_of(path, vec![(Method::GET, route)], &[], Packing::Never)
}

/// A path with its methods, below which replies are packed as they are made but for those of games: their length would
/// tell of what is hidden in them, and what is public of them is packed where it is made.
pub(super) fn resource(
    path: &str,
    routes: Vec<(Method, Route)>,
    operations: &'static [&'static Operation],
) -> impl actix_web::dev::HttpServiceFactory + 'static {
    let secret = operations.iter().any(|one| one.subject != Subject::Anything);
    resource_of(path, routes, operations, if secret { Packing::Never } else { Packing::AsTheyAreMade })
}

/// A path with its methods. `HEAD` comes with `GET`, `OPTIONS` with everything; a method that the
/// path does not take is a 405, and a panic is a 500 after which the process lives on.
fn resource_of(
    path: &str,
    routes: Vec<(Method, Route)>,
    operations: &'static [&'static Operation],
    packing: Packing,
) -> impl actix_web::dev::HttpServiceFactory + 'static {
    let of_a_game = operations.iter().any(|one| one.subject.is_a_game());
    let of_games = operations.iter().any(|one| one.subject == Subject::Games);
    let takes = |name: Method| routes.iter().any(|(method, _)| *method == name);
    let by_method = [(takes(Method::GET), "GET, HEAD"), (takes(Method::POST), "POST"), (true, "OPTIONS")];
    let allowed: Vec<&str> = by_method.into_iter().filter_map(|(taken, names)| taken.then_some(names)).collect();
    let allowed = allowed.join(", ");
    let mut resource = web::resource(path);
    for (method, route) in routes {
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
    let headers = match (of_a_game, of_games) {
        (true, _) => reply::OF_A_GAME.to_vec(),
        (false, true) => reply::OF_GAMES.to_vec(),
        (false, false) => Vec::new(),
    };
    let headers = headers.into_iter().fold(DefaultHeaders::new(), DefaultHeaders::add);
    resource
        .default_service(web::to(other))
        .wrap(from_fn(catch_panic))
        .wrap(from_fn(move |request, next| within_budget(operations, request, next)))
        .wrap(headers)
        .wrap(Condition::new(packing == Packing::AsTheyAreMade, Compress::default()))
        .wrap(Condition::new(packing == Packing::AsTheyAreMade, from_fn(vary_by_encoding)))
        .wrap(from_fn(gzip_or_plain))
}

fn other_method(method: &Method, allowed: &str) -> HttpResponse {
    let mut reply = if method == Method::OPTIONS {
        HttpResponse::NoContent().finish()
    } else {
        let detail = Message::PathTakes { methods: allowed.to_owned() };
        HttpResponse::from_error(Problem::new(Code::MethodNotAllowed, detail))
    };
    #[expect(clippy::expect_used, reason = "it is a list of methods")]
    let allowed = header::HeaderValue::from_str(allowed).expect("methods can stand in a header");
    reply.headers_mut().insert(header::ALLOW, allowed);
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
        static FIRE: [&Operation; 1] = [&super::super::operations::moves::FIRE];
        let routes = vec![(Method::POST, web::to(panics)), (Method::GET, web::to(panics_later))];
        let fine = vec![(Method::GET, web::to(answers))];
        let app = App::new().service(resource(FIRE[0].path, routes, &FIRE));
        let app = app.service(resource("/healthz", fine, &[]));
        let app = app
            .wrap(from_fn(super::super::language::write_problems))
            .wrap(from_fn(super::super::access_log::access_log));
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
                assert_eq!(response.headers().get(header::CACHE_CONTROL).unwrap(), "private, no-cache, no-transform");
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
