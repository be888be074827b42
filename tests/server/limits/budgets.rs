use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use reqwest::{Method, RequestBuilder};
use serde_json::json;

use ground::cluster::Cluster;
use ground::server::{Reply, Server, authorized, send};
use ground::table::{Table, usual};
use testing::model::Seat;

use Seat::{Guest, Host};

/// How many games an address may create, and join, at once.
const BURST: usize = 100;

/// How many guesses of an address may fail at once.
const GUESSES: usize = 60;

/// How many checks of whole logs an address may ask for at once.
const CHECKS: usize = 10;

async fn limited(environment: &[(&str, &str)]) -> Server {
    let database = Cluster::shared().database().await;
    Server::start_with(&database, &[&[("NAVAL_BATTLE_LIMITS", "on")], environment].concat())
}

fn creating(server: &Server) -> RequestBuilder {
    server.request(Method::POST, "/v1/games").json(&json!({}))
}

fn from_address(request: RequestBuilder, forwarded: &str) -> RequestBuilder {
    request.header("x-forwarded-for", forwarded)
}

/// Sends until a request is refused for being one too many, and tells how many were not. More
/// requests than that may pass where the machine is slow, since budgets fill up all the time.
async fn spend(most: usize, request: impl Fn() -> RequestBuilder) -> (usize, Reply) {
    for count in 0..most {
        let reply = send(request()).await;
        if reply.status == 429 {
            return (count, reply);
        }
    }
    panic!("{most} requests were answered")
}

#[track_caller]
fn tells_when(reply: &Reply, budget: &str) {
    reply.refuses(429, "rate_limited");
    let seconds: u64 = reply.header("retry-after").expect("Retry-After").parse().expect("seconds");
    assert!((1..=60).contains(&seconds), "{seconds}");
    let state = reply.header("ratelimit").expect("RateLimit");
    assert!(state.starts_with(&format!("\"{budget}\";r=0;t=")), "{state}");
    assert!(reply.header("ratelimit-policy").expect("RateLimit-Policy").starts_with(&format!("\"{budget}\";q=")));
}

#[tokio::test]
async fn an_address_creates_a_hundred_games_at_once_and_is_then_told_when_to_come_back() {
    let server = limited(&[]).await;

    let first = send(creating(&server)).await;
    let (created, refused) = spend(10 * BURST, || creating(&server)).await;

    first.expect(201);
    assert_eq!(first.header("ratelimit-policy"), Some("\"create\";q=100;w=50"));
    assert!(first.header("ratelimit").unwrap().starts_with("\"create\";r=99;t="));
    assert!(created >= BURST - 1, "{created}");
    tells_when(&refused, "create");
}

#[tokio::test]
async fn a_hundred_games_are_joined_and_played_at_full_speed_without_meeting_a_limit() {
    let server = limited(&[]).await;

    let games = stream::iter((0..BURST).map(|_| Table::in_battle(&server)));
    let tables: Vec<Table> = games.buffer_unordered(BURST / 4).collect().await;

    let rounds = join_all(tables.iter().map(async |table| {
        for row in 1..=5 {
            let beyond = format!("K{row}");
            table.fire(&server, Host, &beyond).await.refuses(422, "outside_grid");
            table.fire(&server, Guest, &beyond).await.refuses(409, "not_your_turn");
            for eyes in [Some(Host), Some(Guest), None] {
                table.look(&server, eyes).await.expect(200);
            }
        }
        table.resign(&server, Guest).await.expect(200);
    }));
    assert_eq!(rounds.await.len(), BURST);
}

#[tokio::test]
async fn failed_guesses_are_few_and_harm_nobody_who_plays_at_the_same_address() {
    let server = limited(&[]).await;
    let mut table = Table::create(&server, &json!({"options": {"first": "host"}})).await;
    let unknown = "/v1/games/01890a5d-ac96-774b-bcce-b302099a8057";
    let guess = || server.request(Method::GET, unknown);

    let (failed, refused) = spend(20 * GUESSES, guess).await;
    // On a slow machine another guess may have become free by each of them.
    let with_wrong_token = || authorized(server.request(Method::GET, &table.path("")), Some("nonsense"));
    let (_, wrong_token) = spend(GUESSES, with_wrong_token).await;
    table.join(&server).await;
    let joining = || server.request(Method::POST, &table.path("/join")).json(&json!({}));
    let (_, refused_join) = spend(GUESSES, joining).await;

    assert!(failed >= GUESSES, "{failed}");
    tells_when(&refused, "guess");
    tells_when(&wrong_token, "guess");
    tells_when(&refused_join, "guess");
    for seat in [Host, Guest] {
        table.place(&server, seat, &usual()).await.expect(200);
    }
    table.fire(&server, Host, "A1").await.expect(200);
    table.look(&server, None).await.expect(200);
}

#[tokio::test]
async fn checks_of_whole_logs_have_a_budget_of_their_own() {
    let server = limited(&[]).await;
    let table = Table::in_battle(&server).await;

    for below in ["/replay", "/verify"] {
        let check = || server.request(Method::GET, &table.path(below));
        let (_, refused) = spend(50 * CHECKS, check).await;
        tells_when(&refused, "check");
    }
    table.fire(&server, Host, "A1").await.expect(200);
}

#[tokio::test]
async fn a_forged_address_gains_nothing() {
    let server = limited(&[]).await;
    let mut serial = (0..).map(|number| format!("192.0.2.{}", number % 250));
    let mut last = String::new();

    let mut refused = None;
    for _ in 0..10 * BURST {
        last = serial.next().unwrap();
        let reply = send(from_address(creating(&server), &last)).await;
        if reply.status == 429 {
            refused = Some(reply);
            break;
        }
    }

    tells_when(&refused.expect("a limit"), "create");
    assert!(!last.is_empty());
}

#[tokio::test]
async fn behind_trusted_proxies_each_client_has_budgets_of_its_own() {
    let server = limited(&[("NAVAL_BATTLE_TRUSTED_PROXIES", "1")]).await;

    // What a client forges stands left of what the proxy saw.
    let mut number = 0..;
    let (_, refused) = spend(10 * BURST, {
        let number = std::cell::RefCell::new(&mut number);
        let server = &server;
        move || {
            let forged = number.borrow_mut().next().unwrap() % 250;
            from_address(creating(server), &format!("203.0.113.{forged}, 198.51.100.7"))
        }
    })
    .await;
    let other = send(from_address(creating(&server), "198.51.100.8")).await;
    let (_, neighbour) = spend(10 * BURST, {
        let server = &server;
        let number = std::cell::Cell::new(0);
        move || {
            number.set(number.get() + 1);
            from_address(creating(server), &format!("2001:db8::{:x}", number.get()))
        }
    })
    .await;
    let other_network = send(from_address(creating(&server), "2001:db8:0:1::1")).await;

    tells_when(&refused, "create");
    other.expect(201);
    tells_when(&neighbour, "create");
    other_network.expect(201);
}

#[tokio::test]
async fn without_limits_nobody_is_told_of_any() {
    let server = Server::on_new_database().await;

    for _ in 0..GUESSES + BURST {
        let created = send(creating(&server)).await;
        created.expect(201);
        assert_eq!(created.header("ratelimit"), None);
        server.get("/v1/games/x", None).await.refuses(404, "game_not_found");
    }
}
