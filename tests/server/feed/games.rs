//! Servers without limits, and short games to follow.

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::OnceCell;
use uuid::Uuid;

use ground::cluster::{Cluster, Database};
use ground::server::Server;
use ground::stream::Told;
use ground::table::{FLEET, Table, cells_of, layout};
use testing::model::Seat;

/// How many events a short game has: two seats, two layouts, and a shot for each cell of a fleet.
pub(crate) const SHORT: u64 = 4 + 17;

/// Two servers on one database, without limits, shared by the tests of this binary.
pub(crate) async fn pair() -> [Server; 2] {
    static PAIR: OnceCell<[Server; 2]> = OnceCell::const_new();
    let start = async || {
        let database = Cluster::shared().database().await;
        [&[][..], &[]].map(|more| unlimited(&database, more))
    };
    PAIR.get_or_init(start).await.each_ref().map(Server::afresh)
}

/// A server without limits, with further environment variables.
pub(crate) fn unlimited(database: &Database, more: &[(&str, &str)]) -> Server {
    let mut environment = vec![("NAVAL_BATTLE_LIMITS", "off"), ("NAVAL_BATTLE_WORKERS", "2")];
    environment.extend(more);
    Server::start_with(database, &environment)
}

/// A short game in battle, of which four events have happened: whoever hits fires again, and the
/// host knows where to fire.
pub(crate) async fn short_game(server: &Server) -> Table {
    let options = json!({"first": "host", "shoot_again": true});
    Table::in_battle_with(server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await
}

/// The shots that end a short game, in their order.
pub(crate) fn shots() -> Vec<String> {
    cells_of(&layout(FLEET, "").ships)
}

/// Fires all shots of a short game, by turns through these servers.
pub(crate) async fn play_out(servers: &[&Server], table: &Table) {
    for (shot, server) in shots().iter().zip(servers.iter().cycle()) {
        table.fire(server, Seat::Host, shot).await.expect(200);
    }
}

/// The log, each event with the very bytes that it has in JSON.
pub(crate) async fn log_of(server: &Server, table: &Table) -> Vec<Told> {
    #[derive(Deserialize)]
    struct Page {
        events: Vec<Box<RawValue>>,
    }
    let reply = server.get(&table.path("/events?limit=500"), None).await;
    reply.expect(200);
    let page: Page = serde_json::from_str(&reply.text).unwrap();
    (1..).zip(page.events).map(|(seq, event)| Told { seq, data: event.get().to_owned() }).collect()
}

/// The `seq` of each event.
pub(crate) fn seqs(told: &[Told]) -> Vec<u64> {
    told.iter().map(|event| event.seq).collect()
}

/// Lets a log grow by so many events at once, each of so many bytes, without a word to any server.
/// What they say makes no sense; that they are there is what counts.
pub(crate) async fn grow(database: &Database, table: &Table, count: i32, bytes: i32) {
    sqlx::query(
        r#"with grown as (
               update games set version = version + $2 where game_id = $1 returning game_id, version - $2 as was)
           insert into events (game_id, seq, span, status, awaits, due_at, head, body)
           select game_id, was + number, 1, status, awaits, last.due_at, head, '{"filler":"' || repeat('x', $3) || '"}'
             from grown join events last using (game_id), generate_series(1, $2) number where seq = was"#,
    )
    .bind(Uuid::try_parse(&table.id).unwrap())
    .bind(count)
    .bind(bytes)
    .execute(&mut database.connect().await)
    .await
    .unwrap();
}
