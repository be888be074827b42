//! Behind a proxy that strips a prefix, the pages and what they ask for work all the same.

use reqwest::redirect::Policy;
use reqwest::{Client, Method, Url};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use ground::cluster::Cluster;
use ground::server::{Server, send};

/// What the proxy strips.
const PREFIX: &str = "/some/prefix";

/// A proxy that passes on what lies below the prefix, one request for each connection, and answers 404 to all else.
async fn proxy(server: &Server) -> Url {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = Url::parse(&format!("http://{}{PREFIX}/", listener.local_addr().unwrap())).unwrap();
    let target = server.base.trim_start_matches("http://").to_owned();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass_on(client, target.clone()));
        }
    });
    base
}

async fn pass_on(mut client: TcpStream, target: String) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    let Some((method, rest)) = head.split_once(' ').filter(|(_, rest)| rest.starts_with(&format!("{PREFIX}/"))) else {
        client.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await.unwrap();
        return;
    };
    let mut server = TcpStream::connect(target).await.unwrap();
    let stripped = rest.strip_prefix(PREFIX).unwrap();
    server.write_all(format!("{method} {stripped}").as_bytes()).await.unwrap();
    // Either end may go first.
    drop(copy_bidirectional(&mut client, &mut server).await);
}

async fn ask(method: Method, url: &Url, body: Option<&Value>) -> (u16, Url, String) {
    // A connection is good for one request.
    let client = Client::builder().pool_max_idle_per_host(0).build().unwrap();
    let mut request = client.request(method, url.clone()).header("connection", "close");
    if let Some(body) = body {
        request = request.json(body);
    }
    let reply = request.send().await.unwrap();
    (reply.status().as_u16(), reply.url().clone(), reply.text().await.unwrap())
}

/// What stands in quotes behind a word in a text, wherever the word stands.
fn quoted<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.split(word).skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
}

#[tokio::test]
async fn behind_a_proxy_that_strips_a_prefix_the_page_finds_all_that_it_needs() {
    let server = Server::shared().await;
    let base = proxy(&server).await;

    for below in ["docs", "docs/"] {
        let (status, page, html) = ask(Method::GET, &base.join(below).unwrap(), None).await;
        assert_eq!((status, page.path()), (200, format!("{PREFIX}/docs/").as_str()));
        let mut files = quoted(&html, "src=");
        files.extend(quoted(&html, "href="));
        assert!(files.len() > 3, "{html}");
        let mut documents = Vec::new();
        for file in files {
            let (status, _, text) = ask(Method::GET, &page.join(file).unwrap(), None).await;
            assert_eq!(status, 200, "{file}");
            if file.split('?').next().unwrap().ends_with("initializer.js") {
                documents.extend(quoted(&text, "\"url\":").into_iter().map(|url| page.join(url).unwrap()));
            }
        }
        assert_eq!(documents.len(), 1, "the page is of one document");

        let (status, at, document) = ask(Method::GET, &documents[0], None).await;

        assert_eq!((status, at.path()), (200, format!("{PREFIX}/docs/openapi.json").as_str()));
        for rule in document.split("](").skip(1).filter_map(|rest| rest.split_once("#r")?.1.split(')').next()) {
            let (status, _, rules) =
                ask(Method::GET, &page.join(&format!("../docs/rules#r{rule}")).unwrap(), None).await;
            let cited = document.contains(&format!("[R{rule}](../docs/rules#r{rule})"));
            assert!(status == 200 && cited && rules.contains(&format!("<a id=\"r{rule}\"></a>")), "R{rule}: {status}");
        }
        tries_it_out(&at, &serde_json::from_str(&document).unwrap()).await;
    }
}

#[tokio::test]
async fn behind_a_proxy_that_strips_a_prefix_the_page_to_play_on_finds_all_that_it_names() {
    let server = Server::shared().await;
    let base = proxy(&server).await;

    let (status, page, html) = ask(Method::GET, &base, None).await;

    assert_eq!((status, page.path()), (200, format!("{PREFIX}/").as_str()));
    let mut files = quoted(&html, "src=");
    files.extend(quoted(&html, "href="));
    assert!(files.len() > 2, "{html}");
    for file in files {
        let (status, at, _) = ask(Method::GET, &page.join(file).unwrap(), None).await;
        assert_eq!(status, 200, "{file}");
        assert!(at.path().starts_with(PREFIX), "{file}");
    }
    // The page asks the API at the address that it has itself.
    let (status, _, rules) = ask(Method::GET, &page.join("v1/rules").unwrap(), None).await;
    assert!(status == 200 && rules.contains("grids"), "{status}");
}

/// Sends a request as the page does: the server's URL is relative to the document, and paths are appended to it.
async fn tries_it_out(document_at: &Url, document: &Value) {
    // The page takes the first of the servers, until somebody chooses another.
    let server = document_at.join(document["servers"][0]["url"].as_str().unwrap()).unwrap();
    let under = |path: &str| Url::parse(&format!("{}{path}", server.as_str().trim_end_matches('/'))).unwrap();

    let (status, _, created) = ask(Method::POST, &under("/v1/games"), Some(&json!({}))).await;
    assert_eq!(status, 201, "{created}");
    let created: Value = serde_json::from_str(&created).unwrap();
    let game = created["game"]["id"].as_str().unwrap();
    for path in document["paths"].as_object().unwrap().keys() {
        let mut at = under(&path.replace("{game_id}", game));
        if path == "/v1/feed" {
            at.set_query(Some(&format!("games={game}")));
        }
        // A stream of a game that goes on has no end.
        let method = if path.ends_with("/stream") { Method::HEAD } else { Method::GET };
        let (status, _, text) = ask(method, &at, None).await;
        // A game that has just begun has nothing to prove and nothing to analyse.
        let is_found = matches!(status, 200 | 405 | 409) || text.contains("nothing_to_");
        assert!(is_found, "{path}: {status} {text}");
    }
}

#[tokio::test]
async fn c_where_a_trusted_proxy_tells_its_prefix_paths_in_replies_stay_inside_it() {
    let database = Cluster::shared().database().await;
    for (trusted, said, prefix) in [
        ("1", &["/some/prefix"][..], "/some/prefix"),
        ("2", &["/sea"], "/sea"),
        ("1", &[], ""),
        ("1", &["/sea/"], ""),
        ("1", &["//elsewhere.example"], ""),
        ("1", &["https://elsewhere.example"], ""),
        ("1", &["/a", "/b"], ""),
        ("1", &["/a, /b"], ""),
        ("0", &["/some/prefix"], ""),
    ] {
        let server = Server::start_with(&database, &[("NAVAL_BATTLE_TRUSTED_PROXIES", trusted)]);
        let told = |method, path: &str| {
            said.iter().fold(server.request(method, path), |asked, said| asked.header("x-forwarded-prefix", *said))
        };

        let created = send(told(Method::POST, "/v1/games").json(&json!({}))).await;
        let path = format!("/v1/games/{}", created.expect(201)["game"]["id"].as_str().unwrap());
        let refused = [
            (send(told(Method::GET, &path).bearer_auth("x")).await, "unauthorized"),
            (send(told(Method::GET, "/nowhere")).await, "route_not_found"),
            (send(told(Method::PUT, &path)).await, "method_not_allowed"),
        ];

        assert_eq!(created.header("location"), Some(format!("{prefix}{path}").as_str()), "{said:?}");
        for (problem, code) in refused {
            assert_eq!(problem.json["type"], format!("{prefix}/problems/{code}"), "{said:?}");
        }
        let document = send(told(Method::GET, "/openapi.json")).await;
        let own = if prefix.is_empty() { "/" } else { prefix };
        assert_eq!(document.expect(200)["servers"][0]["url"], own, "{said:?}");
        // This one is relative, and right wherever it is.
        let unled = Client::builder().redirect(Policy::none()).build().unwrap();
        let docs =
            unled.get(format!("{}/docs", server.base)).header("x-forwarded-prefix", "/sea").send().await.unwrap();
        assert_eq!(docs.headers()["location"], "docs/");
    }
}
