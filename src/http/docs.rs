use std::collections::HashMap;
use std::error::Error;
use std::future::ready;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use actix_web::dev::HttpServiceFactory;
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, Route, web};
use utoipa_swagger_ui::Config;

use super::files::File;
use super::language::CallerLanguage;
use super::prefix::Prefix;
use super::problem::Problem;
use super::{openapi, pages, routes};
use crate::schema::Code;
use crate::text::Message;

/// What Swagger UI's page may do: its own scripts, its own requests to this server, and the styles
/// and pictures that its scripts write into it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The document, made once, for all threads that serve.
static DOCUMENT: LazyLock<File> = LazyLock::new(|| document_for("/"));

/// The document that Swagger UI reads. It lies beside the page, and its server is relative to that: so the page sends its
/// requests below whatever prefix it came from, also where no proxy says what it strips.
static DOCUMENT_OF_THE_PAGE: LazyLock<File> = LazyLock::new(|| document_for(".."));

/// The document below the prefix that was last told by a proxy. There is seldom a second one.
static PREFIXED: Mutex<Option<(String, Arc<File>)>> = Mutex::new(None);

#[expect(clippy::expect_used, reason = "it is made of texts and numbers alone")]
fn document_for(place: &str) -> File {
    let text = openapi::text_for(place).expect("the document can be written");
    File::new("application/json", text).expect("the document can be packed")
}

/// The files of Swagger UI that were asked for so far.
static SWAGGER_UI: LazyLock<Mutex<HashMap<String, Arc<File>>>> = LazyLock::new(Mutex::default);

/// Mounts the document, Swagger UI, the pages beside them, and a page for each code of a problem.
pub(super) fn mount(config: &mut web::ServiceConfig) {
    LazyLock::force(&DOCUMENT);
    LazyLock::force(&DOCUMENT_OF_THE_PAGE);
    pages::mount(config);
    config
        .service(routes::file("/openapi.json", web::to(|request: HttpRequest| ready(show_document(&request)))))
        .service(routes::file(
            "/docs/openapi.json",
            web::to(|request: HttpRequest| ready(DOCUMENT_OF_THE_PAGE.serve(&request))),
        ))
        .service(page("/docs", web::to(|| ready(lead_to_docs()))))
        .service(page("/problems/{code}", web::to(explain)))
        .service(routes::file("/docs/{file:.*}", web::to(show_file)));
}

/// A page that no operation makes.
fn page(path: &str, route: Route) -> impl HttpServiceFactory + 'static {
    routes::resource(path, vec![(Method::GET, route)], &[])
}

/// The document with the address at which whoever asks finds the service.
fn show_document(request: &HttpRequest) -> HttpResponse {
    let prefix = Prefix::of(request).before("");
    if prefix.is_empty() {
        return DOCUMENT.serve(request);
    }
    let mut kept = PREFIXED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = match &*kept {
        Some((known, file)) if *known == prefix => Arc::clone(file),
        _ => {
            let file = Arc::new(document_for(&prefix));
            *kept = Some((prefix, Arc::clone(&file)));
            file
        }
    };
    drop(kept);
    file.serve(request)
}

/// How Swagger UI is set up.
fn swagger_config() -> Arc<Config<'static>> {
    // Relative, so that a prefix in front of the service does no harm.
    let config = Config::from("openapi.json")
        .display_operation_id(true)
        .try_it_out_enabled(true)
        .persist_authorization(true)
        .default_models_expand_depth(0)
        .use_base_layout();
    Arc::new(config)
}

/// The handler of Swagger UI's files. Its own way to be mounted knows neither `HEAD` nor problems.
async fn show_file(name: web::Path<String>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let file = swagger_file(&name).map_err(|error| {
        log::error!("a file of Swagger UI could not be written: {error}");
        Problem::internal()
    })?;
    let file = file.ok_or_else(|| Problem::new(Code::RouteNotFound, Message::NoSuchFile))?;
    Ok(file.serve(&request))
}

/// A file of Swagger UI, packed when it is first asked for; none where there is no such one.
fn swagger_file(name: &str) -> Result<Option<Arc<File>>, Box<dyn Error>> {
    let name = if name.is_empty() { INDEX } else { name };
    let files = || SWAGGER_UI.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = files().get(name) {
        return Ok(Some(Arc::clone(file)));
    }
    let Some(found) = utoipa_swagger_ui::serve(name, swagger_config())? else { return Ok(None) };
    let bytes = match name {
        INDEX => with_versions(&found.bytes)?,
        INITIALIZER => with_plugins(&found.bytes)?,
        _ => found.bytes.into_owned(),
    };
    let file = Arc::new(File::new(&found.content_type, bytes)?.under(POLICY));
    files().insert(name.to_owned(), Arc::clone(&file));
    Ok(Some(file))
}

/// The page that Swagger UI begins with.
const INDEX: &str = "index.html";

/// The script that sets the page up.
const INITIALIZER: &str = "swagger-initializer.js";

/// What the script lists as its plugins.
const PLUGINS: &str = "SwaggerUIBundle.plugins.DownloadUrl";

/// Closes the lock of an operation where a token was put in. By itself Swagger UI closes it as well where none is needed.
const LOCKS: &str = "() => ({ statePlugins: { auth: { wrapSelectors: { isAuthorized: (_, system) => (_state, security) => \
                     security?.some((one) => one.size > 0 && one.keySeq().every((name) => \
                     system.authSelectors.authorized()?.has(name))) ?? null } } } })";

/// The script with a plugin of our own.
fn with_plugins(script: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let script = std::str::from_utf8(script)?;
    let (before, after) = script.split_once(PLUGINS).ok_or("Swagger UI is set up in another way")?;
    Ok(format!("{before}{PLUGINS}, {LOCKS}{after}").into_bytes())
}

/// The page with the version of each file that it names, so that these are kept until they change.
fn with_versions(page: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut parts = Vec::new();
    for part in std::str::from_utf8(page)?.split('"') {
        let named = if part.contains('.') { swagger_file(part.trim_start_matches("./"))? } else { None };
        parts.push(named.map_or_else(|| part.to_owned(), |file| format!("{part}?{}", file.version())));
    }
    Ok(parts.join("\"").into_bytes())
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
