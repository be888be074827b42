//! One policy of strict reading on every operation: whatever could have two meanings is refused.
//!
//! The operations, their examples and their parameters are those of the document, so a new one is held to it too.

use serde_json::{Value, json};

use crate::api::asking::{post_text, posting};
use ground::contract::behind;
use ground::server::{Server, authorized, send};
use ground::table::Table;

/// An operation on a game in which its request is read, whatever comes of it then.
struct Operation {
    path: String,
    token: Option<String>,
    example: Value,
    /// Parameters of the query with a value that is taken.
    query: Vec<(String, String)>,
}

async fn operations(server: &Server, method: &str) -> Vec<Operation> {
    let table = Table::in_battle(server).await;
    let document = server.get("/openapi.json", None).await.expect(200).clone();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(operation) = item.get(method) else { continue };
        let parameters = operation["parameters"].as_array().into_iter().flatten().map(|one| behind(&document, one));
        let of_the_query = parameters.filter(|parameter| parameter["in"] == "query");
        let value = |parameter: &Value| {
            let schema = behind(&document, &parameter["schema"]);
            let value = schema["enum"].get(0).unwrap_or(&schema["minimum"]).clone();
            if parameter["name"] == "games" {
                return table.id.clone();
            }
            value.as_str().map_or_else(|| value.to_string(), str::to_owned)
        };
        let query = of_the_query.map(|one| (one["name"].as_str().unwrap().to_owned(), value(one))).collect();
        let asks_for_a_seat = operation["security"] == json!([{"seat_token": []}]);
        operations.push(Operation {
            path: path.replace("{game_id}", &table.id),
            token: asks_for_a_seat.then(|| table.host.clone()),
            example: operation["requestBody"]["content"]["application/json"]["example"].clone(),
            query,
        });
    }
    assert!(operations.len() >= 6, "{method}");
    operations
}

/// Every place in a value.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    for (key, value) in value.as_object().into_iter().flatten() {
        places(value, &format!("{at}/{key}"), found);
    }
    for (index, value) in value.as_array().into_iter().flatten().enumerate() {
        places(value, &format!("{at}/{index}"), found);
    }
}

/// The value with this text at a place.
fn with(value: &Value, at: &str, text: &str) -> String {
    let mut value = value.clone();
    *value.pointer_mut(at).unwrap() = json!("HERE");
    value.to_string().replace("\"HERE\"", text)
}

/// What a value must not be replaced with, as it is written.
fn spoiled(value: &Value) -> Vec<String> {
    let text = value.to_string();
    let inner = text.get(1..text.len() - 1).unwrap_or_default();
    match value {
        Value::Object(object) => {
            let values: Vec<_> = object.values().map(Value::to_string).collect();
            let mut spoiled =
                vec![format!("[{}]", values.join(",")), format!("[{text}]"), "7".to_owned(), "\"x\"".to_owned()];
            let comma = if object.is_empty() { "" } else { "," };
            spoiled.push(format!("{{{inner}{comma}\"unknown\":null}}"));
            spoiled.extend(object.keys().map(|key| format!("{{{inner},\"{key}\":{}}}", object[key])));
            spoiled
        }
        Value::Array(_) => vec!["{}".to_owned(), format!("{{\"0\":{text}}}"), "\"x\"".to_owned(), "[null]".to_owned()],
        Value::Number(number) => {
            let digits = format!("1{}", "0".repeat(5_000));
            let mut spoiled: Vec<_> = ["1e400", "-1e400", "1e30", "-1", "NaN", "0x0A"].map(str::to_owned).into();
            spoiled.extend([
                digits,
                format!("{number}.5"),
                format!("0{number}"),
                format!("\"{number}\""),
                format!("[{number}]"),
            ]);
            spoiled
        }
        Value::String(_) => [r"\u0000", r"\ud800", r"\udc00\ud800", "\u{0}", "\n"]
            .iter()
            .map(|end| format!("\"{inner}{end}\""))
            .chain(["7".to_owned(), format!("[{text}]"), "\"\"".to_owned()])
            .collect(),
        Value::Bool(_) => ["1", "\"true\"", "[true]", "True"].map(str::to_owned).into(),
        Value::Null => vec!["7".to_owned(), "\"x\"".to_owned()],
    }
}

#[tokio::test]
async fn c_whatever_is_spoiled_in_a_request_is_malformed_on_every_post() {
    let server = Server::shared().await;
    let mut tried = 0;
    for Operation { path, token, example, .. } in operations(&server, "post").await {
        let mut all = Vec::new();
        places(&example, "", &mut all);
        for at in all {
            for text in spoiled(example.pointer(&at).unwrap()) {
                // What is no id is one of no game.
                if at.ends_with("/id") && serde_json::from_str::<String>(&text).is_ok() {
                    continue;
                }
                let body = with(&example, &at, &text);

                let reply = post_text(&server, &path, token.as_deref(), body.clone()).await;

                assert_eq!((reply.status, reply.code()), (400, "malformed"), "{path}: {body:.300}");
                reply.refuses(400, "malformed");
                tried += 1;
            }
        }
    }
    assert!(tried > 200, "{tried}");
}

#[tokio::test]
async fn c_a_number_with_a_fraction_of_nothing_is_that_number_on_every_post() {
    let server = Server::shared().await;
    for Operation { path, token, example, .. } in operations(&server, "post").await {
        let mut all = Vec::new();
        places(&example, "", &mut all);
        for at in all {
            if let Value::Number(number) = example.pointer(&at).unwrap() {
                for same in [format!("{number}.0"), format!("{number}e0"), format!("{number}0e-1")] {
                    let reply = post_text(&server, &path, token.as_deref(), with(&example, &at, &same)).await;

                    assert_ne!(reply.status, 400, "{path}: {same}: {}", reply.text);
                }
            }
        }
    }
}

#[tokio::test]
async fn c_what_is_no_json_object_is_refused_on_every_post() {
    let server = Server::shared().await;
    for Operation { path, token, example, .. } in operations(&server, "post").await {
        let token = token.as_deref();
        let whole = example.to_string();
        for body in [
            format!("\u{feff}{whole}").into_bytes(),
            format!("{whole}{whole}").into_bytes(),
            format!("{whole}\u{0}").into_bytes(),
            [b"\xff", whole.as_bytes()].concat(),
            "[".repeat(16_000).into_bytes(),
            "{\"x\":".repeat(3_000).into_bytes(),
            b"null".to_vec(),
            b"\"{}\"".to_vec(),
        ] {
            let reply = send(posting(&server, &path, token, Some("application/json"), body)).await;

            assert_eq!((reply.status, reply.code()), (400, "malformed"), "{path}");
        }
        post_text(&server, &path, token, "[".repeat(100_000)).await.refuses(413, "body_too_large");
    }
}

#[tokio::test]
async fn c_a_query_is_read_strictly_on_every_operation() {
    let server = Server::shared().await;
    for method in ["get", "post"] {
        for Operation { path, token, query, example } in operations(&server, method).await {
            let mut wrong: Vec<String> = ["x=1", "=", "x", "%00=1", "%ff"].map(str::to_owned).into();
            for (name, value) in &query {
                // What is no id is one of no game.
                let bad_ids: &[&str] = &["", ",", "x,"];
                let bad_numbers: &[&str] =
                    &["", "1.5", "-1", "+1", "1e1", "99999999999999999999", "%00", "\u{ff11}", "null"];
                for bad in if name == "games" { bad_ids } else { bad_numbers } {
                    wrong.push(format!("{name}={bad}"));
                }
                wrong.push(format!("{name}={value}&{name}={value}"));
                wrong.push(format!("{}={value}", name.to_uppercase()));
                wrong.push(format!("{name}={value}&x=1"));
            }
            for query in wrong {
                let path = format!("{path}?{query}");

                let reply = if method == "get" {
                    send(authorized(server.request(reqwest::Method::GET, &path), token.as_deref())).await
                } else {
                    post_text(&server, &path, token.as_deref(), example.to_string()).await
                };

                assert_eq!((reply.status, reply.code()), (400, "malformed"), "{path}");
            }
        }
    }
}
