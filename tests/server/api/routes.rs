//! Routes and methods: what is not found, not allowed, or asked for by `HEAD` and `OPTIONS`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::asking::{Route, headers, operations, raw};
use ground::server::{Reply, Server, authorized, send};
use ground::table::Table;

/// The routes that the contract names and that this release has.
const KNOWN: &str = "
GET  /healthz
GET  /readyz
GET  /metrics
GET  /v1/rules
POST /v1/games
GET  /v1/games
GET  /v1/games/GAME
GET  /v1/games/GAME/events
POST /v1/games/GAME/join
POST /v1/games/GAME/place
POST /v1/games/GAME/fire
POST /v1/games/GAME/reveal
POST /v1/games/GAME/resign
POST /v1/games/GAME/rematch
";

/// What is served beside the operations of the document.
const PAGES: [&str; 8] = [
    "/",
    "/openapi.json",
    "/docs/openapi.json",
    "/docs",
    "/docs/",
    "/docs/rules",
    "/docs/contract",
    "/problems/game_full",
];

/// Every path with the methods that it takes, in the order in which `Allow` lists them.
async fn paths(server: &Server, game: &str) -> Vec<(String, Vec<&'static str>)> {
    let mut operations = operations(server, game).await;
    operations.extend(PAGES.map(|page| (Method::GET, page.to_owned())));
    let mut paths: Vec<(String, Vec<&str>)> = Vec::new();
    for (_, path) in &operations {
        let takes = |method: Method| operations.contains(&(method, path.clone()));
        if paths.iter().all(|(known, _)| known != path) {
            let mut methods = Vec::new();
            if takes(Method::GET) {
                methods.extend(["GET", "HEAD"]);
            }
            if takes(Method::POST) {
                methods.push("POST");
            }
            methods.push("OPTIONS");
            paths.push((path.clone(), methods));
        }
    }
    paths
}

#[tokio::test]
async fn c_the_document_lists_what_the_contract_names() {
    let server = Server::shared().await;

    let operations = operations(&server, "GAME").await;

    for line in KNOWN.trim().lines() {
        let (method, path) = line.split_once(' ').unwrap();
        let known: Route = (Method::from_bytes(method.as_bytes()).unwrap(), path.trim().to_owned());
        assert!(operations.contains(&known), "{line} is not in {operations:?}");
    }
}

#[tokio::test]
async fn whatever_is_no_id_of_a_game_is_not_found() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let id = table.id.clone();
    for wrong in [
        "x".to_owned(),
        "x".repeat(300),
        "0".to_owned(),
        "null".to_owned(),
        "%00".to_owned(),
        "%ff".to_owned(),
        "%F0%9F%9A%A2".to_owned(),
        "..%2f..%2fetc".to_owned(),
        "'".to_owned(),
        "*".to_owned(),
        "00000000-0000-0000-0000-000000000000".to_owned(),
        "01890a5d-ac96-774b-bcce-b302099a8057".to_owned(),
        // The right one in other spellings.
        id.to_uppercase(),
        id.replace('-', ""),
        format!("%7B{id}%7D"),
        format!("urn:uuid:{id}"),
        format!("{id}%20"),
        format!("%20{id}"),
        format!("{id}0"),
        id.replacen('-', "_", 1),
        id[1..].to_owned(),
    ] {
        for (method, path) in operations(&server, &wrong).await {
            if !path.contains(&wrong) || wrong == "0" && !path.starts_with("/v1/games/0") {
                continue;
            }
            let request = authorized(server.request(method.clone(), &path), Some(&table.host));

            let reply = send(request.json(&json!({}))).await;

            assert_eq!((reply.status, reply.code()), (404, "game_not_found"), "{method} {path}");
            reply.refuses(404, "game_not_found");
        }
    }
}

#[tokio::test]
async fn an_empty_id_is_not_found() {
    let server = Server::shared().await;
    for (method, path) in
        [(Method::GET, "/v1/games/"), (Method::POST, "/v1/games//join"), (Method::GET, "/v1/games//events")]
    {
        let reply = send(server.request(method, path)).await;

        assert_eq!(reply.status, 404, "{path}");
        reply.refuses(404, reply.code());
    }
}

#[tokio::test]
async fn an_unknown_route_is_a_problem_too() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for path in [
        "/v1".to_owned(),
        "/v1/".to_owned(),
        "/v2/games".to_owned(),
        "/V1/games".to_owned(),
        "/games".to_owned(),
        "/v1/game".to_owned(),
        "//v1/games".to_owned(),
        "/v1/rules/".to_owned(),
        "/.env".to_owned(),
        "/openapi.yaml".to_owned(),
        "/problems/nonsense".to_owned(),
        "/problems/".to_owned(),
        format!("/{}", "x".repeat(3_000)),
        table.path("/"),
        table.path("/explode"),
        table.path("/fire/"),
        table.path("/fire/now"),
    ] {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
            // The page of a problem that does not exist is looked for with GET alone.
            if path.starts_with("/problems/n") && method != Method::GET {
                continue;
            }
            let reply = send(server.request(method.clone(), &path)).await;

            assert_eq!((reply.status, reply.code()), (404, "route_not_found"), "{method} {path}");
            reply.refuses(404, "route_not_found");
        }
        let reply = send(server.request(Method::HEAD, &path)).await;
        assert_eq!((reply.status, reply.text.as_str()), (404, ""), "HEAD {path}");
    }
}

#[tokio::test]
async fn a_method_that_a_path_does_not_take_is_refused_with_those_that_it_takes() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (path, allowed) in paths(&server, &table.id).await {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get", "post"] {
            if allowed.contains(&method) {
                continue;
            }
            let request = server.request(Method::from_bytes(method.as_bytes()).unwrap(), &path);

            let reply = send(request.bearer_auth("nonsense")).await;

            assert_eq!(reply.status, 405, "{method} {path}: {}", reply.text);
            assert_eq!(reply.header("allow"), Some(allowed.join(", ").as_str()), "{method} {path}");
            if method == "HEAD" {
                assert_eq!(reply.text, "");
            } else {
                reply.refuses(405, "method_not_allowed");
            }
        }
    }
}

#[tokio::test]
async fn head_has_the_status_and_the_headers_of_get_and_no_body() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (path, allowed) in paths(&server, &table.id).await {
        // A stream of a game that goes on has no end.
        if !allowed.contains(&"GET") || path.ends_with("/stream") {
            continue;
        }
        for token in [None, Some(table.host.as_str()), Some("nonsense")] {
            let get = server.get(&path, token).await;
            let head = send(authorized(server.request(Method::HEAD, &path), token)).await;

            assert_eq!(head.status, get.status, "{path}");
            assert_eq!(head.text, "", "{path}");
            // What is counted has grown in between.
            let is_the_same = |name: &str| path != "/metrics" || name != "content-length";
            let [head, get] = [&head, &get].map(headers).map(|mut headers| {
                headers.retain(|(name, _)| is_the_same(name));
                headers
            });
            assert_eq!(head, get, "{path}");
        }
    }
}

#[tokio::test]
async fn options_lists_the_methods_of_each_route_and_asks_for_no_token() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    // The id is no matter either.
    for game in [table.id.as_str(), "x"] {
        for (path, allowed) in paths(&server, game).await {
            for token in [None, Some("nonsense")] {
                let reply = send(authorized(server.request(Method::OPTIONS, &path), token)).await;

                assert_eq!((reply.status, reply.text.as_str()), (204, ""), "{path}");
                assert_eq!(reply.header("allow"), Some(allowed.join(", ").as_str()), "{path}");
                assert_eq!(reply.header("access-control-allow-methods"), None, "no page asked");
            }
        }
    }
}

#[tokio::test]
async fn a_preflight_is_answered_on_each_route_with_every_header_by_name() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (path, allowed) in paths(&server, &table.id).await {
        let request = server
            .request(Method::OPTIONS, &path)
            .header("origin", "https://example.org")
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "authorization,content-type, idempotency-key, X-Mine,cache-control",
            );

        let reply = send(request).await;

        assert_eq!((reply.status, reply.text.as_str()), (204, ""), "{path}");
        assert_eq!(reply.header("allow"), Some(allowed.join(", ").as_str()), "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
        let names = |header: &str| list(&reply, header);
        for name in [
            "authorization",
            "content-type",
            "accept-language",
            "idempotency-key",
            "if-match",
            "if-none-match",
            "last-event-id",
            // A package sends what it likes.
            "x-mine",
            "cache-control",
        ] {
            assert!(names("access-control-allow-headers").contains(&name.to_owned()), "{path}: {name}");
        }
        for method in allowed {
            assert!(names("access-control-allow-methods").contains(&method.to_lowercase()), "{path}: {method}");
        }
        assert_eq!(reply.header("access-control-allow-credentials"), None, "{path}");
    }
}

#[tokio::test]
async fn c_the_type_of_a_problem_leads_to_its_page() {
    let server = Server::shared().await;
    let reply = server.get("/v1/nowhere", None).await;

    let page = server.get(reply.refuses(404, "route_not_found")["type"].as_str().unwrap(), None).await;

    assert_eq!(page.status, 200);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    assert!(page.text.contains("route_not_found"), "{}", page.text);
}

#[tokio::test]
async fn c_the_ways_to_the_document_and_its_pages() {
    let server = Server::shared().await;

    let document = server.get("/openapi.json", None).await;
    let docs = server.get("/docs", None).await;
    let nothing = server.get("/docs/nothing.js", None).await;

    assert_eq!(document.expect(200)["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    assert_eq!(docs.status, 200);
    assert!(docs.text.contains("swagger-ui"), "{}", docs.text);
    // Beside the page lies the same document, but for where its server is.
    let mut beside = server.get("/docs/openapi.json", None).await.expect(200).clone();
    assert_eq!(beside["servers"][0]["url"], "..");
    beside["servers"][0]["url"] = json!("/");
    assert_eq!(&beside, document.expect(200));
    assert_eq!(beside["servers"][1]["url"], "http://localhost:8080");
    nothing.refuses(404, "route_not_found");
    for (path, title) in [("/docs/rules", "<h1>The book of rules</h1>"), ("/docs/contract", "<h1>The contract</h1>")] {
        let page = server.get(path, None).await;
        assert!(page.status == 200 && page.text.contains(title), "{}", page.text);
        assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'; "));
    }
}

#[tokio::test]
async fn c_the_server_is_alive_and_ready() {
    let server = Server::shared().await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(*server.get(path, None).await.expect(200), json!({"status": "ok"}));
    }
}

#[tokio::test]
async fn c_the_rules_say_what_can_be_chosen() {
    let server = Server::shared().await;

    let rules = server.get("/v1/rules", None).await;

    let rules = rules.expect(200);
    let grid = |grid: u8, mines: u8| json!({"grid": grid, "mines": mines});
    assert_eq!(rules["grids"], json!([grid(8, 1), grid(10, 1), grid(12, 2), grid(15, 3)]));
    assert_eq!(
        rules["fleets"],
        json!([
            {"fleet": "classic", "ships": [5, 4, 3, 3, 2]},
            {"fleet": "russian", "ships": [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]},
        ])
    );
    assert_eq!(rules["turn_seconds"], json!({"min": 10, "max": 1_209_600}));
    let answers: Vec<_> = rules["answers"].as_object().unwrap().keys().collect();
    assert_eq!(answers, ["hit", "mine", "miss", "sunk"]);
    let columns: Vec<_> = rules["columns"].as_array().unwrap().iter().map(|column| column.as_str().unwrap()).collect();
    assert_eq!(columns.concat(), "ABCDEFGHIJKLMNO");
    for part in ["what", "history"] {
        assert!(rules["text"][part].as_str().is_some_and(|text| text.len() > 100));
    }
    assert!(!rules["text"]["changes"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn c_what_is_no_http_is_refused_without_harm() {
    let server = Server::shared().await;
    for request in [
        "nonsense\r\n\r\n",
        "GET\r\n\r\n",
        "GET /v1/rules HTTP/9.9\r\n\r\n",
        "GET /v1/rules HTTP/1.1\r\nbroken\r\n\r\n",
        "GET /v1/ru\x01les HTTP/1.1\r\nhost: x\r\n\r\n",
        "POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        "POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}",
        "POST /v1/games HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}",
    ] {
        let reply = raw(&server, request.as_bytes()).await;

        assert!(reply.starts_with("HTTP/1.1 400 "), "{request:?}: {reply:?}");
    }
    assert_eq!(server.get("/v1/rules", None).await.status, 200);
}

/// The members of a header that is a list, in lower case.
fn list(reply: &Reply, header: &str) -> Vec<String> {
    reply.header(header).unwrap_or_default().split(',').map(|name| name.trim().to_lowercase()).collect()
}

#[tokio::test]
async fn c_a_page_of_any_origin_may_read_what_it_needs() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    for (path, status) in [(table.path(""), 200), ("/v1/nowhere".to_owned(), 404), (table.path("/fire"), 405)] {
        let reply = send(server.request(Method::GET, &path).header("origin", "https://example.org")).await;

        assert_eq!(reply.status, status);
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
        let exposed = list(&reply, "access-control-expose-headers");
        for name in [
            "etag",
            "location",
            "retry-after",
            "ratelimit",
            "ratelimit-policy",
            "content-language",
            "date",
            "x-request-id",
        ] {
            assert!(exposed.contains(&name.to_owned()), "{name}");
        }
        assert_ne!(reply.json, Value::Null);
    }
}
