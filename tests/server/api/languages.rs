//! `Accept-Language` decides and `Content-Language` says.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use ground::server::{Reply, Server, send};

/// The languages that there are.
const LANGUAGES: [&str; 5] = ["en", "de", "fi", "it", "ru"];

/// Every text of a value with the way to it.
fn texts(at: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| texts(&format!("{at}/{key}"), value, found)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| texts(&format!("{at}/{index}"), value, found));
        }
        Value::String(text) => found.push((at.to_owned(), text.clone())),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

async fn rules(server: &Server, accepted: &str) -> Reply {
    send(server.request(Method::GET, "/v1/rules").header("accept-language", accepted)).await
}

/// Insists that a reply says that it is in this language, and that others are possible.
#[track_caller]
fn assert_is_in(reply: &Reply, language: &str) {
    assert_eq!(reply.header("content-language"), Some(language), "{}", reply.text);
    let varies = reply.header("vary").unwrap_or_default();
    assert_eq!(varies.split(", ").filter(|name| *name == "Accept-Language").count(), 1, "{varies}");
}

#[tokio::test]
async fn c_the_rules_come_in_the_language_asked_for() {
    let server = Server::shared().await;
    for (accepted, language) in [
        ("de-AT", "de"),
        ("fi-FI, fi;q=0.9, en;q=0.8", "fi"),
        ("fr, it;q=0.2", "it"),
        ("en;q=0.1, ru-RU;q=0.5", "ru"),
        ("en-US", "en"),
        ("*", "en"),
        ("tlh", "en"),
        ("", "en"),
        ("; ;q=x, \"", "en"),
    ] {
        let reply = rules(&server, accepted).await;

        assert_eq!(reply.expect(200)["language"], language, "{accepted}");
        assert_is_in(&reply, language);
    }
    let unasked = server.get("/v1/rules", None).await;
    assert_eq!(unasked.expect(200)["language"], "en");
    assert_is_in(&unasked, "en");
    let bytes = reqwest::header::HeaderValue::from_bytes(b"de\xff").unwrap();
    let odd = send(server.request(Method::GET, "/v1/rules").header("accept-language", bytes)).await;
    assert_is_in(&odd, "en");
    let twice =
        server.request(Method::GET, "/v1/rules").header("accept-language", "fr").header("accept-language", "de");
    assert_is_in(&send(twice).await, "de");
    let head = send(server.request(Method::HEAD, "/v1/rules").header("accept-language", "ru")).await;
    assert_is_in(&head, "ru");
}

#[tokio::test]
async fn c_the_rules_differ_in_their_texts_and_in_nothing_else() {
    let server = Server::shared().await;
    let english = rules(&server, "en").await.expect(200).clone();
    let mut told = Vec::new();
    texts("", &english, &mut told);
    // What stands for itself, and words that are the same in several languages.
    let is_shared = |at: &str| {
        at.starts_with("/columns")
            || at.ends_with("/option")
            || at.ends_with("/word")
            || at.ends_with("/fleet")
            || at.starts_with("/defaults")
            || ["/answers/mine", "/options/2/title"].contains(&at)
    };
    for language in LANGUAGES.into_iter().filter(|language| *language != "en") {
        let other = rules(&server, language).await.expect(200).clone();

        for member in ["grids", "fleets", "defaults", "turn_seconds"] {
            assert_eq!(other[member], english[member], "{language}");
        }
        let mut theirs = Vec::new();
        texts("", &other, &mut theirs);
        assert_eq!(theirs.len(), told.len());
        for ((at, text), (their_at, theirs)) in told.iter().zip(&theirs).filter(|((at, _), _)| !is_shared(at)) {
            assert_eq!(at, their_at);
            assert_ne!(text, theirs, "{language}: {at}");
        }
    }
}

#[tokio::test]
async fn c_the_rules_name_every_option_status_and_reason() {
    let server = Server::shared().await;
    let document = server.get("/openapi.json", None).await.expect(200).clone();
    let words = |schema: &str| -> BTreeSet<String> {
        let words = document["components"]["schemas"][schema]["enum"].as_array().unwrap();
        words.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let keys = |value: &Value| -> BTreeSet<String> { value.as_object().unwrap().keys().cloned().collect() };
    for language in LANGUAGES {
        let rules = rules(&server, language).await.expect(200).clone();

        assert_eq!(keys(&rules["statuses"]), words("GameStatus"));
        assert_eq!(keys(&rules["reasons"]), words("Reason"));
        assert_eq!(keys(&rules["actions"]), words("DueAction"));
        assert_eq!(keys(&rules["levels"]), words("BotLevel"));
        let sentences = rules["text"]["standard"].as_str().unwrap().matches(['.', '!']).count();
        assert!((5..=8).contains(&sentences), "{sentences} sentences");
        assert_eq!(keys(&rules["answers"]), words("Mark"));
        let options = rules["options"].as_array().unwrap();
        let named: BTreeSet<String> = options.iter().map(|one| one["option"].as_str().unwrap().to_owned()).collect();
        assert_eq!(named, keys(&rules["defaults"]));
        for (option, schema) in [("fleet", "Fleet"), ("first", "FirstShot")] {
            let option = options.iter().find(|one| one["option"] == option).unwrap();
            let explained = option["words"].as_array().unwrap();
            let explained: BTreeSet<String> =
                explained.iter().map(|word| word["word"].as_str().unwrap().to_owned()).collect();
            assert_eq!(explained, words(schema));
        }
        let clock = options.iter().find(|one| one["option"] == "turn_seconds").unwrap();
        let text = clock["text"].as_str().unwrap();
        assert!(text.contains("10 ") && text.contains("14 "), "{text}");
    }
}

#[tokio::test]
async fn c_columns_have_the_letters_of_the_language() {
    let server = Server::shared().await;
    for (language, letters) in [("en", "ABCDEFGHIJKLMNO"), ("ru", "АБВГДЕЖЗИКЛМНОП")] {
        let rules = rules(&server, language).await;

        let columns = rules.expect(200)["columns"].as_array().unwrap();
        let columns: Vec<&str> = columns.iter().map(|column| column.as_str().unwrap()).collect();
        assert_eq!(columns.concat(), letters);
    }
}
