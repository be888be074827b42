//! nginx in front.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tokio::time::sleep;

use ground::cluster::Cluster;
use ground::server::{Server, send};
use ground::stream::EventStream;
use ground::table::Table;
use testing::model::Seat::{Guest, Host};

use super::addresses::server_behind_one_proxy;
use super::front::{Front, Ground, address_of};
use super::service::{games_come_as_they_are, is_as_promised, the_longest_wait_is_answered};

/// What `docs/operations.md` says.
pub(crate) const RECIPE: &str = "
    proxy_pass http://naval_battle;
    proxy_http_version 1.1;
    proxy_set_header Connection \"\";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
";

/// Starts nginx with this in its `http` and this in the `location` of a path.
pub(crate) fn nginx(server: &Server, http: &str, path: &str, location: &str) -> Front {
    nginx_listening(server, "", http, path, location)
}

/// The same, listening in some way.
fn nginx_listening(server: &Server, how: &str, http: &str, path: &str, location: &str) -> Front {
    let ground = Ground::new("nginx");
    let server = address_of(server);
    let listen = &ground.address;
    let http = format!(
        "{http}
        upstream naval_battle {{ server {server}; keepalive 16; }}
        server {{ listen {listen} {how}; location {path} {{ {location} }} }}"
    );
    nginx_with(&ground, &http)
}

/// Starts nginx with this in its `http`, all of it but where its files are.
fn nginx_with(ground: &Ground, http: &str) -> Front {
    let folder = ground.folder.display();
    let kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let kept = kept.map(|what| format!("{what}_temp_path {folder}/{what};\n")).concat();
    let config = format!(
        "daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 2;
        events {{ worker_connections 512; }}
        http {{
            access_log off;
            {kept}
            {http}
        }}"
    );
    let file = ground.folder.join("nginx.conf");
    fs::write(&file, config).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-c").arg(file).arg("-p").arg(&ground.folder);
    Front::start(command, ground)
}

/// Compresses all that it can.
const GZIP: &str = "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1; gzip_http_version 1.0;";

#[tokio::test]
async fn nginx_as_the_page_for_operators_says() {
    let server = Server::on_new_database().await;
    let front = nginx(&server, "", "/", RECIPE);
    is_as_promised(&server, &front.to(&server, "")).await;
    the_longest_wait_is_answered(&front.to(&server, "")).await;
}

#[tokio::test]
async fn nginx_set_up_for_sockets_with_kept_connections_and_compression() {
    let server = Server::on_new_database().await;
    let sockets = "proxy_pass http://naval_battle; proxy_http_version 1.1; \
                   proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection \"upgrade\";";
    let front = nginx(&server, GZIP, "/", sockets);
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn nginx_set_up_for_sockets_as_its_own_pages_say() {
    let server = Server::on_new_database().await;
    let map = format!("{GZIP} map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}");
    let sockets = "proxy_pass http://naval_battle; proxy_http_version 1.1; \
                   proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;";
    let front = nginx(&server, &map, "/", sockets);
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn nginx_that_speaks_http_1_0_to_the_server() {
    let server = Server::on_new_database().await;
    let front = nginx(&server, GZIP, "/", "proxy_pass http://naval_battle;");
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn nginx_that_keeps_nothing_back() {
    let server = Server::on_new_database().await;
    let unbuffered = format!("{RECIPE} proxy_buffering off; proxy_request_buffering off;");
    let front = nginx(&server, GZIP, "/", &unbuffered);
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn nginx_that_strips_a_prefix() {
    let server = server_behind_one_proxy("off").await;
    let stripping = RECIPE.replace("//naval_battle;", "//naval_battle/; proxy_set_header X-Forwarded-Prefix /sea;");
    let front = nginx(&server, "", "/sea/", &stripping);
    let through = front.to(&server, "/sea");

    is_as_promised(&server, &through).await;

    let created = send(through.request(Method::POST, "/v1/games").json(&json!({}))).await;
    let id = created.expect(201)["game"]["id"].as_str().unwrap();
    let location = created.header("location").unwrap();
    assert_eq!(location, format!("/sea/v1/games/{id}"));
    let missing = through.get("/v1/games/x", None).await;
    assert_eq!(missing.refuses(404, "game_not_found")["type"], "/sea/problems/game_not_found");
}

#[tokio::test]
async fn nginx_that_compresses_all_but_games_as_the_page_for_operators_says() {
    let server = Server::on_new_database().await;
    let but_games = format!("{RECIPE} }} location /v1/games {{ gzip off; {RECIPE}");
    let front = nginx(&server, GZIP, "/", &but_games);
    games_come_as_they_are(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn nginx_that_speaks_http_2_to_clients() {
    let server = Server::on_new_database().await;
    let front = nginx_listening(&server, "http2", GZIP, "/", RECIPE);
    let through = front.to(&server, "");
    let curl = |path: &str| {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--no-buffer", "--compressed", "--http2-prior-knowledge", "--max-time", "60"]);
        curl.arg(format!("{}{path}", through.base)).stdout(Stdio::piped());
        curl
    };
    let table = Table::in_battle(&server).await;

    let mut looking = curl(&table.path(""));
    let looked = looking.args(["--dump-header", "-"]).output().unwrap();
    let looked = String::from_utf8(looked.stdout).unwrap();
    assert!(looked.starts_with("HTTP/2 200") && looked.contains("\"version\":4,"), "{looked}");
    let mut known = curl(&table.path(""));
    let known = known.args(["--header", "If-None-Match: W/\"4-spectator\"", "--head"]).output().unwrap();
    assert!(String::from_utf8(known.stdout).unwrap().starts_with("HTTP/2 304"));

    let mut following = curl(&table.path("/events?after=4"));
    let mut following = following.args(["--header", "Accept: text/event-stream"]).spawn().unwrap();
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines().map(Result::unwrap);
    for (number, seat, cell) in [(5, Host, "G1"), (6, Guest, "G1")] {
        table.fire(&server, seat, cell).await.expect(200);
        // Each is there before the next move is made.
        let begins = format!("id: {number}");
        assert!(lines.any(|line| line == begins), "{begins}");
    }
    table.resign(&server, Host).await.expect(200);
    assert!(lines.any(|line| line == "id: 7"));
    assert!(following.wait().unwrap().success());
}

/// What `docker-compose.scale.yml` gives nginx.
const OF_COMPOSE: &str = include_str!("../../../docker/nginx.conf");

/// Three servers on one database behind nginx with that very file, but for addresses.
async fn behind_the_proxy_of_compose() -> ([Server; 3], Front) {
    let database = Cluster::shared().database().await;
    let servers = [1, 2, 3].map(|_| Server::start_with(&database, &[("NAVAL_BATTLE_TRUSTED_PROXIES", "1")]));
    let ground = Ground::new("nginx");
    let with_addresses = (1..).zip(&servers).fold(OF_COMPOSE.to_owned(), |text, (number, server)| {
        text.replace(&format!("naval-battle-{number}:8080"), address_of(server))
    });
    let front = nginx_with(&ground, &with_addresses.replace("listen 80;", &format!("listen {};", ground.address)));
    (servers, front)
}

#[tokio::test]
async fn nginx_of_compose_in_front_of_three_servers() {
    let (servers, front) = behind_the_proxy_of_compose().await;
    let through = front.to(&servers[0], "");
    is_as_promised(&servers[0], &through).await;
    the_longest_wait_is_answered(&through).await;

    // Each of them has had its share, and while one is away the others take it.
    for server in &servers {
        assert!(server.count("naval_battle_games_total{status=\"waiting\"}").await > 50);
    }
    servers[2].terminate();
    assert_eq!(servers[2].ends_within(Duration::from_secs(20)), Some(0));
    for _ in 0..50 {
        through.post("/v1/games", None, &json!({})).await.expect(201);
    }
}

#[tokio::test]
async fn a_stream_through_nginx_of_compose_outlives_its_time_outs() {
    let (servers, front) = behind_the_proxy_of_compose().await;
    let through = front.to(&servers[0], "");
    let table = Table::in_battle(&through).await;
    // One of them at each server.
    let mut streams = Vec::new();
    for _ in 0..3 {
        streams.push(EventStream::of(&through, &table.path("/events"), Some(4)).await);
    }

    // Longer than nginx waits for a word.
    assert!(OF_COMPOSE.contains("proxy_read_timeout 30s;"));
    sleep(Duration::from_secs(35)).await;
    table.fire(&servers[0], Host, "G1").await.expect(200);

    for stream in &mut streams {
        assert_eq!(stream.next().await.expect("the stream goes on").seq, 5);
    }
    table.resign(&servers[1], Guest).await.expect(200);
    for stream in streams {
        assert_eq!(stream.rest().await.len(), 1);
    }
}
