//! Apache in front.

use std::fs;
use std::process::Command;

use reqwest::Method;
use serde_json::json;

use ground::server::{Server, send};

use super::addresses::server_behind_one_proxy;
use super::front::{Front, Ground, address_of};
use super::service::{games_come_as_they_are, is_as_promised, the_longest_wait_is_answered};

/// What `docs/operations.md` says.
pub(crate) const RECIPE: &str = "
    ProxyPass        / http://SERVER/ ttl=60
    ProxyPassReverse / http://SERVER/
";

const MODULES: [&str; 10] =
    ["mpm_event", "authz_core", "proxy", "proxy_http", "filter", "deflate", "brotli", "headers", "env", "setenvif"];

/// Starts Apache with these lines; `SERVER` stands for the server's address.
pub(crate) fn apache(server: &Server, lines: &str) -> Front {
    let ground = Ground::new("apache");
    let folder = ground.folder.display();
    let modules =
        MODULES.map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n")).concat();
    let lines = lines.replace("SERVER", address_of(server));
    // Ignored where somebody else than root starts it.
    let user = if rustix::process::geteuid().is_root() { "User www-data\nGroup www-data\n" } else { "" };
    let config = format!(
        "ServerRoot {folder}\nServerName localhost\nPidFile {folder}/pid\nErrorLog {folder}/error.log\n\
         Listen {}\n{modules}{user}{lines}\n",
        ground.address
    );
    let path = ground.folder.join("apache.conf");
    fs::write(&path, config).unwrap();
    let mut command = Command::new("apache2");
    command.arg("-f").arg(path).args(["-D", "FOREGROUND"]);
    Front::start(command, &ground)
}

#[tokio::test]
async fn apache_as_the_page_for_operators_says() {
    let server = Server::on_new_database().await;
    let front = apache(&server, RECIPE);
    is_as_promised(&server, &front.to(&server, "")).await;
    the_longest_wait_is_answered(&front.to(&server, "")).await;
}

#[tokio::test]
async fn apache_that_compresses_everything() {
    let server = Server::on_new_database().await;
    let front = apache(&server, &format!("SetOutputFilter DEFLATE\n{RECIPE}"));
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn apache_that_compresses_by_type_and_likes_brotli_best() {
    let server = Server::on_new_database().await;
    let by_type = "AddOutputFilterByType BROTLI_COMPRESS;DEFLATE application/json text/html text/css text/plain\n";
    let front = apache(&server, &format!("{by_type}{RECIPE}"));
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn apache_that_passes_upgrades_on() {
    let server = Server::on_new_database().await;
    let front = apache(&server, "ProxyPass / http://SERVER/ upgrade=ANY\nProxyPassReverse / http://SERVER/\n");
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn apache_that_keeps_no_connections() {
    let server = Server::on_new_database().await;
    let front =
        apache(&server, "SetEnv proxy-nokeepalive 1\nSetEnv force-proxy-request-1.0 1\nProxyPass / http://SERVER/\n");
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn apache_that_strips_a_prefix() {
    let server = server_behind_one_proxy("off").await;
    let stripping = "ProxyPass /sea/ http://SERVER/\nRequestHeader set X-Forwarded-Prefix /sea\n";
    let front = apache(&server, stripping);
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
async fn apache_that_compresses_all_but_games_as_the_page_for_operators_says() {
    let server = Server::on_new_database().await;
    let but_games = "SetOutputFilter BROTLI_COMPRESS;DEFLATE\nSetEnvIf Request_URI ^/v1/games no-gzip no-brotli\n";
    let front = apache(&server, &format!("{but_games}{RECIPE}"));
    games_come_as_they_are(&server, &front.to(&server, "")).await;
}
