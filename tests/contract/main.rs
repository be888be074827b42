//! Every reply is as the served document says, and all that it lists does occur.
//!
//! Whole games are played, every operation is asked for everything that it
//! refuses, and each reply is held against the document that the server itself gives out: its
//! status, its headers, its type and its body, in which no field may be that the document does not
//! name. An operation, a status, a code or a word that is new in the document fails until something
//! here makes it occur.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

mod flaws;
mod games;
mod outages;
mod problems;

use std::sync::OnceLock;

use ground::cluster::Cluster;
use ground::contract::Contract;
use ground::server::{Server, WITNESS};
use serde_json::{Value, json};
use testing::campaign;

/// What every reply is held against.
static CONTRACT: OnceLock<Contract> = OnceLock::new();

/// Replies that the document promises and nobody can ask for: nothing in these operations can fail
/// inside, or it needs a fault that a test cannot bring about without breaking all others.
const CANNOT_BE_ASKED_FOR: [&str; 12] = [
    "getHealth 500",
    "getHealth internal",
    "getMetrics 500",
    "getMetrics internal",
    "getReadiness 500",
    "getReadiness internal",
    "checkLayout 500",
    "checkLayout internal",
    "drawLayout 500",
    "drawLayout internal",
    "getRules 500",
    "getRules internal",
];

/// Words of the document that cannot occur over HTTP.
const CANNOT_OCCUR: [&str; 3] = [
    // A position whose layouts break the rules is not even read back; a downloaded one may be.
    "/components/schemas/FlawCode: illegal_layout",
    // Only who calls `verify` on the command line has a head to compare with.
    "/components/schemas/FlawCode: wrong_kept_head",
    // Nor has anybody else proofs to hold against the log.
    "/components/schemas/FlawCode: wrong_proof",
];

#[tokio::test(flavor = "multi_thread")]
async fn every_reply_is_as_the_document_says_and_all_that_it_lists_occurs() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let document = server.get("/openapi.json", None).await.expect(200).clone();
    let contract = CONTRACT.get_or_init(|| Contract::new(&document));
    assert!(WITNESS.set(|exchange| CONTRACT.get().unwrap().judge(exchange)).is_ok());

    games::the_example(&server).await;
    games::bots(&server).await;
    tokio::join!(games::whole_games(&server), problems::of_time(&server, &database, contract));
    problems::of_every_operation(&server, &document).await;
    problems::of_the_rules(&server).await;
    problems::of_layouts(&server).await;
    problems::of_repeats(&server, &database).await;
    flaws::of_tampered_logs(&server, &database).await;
    outages::of_budgets(&database, &document).await;
    outages::of_the_database(&document).await;

    assert!(contract.exchanges() > campaign(2_000, 10_000), "only {} exchanges were judged", contract.exchanges());
    assert_eq!(contract.missing_replies().join("\n"), CANNOT_BE_ASKED_FOR.join("\n"));
    assert_eq!(contract.missing_variants().join("\n"), CANNOT_OCCUR.join("\n"));
    are_the_committed(&contract.examples());
}

/// The examples of the document are what was just answered, but for what differs from game to game.
fn are_the_committed(examples: &Value) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/examples.json");
    if std::env::var_os("RENEW_EXAMPLES").is_some() {
        std::fs::write(file, serde_json::to_string_pretty(examples).unwrap() + "\n").unwrap();
    }
    let committed: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(
        masked(&committed),
        masked(examples),
        "renew them: RENEW_EXAMPLES=1 cargo test --test contract, then the document"
    );
}

/// The same without what differs from game to game: ids, times, hashes, tokens, figures in sentences, and what an analysis
/// reckons.
fn masked(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let is_of_a_word = |letter: char| letter.is_ascii_alphanumeric() || "-_:.".contains(letter);
            let words = text.split_inclusive(|letter| !is_of_a_word(letter));
            let masked = words.map(|word| {
                if word.len() > 24 || word.starts_with(|letter: char| letter.is_ascii_digit()) { "…" } else { word }
            });
            masked.collect()
        }
        Value::Array(list) => list.iter().map(masked).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| {
                let is_reckoned = ["best", "boards_drawn"].contains(&key.as_str());
                (key.clone(), if is_reckoned { json!("…") } else { masked(value) })
            })
            .collect(),
        Value::Number(number) if number.is_f64() => json!("…"),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}
