//! The document as a judge: whatever it does not promise stops the test.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use jsonschema::{Draft, Validator};
use reqwest::Method;
use serde_json::{Value, json};

use crate::server::Reply;

/// Headers that the transport and the edge put on replies, whatever the operation.
const OF_EVERY_REPLY: [&str; 12] = [
    "access-control-allow-origin",
    "access-control-expose-headers",
    "connection",
    "content-encoding",
    "content-length",
    "content-security-policy",
    "content-type",
    "date",
    "keep-alive",
    "referrer-policy",
    "transfer-encoding",
    "x-content-type-options",
];

/// Codes of the framework: no operation is asked.
const OF_THE_FRAMEWORK: [&str; 2] = ["route_not_found", "method_not_allowed"];

/// A request and what came of it.
pub struct Exchange<'a> {
    /// The request's method.
    pub method: &'a Method,
    /// The path, without prefix and query.
    pub path: &'a str,
    /// The query's parameters, and the headers, as they were sent.
    pub parameters: Vec<(&'static str, String, String)>,
    /// The body as it was sent.
    pub body: Option<&'a [u8]>,
    /// The reply.
    pub reply: &'a Reply,
}

/// What a document says, and what of it has occurred.
pub struct Contract {
    /// The document, with every object closed: a field that it does not name is a failure.
    document: Value,
    validators: Mutex<BTreeMap<String, Arc<Validator>>>,
    occurred: Mutex<Occurred>,
}

/// What has occurred of a document.
#[derive(Default)]
struct Occurred {
    /// Variants of enumerations: where they are listed, and which.
    variants: BTreeSet<(String, String)>,
    /// Operations with their statuses.
    replies: BTreeSet<(String, u16)>,
    /// Operations with the codes of their problems.
    problems: BTreeSet<(String, String)>,
    /// The first reply of each operation, status and media type.
    first: BTreeMap<(String, u16, String), Value>,
    /// The first problem of each code.
    first_problem: BTreeMap<String, Value>,
    /// How many exchanges were judged.
    exchanges: usize,
}

impl Contract {
    /// Judges by this document.
    pub fn new(document: &Value) -> Self {
        let mut document = unite(document, document);
        close(&mut document);
        Self { document, validators: Mutex::default(), occurred: Mutex::default() }
    }

    /// Stops where the reply, or an accepted request, is not as the document says.
    pub fn judge(&self, exchange: &Exchange) {
        self.occurred.lock().unwrap().exchanges += 1;
        let Exchange { method, path, reply, .. } = exchange;
        let it = format!("{method} {path}: {} {}", reply.status, reply.text);
        let Some((at, operation)) = self.operation(method, path) else {
            if reply.text.is_empty() || !is_problem(reply) {
                return;
            }
            self.validate("/components/schemas/Problem", &reply.json, &it);
            return;
        };
        let id = operation["operationId"].as_str().unwrap();
        assert!(!OF_THE_FRAMEWORK.contains(&reply.code()), "an operation of the document is not served: {it}");
        let status = reply.status.to_string();
        let response_at = format!("{at}/responses/{status}");
        assert!(self.document.pointer(&response_at).is_some(), "no such status is documented: {it}");
        let (response_at, response) = self.resolved(&response_at);
        self.headers(response, reply, &it);
        self.content(&response_at, response, reply, *method == Method::HEAD, &it);
        if reply.status < 400 {
            self.request(&at, operation, exchange, &it);
        }
        self.remember(id, exchange);
    }

    fn remember(&self, id: &str, exchange: &Exchange) {
        let Exchange { method, reply, .. } = exchange;
        let mut occurred = self.occurred.lock().unwrap();
        occurred.replies.insert((id.to_owned(), reply.status));
        if *method == Method::HEAD {
            return;
        }
        if is_problem(reply) {
            occurred.problems.insert((id.to_owned(), reply.code().to_owned()));
            occurred.first_problem.entry(reply.code().to_owned()).or_insert_with(|| reply.json.clone());
        } else if let Some(media_type) = reply.header("content-type") {
            let shown = if reply.json.is_null() { json!(reply.text) } else { reply.json.clone() };
            occurred.first.entry((id.to_owned(), reply.status, media_type.to_owned())).or_insert(shown);
        }
    }

    /// The first reply of each kind, as the document shows them.
    pub fn examples(&self) -> Value {
        let occurred = self.occurred.lock().unwrap();
        let mut examples = json!({ "replies": {}, "problems": occurred.first_problem });
        // Counts are other ones each time.
        let shown = occurred.first.iter().filter(|((id, ..), _)| id != "getMetrics");
        for ((id, status, media_type), reply) in shown {
            examples["replies"][id][status.to_string()][media_type] = reply.clone();
        }
        examples
    }

    /// How many exchanges were judged.
    pub fn exchanges(&self) -> usize {
        self.occurred.lock().unwrap().exchanges
    }

    /// Variants of enumerations that have not occurred, each where it is listed.
    pub fn missing_variants(&self) -> Vec<String> {
        let mut listed = Vec::new();
        walk("", &self.document, &mut |at, value| {
            let is_schema = !at.contains("/example");
            for variant in value.get("enum").and_then(Value::as_array).into_iter().flatten().filter(|_| is_schema) {
                listed.push((at.to_owned(), plain(variant)));
            }
        });
        let occurred = self.occurred.lock().unwrap();
        listed.retain(|variant| !occurred.variants.contains(variant));
        listed.into_iter().map(|(at, variant)| format!("{at}: {variant}")).collect()
    }

    /// Replies that are documented, each an operation with a status or a code, and have not occurred.
    pub fn missing_replies(&self) -> Vec<String> {
        let mut missing = Vec::new();
        let occurred = self.occurred.lock().unwrap();
        for item in self.document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                let id = operation["operationId"].as_str().unwrap().to_owned();
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let response = behind(&self.document, response);
                    if !occurred.replies.contains(&(id.clone(), status.parse().unwrap())) {
                        missing.push(format!("{id} {status}"));
                    }
                    let codes = &response["content"]["application/problem+json"]["examples"];
                    for code in codes.as_object().into_iter().flat_map(serde_json::Map::keys) {
                        if !occurred.problems.contains(&(id.clone(), code.clone())) {
                            missing.push(format!("{id} {code}"));
                        }
                    }
                }
            }
        }
        missing
    }

    /// The operation of a request and where it stands in the document.
    fn operation(&self, method: &Method, path: &str) -> Option<(String, &Value)> {
        // What is said of `GET` is said of `HEAD`.
        let method = if *method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
        let (template, item) =
            self.document["paths"].as_object().unwrap().iter().find(|(template, _)| fits(template, path))?;
        Some((format!("/paths/{}/{method}", escaped(template)), item.get(&method)?))
    }

    fn headers(&self, response: &Value, reply: &Reply, it: &str) {
        let documented = |name: &str| {
            let headers = response["headers"].as_object().into_iter().flatten();
            let found = headers.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map(|(_, header)| header["$ref"].as_str().unwrap().strip_prefix('#').unwrap().to_owned())
        };
        for (name, value) in &reply.headers {
            if OF_EVERY_REPLY.contains(&name.as_str()) {
                continue;
            }
            let Some(at) = documented(name.as_str()) else { panic!("{name} is not documented: {it}") };
            let schema = format!("{at}/schema");
            let value = text_as(&self.document.pointer(&schema).unwrap()["type"], value.to_str().unwrap());
            self.validate(&schema, &value, it);
        }
    }

    fn content(&self, response_at: &str, response: &Value, reply: &Reply, head: bool, it: &str) {
        let said = reply.header("content-type").unwrap_or_default();
        let essence = said.split(';').next().unwrap_or_default().trim();
        let Some(contents) = response["content"].as_object() else {
            assert_eq!(reply.text, "", "a body that is not documented: {it}");
            return;
        };
        assert!(contents.contains_key(essence), "no {essence} is documented: {it}");
        if head {
            assert_eq!(reply.text, "", "{it}");
            return;
        }
        let at = format!("{response_at}/content/{}/schema", escaped(essence));
        match essence {
            "application/json" | "application/problem+json" => self.validate(&at, &reply.json, it),
            "text/event-stream" => {
                for line in reply.text.lines().filter_map(|line| line.strip_prefix("data: ")) {
                    let told: Value = serde_json::from_str(line).expect("an event is JSON");
                    self.validate("/components/schemas/GameEvent", &told, it);
                }
            }
            _ => self.validate(&at, &json!(reply.text), it),
        }
    }

    /// What was accepted is what the document allows.
    fn request(&self, at: &str, operation: &Value, exchange: &Exchange, it: &str) {
        let no_parameters = Vec::new();
        let parameters = operation["parameters"].as_array().unwrap_or(&no_parameters);
        for (place, name, value) in &exchange.parameters {
            let index = parameters
                .iter()
                .map(|one| behind(&self.document, one))
                .position(|one| one["in"] == *place && one["name"].as_str().unwrap().eq_ignore_ascii_case(name));
            match index {
                Some(index) => {
                    let schema = format!("{}/schema", self.resolved(&format!("{at}/parameters/{index}")).0);
                    let kind = &self.resolved(&schema).1["type"];
                    self.validate(&schema, &text_as(kind, value), it);
                }
                None => assert_ne!(*place, "query", "{name} is not documented: {it}"),
            }
        }
        if let Some(body) = exchange.body.filter(|body| !body.is_empty()) {
            let body: Value = serde_json::from_slice(body).expect("an accepted body is JSON");
            self.validate(&format!("{at}/requestBody/content/application~1json/schema"), &body, it);
        }
    }

    /// Insists on a value that is as the schema says, and notes its variants.
    fn validate(&self, at: &str, value: &Value, it: &str) {
        let validator = self.validator(at);
        let errors: Vec<String> =
            validator.iter_errors(value).map(|error| format!("{} at {}", error, error.instance_path())).collect();
        assert!(errors.is_empty(), "not as {at} says: {}\n{it}", errors.join("\n"));
        let mut variants = BTreeSet::new();
        self.note(at, value, &mut variants);
        self.occurred.lock().unwrap().variants.append(&mut variants);
    }

    fn note(&self, at: &str, value: &Value, variants: &mut BTreeSet<(String, String)>) {
        let (at, schema) = self.resolved(at);
        if schema.get("enum").is_some() {
            variants.insert((at.clone(), plain(value)));
        }
        for kind in ["oneOf", "anyOf", "allOf"] {
            for index in 0..schema[kind].as_array().map_or(0, Vec::len) {
                let branch = format!("{at}/{kind}/{index}");
                if self.validator(&branch).is_valid(value) {
                    self.note(&branch, value, variants);
                }
            }
        }
        for (name, value) in value.as_object().into_iter().flatten() {
            let property = format!("{at}/properties/{}", escaped(name));
            if self.document.pointer(&property).is_some() {
                self.note(&property, value, variants);
            }
        }
        for value in value.as_array().into_iter().flatten() {
            self.note(&format!("{at}/items"), value, variants);
        }
    }

    /// A schema behind its references.
    fn resolved(&self, at: &str) -> (String, &Value) {
        let schema = self.document.pointer(at).unwrap_or_else(|| panic!("there is no {at}"));
        match schema["$ref"].as_str() {
            Some(reference) => self.resolved(reference.strip_prefix('#').unwrap()),
            None => (at.to_owned(), schema),
        }
    }

    fn validator(&self, at: &str) -> Arc<Validator> {
        if let Some(known) = self.validators.lock().unwrap().get(at) {
            return Arc::clone(known);
        }
        let reference = at.replace('{', "%7B").replace('}', "%7D");
        let schema = json!({
            "$ref": format!("#{reference}"), "components": self.document["components"], "paths": self.document["paths"],
        });
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
        let built = Arc::new(options.build(&schema).unwrap_or_else(|error| panic!("{at}: {error}")));
        self.validators.lock().unwrap().insert(at.to_owned(), Arc::clone(&built));
        built
    }
}

/// What a reference within a document leads to; a value that is none is itself.
pub fn behind<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
        Some(at) => document.pointer(at).unwrap_or_else(|| panic!("there is no {at}")),
        None => value,
    }
}

/// Calls `visit` with every object of a document and where it stands.
pub fn walk(at: &str, value: &Value, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(object) => {
            visit(at, value);
            for (key, value) in object {
                walk(&format!("{at}/{}", escaped(key)), value, visit);
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

/// Writes what is all of several schemas as one, so that it can be closed.
fn unite(document: &Value, schema: &Value) -> Value {
    match schema {
        Value::Object(object) if object.contains_key("allOf") => match &alternatives(document, schema)[..] {
            [one] => one.clone(),
            several => json!({ "oneOf": several }),
        },
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.clone(), unite(document, value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(list) => list.iter().map(|value| unite(document, value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

/// The schemas of objects of which a value is to be as one.
fn alternatives(document: &Value, schema: &Value) -> Vec<Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        return alternatives(document, document.pointer(reference.strip_prefix('#').unwrap()).unwrap());
    }
    if let Some(either) = schema["oneOf"].as_array() {
        return either.iter().flat_map(|one| alternatives(document, one)).collect();
    }
    let Some(all) = schema["allOf"].as_array() else { return vec![schema.clone()] };
    all.iter().map(|one| alternatives(document, one)).fold(vec![json!({"type": "object"})], |known, next| {
        known.iter().flat_map(|one| next.iter().map(|other| both(one, other))).collect()
    })
}

/// An object that has the fields of two.
fn both(one: &Value, other: &Value) -> Value {
    let mut all = one.clone();
    for (name, schema) in other["properties"].as_object().into_iter().flatten() {
        all["properties"][name] = schema.clone();
    }
    let required: Vec<&Value> =
        [one, other].iter().filter_map(|schema| schema["required"].as_array()).flatten().collect();
    all["required"] = json!(required);
    let names = all["required"].as_array_mut().expect("a list");
    names.sort_by_key(Value::to_string);
    names.dedup();
    all
}

/// Closes every object: what a client may have to live with one day is a failure here.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.contains_key("properties") && object.get("type") == Some(&json!("object")) {
                object.entry("additionalProperties").or_insert(json!(false));
            }
            object.values_mut().for_each(close);
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a path is one of a template's.
fn fits(template: &str, path: &str) -> bool {
    let (template, path): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    template.len() == path.len()
        && template.iter().zip(path).all(|(known, part)| known.starts_with('{') || *known == part)
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn is_problem(reply: &Reply) -> bool {
    reply.header("content-type") == Some("application/problem+json")
}

/// A text in a header or query as the value that it stands for.
fn text_as(kind: &Value, text: &str) -> Value {
    if kind == "integer" { text.parse::<i64>().map_or(json!(text), Value::from) } else { json!(text) }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
