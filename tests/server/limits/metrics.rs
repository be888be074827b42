use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use ground::cluster::Cluster;
use ground::server::{Server, send};
use ground::stream::{EventStream, within};
use ground::table::Table;
use testing::model::Seat;

use Seat::{Guest, Host};

async fn page(server: &Server) -> String {
    let reply = server.get("/metrics", None).await;
    reply.expect(200);
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    reply.text
}

/// The value of a line; zero where it is not there yet.
fn value(page: &str, line: &str) -> u64 {
    let found = page.lines().find_map(|written| written.strip_prefix(line)?.strip_prefix(' '));
    found.map_or(0, |value| value.parse().expect("a number"))
}

/// Each series without its value.
fn series(page: &str) -> BTreeSet<String> {
    let lines = page.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned())).collect()
}

/// Plays a few moves of a game, one of which is refused, and looks for what is not there.
pub(super) async fn play_a_little(server: &Server, cell: &str) -> Table {
    let table = Table::in_battle(server).await;
    table.fire(server, Host, cell).await.expect(200);
    table.fire(server, Host, cell).await.refuses(409, "not_your_turn");
    table.look(server, None).await.expect(200);
    table.resign(server, Guest).await.expect(200);
    send(server.request(Method::from_bytes(b"BREW").unwrap(), "/nowhere")).await.expect(404);
    table
}

#[tokio::test]
async fn what_happens_is_counted() {
    let server = Server::on_new_database().await;

    play_a_little(&server, "A1").await;
    let page = page(&server).await;

    for (line, count) in [
        (r#"naval_battle_moves_total{type="created"}"#, 1),
        (r#"naval_battle_moves_total{type="joined"}"#, 1),
        (r#"naval_battle_moves_total{type="placed"}"#, 2),
        (r#"naval_battle_moves_total{type="fired"}"#, 1),
        (r#"naval_battle_moves_total{type="resigned"}"#, 1),
        (r#"naval_battle_games_total{status="waiting"}"#, 1),
        (r#"naval_battle_games_total{status="placing"}"#, 1),
        (r#"naval_battle_games_total{status="battle"}"#, 1),
        (r#"naval_battle_games_total{status="finished"}"#, 1),
        (r#"naval_battle_requests_total{method="POST",route="/v1/games/{game_id}/fire",status="200"}"#, 1),
        (r#"naval_battle_requests_total{method="POST",route="/v1/games/{game_id}/fire",status="409"}"#, 1),
        (r#"naval_battle_requests_total{method="other",route="none",status="404"}"#, 1),
        (r#"naval_battle_request_duration_seconds_count{route="/v1/games/{game_id}/fire"}"#, 2),
        ("naval_battle_streams", 0),
    ] {
        assert_eq!(value(&page, line), count, "{line} in\n{page}");
    }
    let connections =
        ["busy", "idle"].map(|state| value(&page, &format!("naval_battle_connections{{state=\"{state}\"}}")));
    assert!(connections.iter().sum::<u64>() >= 1, "{page}");
}

#[tokio::test]
async fn no_label_grows_with_games_or_users_or_tells_what_was_found() {
    let server = Server::on_new_database().await;
    play_a_little(&server, "A1").await;
    page(&server).await;
    let few = series(&page(&server).await);

    for cell in ["B1", "J9", "A10", "C3"] {
        let table = play_a_little(&server, cell).await;
        for secret in [&table.id, &table.host, &table.guest] {
            assert!(!page(&server).await.contains(secret.as_str()));
        }
        server.get(&format!("/{}", table.id), None).await.expect(404);
    }
    let many = series(&page(&server).await);

    assert!(few.len() > 100, "{few:?}");
    let new: Vec<_> =
        many.difference(&few).filter(|series| !series.contains("method=\"GET\",route=\"none\"")).collect();
    assert!(new.is_empty(), "{new:?}");
    for word in ["miss", "hit", "sunk", "mine", "illegal_layout", "not_your_turn", "code="] {
        assert!(many.iter().all(|series| !series.contains(word)), "{word}");
    }
}

#[tokio::test]
async fn streams_are_counted_while_they_are_open() {
    let server = Server::on_new_database().await;
    let table = Table::in_battle(&server).await;

    let streams = [
        EventStream::of(&server, &table.path("/events"), None).await,
        EventStream::of(&server, &table.path("/events"), None).await,
    ];
    assert_eq!(value(&page(&server).await, "naval_battle_streams"), 2);
    table.resign(&server, Host).await.expect(200);
    for stream in streams {
        stream.rest().await;
    }

    within(async {
        while value(&page(&server).await, "naval_battle_streams") > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_counts_can_have_an_address_of_their_own() {
    let database = Cluster::shared().database().await;
    let server = Server::start_with(&database, &[("NAVAL_BATTLE_METRICS_BIND", "127.0.0.1:0")]);
    let log = server.whole_log().await;
    let address = log.split("http://").nth(1).and_then(|rest| rest.split("/metrics").next()).expect("it is said");
    let mut counts = server.afresh();
    counts.base = format!("http://{address}");

    Table::create(&server, &json!({})).await;
    let told = page(&counts).await;

    assert_eq!(value(&told, r#"naval_battle_moves_total{type="created"}"#), 1);
    server.get("/metrics", None).await.refuses(404, "route_not_found");
    counts.post("/v1/games", None, &json!({})).await.refuses(404, "route_not_found");
    let open_metrics = counts.request(Method::GET, "/metrics").header("accept", "application/openmetrics-text");
    let form = send(open_metrics).await;
    assert_eq!(form.header("content-type"), Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
    assert!(form.text.ends_with("# EOF\n"));
}
