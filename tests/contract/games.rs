//! Whole games, and everybody who looks at them.

use futures_util::StreamExt as _;
use reqwest::Method;
use serde_json::json;

use ground::random_game::RandomGame;
use ground::server::{Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use testing::campaign;
use testing::model::{Options, Seat};

use Seat::{Guest, Host};

/// How many games are played side by side.
const SIDE_BY_SIDE: usize = 8;

/// A game whose replies are the examples of the document.
pub(crate) async fn the_example(server: &Server) {
    let body = json!({"name": "Anna", "options": {"first": "host"}});
    let mut table = Table::create(server, &body).await;
    let joined = server.post(&table.path("/join"), None, &json!({"name": "Boris"})).await;
    joined.expect(201)["token"].as_str().unwrap().clone_into(&mut table.guest);
    for seat in [Host, Guest] {
        table.place(server, seat, &layout(FLEET, "J10")).await.expect(200);
    }
    table.fire(server, Host, "J10").await.expect(200);
    table.reveal(server, Host, "C3").await.expect(200);
    table.fire(server, Guest, "C3").await.expect(200);
    table.look(server, Some(Host)).await.expect(200);
    server.get(&table.path("/events?after=4"), Some(&table.host)).await.expect(200);
    server.get(&table.path("/replay?upto=5"), Some(&table.host)).await.expect(200);
    server.get(&table.path("/events/5/proof"), None).await.expect(200);
    table.resign(server, Guest).await.expect(200);
    server.get(&table.path("/verify"), None).await.expect(200);
    server.get(&table.path("/analysis"), None).await.expect(200);
    server.get(&table.path("/analysis/7"), None).await.expect(200);
    for seat in [Guest, Host] {
        server.post(&table.path("/rematch"), Some(table.token(seat)), &json!({})).await.expect(201);
    }
    table.look(server, None).await.expect(200);
    for name in ["Anna", "Boris"] {
        Table::create(server, &json!({"name": name, "listed": true})).await;
    }
    let list = server.get("/v1/games?status=waiting&limit=1", None).await;
    let next = list.expect(200)["next"].as_str().unwrap().to_owned();
    server.get(&format!("/v1/games?after={next}"), None).await.expect(200);
    send(server.request(Method::GET, &table.path("/events?after=6")).header("accept", "text/event-stream"))
        .await
        .expect(200);
    send(server.request(Method::GET, &table.path("/stream?after=6"))).await.expect(200);
    let feed = format!("/v1/feed?games={}&after=5", table.id);
    server.get(&feed, None).await.expect(200);
    send(server.request(Method::GET, &feed).header("accept", "text/event-stream")).await.expect(200);
    let own = json!({"games": [{"id": table.id, "token": table.host}, {"id": table.id, "token": "nonsense"}]});
    server.post("/v1/games/status", None, &own).await.expect(200);
    let drawn = server.post("/v1/layouts/random", None, &json!({"seed": 7})).await;
    server.post("/v1/layouts/check", None, &json!({"layout": drawn.expect(200)["layout"]})).await.expect(200);
    for path in ["/v1/rules", "/healthz", "/readyz", "/metrics"] {
        server.get(path, None).await.expect(200);
    }
    send(server.request(Method::GET, "/metrics").header("accept", "application/openmetrics-text")).await.expect(200);
    for language in ["de", "fi", "it", "ru"] {
        send(server.request(Method::GET, "/v1/rules").header("accept-language", language)).await.expect(200);
    }
}

/// A game against each bot, as far as its end.
pub(crate) async fn bots(server: &Server) {
    for bot in ["easy", "medium", "hard"] {
        let table = Table::create(server, &json!({"bot": bot, "options": {"first": "guest"}})).await;
        table.place(server, Host, &layout(FLEET, "J10")).await.expect(200);
        table.look(server, Some(Host)).await.expect(200);
        table.resign(server, Host).await.expect(200);
        table.look(server, None).await.expect(200);
        server.get(&table.path("/events"), None).await.expect(200);
    }
}

/// Whole games with each value of each option, in a campaign one of each configuration.
pub(crate) async fn whole_games(server: &Server) {
    let all = Options::all();
    assert_eq!(all.len(), 64);
    let games =
        all.into_iter().enumerate().step_by(campaign(7, 1)).map(|(index, options)| whole_game(server, index, options));
    futures_util::stream::iter(games).buffer_unordered(SIDE_BY_SIDE).collect::<Vec<_>>().await;
}

async fn whole_game(server: &Server, index: usize, options: Options) {
    let first = ["host", "guest", "random"][index % 3];
    let clock = if index.is_multiple_of(2) { json!(null) } else { json!(1_209_600) };
    let more = json!({"first": first, "turn_seconds": clock});
    let name = index.is_multiple_of(4).then_some("Анна 🚢");
    let mut game = RandomGame::create(server, options, &more, name, u64::try_from(index).unwrap()).await;
    all_look(server, &game.table, &callers(&game.table)).await;
    game.join(server, name).await;
    all_look(server, &game.table, &callers(&game.table)).await;
    let mut turn = index;
    while game.step(server).await {
        game.play_on(server, 30).await;
        // In battle one after the other, which is as good and takes less time.
        all_look(server, &game.table, &callers(&game.table)[turn % 3..][..1]).await;
        turn += 1;
    }
    all_look(server, &game.table, &callers(&game.table)).await;
    all_follow(server, &game.table).await;
}

/// The game, its log, its past and its verification, as these callers may see them.
async fn all_look(server: &Server, table: &Table, callers: &[Option<&str>]) {
    for token in callers.iter().copied() {
        let look = server.get(&table.path(""), token).await;
        let tag = look.header("etag").unwrap().to_owned();
        let again = authorized(server.request(Method::GET, &table.path("")), token);
        send(again.header("if-none-match", tag)).await.expect(304);
        send(authorized(server.request(Method::HEAD, &table.path("")), token)).await.expect(200);
        let version = look.expect(200)["version"].as_u64().unwrap();
        let after = version.saturating_sub(3);
        server.get(&table.path(&format!("/events?after={after}&limit=2&wait=0")), token).await.expect(200);
        server.get(&table.path("/verify"), token).await.expect(200);
        for query in ["", "?as=spectator", "?as=host", "?as=guest", "?as=all", "?upto=1"] {
            let replay = server.get(&table.path(&format!("/replay{query}")), token).await;
            assert!([200, 409].contains(&replay.status), "{}", replay.text);
        }
        for seq in [version - 1, version] {
            let proof = server.get(&table.path(&format!("/events/{seq}/proof")), token).await;
            assert!([200, 404].contains(&proof.status), "{}", proof.text);
        }
        let half = version.div_ceil(2);
        server.get(&table.path(&format!("/replay?upto={half}&as=spectator")), token).await.expect(200);
    }
    server.get(&table.path(""), Some("a-stranger")).await.refuses(401, "unauthorized");
}

/// A finished game's whole log, in pages and as a stream.
async fn all_follow(server: &Server, table: &Table) {
    let log = server.get(&table.path("/events?limit=500"), None).await;
    for event in log.expect(200)["events"].as_array().unwrap().iter().step_by(campaign(9, 1)) {
        let proof = server.get(&table.path(&format!("/events/{}/proof", event["seq"])), None).await;
        assert!([200, 404].contains(&proof.status), "{}", proof.text);
    }
    let analysis = server.get(&table.path("/analysis"), None).await;
    for shot in analysis.expect(200)["shots"].as_array().unwrap().iter().step_by(campaign(20, 1)) {
        server.get(&table.path(&format!("/analysis/{}", shot["seq"])), None).await.expect(200);
    }
    for token in callers(table) {
        let log = server.get(&table.path("/events?limit=500"), token).await;
        let version = log.expect(200)["version"].clone();
        let stream = |last: String| {
            let request = authorized(server.request(Method::GET, &table.path("/events")), token);
            send(request.header("accept", "text/event-stream").header("last-event-id", last))
        };
        let streamed = stream("0".to_owned()).await;
        streamed.expect(200);
        assert_eq!(streamed.text.matches("data: ").count().to_string(), version.to_string());
        stream(version.to_string()).await.expect(204);
        let after = format!("?after={version}");
        send(authorized(server.request(Method::GET, &table.path(&format!("/stream{after}"))), token)).await.expect(204);
        let feed = format!("/v1/feed?games={}", table.id);
        send(server.request(Method::GET, &feed).header("accept", "text/event-stream")).await.expect(204);
        let page = server.get(&format!("{feed}&after=0"), token).await;
        assert_eq!(page.expect(200)["after"], version.to_string());
        let glance = json!({"games": [{"id": table.id, "token": token}]});
        server.post("/v1/games/status", None, &glance).await.expect(200);
    }
}

fn callers(table: &Table) -> Vec<Option<&str>> {
    let mut callers = vec![None, Some(table.host.as_str())];
    if !table.guest.is_empty() {
        callers.push(Some(&table.guest));
    }
    callers
}
