//! A server with what can befall it, and what must hold whatever did.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use ground::cluster::{Cluster, Database};
use ground::ledger;
use ground::proxy::{Break, Proxy};
use ground::server::{Reply, Server};
use ground::table::{HARMLESS, Table, usual};
use ground::wire::{Written, ask, at_once, get, post, timed};
use testing::model::Seat::{self, Guest, Host};

/// Within three seconds, by the contract; three more for a machine that is busy with other tests.
pub(crate) const ANSWERED: Duration = Duration::from_secs(6);

/// Ten seconds, by the contract; ten more for a machine that is busy with other tests.
pub(crate) const ENDED: Duration = Duration::from_secs(20);

/// What the server writes when it writes all that it ever does.
const LOUD: (&str, &str) = ("RUST_LOG", "trace");

/// A server on a database, with a proxy between them.
pub(crate) struct Ground {
    pub(crate) database: Database,
    pub(crate) proxy: Proxy,
    pub(crate) server: Server,
}

impl Ground {
    /// Straight on a new database.
    pub(crate) async fn new() -> Self {
        Self::on(Cluster::shared().database().await, None)
    }

    pub(crate) async fn behind_a_proxy() -> Self {
        let database = Cluster::shared().database().await;
        let proxy = Proxy::start(&database);
        Self::on(database, Some(proxy))
    }

    pub(crate) fn on(database: Database, proxy: Option<Proxy>) -> Self {
        let url = proxy.as_ref().map_or_else(|| database.url(), |proxy| proxy.url().to_owned());
        let server = Server::start_with(&database, &[("DATABASE_URL", &url), LOUD]);
        Self { proxy: proxy.unwrap_or_else(|| Proxy::start(&database)), database, server }
    }

    /// Asks for something on a wire that breaks there.
    pub(crate) async fn loses(&self, place: Break, event: &str, request: &Written) -> Reply {
        let before = self.proxy.broken();
        self.proxy.break_at(place, &format!("\"type\":\"{event}\""));
        let (reply, time) = timed(ask(request)).await;
        assert_eq!(self.proxy.broken(), before + 1);
        assert!(time < ANSWERED, "{time:?}");
        reply.expect("the server answers")
    }

    /// Has the server open as many connections as it may.
    pub(crate) async fn uses_all_connections(&self, table: &Table) {
        for _ in 0..20 {
            let looks: Vec<Written> = (0..48).map(|_| get(&self.server, &table.path(""), None)).collect();
            for reply in at_once(&looks).await {
                reply.expect(200);
            }
            if self.backends().await.len() >= 12 {
                return;
            }
        }
        panic!("the server never used all of its connections");
    }

    /// The processes of Postgres that serve the server.
    pub(crate) async fn backends(&self) -> Vec<u32> {
        let mut direct = self.database.connect().await;
        let ids = "select pid from pg_stat_activity
                    where datname = current_database() and application_name = 'naval-battle'";
        let ids: Vec<i32> = sqlx::query_scalar(ids).fetch_all(&mut direct).await.unwrap();
        ids.into_iter().map(|id| id.try_into().unwrap()).collect()
    }

    /// Insists that nothing is under way any more, that no session was left in a transaction,
    /// and that no connection is lost to the server.
    pub(crate) async fn is_at_rest(&self) {
        let mut direct = self.database.connect().await;
        let busy = "select count(*) from pg_stat_activity
                     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'";
        let mut patience = 0;
        while sqlx::query_scalar::<_, i64>(busy).fetch_one(&mut direct).await.unwrap() > 0 {
            patience += 1;
            assert!(patience < 1000, "a session is not idle");
            sleep(Duration::from_millis(5)).await;
        }
        let ready: Vec<Written> = (0..24).map(|_| get(&self.server, "/readyz", None)).collect();
        let (replies, time) = timed(at_once(&ready)).await;
        assert!(time < ANSWERED, "{time:?}");
        for reply in replies {
            reply.expect(200);
        }
        assert!(self.backends().await.len() <= 20, "a connection is lost with every fault");
    }

    /// Insists that whatever needs the database is a 503, in time, many times over.
    pub(crate) async fn is_unavailable(&self, table: &Table, open: &Table) {
        let server = &self.server;
        let mut requests = every_operation_of(server, table);
        requests.extend([
            get(server, "/readyz", None),
            fire(server, table, Host, "A1"),
            post(server, &open.path("/join"), None, &json!({})),
        ]);
        for turn in 0..2 {
            let many: Vec<Written> = requests.iter().cycle().take(requests.len() * 4).cloned().collect();
            let ((replies, time), alive) = tokio::join!(timed(at_once(&many)), server.get("/healthz", None));
            alive.expect(200);
            for reply in replies {
                reply.refuses(503, "unavailable");
                assert!(reply.header("retry-after").is_some_and(|seconds| seconds.parse::<u8>().is_ok()));
            }
            assert!(time < ANSWERED, "{time:?} at turn {turn}");
        }
    }

    /// Insists that everything works at once, for those who were there before, too.
    /// No request that could not even be read has come about meanwhile.
    pub(crate) async fn is_well(&self, table: &Table, open: &Table, events: usize) {
        let server = &self.server;
        server.get("/readyz", None).await.expect(200);
        assert_eq!(table.log(server).await.len(), events);
        server.post(&open.path("/join"), None, &json!({})).await.expect(201);
        for _ in 0..4 {
            ask(&next_shot(server, table).await.unwrap()).await.unwrap().expect(200);
        }
        ledger::check(server, table, &usual(), &usual()).await;
        self.is_at_rest().await;
    }

    /// Insists that the server wrote nothing down that is for one player's eyes, or nobody's.
    pub(crate) async fn kept_its_secrets(&self, tables: &[Table]) {
        let log = self.server.whole_log().await;
        assert!(log.contains("answered"), "the log is there to be looked at");
        // So does the embedded Postgres, whose log the server's person reads as well.
        let log = log + &self.database.log();
        let mut direct = self.database.connect().await;
        let bytes = "select host_token from games union all select guest_token from games where guest_token is not null
                     union all select state from games union all select token_salt from games
                     union all select salt from layouts union all select cells from layouts";
        for secret in sqlx::query_scalar::<_, Vec<u8>>(bytes).fetch_all(&mut direct).await.unwrap() {
            let numbers: Vec<String> = secret.iter().take(12).map(u8::to_string).collect();
            assert!(!log.contains(&hex::encode(&secret)), "the log tells a secret");
            assert!(!log.contains(&numbers.join(", ")), "the log tells a secret's bytes");
        }
        for table in tables {
            for token in [&table.host, &table.guest] {
                assert!(token.is_empty() || !log.contains(token.as_str()), "the log tells a token");
            }
        }
        assert!(!log.contains("A1\",\"length"), "the log tells a layout");
    }
}

/// Every operation on games that the document lists, with an empty object where there is a body:
/// all of them look at the game, or at the database's clock, before they look at that.
fn every_operation_of(server: &Server, table: &Table) -> Vec<Written> {
    let document: Value = serde_json::from_str(&naval_battle::http::document_text().unwrap()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/v1/games"));
    let operations = paths.flat_map(|(path, item)| {
        let path = path.replace("{game_id}", &table.id);
        item.as_object().unwrap().keys().map(move |method| (path.clone(), method == "get"))
    });
    let token = Some(table.host.as_str());
    let written = |(path, is_look): (String, bool)| {
        let body = if path == "/v1/games/status" { json!({"games": [{"id": table.id}]}) } else { json!({}) };
        if is_look { get(server, &path, token) } else { post(server, &path, token, &body) }
    };
    operations.map(written).collect()
}

pub(crate) fn fire(server: &Server, table: &Table, seat: Seat, cell: &str) -> Written {
    post(server, &table.path("/fire"), Some(table.token(seat)), &json!({ "shots": [cell] }))
}

/// A shot that the rules allow, by the seat whose turn it is; `None` where the server is gone.
pub(crate) async fn next_shot(server: &Server, table: &Table) -> Option<Written> {
    let reply = ask(&get(server, &table.path(""), None)).await?;
    let game = reply.expect(200);
    let (seat, board) = if game["awaiting"][0]["seat"] == "host" { (Host, "guest") } else { (Guest, "host") };
    let shots = game["boards"][board]["shots"].as_array().unwrap();
    let is_new = |cell: &&str| !shots.iter().any(|shot| shot["cell"] == *cell);
    Some(fire(server, table, seat, HARMLESS.split(' ').find(is_new).expect("a cell is left")))
}
