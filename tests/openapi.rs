//! The served document: committed, complete, and true of what is mounted.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

use std::collections::BTreeSet;

use common::model::Seat;
use common::server::{Server, send};
use common::table::Table;
use reqwest::Method;
use serde_json::{Value, json};

/// The committed document.
const COMMITTED: &str = include_str!("../openapi/naval-battle.json");

fn document() -> Value {
    serde_json::to_value(naval_battle::http::document()).expect("the document is JSON")
}

/// Every operation with its path and method.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push((path.clone(), method.clone(), operation.clone()));
        }
    }
    operations
}

/// Calls `visit` with every object of the document and where it stands.
fn walk(at: &str, value: &Value, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(object) => {
            visit(at, value);
            for (key, value) in object {
                walk(&format!("{at}/{key}"), value, visit);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                walk(&format!("{at}/{index}"), value, visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a schema allows this type.
fn allows(schema: &Value, kind: &str) -> bool {
    schema["type"] == kind || schema["type"].as_array().is_some_and(|types| types.iter().any(|one| one == kind))
}

#[test]
fn the_committed_document_is_the_one_that_the_code_gives() {
    let committed: Value = serde_json::from_str(COMMITTED).expect("the committed document is JSON");

    assert_eq!(committed, document(), "renew it: cargo run -- openapi > openapi/naval-battle.json");
    assert_eq!(document()["openapi"], "3.1.0");
}

#[test]
fn every_reference_leads_to_something() {
    let document = document();
    let mut references = 0;

    walk("", &document, &mut |at, object| {
        if let Some(reference) = object["$ref"].as_str() {
            references += 1;
            let pointer = reference.strip_prefix('#').expect("a reference within the document");
            assert!(document.pointer(pointer).is_some(), "{at}: {reference} leads nowhere");
        }
    });

    assert!(references > 50, "{references}");
}

#[test]
fn every_operation_says_what_it_does_and_what_can_come_of_it() {
    let document = document();

    for (path, method, operation) in operations(&document) {
        let it = format!("{method} {path}");
        for member in ["summary", "description", "operationId"] {
            assert!(operation[member].as_str().is_some_and(|text| !text.is_empty()), "{it} has no {member}");
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{it} {status}");
            if status.as_str() >= "400" {
                let content = &response["content"]["application/problem+json"];
                assert_eq!(content["schema"]["$ref"], "#/components/schemas/Problem", "{it} {status}");
            }
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].as_str().is_some_and(|text| !text.is_empty()), "{it} {parameter}");
        }
        if let Some(body) = operation.get("requestBody") {
            assert!(!examples(&document, body).is_empty(), "{it} has no example");
        }
    }
}

#[test]
fn every_number_has_bounds_every_list_an_end_and_every_cell_a_pattern() {
    let mut numbers = 0;

    walk("", &document(), &mut |at, schema| {
        if allows(schema, "integer") || allows(schema, "number") {
            let bounded = schema.get("minimum").is_some() && schema.get("maximum").is_some();
            assert!(bounded || schema.get("enum").is_some(), "{at} has no bounds: {schema}");
            numbers += 1;
        }
        if allows(schema, "array") && !at.contains("/Progress/") && !at.ends_with("/changes") {
            assert!(schema.get("maxItems").is_some(), "{at} has no end: {schema}");
        }
        if at == "/components/schemas/Cell" {
            assert_eq!(schema["pattern"], "^[A-O]([1-9]|1[0-5])$");
        }
    });

    assert!(numbers > 20, "the walk found {numbers} numbers");
}

#[test]
fn every_code_is_documented_for_some_operation_or_belongs_to_the_framework() {
    let ids: Vec<String> =
        operations(&document()).iter().map(|one| one.2["operationId"].as_str().unwrap().to_owned()).collect();

    for code in naval_battle::wire::Code::ALL {
        let documented = ids.iter().any(|id| naval_battle::http::can_occur(id, *code));
        let of_the_framework = ["route_not_found", "method_not_allowed"].contains(&code.word());
        assert!(documented != of_the_framework, "{}", code.word());
    }
}

/// The examples of a request body.
fn examples(document: &Value, body: &Value) -> Vec<Value> {
    let mut schema = &body["content"]["application/json"]["schema"];
    if let Some(alternatives) = schema["oneOf"].as_array() {
        schema = alternatives.iter().find(|one| one.get("$ref").is_some()).expect("one of them is a schema");
    }
    let name = schema["$ref"].as_str().expect("bodies are named").rsplit('/').next().unwrap();
    document["components"]["schemas"][name]["examples"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn what_is_documented_is_mounted_with_just_these_methods() {
    let server = Server::on_new_database().await;
    let document = document();
    let paths: BTreeSet<String> = operations(&document).into_iter().map(|(path, ..)| path).collect();

    for path in paths {
        let reply = send(server.request(Method::OPTIONS, &path.replace("{game_id}", "x"))).await;
        reply.expect(204);
        let allowed: BTreeSet<&str> = reply.header("allow").expect("an Allow").split(", ").collect();
        let mut documented = BTreeSet::from(["OPTIONS"]);
        for (known, method, _) in operations(&document) {
            match (known == path, method.as_str()) {
                (true, "get") => documented.extend(["GET", "HEAD"]),
                (true, "post") => documented.extend(["POST"]),
                (true, other) => assert_eq!(other, "", "a method that is not mounted"),
                (false, _) => {}
            }
        }
        assert_eq!(allowed, documented, "{path}");
    }
    assert_eq!(server.get("/openapi.json", None).await.expect(200), &document);
}

#[tokio::test]
async fn the_examples_work_when_they_are_sent_in_order() {
    let server = Server::on_new_database().await;
    let document = document();
    let example = |path: &str| {
        let operation = &document["paths"][path]["post"];
        examples(&document, &operation["requestBody"]).into_iter().next().expect("an example")
    };

    let mut table = Table::create(&server, &example("/v1/games")).await;
    let joined = server.post(&table.path("/join"), None, &example("/v1/games/{game_id}/join")).await;
    table.guest = joined.expect(201)["token"].as_str().unwrap().to_owned();
    for seat in [Seat::Host, Seat::Guest] {
        let layout = example("/v1/games/{game_id}/place");
        server.post(&table.path("/place"), Some(table.token(seat)), &layout).await.expect(200);
    }
    let awaited = table.look(&server, None).await.json["awaiting"][0]["seat"].clone();
    let (first, second) = if awaited == "host" { (Seat::Host, Seat::Guest) } else { (Seat::Guest, Seat::Host) };
    let shots = example("/v1/games/{game_id}/fire");
    server.post(&table.path("/fire"), Some(table.token(first)), &shots).await.expect(200);
    // The layout of the example has its mine on J10.
    let struck = table.fire(&server, second, "J10").await;
    assert_eq!(struck.expect(200)["awaiting"][0]["action"], "reveal");
    let cells = example("/v1/games/{game_id}/reveal");
    server.post(&table.path("/reveal"), Some(table.token(second)), &cells).await.expect(200);
    let resigned = example("/v1/games/{game_id}/resign");
    let over = server.post(&table.path("/resign"), Some(table.token(first)), &resigned).await;

    assert_eq!(over.expect(200)["status"], json!("finished"));
}
