//! The page to play on, of `clients/web`, as it was built there: it knows the wire alone, like any other client.

use std::collections::HashMap;
use std::future::ready;
use std::io;
use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use rust_embed::RustEmbed;

use super::files::File;
use super::problem::Problem;
use super::routes;
use crate::schema::Code;
use crate::text::Message;

/// What was built, in the program itself.
#[derive(RustEmbed)]
#[folder = "clients/web/dist"]
struct Built;

/// What the page may do: its own scripts, styles, pictures and manifest, and requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// The page that all its screens are of.
const INDEX: &str = "index.html";

/// Where all else lies, which has its version in its name.
const ASSETS: &str = "assets/";

/// The page and all that it names, packed once, for all threads that serve.
#[expect(clippy::expect_used, reason = "it was built into the program")]
static FILES: LazyLock<HashMap<String, File>> = LazyLock::new(|| {
    Built::iter()
        .map(|name| read(&name).map(|file| (name.into_owned(), file)))
        .collect::<io::Result<_>>()
        .expect("the page can be packed")
});

/// Mounts the page and its files.
pub(super) fn mount(config: &mut web::ServiceConfig) {
    LazyLock::force(&FILES);
    config
        .service(routes::file("/", web::to(|request: HttpRequest| ready(show(INDEX, &request)))))
        .service(routes::file("/assets/{file}", web::to(show_asset)));
}

async fn show_asset(file: web::Path<String>, request: HttpRequest) -> HttpResponse {
    show(&format!("{ASSETS}{file}"), &request)
}

/// A file of the page. One that is not there may be soon, on a server of the next release.
fn show(name: &str, request: &HttpRequest) -> HttpResponse {
    FILES.get(name).map_or_else(
        || {
            let mut reply = HttpResponse::from_error(Problem::new(Code::RouteNotFound, Message::NoSuchFile));
            reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            reply
        },
        |file| file.serve(request),
    )
}

/// A file that was built in.
fn read(name: &str) -> io::Result<File> {
    let bytes = Built::get(name).ok_or(io::ErrorKind::NotFound)?.data.into_owned();
    let file = File::new(content_type(name)?, bytes)?;
    Ok(if name == INDEX { file.under(POLICY) } else { file.for_ever() })
}

/// What a file is, by how its name ends.
fn content_type(name: &str) -> io::Result<&'static str> {
    match name.rsplit('.').next() {
        Some("css") => Ok("text/css; charset=utf-8"),
        Some("html") => Ok("text/html; charset=utf-8"),
        Some("js") => Ok("text/javascript; charset=utf-8"),
        Some("png") => Ok("image/png"),
        Some("svg") => Ok("image/svg+xml"),
        Some("webmanifest") => Ok("application/manifest+json"),
        _ => Err(io::Error::other(format!("nobody knows what {name} is"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_lies_beside_its_assets_and_nothing_else_does() {
        let beside: Vec<_> = Built::iter().filter(|name| !name.starts_with(ASSETS)).collect();

        assert_eq!(beside, [INDEX]);
        assert_eq!(FILES.len(), Built::iter().count());
    }

    #[test]
    fn a_file_that_nobody_knows_is_found_out_before_it_is_served() {
        assert_eq!(content_type("assets/a-1.js").unwrap(), "text/javascript; charset=utf-8");
        for name in ["assets/a-1.map", "assets/js", ""] {
            content_type(name).unwrap_err();
        }
    }
}
