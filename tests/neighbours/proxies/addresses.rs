//! Whose request it is that comes through a proxy.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::Client;

use ground::cluster::Cluster;
use ground::server::Server;

use super::apache::{self, apache};
use super::nginx::{self, nginx};

/// An id that looks like one of a game.
const NOBODY: &str = "0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";

/// A client with an address of its own.
fn from(last: u8) -> Client {
    let address = IpAddr::V4(Ipv4Addr::new(127, 0, 0, last));
    Client::builder().local_address(address).build().unwrap()
}

async fn guess(client: &Client, through: &Server, claimed: Option<&str>) -> u16 {
    let request = client.get(format!("{}/v1/games/{NOBODY}", through.base));
    let request = if let Some(claimed) = claimed { request.header("x-forwarded-for", claimed) } else { request };
    request.send().await.unwrap().status().as_u16()
}

/// Insists that one client's guesses are no other's, and that nobody gets more by claiming to be another.
async fn each_has_its_own_budget(through: &Server) {
    let (one, other) = (from(2), from(3));
    for number in 0..200 {
        if guess(&one, through, Some(&format!("192.0.2.{number}"))).await == 429 {
            break;
        }
    }
    assert_eq!(guess(&one, through, Some("192.0.2.250")).await, 429);
    assert_eq!(guess(&one, through, None).await, 429);
    assert_eq!(guess(&other, through, Some("127.0.0.2")).await, 404);
}

/// A server that trusts one proxy, with these limits.
pub(crate) async fn server_behind_one_proxy(limits: &str) -> Server {
    let database = Cluster::shared().database().await;
    Server::start_with(&database, &[("NAVAL_BATTLE_LIMITS", limits), ("NAVAL_BATTLE_TRUSTED_PROXIES", "1")])
}

#[tokio::test]
async fn behind_a_trusted_nginx_each_client_has_its_own_budget() {
    let server = server_behind_one_proxy("on").await;
    let front = nginx(&server, "", "/", nginx::RECIPE);
    each_has_its_own_budget(&front.to(&server, "")).await;
}

#[tokio::test]
async fn behind_a_trusted_apache_each_client_has_its_own_budget() {
    let server = server_behind_one_proxy("on").await;
    let front = apache(&server, apache::RECIPE);
    each_has_its_own_budget(&front.to(&server, "")).await;
}
