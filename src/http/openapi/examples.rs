use serde_json::{Map, Value};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::schema::Components;
use utoipa::openapi::{Ref, RefOr};

use crate::http::operation::Operation;
use crate::schema::Code;

/// Replies that were recorded in a real game, and the problem of each code.
///
/// `tests/contract.rs` plays that game, and renews the file where it is told to.
const RECORDED: &str = include_str!("../../../openapi/examples.json");

/// What is recorded below these names; nothing of an operation that was never played.
fn recorded(names: &[&str]) -> Map<String, Value> {
    #[expect(clippy::expect_used, reason = "it is part of the program")]
    let recorded: Value = serde_json::from_str(RECORDED).expect("the examples are JSON");
    names
        .iter()
        .try_fold(&recorded, |value, name| value.get(name))
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

/// Defines the problem of each code once.
pub(super) fn define(components: &mut Components) {
    for (code, problem) in recorded(&["problems"]) {
        let example = ExampleBuilder::new().value(Some(problem)).build();
        components.examples.insert(code, RefOr::T(example));
    }
}

/// Gives the replies of an operation their examples.
pub(super) fn add(operation: &Operation, description: &mut Description) {
    let replies = recorded(&["replies", description.operation_id.as_deref().unwrap_or_default()]);
    for (status, response) in &mut description.responses.responses {
        let RefOr::T(response) = response else { continue };
        for (media_type, content) in &mut response.content {
            let RefOr::T(content) = content else { continue };
            if media_type == "application/problem+json" {
                let codes = Code::ALL
                    .iter()
                    .filter(|code| code.status().to_string() == *status && operation.can_answer(**code));
                let reference = |code: &Code| {
                    let at = format!("#/components/examples/{}", code.word());
                    (code.word().to_owned(), RefOr::Ref(Ref::new(at)))
                };
                content.examples = codes.map(reference).collect();
            } else {
                content.example = replies.get(status).and_then(|reply| reply.get(media_type)).cloned();
            }
        }
    }
}
