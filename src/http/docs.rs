use std::future::{Ready, ready};
use std::sync::{Arc, LazyLock};

use actix_web::dev::HttpServiceFactory;
use actix_web::http::{Method, header};
use actix_web::{HttpResponse, Route, web};
use utoipa_swagger_ui::Config;

use super::language::CallerLanguage;
use super::problem::Problem;
use super::{openapi, pages, routes};
use crate::schema::Code;
use crate::text::Message;

/// What Swagger UI's page may do: its own scripts, its own requests to this server, and the styles
/// and pictures that its scripts write into it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The document, made once, for all threads that serve.
#[expect(clippy::expect_used, reason = "it is made of texts and numbers alone")]
static DOCUMENT: LazyLock<web::Bytes> =
    LazyLock::new(|| openapi::document_text().expect("the document can be written").into());

/// Mounts the document, Swagger UI, the pages beside them, and a page for each code of a problem.
pub(super) fn mount(config: &mut web::ServiceConfig) {
    LazyLock::force(&DOCUMENT);
    pages::mount(config);
    config
        .service(page("/openapi.json", web::to(|| ready(show(DOCUMENT.clone())))))
        .service(page("/docs", web::to(|| ready(lead_to_docs()))))
        .service(page("/problems/{code}", web::to(explain)))
        .service(page("/docs/{file:.*}", web::to(swagger_ui(swagger_config()))));
}

/// A page that no operation makes.
fn page(path: &str, route: Route) -> impl HttpServiceFactory + 'static {
    routes::resource(path, vec![(Method::GET, route)], &[])
}

fn swagger_config() -> Arc<Config<'static>> {
    // Relative, so that a prefix in front of the service does no harm.
    let config = Config::from("../openapi.json")
        .try_it_out_enabled(true)
        .persist_authorization(true)
        .default_models_expand_depth(0)
        .use_base_layout();
    Arc::new(config)
}

/// The handler of Swagger UI's files. Its own way to be mounted knows neither `HEAD` nor problems.
fn swagger_ui(
    config: Arc<Config<'static>>,
) -> impl Fn(web::Path<String>) -> Ready<Result<HttpResponse, Problem>> + Clone {
    move |file| ready(show_file(&file, &config))
}

fn show_file(file: &str, config: &Arc<Config<'static>>) -> Result<HttpResponse, Problem> {
    let found = utoipa_swagger_ui::serve(file, Arc::clone(config)).map_err(|error| {
        log::error!("a file of Swagger UI could not be written: {error}");
        Problem::internal()
    })?;
    let file = found.ok_or_else(|| Problem::new(Code::RouteNotFound, Message::NoSuchFile))?;
    let mut reply = HttpResponse::Ok();
    reply.insert_header((header::CONTENT_SECURITY_POLICY, POLICY));
    if file.gzpipped {
        reply.insert_header((header::CONTENT_ENCODING, "gzip"));
    }
    Ok(reply.insert_header((header::CONTENT_TYPE, file.content_type)).body(file.bytes.into_owned()))
}

fn show(document: web::Bytes) -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CONTENT_TYPE, "application/json")).body(document)
}

fn lead_to_docs() -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((header::LOCATION, "docs/")).finish()
}

async fn explain(word: web::Path<String>, spoken: CallerLanguage) -> Result<HttpResponse, Problem> {
    let code = Code::ALL
        .iter()
        .find(|code| code.word() == word.as_str())
        .ok_or_else(|| Problem::new(Code::RouteNotFound, Message::NoSuchProblem))?;
    let page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
         <h1>{title}</h1><p><code>{status} {word}</code></p><p>{meaning}</p></html>\n",
        language = spoken.0.tag(),
        title = spoken.0.say(&code.title()),
        status = code.status(),
        word = code.word(),
        meaning = spoken.0.say(&code.meaning()),
    );
    let mut reply = HttpResponse::Ok().insert_header((header::CONTENT_TYPE, "text/html; charset=utf-8")).body(page);
    spoken.mark(reply.headers_mut());
    Ok(reply)
}
