//! The service as its users meet it: a real server on a real Postgres.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their helpers stop where something is not as it should be"
)]

#[allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of it")]
mod common;

use common::model::Seat;
use common::server::Server;
use common::table::Table;

#[tokio::test]
async fn a_game_is_played() {
    let server = Server::on_new_database().await;
    let table = Table::in_battle(&server).await;
    table.fire(&server, Seat::Host, "A1").await.expect(200);
    println!("{:?}", table.look(&server, Some(Seat::Host)).await.text);
    println!("{:?}", table.log(&server).await);
}
