//! HAProxy in front.

use std::fs;
use std::process::Command;

use ground::server::Server;

use super::front::{Front, Ground, address_of};
use super::service::is_as_promised;

/// Starts HAProxy with these lines in its part for the server.
fn haproxy(server: &Server, lines: &str) -> Front {
    let ground = Ground::new("haproxy");
    let config = format!(
        "global\n    maxconn 500\n\
         defaults\n    mode http\n    timeout connect 5s\n    timeout client 60s\n    timeout server 60s\n\
         frontend here\n    bind {}\n    default_backend naval_battle\n\
         backend naval_battle\n    option forwardfor\n    {lines}\n    server one {}\n",
        ground.address,
        address_of(server)
    );
    let file = ground.folder.join("haproxy.cfg");
    fs::write(&file, config).unwrap();
    let mut command = Command::new("haproxy");
    command.arg("-db").arg("-f").arg(file);
    Front::start(command, &ground)
}

#[tokio::test]
async fn haproxy_as_it_comes() {
    let server = Server::on_new_database().await;
    let front = haproxy(&server, "");
    is_as_promised(&server, &front.to(&server, "")).await;
}

#[tokio::test]
async fn haproxy_that_shares_connections_and_compresses() {
    let server = Server::on_new_database().await;
    let lines = "http-reuse always\n    compression algo gzip\n    \
                 compression type application/json text/event-stream text/html text/css";
    let front = haproxy(&server, lines);
    is_as_promised(&server, &front.to(&server, "")).await;
}
