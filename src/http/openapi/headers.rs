use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::schema::{Components, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Response};

use crate::http::operation::{Operation, Subject};
use crate::text::Language;

/// What `If-Match` and `If-None-Match` take: any state, or a list of entity tags (RFC 9110 §8.8.3).
pub(super) const ENTITY_TAGS: &str = r#"^(\*|(W/)?"[!#-~]*"([ \t]*,[ \t]*(W/)?"[!#-~]*")*)$"#;

/// What a header of a reply is called, what it says, and how it is written.
struct DescribedHeader {
    name: &'static str,
    says: &'static str,
    schema: fn() -> ObjectBuilder,
}

const DESCRIBED: [DescribedHeader; 11] = [
    DescribedHeader {
        name: "ETag",
        says: "The state of the game through your eyes: its version and who looks, such as \"9-host\". It goes into \
               `If-Match` and `If-None-Match`, and counts there also as a proxy that compresses has changed it.",
        schema: || text().pattern(Some("^\"[1-9][0-9]{0,9}-(host|guest|spectator)(-next([2-9]|[1-9][0-9]+)?)?\"$")),
    },
    DescribedHeader {
        name: "Location",
        says: "The path of the new game, below the prefix of a trusted proxy.",
        schema: || text().pattern(Some("^(/[A-Za-z0-9._~-]+)*/v1/games/[0-9a-f-]{36}$")),
    },
    DescribedHeader {
        name: "Cache-Control",
        says: "`private, no-cache, no-transform` for the reply of a game, `no-store` for one that carries a token.",
        schema: || text().enum_values(Some(["private, no-cache, no-transform", "no-store"])),
    },
    DescribedHeader {
        name: "Vary",
        says: "The reply of a game depends on whose token came, one in a language on the languages asked for, what is \
               compressed on that, and the counts on the form.",
        schema: || text().max_length(Some(100)),
    },
    DescribedHeader {
        name: "Content-Language",
        says: "The language of the texts: the one of those there are that `Accept-Language` likes best.",
        schema: || text().enum_values(Some(Language::ALL.iter().map(|language| language.tag()))),
    },
    DescribedHeader {
        name: "X-Accel-Buffering",
        says: "`no` for a stream: a proxy in front is to pass each event on at once.",
        schema: || text().enum_values(Some(["no"])),
    },
    DescribedHeader {
        name: "WWW-Authenticate",
        says: "How to say who you are.",
        schema: || text().enum_values(Some(["Bearer"])),
    },
    DescribedHeader {
        name: "Retry-After",
        says: "Seconds after which it is worth trying again.",
        schema: || whole().minimum(Some(1)).maximum(Some(86_400)),
    },
    DescribedHeader {
        name: "RateLimit",
        says: "What is left of your address's budget, where there are limits.",
        schema: || text().max_length(Some(100)),
    },
    DescribedHeader {
        name: "RateLimit-Policy",
        says: "How large that budget is, and how many seconds fill it.",
        schema: || text().max_length(Some(100)),
    },
    DescribedHeader {
        name: "X-Request-Id",
        says: "Names the request in the log of the server.",
        schema: || text().pattern(Some("^[0-9a-f]{16}$")),
    },
];

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::Type(Type::String))
}

fn whole() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::Type(Type::Integer))
}

/// Describes each header once.
pub(super) fn define(components: &mut Components) {
    for described in DESCRIBED {
        let header =
            HeaderBuilder::new().schema(Some((described.schema)().build())).description(Some(described.says)).build();
        components.headers.insert(described.name.to_owned(), RefOr::T(header));
    }
}

/// Names the headers of what an operation does not refuse, beside those that it names itself.
pub(super) fn add(operation: &Operation, description: &mut Description) {
    for (status, response) in &mut description.responses.responses {
        let RefOr::T(response) = response else { continue };
        let mut names: Vec<String> = response.headers.keys().cloned().collect();
        names.push("X-Request-Id".to_owned());
        if operation.subject.is_a_game() || operation.subject == Subject::Games {
            names.extend(["Cache-Control", "Vary"].map(str::to_owned));
        }
        // It may be packed.
        if operation.subject == Subject::Anything && status.as_str() < "300" {
            names.push("Vary".to_owned());
        }
        match status.as_str() {
            // A reply that carries a token is kept by nobody.
            "201" => names.push("Cache-Control".to_owned()),
            "304" => names.push("ETag".to_owned()),
            _ => {}
        }
        if operation.in_a_language {
            names.extend(["Content-Language", "Vary"].map(str::to_owned));
        }
        if operation.budget.is_some() {
            names.extend(["RateLimit", "RateLimit-Policy"].map(str::to_owned));
        }
        name(response, names);
    }
}

/// Names the headers that a refusal may have, of whichever operation it is.
pub(super) fn add_to_refusal(status: &str, response: &mut Response) {
    let mut names = vec!["Cache-Control", "Content-Language", "RateLimit", "RateLimit-Policy", "Vary", "X-Request-Id"];
    match status {
        "401" => names.push("WWW-Authenticate"),
        "429" | "503" => names.push("Retry-After"),
        _ => {}
    }
    name(response, names.into_iter().map(str::to_owned).collect());
}

fn name(response: &mut Response, names: Vec<String>) {
    let reference = |name: String| (name.clone(), RefOr::Ref(Ref::new(format!("#/components/headers/{name}"))));
    response.headers = names.into_iter().map(reference).collect();
}
