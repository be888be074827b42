//! The served document: committed, complete, and true of what is mounted.

use std::collections::BTreeSet;

use ground::contract::behind;
use ground::server::{Server, send};
use ground::table::Table;
use reqwest::Method;
use serde_json::{Value, json};
use testing::model::Seat;

/// The committed document.
const COMMITTED: &str = include_str!("../../openapi/naval-battle.json");

fn document() -> Value {
    serde_json::from_str(&naval_battle::http::document_text().unwrap()).expect("the document is JSON")
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
            let response = behind(&document, response);
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()), "{it} {status}");
            if status.as_str() >= "400" {
                let content = &response["content"]["application/problem+json"];
                assert_eq!(content["schema"]["$ref"], "#/components/schemas/Problem", "{it} {status}");
            }
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = behind(&document, parameter);
            assert!(parameter["description"].as_str().is_some_and(|text| !text.is_empty()), "{it} {parameter}");
            // Whoever presses Execute on a key that is filled in would get another's reply.
            assert_eq!(parameter.get("example").is_some(), parameter["name"] != "Idempotency-Key", "{it} {parameter}");
        }
        if let Some(body) = operation.get("requestBody") {
            assert!(example(body).is_object(), "{it} has no example");
        }
    }
}

/// Every schema of the document: what has a type, stands in one of the schemas or parameters, and is no example.
fn schemas(document: &Value) -> Vec<(String, Value)> {
    let mut schemas = Vec::new();
    walk("", document, &mut |at, value| {
        let is_example = at.contains("/example");
        if !is_example
            && value.get("type").is_some_and(|kind| kind.is_string() || kind.is_array())
            && at != "/components/securitySchemes/seat_token"
        {
            schemas.push((at.to_owned(), value.clone()));
        }
    });
    schemas
}

/// Names of the schemas that a client writes: those of bodies and parameters, and all within.
fn written_by_clients(document: &Value) -> BTreeSet<String> {
    let mut open: Vec<Value> = Vec::new();
    for (_, _, operation) in operations(document) {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        open.extend(parameters.map(|parameter| behind(document, parameter).clone()));
        open.push(operation["requestBody"].clone());
    }
    let mut names = BTreeSet::new();
    while let Some(value) = open.pop() {
        walk("", &value, &mut |_, object| {
            let name =
                object.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/components/schemas/"));
            if let Some(name) = name
                && names.insert(name.to_owned())
            {
                open.push(document["components"]["schemas"][name].clone());
            }
        });
    }
    names
}

#[test]
fn every_number_has_a_minimum_and_a_maximum_and_every_list_an_end() {
    let document = document();
    let mut numbers = 0;

    for (at, schema) in schemas(&document) {
        if allows(&schema, "integer") || allows(&schema, "number") {
            let bounded = schema.get("minimum").is_some() && schema.get("maximum").is_some();
            assert!(bounded || schema.get("enum").is_some(), "{at} has no bounds: {schema}");
            numbers += 1;
        }
        if allows(&schema, "array") {
            assert!(schema.get("maxItems").is_some(), "{at} has no end: {schema}");
        }
    }

    assert!(numbers > 20, "the walk found {numbers} numbers");
    assert_eq!(document["components"]["schemas"]["Cell"]["pattern"], "^[A-O]([1-9]|1[0-5])$");
    assert_eq!(document["components"]["schemas"]["GridSize"]["enum"], json!([8, 10, 12, 15]));
    assert_eq!(document["components"]["schemas"]["Seat"]["enum"], json!(["host", "guest"]));
}

#[test]
fn every_text_that_a_client_writes_has_its_form_and_every_object_is_closed() {
    let document = document();
    let written = written_by_clients(&document);
    assert!(written.contains("ShipRequest") && written.contains("Cell"), "{written:?}");
    let mut texts = 0;

    for (at, schema) in schemas(&document) {
        let of_a_body = written.iter().any(|name| {
            let schema = format!("/components/schemas/{name}");
            at == schema || at.starts_with(&format!("{schema}/"))
        });
        if !of_a_body && !at.contains("/parameters/") {
            continue;
        }
        if allows(&schema, "string") {
            let has_form = ["enum", "pattern", "format", "maxLength"].iter().any(|form| schema.get(form).is_some());
            assert!(has_form, "{at} may be any text: {schema}");
            texts += 1;
        }
        if allows(&schema, "object") {
            assert_eq!(schema["additionalProperties"], false, "{at} is open: {schema}");
        }
    }

    assert!(texts > 10, "the walk found {texts} texts");
}

#[test]
fn a_key_that_stands_for_a_seat_is_never_filled_in() {
    let mut keys = 0;

    walk("", &document(), &mut |at, value| {
        if value.get("name").is_some_and(|name| name == "Idempotency-Key") {
            keys += 1;
            for place in [value, &value["schema"]] {
                for word in ["example", "examples", "default", "const", "enum"] {
                    assert_eq!(place.get(word), None, "{at}: whoever presses Execute would get another's seat");
                }
            }
        }
    });

    assert!(keys >= 3, "the walk found {keys} keys");
}

#[test]
fn every_reply_with_a_body_has_an_example_and_every_problem_one_of_each_code() {
    let document = document();

    for (path, method, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let response = behind(&document, response);
            for (media_type, content) in response["content"].as_object().into_iter().flatten() {
                let it = format!("{method} {path} {status} {media_type}");
                if media_type == "application/problem+json" {
                    for reference in content["examples"].as_object().unwrap().values() {
                        let at = reference["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
                        let problem = &document.pointer(at).unwrap_or_else(|| panic!("{it}: no {at}"))["value"];
                        assert_eq!(problem["status"].to_string(), *status, "{it}");
                    }
                } else if path != "/metrics" {
                    let examples = content["examples"].as_object().unwrap_or_else(|| panic!("{it} has no example"));
                    assert!(examples.values().all(|one| behind(&document, one).get("value").is_some()), "{it}");
                }
            }
        }
    }
}

#[test]
fn every_code_is_documented_for_some_operation_or_belongs_to_the_framework() {
    let document = document();
    let documented: BTreeSet<String> = operations(&document)
        .iter()
        .flat_map(|(.., operation)| operation["responses"].as_object().unwrap().values())
        .filter_map(|response| {
            behind(&document, response)["content"]["application/problem+json"]["examples"].as_object()
        })
        .flat_map(|examples| examples.keys().cloned())
        .collect();

    for code in naval_battle::schema::Code::ALL {
        let documented = documented.contains(code.word());
        let of_the_framework = ["route_not_found", "method_not_allowed"].contains(&code.word());
        assert!(documented != of_the_framework, "{}", code.word());
    }
}

#[test]
fn each_kind_of_event_has_a_name_of_its_own_which_its_type_leads_to() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let event = &schemas["GameEvent"];

    let mapping = event["discriminator"]["mapping"].as_object().unwrap();
    let listed: BTreeSet<&str> =
        event["oneOf"].as_array().unwrap().iter().map(|one| one["$ref"].as_str().unwrap()).collect();

    assert_eq!(event["discriminator"]["propertyName"], "type");
    assert_eq!(mapping["timed_out"], "#/components/schemas/TimedOutEvent");
    assert_eq!(mapping.values().map(|at| at.as_str().unwrap()).collect::<BTreeSet<_>>(), listed);
    for (word, at) in mapping {
        let kind = document.pointer(at.as_str().unwrap().strip_prefix('#').unwrap()).unwrap();
        assert_eq!(kind["properties"]["type"]["enum"], json!([word]));
        for field in ["seq", "at", "status", "awaiting", "head", "type"] {
            assert!(kind["required"].as_array().unwrap().contains(&json!(field)), "{word} has no {field}");
        }
    }
}

/// Names that mean something else in a language or library of those for which clients are made.
const TAKEN: [&str; 33] = [
    "Action",
    "Array",
    "Awaited",
    "Boolean",
    "Code",
    "Date",
    "DateTime",
    "Error",
    "Event",
    "Exception",
    "File",
    "Function",
    "Host",
    "Length",
    "Level",
    "List",
    "Location",
    "Log",
    "Map",
    "Name",
    "Nothing",
    "Number",
    "Object",
    "Option",
    "Options",
    "Progress",
    "Record",
    "Request",
    "Response",
    "Status",
    "String",
    "Time",
    "Type",
];

#[test]
fn no_schema_is_called_as_what_languages_have_already() {
    let document = document();
    let components = document["components"].as_object().unwrap();

    for name in TAKEN {
        assert!(components["schemas"].get(name).is_none(), "{name} is taken");
    }
    // Some generators make types of both.
    for name in components["responses"].as_object().unwrap().keys() {
        assert!(components["schemas"].get(name).is_none(), "{name} is a schema too");
    }
}

#[test]
fn operations_are_called_by_what_they_do_and_to_what() {
    let document = document();
    let ids: Vec<String> =
        operations(&document).iter().map(|(.., one)| one["operationId"].as_str().unwrap().to_owned()).collect();

    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    for id in ids {
        let words = id.split(|letter: char| letter.is_ascii_uppercase()).count();
        assert!(words >= 2 && id.chars().all(char::is_alphanumeric) && id.starts_with(char::is_lowercase), "{id}");
    }
}

#[test]
fn what_creates_is_shown_before_what_lists() {
    let paths = COMMITTED.split_once("\"paths\"").expect("paths").1;

    let places = ["createGame", "listGames", "getGame", "joinGame", "placeFleet", "fireShots", "revealCells"]
        .map(|id| paths.find(&format!("\"operationId\": \"{id}\"")).unwrap_or_else(|| panic!("no {id}")));

    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn what_is_left_out_of_a_request_has_its_default_in_words() {
    let document = document();

    for name in written_by_clients(&document) {
        walk(&name, &document["components"]["schemas"][&name], &mut |at, value| {
            assert!(value.get("default").is_none(), "{at}: some generators take such a field to be required");
        });
    }
}

#[test]
fn from_where_a_game_begins_links_lead_to_all_that_can_be_done_with_it() {
    let document = document();
    let by_game: BTreeSet<String> = operations(&document)
        .iter()
        .filter(|(path, ..)| path.starts_with("/v1/games/{game_id}") && path.matches('{').count() == 1)
        .map(|(.., operation)| operation["operationId"].as_str().unwrap().to_owned())
        .collect();

    for path in ["/v1/games", "/v1/games/{game_id}/join", "/v1/games/{game_id}/rematch"] {
        let own = document["paths"][path]["post"]["operationId"].as_str().unwrap();
        let reply = &document["paths"][path]["post"]["responses"]["201"];
        let links = reply["links"].as_object().unwrap();

        let expected: BTreeSet<&str> = by_game.iter().map(String::as_str).filter(|id| *id != own).collect();

        assert_eq!(links.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
        for (id, link) in links {
            let link = behind(&document, link);
            assert_eq!(link["operationId"], *id);
            assert_eq!(link["parameters"], json!({"game_id": "$response.body#/game/id"}));
        }
    }
}

#[test]
fn the_document_says_what_it_says_once() {
    let document = document();
    let (mut inline, mut shared) = (0, 0);

    for (.., operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            if status.as_str() >= "400" {
                *(if response.get("$ref").is_some() { &mut shared } else { &mut inline }) += 1;
            }
        }
        let id = json!("game_id");
        assert!(
            operation["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .all(|parameter| parameter["name"] != id || operation["operationId"] == "rematchGame")
        );
    }

    assert!(shared > 10 * inline, "{inline} refusals are written out, {shared} are not");
    // It took twice as much for an operation while each had its refusals written out.
    let operations = document["paths"].as_object().unwrap().values().map(|path| path.as_object().unwrap().len());
    assert!(COMMITTED.len() < 9_000 * operations.sum::<usize>(), "{}", COMMITTED.len());
    assert!(COMMITTED.lines().all(|line| line.chars().count() <= 120 || line.trim_start().starts_with('"')));
}

/// The example of a request body.
fn example(body: &Value) -> &Value {
    &body["content"]["application/json"]["example"]
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
        example(&operation["requestBody"]).clone()
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
