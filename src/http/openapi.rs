//! The `OpenAPI` document, made from the operations.

mod examples;
mod headers;

use utoipa::OpenApi;
use utoipa::openapi::path::{Operation as Description, Parameter};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder, Schema, ServerBuilder};

use super::operation::{Operation, Subject};
use super::operations::OPERATIONS;
use super::pages;
use crate::schema::{Code, ProblemBody, ViewerWord, Waiting};
use crate::text::Language;
use record::Logged;

/// Naval Battle with Mines
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Naval Battle",
        description = "Battleship with the **Mines** variant: each side hides mines beside its fleet, and whoever \
                       strikes one gives away a cell of their own ships.\n\n\
                       Play a game: `create` gives the host's token, `join` the guest's. Put one of them into \
                       *Authorize*, `place`, put in the other, `place`, and `fire` in turns; `awaiting` in every \
                       reply says who owes what.\n\n\
                       Requests are read strictly: unknown fields and query parameters, doubled keys, arrays in \
                       place of objects, wrong types and numbers out of range are refused. A number of integral value \
                       is that integer. `null` and absent mean the same in a request; in a reply every field is \
                       always there, except in events, whose bytes are hashed.\n\n\
                       Every error is a problem (RFC 9457) with a stable `code`. Titles, details and the rules come in \
                       English, German, Finnish, Italian and Russian: `Accept-Language` decides, `Content-Language` \
                       says which. Codes and all other words of the API are the same in every language."
    ),
    components(schemas(ProblemBody, Logged, ViewerWord, Waiting)),
    tags(
        (name = "games", description = "Create, join, place, fire, reveal."),
        (name = "layouts", description = "Drawn and checked, never kept."),
        (name = "rules", description = "What is played."),
        (name = "operation", description = "For those who run the server.")
    )
)]
struct Document;

/// The document as it is served and committed.
///
/// # Errors
///
/// Where it is no JSON.
pub fn document_text() -> serde_json::Result<String> {
    document().to_pretty_json().map(|document| pages::link_rules(&document))
}

/// What the document is made from.
fn document() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    // Relative to the document itself, so that a prefix in front of the service does no harm.
    document.servers = Some(vec![ServerBuilder::new().url(".").build()]);
    let components = document.components.get_or_insert_default();
    let mut bearer = Http::new(HttpAuthScheme::Bearer);
    bearer.description = Some("The token of a seat, from `create` or `join`.".to_owned());
    components.add_security_scheme(SEAT_TOKEN, SecurityScheme::Http(bearer));
    headers::define(components);
    examples::define(components);
    for operation in OPERATIONS {
        let mut schemas = Vec::new();
        (operation.attribute.schemas)(&mut schemas);
        components.schemas.extend(schemas);
        document.paths.add_path_operation(operation.path, (operation.attribute.methods)(), describe(operation));
    }
    document
}

/// How a seat's token is called in the document.
const SEAT_TOKEN: &str = "seat_token";

/// What the document says of an operation.
fn describe(operation: &Operation) -> Description {
    let mut description = (operation.attribute.description)();
    description.tags = Some((operation.attribute.tags)().into_iter().map(str::to_owned).collect());
    let (without, with) = (SecurityRequirement::default(), SecurityRequirement::new(SEAT_TOKEN, [""; 0]));
    description.security = Some(match operation.subject {
        Subject::Anything | Subject::NewGame => vec![without],
        Subject::Game => vec![without, with],
        Subject::Seat => vec![with],
    });
    add_problems(operation, &mut description);
    headers::add(operation, &mut description);
    examples::add(operation, &mut description);
    for parameter in description.parameters.iter_mut().flatten() {
        cannot_be_null(parameter);
        is_written_as_entity_tags(parameter);
    }
    if let Some(RefOr::T(body)) = &mut description.request_body {
        may_be_empty(body);
    }
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

/// A parameter that may be left out is a text or a number where it is there.
fn cannot_be_null(parameter: &mut RefOr<Parameter>) {
    if let RefOr::T(parameter) = parameter
        && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
        && let SchemaType::Array(types) = &schema.schema_type
        && let [one] = types.iter().filter(|one| **one != Type::Null).collect::<Vec<_>>().as_slice()
    {
        schema.schema_type = SchemaType::Type((*one).clone());
    }
}

/// A form fills the examples in, so they stand in nobody's way: any state will do, and no game is at version 0.
fn is_written_as_entity_tags(parameter: &mut RefOr<Parameter>) {
    let RefOr::T(parameter) = parameter else { return };
    let example = match parameter.name.as_str() {
        "If-Match" => "*",
        "If-None-Match" => "\"0-host\"",
        _ => return,
    };
    if let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema {
        schema.pattern = Some(headers::ENTITY_TAGS.to_owned());
        schema.examples = vec![example.into()];
    }
}

fn add_problems(operation: &Operation, description: &mut Description) {
    let mut by_status: Vec<(u16, Vec<Code>)> = Vec::new();
    for code in Code::ALL.iter().copied().filter(|code| operation.can_answer(*code)) {
        let status = code.status();
        match by_status.iter_mut().find(|(known, _)| *known == status) {
            Some((_, codes)) => codes.push(code),
            None => by_status.push((status, vec![code])),
        }
    }
    for (status, codes) in by_status {
        let lines: Vec<_> =
            codes.iter().map(|code| format!("`{}`: {}", code.word(), Language::English.say(&code.meaning()))).collect();
        let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let response =
            ResponseBuilder::new().description(lines.join("\n\n")).content("application/problem+json", body).build();
        description.responses.responses.insert(status.to_string(), response.into());
    }
}
