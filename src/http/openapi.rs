//! The `OpenAPI` document, made from the operations.

mod examples;
mod headers;
mod links;
mod parameters;
mod problems;
mod written;

use utoipa::OpenApi;
use utoipa::openapi::external_docs::ExternalDocsBuilder;
use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{RefOr, Required, Schema, Server, ServerBuilder};

use super::operation::{Operation, Subject};
use super::operations::OPERATIONS;
use super::pages;
use crate::schema::{ProblemBody, ViewerWord, Waiting};
use record::Logged;
use written::{Document, Item, Paths, folded, indented};

/// Naval Battle with Mines
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Naval Battle",
        description = "Battleship with the **Mines** variant: each side hides mines beside its fleet, and whoever \
                       strikes one gives away a cell of their own ships.\n\n\
                       Play a game: `createGame` gives the host's token, `joinGame` the guest's. Put one of them into \
                       *Authorize*, `placeFleet`, put in the other, `placeFleet`, and `fireShots` in turns; `awaiting` in \
                       every reply says who owes what.\n\n\
                       Requests are read strictly: unknown fields and query parameters, doubled keys, arrays in \
                       place of objects, wrong types and numbers out of range are refused. A number of integral value \
                       is that integer. `null` and absent mean the same in a request; in a reply every field is \
                       always there, except in events, whose bytes are hashed.\n\n\
                       Every error is a problem (RFC 9457) with a stable `code`. Titles, details and the rules come in \
                       English, German, Finnish, Italian and Russian: `Accept-Language` decides, `Content-Language` \
                       says which. Codes and all other words of the API are the same in every language.\n\n\
                       Within v1 there may be more one day: operations, fields of replies, fields and parameters of \
                       requests that may be left out, types of events, codes of problems, words where one of several \
                       is told. Pass over what you do not know. Nothing that is here is taken away or comes to mean \
                       something else. The bytes of a log, the form of commitments and the spelling of cells, ids and \
                       tags never change. [The contract](../docs/contract) has all that clients may rely on.",
        contact(name = "Whoever runs this server")
    ),
    components(schemas(ProblemBody, Logged, ViewerWord, Waiting)),
    tags(
        (name = "games", description = "Create, join, place, fire, reveal."),
        (name = "layouts", description = "Drawn and checked, never kept."),
        (name = "rules", description = "What is played."),
        (name = "operation", description = "For those who run the server.")
    )
)]
struct Frame;

/// The document as it is served and committed.
///
/// # Errors
///
/// Where it is no JSON.
pub fn document_text() -> serde_json::Result<String> {
    text_for("/")
}

/// The document for servers at this place, which is an address, a path, or relative to the document itself.
///
/// # Errors
///
/// Where it is no JSON.
pub(super) fn text_for(place: &str) -> serde_json::Result<String> {
    indented(&document(place)).map(|document| folded(&pages::link_rules(&document)))
}

/// What the document is made from.
fn document(place: &str) -> Document {
    let frame = Frame::openapi();
    let mut components = frame.components.unwrap_or_default();
    let mut bearer = Http::new(HttpAuthScheme::Bearer);
    bearer.description = Some("The token of a seat, from `createGame` or `joinGame`.".to_owned());
    components.add_security_scheme(SEAT_TOKEN, SecurityScheme::Http(bearer));
    headers::define(&mut components);
    examples::define(&mut components);
    problems::define(&mut components);
    links::define(&mut components);
    for operation in OPERATIONS {
        let mut schemas = Vec::new();
        (operation.attribute.schemas)(&mut schemas);
        components.schemas.extend(schemas);
    }
    let described = OPERATIONS.chunk_by(|one, next| one.path == next.path).filter_map(Item::of);
    let mut paths: Vec<_> = described.collect();
    examples::move_to_bodies(&mut paths, &mut components);
    parameters::share(&mut paths, &mut components);
    let form = ExternalDocsBuilder::new().url("https://www.rfc-editor.org/rfc/rfc9457");
    Document {
        openapi: frame.openapi,
        info: frame.info,
        external_docs: form.description(Some("RFC 9457: the form of every error")).build(),
        servers: vec![server(place, "This server"), server("http://localhost:8080", "One of your own: cargo run")],
        tags: frame.tags,
        paths: Paths(paths),
        components,
    }
}

fn server(url: &str, says: &str) -> Server {
    ServerBuilder::new().url(url).description(Some(says)).build()
}

/// How a seat's token is called in the document.
const SEAT_TOKEN: &str = "seat_token";

/// What the document says of an operation.
fn describe(operation: &Operation) -> Description {
    let mut description = (operation.attribute.description)();
    description.tags = Some((operation.attribute.tags)().into_iter().map(str::to_owned).collect());
    let (without, with) = (SecurityRequirement::default(), SecurityRequirement::new(SEAT_TOKEN, [""; 0]));
    description.security = Some(match operation.subject {
        Subject::Anything | Subject::NewGame | Subject::Games => Vec::new(),
        Subject::Game => vec![without, with],
        Subject::Seat => vec![with],
    });
    headers::add(operation, &mut description);
    links::add(operation, &mut description);
    parameters::complete(&mut description);
    if let Some(RefOr::T(body)) = &mut description.request_body {
        may_be_empty(body);
    }
    examples::add(&mut description);
    problems::add(operation, &mut description);
    description
}

/// A body that may be left out is an object where it is there.
fn may_be_empty(body: &mut RequestBody) {
    for content in body.content.values_mut() {
        if let RefOr::T(content) = content
            && let Some(RefOr::T(Schema::OneOf(either))) = &content.schema
            && let Some(object) = either.items.iter().find(|item| matches!(item, RefOr::Ref(_)))
        {
            content.schema = Some(object.clone());
            body.required = Some(Required::False);
        }
    }
}
