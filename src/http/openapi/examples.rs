use std::sync::LazyLock;

use serde_json::{Map, Value};
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::path::Operation as Description;
use utoipa::openapi::schema::Components;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::written::Item;

/// Replies that were recorded in a real game, and the problem of each code.
///
/// `tests/contract.rs` plays that game, and renews the file where it is told to.
const RECORDED: &str = include_str!("../../../openapi/examples.json");

/// The same, read once.
#[expect(clippy::expect_used, reason = "it is part of the program")]
static READ: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(RECORDED).expect("the examples are JSON"));

/// What is recorded below these names; none of an operation that was never played.
fn recorded(names: &[&str]) -> Option<&'static Map<String, Value>> {
    names.iter().try_fold(&*READ, |value, name| value.get(name))?.as_object()
}

/// Operations whose replies are shown by those of others.
const SHOWN_BY: [(&str, &str); 2] = [("replayGame", "getGame"), ("rematchGame", "joinGame")];

/// Defines the problem of each code once, and what operations reply.
pub(super) fn define(components: &mut Components) {
    for (code, problem) in recorded(&["problems"]).into_iter().flatten() {
        components.examples.insert(code.clone(), example(problem));
    }
    let replies = recorded(&["replies"]).into_iter().flatten();
    for (id, by_status) in replies.filter(|(id, _)| shown_by(id) == *id) {
        let by_type = by_status.as_object().into_iter().flatten().filter_map(|(_, replies)| replies.as_object());
        for (media_type, reply) in by_type.flatten() {
            components.examples.insert(name_of(id, media_type), example(reply));
        }
    }
}

/// Gives what an operation does not refuse its examples.
pub(super) fn add(description: &mut Description) {
    let id = description.operation_id.as_deref().unwrap_or_default();
    for (status, response) in &mut description.responses.responses {
        let RefOr::T(response) = response else { continue };
        let replies = recorded(&["replies", shown_by(id), status]);
        for (media_type, content) in &mut response.content {
            if let RefOr::T(content) = content
                && replies.is_some_and(|replies| replies.contains_key(media_type))
            {
                let name = name_of(shown_by(id), media_type);
                let reference = Ref::new(format!("#/components/examples/{name}"));
                content.examples.insert(name, RefOr::Ref(reference));
            }
        }
    }
}

fn example(value: &Value) -> RefOr<Example> {
    RefOr::T(ExampleBuilder::new().value(Some(value.clone())).build())
}

/// The operation whose replies show those of this one.
fn shown_by(id: &str) -> &str {
    SHOWN_BY.iter().find(|(other, _)| *other == id).map_or(id, |(_, shown)| shown)
}

/// What an operation's reply of a type is called among the components, where no code of a problem is called so.
fn name_of(id: &str, media_type: &str) -> String {
    match media_type {
        "application/json" => id.to_owned(),
        other => format!("{id}.{}", other.rsplit(['/', '-']).next().unwrap_or_default()),
    }
}

/// Has examples of bodies stand with the bodies, where whoever imports the document looks, instead of with their schemas.
pub(super) fn move_to_bodies(items: &mut [Item], components: &mut Components) {
    let mut moved = Vec::new();
    for operation in items.iter_mut().flat_map(Item::operations_mut) {
        let Some(RefOr::T(body)) = &mut operation.request_body else { continue };
        for content in body.content.values_mut() {
            if let RefOr::T(content) = content
                && let Some(RefOr::Ref(reference)) = &content.schema
                && let Some((_, name)) = reference.ref_location.rsplit_once('/')
                && let Some(RefOr::T(Schema::Object(schema))) = components.schemas.get(name)
            {
                content.example = schema.examples.first().cloned();
                moved.push(name.to_owned());
            }
        }
    }
    for name in moved {
        if let Some(RefOr::T(Schema::Object(schema))) = components.schemas.get_mut(&name) {
            schema.examples.clear();
        }
    }
}
