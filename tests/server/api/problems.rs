//! Problems speak the caller's language and mean the same in all.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use naval_battle::schema::Code;
use reqwest::header::ACCEPT_LANGUAGE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

use crate::api::asking::{posting, raw, raw_body};
use crate::api::phase_games::PhaseGames;
use ground::cluster::Cluster;
use ground::held::Held;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

/// The languages beside English.
const OTHERS: [&str; 4] = ["de", "fi", "it", "ru"];

/// Words that none of the other languages has.
const ENGLISH: [&str; 10] = ["the", "is", "of", "and", "with", "must", "expected", "field", "unknown", "was"];

async fn asked_in(language: &str, request: &RequestBuilder) -> Reply {
    let request = request.try_clone().expect("the body is no stream");
    send(request.header(ACCEPT_LANGUAGE, language)).await
}

/// Insists that a request is refused in the same way in every language.
async fn is_told_in_all(code: Code, request: RequestBuilder) -> Value {
    let english = asked_in("en", &request).await;
    let told = english.refuses(code.status(), code.word()).clone();
    assert_eq!(english.header("content-language"), Some("en"));
    for language in OTHERS {
        let reply = asked_in(language, &request).await;
        let theirs = reply.refuses(code.status(), code.word());

        assert_eq!(reply.header("content-language"), Some(language));
        let varies = reply.header("vary").unwrap_or_default();
        assert!(varies.split(", ").any(|name| name == "Accept-Language"), "{varies}");
        for header in ["cache-control", "vary", "www-authenticate", "allow", "etag"] {
            assert_eq!(reply.header(header), english.header(header), "{header}");
        }
        assert_same_but_for_words("", &told, theirs);
    }
    told
}

/// Insists that two problems differ in their sentences and in nothing else.
fn assert_same_but_for_words(at: &str, english: &Value, other: &Value) {
    match (english, other) {
        (Value::Object(english), Value::Object(other)) => {
            assert!(english.keys().eq(other.keys()), "{at}");
            for (key, value) in english {
                assert_same_but_for_words(&format!("{at}/{key}"), value, &other[key]);
            }
        }
        (Value::Array(english), Value::Array(other)) => {
            assert_eq!(english.len(), other.len(), "{at}");
            for (one, other) in english.iter().zip(other) {
                assert_same_but_for_words(at, one, other);
            }
        }
        (Value::String(english), Value::String(other)) if ["/title", "/detail", "/faults/message"].contains(&at) => {
            assert_ne!(english, other, "{at}");
            let words: Vec<&str> = other.split(|letter: char| !letter.is_alphanumeric()).collect();
            assert!(!ENGLISH.iter().any(|word| words.contains(word)), "{at}: {other}");
        }
        (english, other) => assert_eq!(english, other, "{at}"),
    }
}

/// A request for each code that the rules and the contract can give, none of which changes anything.
fn refused(games: &PhaseGames, used: &Table, ended: &Table, left: &Table) -> Vec<(Code, RequestBuilder)> {
    let PhaseGames { server, waiting: _, placing, firing, revealing, over: _ } = games;
    let post = |path: String, token: &str, body: &Value| {
        let token = (!token.is_empty()).then_some(token);
        authorized(server.request(Method::POST, &path), token).json(body)
    };
    let get = |path: String| server.request(Method::GET, &path);
    let shots = |cells: &[&str]| json!({ "shots": cells });
    let legal = layout(FLEET, "J10").to_json();
    let touching = layout("A1>5 A2>4 A5>3 A7>3 E7>2", "A8 J10").to_json();
    vec![
        (Code::Malformed, post(firing.path("/fire"), &firing.host, &shots(&["b7"]))),
        (Code::Unauthorized, post(firing.path("/fire"), "", &shots(&["A1"]))),
        (Code::GameNotFound, get("/v1/games/x".to_owned())),
        (Code::RouteNotFound, get("/v1/nowhere".to_owned())),
        (Code::NothingToProve, get(firing.path("/events/1/proof"))),
        (Code::NothingToAnalyse, get(ended.path("/analysis/1"))),
        (Code::MethodNotAllowed, server.request(Method::DELETE, "/v1/rules")),
        (Code::BodyTooLarge, posting(server, "/v1/games", None, Some("application/json"), " ".repeat(20_000))),
        (Code::UnsupportedMediaType, posting(server, "/v1/games", None, Some("text/plain"), "{}")),
        (Code::GameFull, post(firing.path("/join"), "", &json!({}))),
        (Code::OwnGame, post(firing.path("/join"), &firing.host, &json!({}))),
        (Code::AlreadyPlaced, post(firing.path("/place"), &firing.host, &legal)),
        (Code::NotJoined, post(left.path("/rematch"), &left.host, &json!({}))),
        (Code::NotInBattle, post(placing.path("/fire"), &placing.host, &shots(&["A1"]))),
        (Code::NotYourTurn, post(firing.path("/fire"), &firing.guest, &shots(&["A1"]))),
        (Code::RevealDue, post(revealing.path("/fire"), &revealing.host, &shots(&["A1"]))),
        (Code::NoRevealDue, post(firing.path("/reveal"), &firing.host, &json!({"cells": ["A1"]}))),
        (Code::AlreadyFired, post(used.path("/fire"), &used.host, &shots(&["J1"]))),
        (Code::GameOver, post(ended.path("/fire"), &ended.host, &shots(&["A1"]))),
        (Code::NotOver, get(firing.path("/replay?as=all"))),
        (
            Code::StaleVersion,
            post(firing.path("/fire"), &firing.host, &shots(&["A1"])).header("if-match", "\"1-host\""),
        ),
        (Code::IllegalLayout, post(placing.path("/place"), &placing.host, &touching)),
        (Code::WrongShotCount, post(firing.path("/fire"), &firing.host, &shots(&["A1", "B1"]))),
        (Code::WrongRevealCount, post(revealing.path("/reveal"), &revealing.host, &json!({"cells": []}))),
        (Code::OutsideGrid, post(firing.path("/fire"), &firing.host, &shots(&["O15"]))),
        (Code::NotRevealable, post(revealing.path("/reveal"), &revealing.host, &json!({"cells": ["J1"]}))),
        (
            Code::IdempotencyMismatch,
            post(used.path("/fire"), &used.host, &shots(&["J2"])).header("idempotency-key", "first"),
        ),
    ]
}

#[tokio::test]
async fn c_every_code_is_told_in_the_callers_language() {
    let games = PhaseGames::new().await;
    let server = &games.server;
    let (used, ended) = (Table::in_battle(server).await, Table::in_battle(server).await);
    let first = authorized(server.request(Method::POST, &used.path("/fire")), Some(&used.host));
    send(first.json(&json!({"shots": ["J1"]})).header("idempotency-key", "first")).await.expect(200);
    used.fire(server, Guest, "J1").await.expect(200);
    ended.resign(server, Host).await.expect(200);
    let left = Table::create(server, &json!({})).await;
    left.resign(server, Host).await.expect(200);
    // A cell stands twice where a turn has two shots.
    let salvo = json!({"first": "host", "salvo": true});
    let salvo = Table::in_battle_with(server, &salvo, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    let twice = json!({"shots": ["J1", "J2", "J3", "J4", "J1"]});
    let twice = authorized(server.request(Method::POST, &salvo.path("/fire")), Some(&salvo.host)).json(&twice);
    let mut told = BTreeSet::from([Code::RepeatedCell]);

    is_told_in_all(Code::RepeatedCell, twice).await;
    for (code, request) in refused(&games, &used, &ended, &left) {
        let english = is_told_in_all(code, request).await;

        assert_eq!(english["type"], format!("/problems/{}", code.word()));
        told.insert(code);
    }

    // These have tests of their own, here and in the room of the routes.
    let elsewhere = [
        Code::RequestTimeout,
        Code::InFlight,
        Code::RateLimited,
        Code::Internal,
        Code::RecordDamaged,
        Code::Unavailable,
    ];
    let all: BTreeSet<Code> = Code::ALL.iter().copied().collect();
    assert_eq!(told.union(&elsewhere.into()).copied().collect::<BTreeSet<_>>(), all);
    games.ends_well().await;
}

#[tokio::test]
async fn c_what_cannot_be_read_is_told_in_the_callers_language_with_its_place() {
    let games = PhaseGames::new().await;
    let server = &games.server;
    let long = format!(r#"{{"shots": [{}"A1"]}}"#, r#""A1", "#.repeat(225));
    for (operation, body, place) in [
        ("create", "{", None),
        ("create", "{]", None),
        ("create", "nonsense", None),
        ("create", "\u{feff}{}", None),
        ("create", r#"{"name": "A", "name": "B"}"#, None),
        ("create", r#"{"options": {"turn_seconds": 1e400}}"#, None),
        ("create", r#"{"options": {"turn_seconds": 99999999999999999999999}}"#, Some("options.turn_seconds")),
        ("create", r#"{"options": {"turn_seconds": 18446744073709551615}}"#, None),
        ("create", "[]", None),
        ("create", "null", None),
        ("create", r#"{"color": "red"}"#, Some("color")),
        ("create", r#"{"options": {"size": 1}}"#, Some("options.size")),
        ("create", r#"{"options": 10}"#, Some("options")),
        ("create", r#"{"options": {"grid": 9}}"#, Some("options.grid")),
        ("create", r#"{"options": {"grid": 300}}"#, Some("options.grid")),
        ("create", r#"{"options": {"grid": 10.5}}"#, Some("options.grid")),
        ("create", r#"{"options": {"fleet": "english"}}"#, Some("options.fleet")),
        ("create", r#"{"options": {"first": 1}}"#, Some("options.first")),
        ("create", r#"{"options": {"turn_seconds": 9}}"#, Some("options.turn_seconds")),
        ("create", r#"{"listed": 1}"#, Some("listed")),
        ("create", r#"{"name": 1}"#, Some("name")),
        ("create", r#"{"name": ""}"#, Some("name")),
        ("create", r#"{"bot": true}"#, Some("bot")),
        ("create", r#"{"bot": "unbeatable"}"#, Some("bot")),
        ("place", r#"{"ships": {}}"#, Some("ships")),
        ("place", r#"{"ships": [{"start": "A1"}]}"#, Some("ships[0]")),
        ("place", r#"{"ships": [{"start": "A1", "length": 5}, {"start": "A0", "length": 1}]}"#, Some("ships[1].start")),
        ("place", r#"{"ships": [{"start": "A1", "length": 16}]}"#, Some("ships[0].length")),
        ("place", r#"{"ships": [{"start": "A1", "length": "5"}]}"#, Some("ships[0].length")),
        ("place", r#"{"mines": []}"#, None),
        ("fire", r#"{"shots": "B7"}"#, Some("shots")),
        ("fire", r#"{"shots": ["A1", 7]}"#, Some("shots[1]")),
        ("fire", long.as_str(), Some("shots")),
        ("resign", r#"{"sure": true}"#, Some("sure")),
    ] {
        let posts = games.posts();
        let (path, token) = match operation {
            "create" => &posts[0],
            other => posts.iter().find(|(path, _)| path.ends_with(&format!("/{other}"))).unwrap(),
        };
        let request = posting(server, path, *token, Some("application/json"), body.to_owned());

        let told = is_told_in_all(Code::Malformed, request).await;

        let detail = told["detail"].as_str().unwrap();
        match place {
            Some(place) => assert!(detail.starts_with(&format!("{place}: ")), "{body}: {detail}"),
            None => assert!(!detail.split(' ').next().unwrap().ends_with(':'), "{body}: {detail}"),
        }
        // Something is known of everything that was sent here.
        assert!(!detail.contains("something else"), "{body}: {detail}");
    }
    games.ends_well().await;
}

#[tokio::test]
async fn c_query_and_headers_are_told_of_in_the_callers_language() {
    let games = PhaseGames::new().await;
    let server = &games.server;
    let firing = &games.firing;
    let fire = || {
        let request = authorized(server.request(Method::POST, &firing.path("/fire")), Some(&firing.host));
        request.json(&json!({"shots": ["A1"]}))
    };
    let create = || server.request(Method::POST, "/v1/games").json(&json!({}));
    let get = |path: &str| server.request(Method::GET, &firing.path(path));
    for (request, word) in [
        (server.request(Method::GET, "/v1/rules?x=1"), ""),
        (get("/events?from=1"), "after, limit, wait"),
        (get("/events?limit=1&limit=1"), "limit"),
        (get("/events?limit=501"), "500"),
        (get("/replay?as=anna"), "spectator"),
        (get("/replay?upto=0"), "upto"),
        (get("/events").header("accept", "text/event-stream").header("last-event-id", "x"), "Last-Event-ID"),
        (get("").header("if-none-match", "9-host"), "if-none-match"),
        (fire().header("if-match", "x"), "if-match"),
        (fire().header("idempotency-key", ""), "255"),
        (fire().header("idempotency-key", "a").header("idempotency-key", "b"), "idempotency-key"),
        (create().header("idempotency-key", "short"), "32"),
    ] {
        let told = is_told_in_all(Code::Malformed, request).await;

        assert!(told["detail"].as_str().unwrap().contains(word), "{told}");
    }
    for (request, code) in [
        (posting(server, "/v1/games", None, None, "{}"), Code::UnsupportedMediaType),
        (
            posting(server, "/v1/games", None, Some("application/json"), "{}").header("content-encoding", "gzip"),
            Code::UnsupportedMediaType,
        ),
        (server.request(Method::GET, "/docs/nothing.js"), Code::RouteNotFound),
        (server.request(Method::GET, "/problems/nothing"), Code::RouteNotFound),
        (server.request(Method::PUT, "/docs/"), Code::MethodNotAllowed),
    ] {
        is_told_in_all(code, request).await;
    }
    games.ends_well().await;
}

#[tokio::test]
async fn r5_every_fault_of_a_layout_is_told_in_the_callers_language() {
    let server = Server::shared().await;
    let table = Table::joined(&server, &json!({"grid": 12})).await;
    let fleet = |ships: &str, mines: &str| layout(ships, mines).to_json();
    let mut kinds = BTreeSet::new();
    for sent in [
        fleet("K1>5 A3>4 B3>3 A4>3 A8>2 A10>2", "O15 A8 B9 C9 C9"),
        fleet("A1>5", ""),
        fleet("A1>5 A3>4 A5>3 A7>3 E7>2", "J10"),
    ] {
        let place = authorized(server.request(Method::POST, &table.path("/place")), Some(&table.host)).json(&sent);

        let told = is_told_in_all(Code::IllegalLayout, place).await;

        for fault in told["faults"].as_array().unwrap() {
            kinds.insert(fault["code"].as_str().unwrap().to_owned());
        }
    }
    let all = ["mine_on_ship", "mine_touches", "outside_grid", "overlap", "touch", "wrong_fleet", "wrong_mine_count"];
    assert_eq!(kinds, all.map(str::to_owned).into());
}

#[tokio::test]
async fn c_counts_in_a_detail_have_the_forms_of_the_language() {
    let server = Server::shared().await;
    let usual = layout(FLEET, "J10");
    let salvo = json!({"first": "host", "salvo": true});
    let (single, salvo) =
        (Table::in_battle(&server).await, Table::in_battle_with(&server, &salvo, &usual, &usual).await);
    let sent = |table: &Table, count: usize| {
        let cells: Vec<String> =
            ["A", "B"].iter().flat_map(|column| (1..=15).map(move |row| format!("{column}{row}"))).collect();
        let request = authorized(server.request(Method::POST, &table.path("/fire")), Some(&table.host));
        request.json(&json!({"shots": cells[..count]}))
    };
    for (table, count, language, detail) in [
        (&single, 0, "ru", "в этом ходу ровно 1 выстрел, а прислано 0"),
        (&single, 2, "ru", "в этом ходу ровно 1 выстрел, а прислано 2"),
        (&salvo, 1, "ru", "в этом ходу ровно 5 выстрелов, а прислан 1"),
        (&salvo, 21, "ru", "в этом ходу ровно 5 выстрелов, а прислан 21"),
        (&salvo, 1, "fi", "tällä vuorolla on tasan 5 laukausta, ja lähetettiin 1"),
        (&salvo, 1, "de", "dieser Zug hat genau 5 Schüsse, gesendet wurde 1"),
        (&single, 2, "it", "questo turno ha esattamente 1 colpo, e ne sono stati inviati 2"),
        (&single, 2, "en", "this turn has exactly 1 shot, and 2 were sent"),
    ] {
        let reply = asked_in(language, &sent(table, count)).await;

        assert_eq!(reply.refuses(422, "wrong_shot_count")["detail"], detail);
    }
}

#[tokio::test]
async fn c_a_body_that_does_not_come_is_told_of_in_the_callers_language() {
    let server = Server::shared().await;
    let told = join_all(OTHERS.map(async |language| {
        let request = format!(
            "POST /v1/games HTTP/1.1\r\nhost: x\r\naccept-language: {language}\r\ncontent-type: application/json\r\n\
             content-length: 2\r\n\r\n{{"
        );
        raw(&server, request.as_bytes()).await
    }))
    .await;

    for (language, reply) in OTHERS.iter().zip(told) {
        assert!(reply.starts_with("HTTP/1.1 408 "), "{reply}");
        assert!(reply.to_lowercase().contains(&format!("\r\ncontent-language: {language}\r\n")), "{reply}");
        assert_eq!(raw_body(&reply)["code"], "request_timeout");
        assert_ne!(raw_body(&reply)["title"], "Request timeout");
    }
}

#[tokio::test]
async fn c_one_too_many_is_told_so_in_the_callers_language() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let guess = || server.request(Method::GET, "/v1/games/x");
    while send(guess()).await.status != 429 {}

    // Some may get through, since the budget fills up meanwhile.
    for language in OTHERS {
        let mut reply = asked_in(language, &guess()).await;
        while reply.status != 429 {
            reply = asked_in(language, &guess()).await;
        }

        reply.refuses(429, "rate_limited");
        assert_eq!(reply.header("content-language"), Some(language));
        assert_eq!(reply.header("vary"), Some("Authorization, Accept-Language"));
        assert_ne!(reply.json["title"], "Rate limited");
    }
}

#[tokio::test]
async fn c_a_held_game_and_a_lost_database_are_told_of_in_the_callers_language() {
    let database = Cluster::shared().database().await;
    let server = Server::start(&database);
    let table = Table::in_battle(&server).await;
    let fire = authorized(server.request(Method::POST, &table.path("/fire")), Some(&table.host));
    let fire = fire.json(&json!({"shots": ["A1"]}));
    let held = Held::take(&database, &table).await;
    for reply in join_all(["ru", "de"].map(|language| asked_in(language, &fire))).await {
        let language = reply.header("content-language").unwrap();
        assert!(["ru", "de"].contains(&language));
        assert!([409, 503].contains(&reply.status), "{}", reply.text);
        assert!(!["In flight", "Unavailable"].contains(&reply.json["title"].as_str().unwrap()), "{}", reply.text);
    }
    held.release().await;

    let name = database.name();
    let mut elsewhere = Cluster::shared().database().await.connect().await;
    elsewhere.execute(AssertSqlSafe(format!("drop database {name} with (force)"))).await.unwrap();

    is_told_in_all(Code::Unavailable, server.request(Method::GET, &table.path(""))).await;
}

#[tokio::test]
async fn c_the_page_of_a_code_is_in_the_callers_language() {
    let server = Server::shared().await;
    for code in Code::ALL {
        let page = server.request(Method::GET, &format!("/problems/{}", code.word()));
        let english = asked_in("en", &page).await;
        for language in OTHERS {
            let reply = asked_in(language, &page).await;

            reply.expect(200);
            assert_eq!(reply.header("content-language"), Some(language));
            assert_eq!(reply.header("vary"), Some("Accept-Encoding, Accept-Language"));
            assert!(reply.text.contains(&format!("<html lang=\"{language}\">")), "{}", reply.text);
            let line = format!("<code>{} {}</code>", code.status(), code.word());
            assert!(reply.text.contains(&line) && english.text.contains(&line), "{}", reply.text);
            assert_ne!(reply.text.replace(language, "en"), english.text);
        }
    }
}

#[tokio::test]
async fn c_a_game_is_in_no_language_and_its_verification_in_the_callers() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (path, vary) in [
        (table.path(""), "Authorization"),
        (table.path("/events"), "Authorization, Accept-Encoding"),
        (table.path("/replay"), "Authorization"),
    ] {
        let plain = server.get(&path, Some(&table.host)).await;
        let asked = authorized(server.request(Method::GET, &path), Some(&table.host));
        let russian = asked_in("ru", &asked).await;

        assert_eq!(plain.expect(200), russian.expect(200));
        assert_eq!(russian.header("content-language"), None);
        assert_eq!(russian.header("vary"), Some(vary));
    }
    let verified = asked_in("ru", &server.request(Method::GET, &table.path("/verify"))).await;
    assert_eq!(verified.expect(200)["ok"], true);
    assert_eq!(verified.header("content-language"), Some("ru"));
    assert_eq!(verified.header("vary"), Some("Authorization, Accept-Language"));
}
