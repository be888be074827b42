//! The page to play on, as it is served. What it does is tested in `clients/web/tests`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reqwest::Method;

use ground::cluster::Cluster;
use ground::server::{Server, send};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// Where the page was built.
fn built() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/clients/web/dist"))
}

/// The names of all that lies beside the page.
fn assets() -> BTreeSet<String> {
    let files = fs::read_dir(built().join("assets")).unwrap();
    files.map(|file| format!("assets/{}", file.unwrap().file_name().to_str().unwrap())).collect()
}

/// What the page names in attributes that load something.
fn named(page: &str) -> BTreeSet<String> {
    let after = |word| page.split(word).skip(1).filter_map(|rest| rest.split('"').next());
    after("src=\"").chain(after("href=\"")).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_page_is_served_at_the_root_as_it_was_built() {
    let server = Server::shared().await;

    let page = server.get("/", None).await;
    let head = send(server.request(Method::HEAD, "/")).await;
    let options = send(server.request(Method::OPTIONS, "/")).await;

    assert_eq!((page.status, &page.text), (200, &fs::read_to_string(built().join("index.html")).unwrap()));
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("content-security-policy"), Some(POLICY));
    assert_eq!(page.header("cache-control"), Some("public, no-cache"));
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("etag"), page.header("etag"));
    assert_eq!(head.header("content-security-policy"), Some(POLICY));
    assert_eq!((options.status, options.header("allow")), (204, Some("GET, HEAD, OPTIONS")));
}

#[tokio::test]
async fn the_page_and_its_files_are_only_read() {
    let server = Server::shared().await;
    let asset = format!("/{}", assets().first().unwrap());

    for path in ["/", asset.as_str(), "/assets/nothing.js"] {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let reply = send(server.request(method.clone(), path)).await;

            reply.refuses(405, "method_not_allowed");
            assert_eq!(reply.header("allow"), Some("GET, HEAD, OPTIONS"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn each_file_of_the_page_is_what_it_says_and_is_kept_for_ever() {
    let server = Server::shared().await;
    let assets = assets();
    assert!(assets.len() > 2, "{assets:?}");
    for name in &assets {
        let path = format!("/{name}");

        let reply = server.client.get(format!("{}{path}", server.base)).send().await.unwrap();
        let headers = reply.headers().clone();
        let status = reply.status();
        let bytes = reply.bytes().await.unwrap();
        let tag = headers["etag"].to_str().unwrap();
        let known = send(server.request(Method::GET, &path).header("if-none-match", tag)).await;

        let kind = match name.rsplit('.').next().unwrap() {
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "png" => "image/png",
            "svg" => "image/svg+xml",
            "webmanifest" => "application/manifest+json",
            other => panic!("what is {other}?"),
        };
        assert_eq!((status.as_u16(), headers["content-type"].to_str().unwrap()), (200, kind), "{name}");
        assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable", "{name}");
        assert!(bytes == fs::read(built().join(name)).unwrap(), "{name}");
        assert_eq!((known.status, known.text.as_str()), (304, ""), "{name}");
    }
}

#[tokio::test]
async fn a_file_that_is_not_there_is_not_kept_as_missing() {
    let server = Server::shared().await;
    for path in ["/assets/nothing.js", "/assets/index.html", "/assets/..%2findex.html", "/assets/%2e%2e%2fCargo.toml"] {
        let reply = server.get(path, None).await;

        reply.refuses(404, "route_not_found");
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
    }
    // These are no paths of the page at all.
    for path in ["/assets", "/assets/", "/index.html", "/favicon.ico", "/assets/a/b.js"] {
        let reply = server.get(path, None).await;
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_page_is_packed_for_those_who_take_it_and_known_by_its_tag() {
    let server = Server::shared().await;

    let page = server.get("/", None).await;
    let packed = send(server.request(Method::HEAD, "/").header("accept-encoding", "gzip")).await;
    let tag = page.header("etag").unwrap();
    let same = send(server.request(Method::GET, "/").header("if-none-match", tag)).await;

    assert_eq!((page.header("content-encoding"), packed.header("content-encoding")), (None, Some("gzip")));
    assert_eq!((same.status, same.text.as_str()), (304, ""));
    assert_eq!(same.header("content-security-policy"), Some(POLICY));
}

#[tokio::test]
async fn whatever_the_page_names_is_there_and_relative() {
    let page = fs::read_to_string(built().join("index.html")).unwrap();
    let assets = assets();

    for name in named(&page) {
        let outside = name.starts_with('/') || name.contains("://") || name.starts_with("data:");
        assert!(!outside, "{name} would leave a prefix that a proxy strips");
        let is_a_page = ["docs/"].contains(&name.as_str()) || name.starts_with('#');
        assert!(is_a_page || assets.contains(&name), "{name} is not in {assets:?}");
    }
    for name in assets.iter().filter(|name| name.ends_with(".webmanifest")) {
        let manifest: serde_json::Value = serde_json::from_slice(&fs::read(built().join(name)).unwrap()).unwrap();
        let icons = manifest["icons"].as_array().unwrap();
        assert!(!icons.is_empty());
        for icon in icons {
            let icon = format!("assets/{}", icon["src"].as_str().unwrap());
            assert!(assets.contains(&icon), "{icon}");
        }
        for way in ["start_url", "scope"] {
            assert_eq!(manifest[way], "../", "it is relative to the manifest, which lies among the assets");
        }
    }
}

#[tokio::test]
async fn the_page_has_no_script_no_style_and_no_handler_of_its_own() {
    let page = fs::read_to_string(built().join("index.html")).unwrap();

    let tags: Vec<&str> = page.split('<').skip(1).filter_map(|rest| rest.split('>').next()).collect();

    for tag in &tags {
        let mut words = tag.split_whitespace();
        let name = words.next().unwrap();
        assert_ne!(name.to_lowercase(), "style");
        assert!(name != "script" || tag.contains(" src=\"assets/"), "<{tag}>");
        for attribute in words {
            let attribute = attribute.to_lowercase();
            assert!(!attribute.starts_with("style=") && !attribute.starts_with("on"), "<{tag}>");
            assert!(!attribute.contains("javascript:"), "<{tag}>");
        }
    }
    for pair in page.split("<script").skip(1) {
        let inside = pair.split_once('>').and_then(|(_, rest)| rest.split_once("</script>")).unwrap().0;
        assert_eq!(inside.trim(), "");
    }
}

#[tokio::test]
async fn without_the_page_there_is_the_api_alone() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_PAGE", "off")]);

    for path in ["/".to_owned(), format!("/{}", assets().first().unwrap())] {
        for method in [Method::GET, Method::POST, Method::OPTIONS] {
            send(server.request(method, &path)).await.refuses(404, "route_not_found");
        }
    }
    server.get("/v1/rules", None).await.expect(200);
    assert_eq!(server.get("/docs/", None).await.status, 200);
}

#[tokio::test]
async fn the_document_does_not_know_the_page() {
    let server = Server::shared().await;

    let document = server.get("/openapi.json", None).await;

    let paths = document.expect(200)["paths"].as_object().unwrap();
    assert!(paths.keys().all(|path| path != "/" && !path.starts_with("/assets")), "{:?}", paths.keys());
}
