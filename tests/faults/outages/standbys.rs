//! A Postgres that becomes a standby, and one that forgets.

use std::time::Duration;

use serde_json::json;
use sqlx::Executor as _;
use tokio::time::sleep;

use ground::handmade::Handmade;
use ground::ledger;
use ground::server::Server;
use ground::table::{Table, usual};
use testing::model::Seat::{Guest, Host};

#[tokio::test]
async fn a_primary_that_comes_back_as_a_standby_is_503_until_it_is_promoted() {
    let mut handmade = Handmade::trusting(&[]);
    let server = Server::start(&handmade.database());
    let table = Table::in_battle(&server).await;

    handmade.stop();
    handmade.become_standby();
    handmade.start_again();

    for _ in 0..3 {
        server.get("/readyz", None).await.refuses(503, "unavailable");
        table.look(&server, None).await.refuses(503, "unavailable");
        table.fire(&server, Host, "A1").await.refuses(503, "unavailable");
    }
    handmade.database().connect().await.execute("select pg_promote()").await.unwrap();
    is_ready(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);
    table.fire(&server, Guest, "A1").await.expect(200);
    ledger::check(&server, &table, &usual(), &usual()).await;
    // One line tells why, however many have asked.
    let log = server.whole_log().await;
    assert_eq!(log.matches("it is a standby").count(), 1, "{log}");
}

#[tokio::test]
async fn a_setting_that_would_lose_moves_is_noticed_under_way_and_so_is_that_it_was_set_right() {
    for (weaken, told) in [
        ("alter system set fsync = off", "fsync = off"),
        ("alter system set full_page_writes = off", "full_page_writes = off"),
        ("alter system set zero_damaged_pages = on", "zero_damaged_pages = on"),
        ("alter system set default_transaction_read_only = on", "default_transaction_read_only = on"),
    ] {
        let handmade = Handmade::trusting(&[]);
        let database = handmade.database();
        let server = Server::start(&database);
        let table = Table::in_battle(&server).await;
        let mut direct = database.connect().await;
        direct.execute("set default_transaction_read_only = off").await.unwrap();

        direct.execute(weaken).await.unwrap();
        direct.execute("select pg_reload_conf()").await.unwrap();

        while server.get("/readyz", None).await.status == 200 {
            sleep(Duration::from_millis(50)).await;
        }
        server.get("/readyz", None).await.refuses(503, "unavailable");
        table.fire(&server, Host, "A1").await.refuses(503, "unavailable");
        server.post("/v1/games", None, &json!({})).await.refuses(503, "unavailable");
        server.get("/healthz", None).await.expect(200);
        direct.execute("alter system reset all").await.unwrap();
        direct.execute("select pg_reload_conf()").await.unwrap();
        is_ready(&server).await;
        table.fire(&server, Host, "A1").await.expect(200);
        assert_eq!(table.log(&server).await.len(), 5);
        let log = server.whole_log().await;
        assert_eq!(log.matches(told).count(), 1, "{log}");
    }
}

async fn is_ready(server: &Server) {
    let mut patience = 0;
    while server.get("/readyz", None).await.status != 200 {
        patience += 1;
        assert!(patience < 400, "the server does not heal");
        sleep(Duration::from_millis(50)).await;
    }
}
