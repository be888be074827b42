//! What is asked, and how.

use naval_battle_client::{Client, Code, Create, Download, Error, Key, Known, Retries, Seat, Status, Token};
use serde_json::{Value, json as value};

use crate::made::{GAME, Made, json, problem, reply};

/// The game that a server gives away in these tests, at a version.
fn game(version: u32) -> Value {
    let text = include_str!("../../../../tests/golden/default.game.json");
    let mut game: Value = serde_json::from_str(text).unwrap();
    game["version"] = value!(version);
    game
}

fn headed<'a>(request: &'a str, name: &str) -> Option<&'a str> {
    request.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[tokio::test]
async fn a_seat_is_asked_for_again_by_ones_own_key() {
    let seating = value!({"seat": "host", "token": "t", "game": game(3)}).to_string();
    let server = Made::giving(vec![String::new(), reply("201 Created", "application/json", "", &seating)]).await;
    let api = Client::new(&server.base).unwrap();
    let key = Key::random().unwrap();

    api.create_under(&key, &Create::by("Ada")).await.unwrap();
    api.table(GAME).join_under(&key, Some("Ben")).await.unwrap();
    api.create(&Create::default()).await.unwrap();
    api.retrying(Retries::NEVER).create(&Create::default()).await.unwrap();

    let asked = server.asked();
    let keys: Vec<_> = asked.iter().map(|request| headed(request, "idempotency-key")).collect();
    assert_eq!(keys[..3], [Some(key.as_str()); 3]);
    assert!(keys[3].is_some_and(|own| own.len() >= 32 && own != key.as_str()));
    assert_eq!(keys[4], None);
}

#[tokio::test]
async fn a_language_is_asked_for_with_everything() {
    let server = Made::giving(vec![problem(404, "game_not_found")]).await;
    let api = Client::new(&server.base).unwrap().speaking("fi, en;q=0.5").unwrap();

    api.table(GAME).look().await.unwrap_err();
    api.table(GAME).follow(0).next().await.unwrap_err();

    let asked = server.asked();
    assert!(asked.iter().all(|request| headed(request, "accept-language") == Some("fi, en;q=0.5")), "{asked:?}");
    assert!(matches!(api.speaking("a\nb"), Err(Error::Header)));
}

#[tokio::test]
async fn a_tag_is_asked_for_alone_and_its_refusal_is_told() {
    let head = |status: &str, tag: &str| format!("HTTP/1.1 {status}\r\n{tag}connection: close\r\n\r\n");
    let server = Made::giving(vec![
        head("200 OK", "etag: \"9-host-next\"\r\n"),
        head("404 Not Found", ""),
        problem(404, "game_not_found"),
        head("200 OK", ""),
    ])
    .await;
    let table = Client::new(&server.base).unwrap().table(GAME);

    assert_eq!(table.tag().await.unwrap(), "\"9-host-next\"");
    assert_eq!(table.tag().await.unwrap_err().code(), Some(Code::GameNotFound));
    assert!(matches!(table.tag().await, Err(Error::NoTag)));

    let methods: Vec<_> = server.asked().iter().map(|request| request[..4].to_owned()).collect();
    assert_eq!(methods, ["HEAD", "HEAD", "GET ", "HEAD"]);
}

#[tokio::test]
async fn a_look_waits_for_something_else_than_its_tag_is_of() {
    let same = "HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".to_owned();
    let server = Made::giving(vec![same, json(&game(9).to_string())]).await;
    let api = Client::new(&server.base).unwrap();
    let table = api.seat(GAME, Seat::Host, &Token::new("t")).unwrap();

    assert!(table.look_past("\"8-host\"", 25).await.unwrap().is_none());
    assert_eq!(table.look_past("\"8-host\"", 0).await.unwrap().unwrap().version, 9);

    let asked = server.asked();
    assert!(asked[0].starts_with(&format!("GET /v1/games/{GAME}?wait=25 ")), "{}", asked[0]);
    assert!(asked[1].starts_with(&format!("GET /v1/games/{GAME} ")), "{}", asked[1]);
    assert!(asked.iter().all(|request| headed(request, "if-none-match") == Some("\"8-host\"")));
    assert!(asked.iter().all(|request| headed(request, "authorization") == Some("Bearer t")));
}

#[tokio::test]
async fn a_game_is_downloaded_as_anybody_gets_it_in_pages() {
    let shown = game(1_203).to_string();
    let pages = ["{\"events\":[1]}", "{\"events\":[2]}", "{\"events\":[3]}"];
    let replies = [&*shown].into_iter().chain(pages).map(json).collect();
    let server = Made::giving(replies).await;
    let api = Client::new(&server.base).unwrap();

    let download = api.seat(GAME, Seat::Host, &Token::new("t")).unwrap().download().await.unwrap();

    assert_eq!(download, Download { game: shown, events: pages.join("\n") });
    let asked = server.asked();
    let queries: Vec<_> = asked[1..].iter().map(|request| request.split(['?', ' ']).nth(2).unwrap()).collect();
    assert_eq!(queries, ["after=0&limit=500", "after=500&limit=500", "after=1000&limit=203"]);
    assert!(asked.iter().all(|request| headed(request, "authorization").is_none()));
}

#[tokio::test]
async fn many_games_are_looked_at_in_one_request() {
    let told = value!({"games": [
        {"id": GAME, "version": 3, "status": "placing", "you": "host", "awaiting": [], "next": null}, null,
    ]});
    let server = Made::giving(vec![json(&told.to_string())]).await;
    let known = |token: Option<&str>| Known { id: GAME.to_owned(), token: token.map(Token::new) };

    let games = Client::new(&server.base).unwrap().status(&[known(Some("t")), known(None)]).await.unwrap();

    let first = games[0].as_ref().unwrap();
    assert_eq!((first.version, first.status, first.you), (3, Status::Placing, Some(Seat::Host)));
    assert!(games[1].is_none());
    let asked = server.asked();
    assert!(asked[0].starts_with("POST /v1/games/status "));
    let (_, body) = asked[0].split_once("\r\n\r\n").unwrap();
    let sent: Value = serde_json::from_str(body).unwrap();
    assert_eq!(sent, value!({"games": [{"id": GAME, "token": "t"}, {"id": GAME}]}));
}

#[tokio::test]
async fn proofs_and_analyses_are_asked_for_by_event() {
    let proof = value!({"seq": 5, "seat": "guest", "root": "ab", "cells": [
        {"cell": "B7", "content": "mine", "salt": "cd", "path": ["ef"]},
    ]});
    let skill = value!({"shots": 1, "hits": 1, "expected_hits": 0.25, "luck": 0.75, "mines": 0, "expected_mines": 0.01,
        "choices_as_good": null});
    let analysis = value!({"boards_drawn": 4000, "seats": {"host": skill, "guest": skill}, "shots": [
        {"seq": 5, "seat": "host", "cell": "B7", "outcome": "hit", "ship_chance": 0.25, "mine_chance": 0.01,
            "best": {"cell": "C8", "ship_chance": 0.5}},
    ]});
    let chances = value!({"seq": 5, "seat": "host", "ship_chances": [[0.5, 1.0]], "mine_chances": [[0.0, 0.0]]});
    let told = [&proof, &analysis, &chances].map(|told| json(&told.to_string()));
    let server = Made::giving(told.into_iter().chain([problem(404, "nothing_to_prove")]).collect()).await;
    let table = Client::new(&server.base).unwrap().table(GAME);

    assert_eq!(serde_json::to_value(table.proof(5).await.unwrap()).unwrap(), proof);
    assert_eq!(serde_json::to_value(table.analysis().await.unwrap()).unwrap(), analysis);
    assert_eq!(serde_json::to_value(table.chances(5).await.unwrap()).unwrap(), chances);
    assert_eq!(table.proof(1).await.unwrap_err().code(), Some(Code::NothingToProve));

    let paths = ["events/5/proof", "analysis", "analysis/5", "events/1/proof"];
    for (request, path) in server.asked().iter().zip(paths) {
        assert!(request.starts_with(&format!("GET /v1/games/{GAME}/{path} ")), "{request}");
    }
}
