use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use futures_util::{StreamExt as _, stream};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::json;

use ground::cluster::Cluster;
use ground::proxy::Proxy;
use ground::server::{Reply, Server, authorized, program, send};
use ground::stream::stream_of;
use ground::table::{Table, usual};
use ground::wire::{Line, ask, get};
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
        table.fire(&server, Host, "K1").await.refuses(422, "outside_grid");
        for _ in 1..=5 {
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
async fn proofs_have_a_budget_of_their_own() {
    let server = limited(&[]).await;
    let table = Table::in_battle(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);
    let path = table.path("/events/5/proof");

    let refused = spend_at_once(|| server.request(Method::GET, &path)).await;

    tells_when(&refused, "proofs");
    table.fire(&server, Guest, "A1").await.expect(200);
}

#[tokio::test]
async fn analyses_have_a_budget_of_their_own() {
    let server = limited(&[]).await;
    let table = Table::in_battle(&server).await;
    for below in ["/analysis", "/analysis/5"] {
        let path = table.path(below);

        let refused = spend_at_once(|| server.request(Method::GET, &path)).await;

        tells_when(&refused, "analyses");
    }
    table.fire(&server, Host, "A1").await.expect(200);
}

#[tokio::test]
async fn moves_have_a_budget_that_refusals_and_repeats_draw_on_too() {
    let server = limited(&[]).await;
    let table = Table::in_battle(&server).await;
    let other = Table::in_battle(&server).await;
    let host = Some(table.host.as_str());

    let first = server.post_with_key(&table.path("/fire"), host, "k", &json!({"shots": ["A1"]})).await;
    let repeated = || {
        let request = authorized(server.request(Method::POST, &table.path("/fire")), host);
        request.header("idempotency-key", "k").json(&json!({"shots": ["A1"]}))
    };
    let refused = spend_at_once(repeated).await;

    first.expect(200);
    assert_eq!(first.header("ratelimit-policy"), Some("\"moves\";q=500;w=10"));
    assert!(first.header("ratelimit").unwrap().starts_with("\"moves\";r="));
    tells_when(&refused, "moves");
    for below in ["place", "fire", "reveal", "resign", "rematch"] {
        let path = other.path(&format!("/{below}"));
        let asking = || authorized(server.request(Method::POST, &path), Some("nonsense")).json(&json!({}));
        let refused = loop {
            // Where one came back meanwhile it is the token that is wrong.
            let reply = spend_at_once(asking).await;
            if reply.header("ratelimit").is_some_and(|state| state.starts_with("\"moves\"")) {
                break reply;
            }
        };
        tells_when(&refused, "moves");
    }
    server.get(&table.path(""), host).await.expect(200);
}

/// Sends many at a time until one is refused for being one too many.
async fn spend_at_once(request: impl Fn() -> RequestBuilder) -> Reply {
    for _ in 0..500 {
        let replies = join_all((0..20).map(|_| send(request()))).await;
        if let Some(refused) = replies.into_iter().find(|reply| reply.status == 429) {
            return refused;
        }
    }
    panic!("all were answered")
}

#[tokio::test]
async fn a_rematch_that_makes_a_game_draws_on_the_budget_of_games() {
    let server = limited(&[]).await;
    let solo = || server.request(Method::POST, "/v1/games").json(&json!({"bot": "easy"}));
    let mut table = Table::of(send(solo()).await.expect(201));

    // One may have come back meanwhile, and makes a game.
    let refused = loop {
        table.place(&server, Host, &usual()).await.expect(200);
        table.resign(&server, Host).await.expect(200);
        tells_when(&spend_at_once(|| creating(&server)).await, "create");
        let reply = server.post(&table.path("/rematch"), Some(&table.host), &json!({})).await;
        if reply.status == 429 {
            break reply;
        }
        table = Table::of(reply.expect(201));
    };

    tells_when(&refused, "create");
    assert_eq!(server.get(&table.path(""), None).await.expect(200)["next"], json!(null));
}

#[tokio::test]
async fn games_made_by_rematches_are_no_more_than_games_that_are_created() {
    let server = limited(&[]).await;
    let mut tables = Vec::new();
    for _ in 0..BURST / 5 {
        let reply = send(server.request(Method::POST, "/v1/games").json(&json!({"bot": "easy"}))).await;
        tables.push(Table::of(reply.expect(201)));
    }
    let began = Instant::now();

    let rounds = tables.iter_mut().map(async |table| {
        for made in 0.. {
            table.place(&server, Host, &usual()).await.expect(200);
            table.resign(&server, Host).await.expect(200);
            let reply = server.post(&table.path("/rematch"), Some(&table.host), &json!({})).await;
            if reply.status == 429 {
                return made;
            }
            *table = Table::of(reply.expect(201));
        }
        0
    });
    let made: u64 = join_all(rounds).await.into_iter().sum();

    let back = began.elapsed().as_secs() * 2 + 2;
    assert!(made <= u64::try_from(BURST).unwrap() + back, "{made} games, {back} came back");
}

#[tokio::test]
async fn a_rematch_that_joins_draws_on_the_budget_of_seats_and_a_repeat_on_neither() {
    let server = limited(&[]).await;
    let table = Table::in_battle(&server).await;
    table.resign(&server, Host).await.expect(200);
    let again = async |seat| server.post(&table.path("/rematch"), Some(table.token(seat)), &json!({})).await;

    let created = again(Host).await;
    let unknown = "/v1/games/01890a5d-ac96-774b-bcce-b302099a8057/join";
    let refused = loop {
        let reply = spend_at_once(|| server.request(Method::POST, unknown)).await;
        if reply.header("ratelimit").is_some_and(|state| state.starts_with("\"join\"")) {
            break reply;
        }
    };
    let mut joined = again(Guest).await;
    while joined.status == 429 {
        tells_when(&joined, "join");
        joined = again(Guest).await;
    }
    let refused_create = spend_at_once(|| creating(&server)).await;

    tells_when(&refused, "join");
    assert_eq!(joined.expect(201)["game"]["id"], created.expect(201)["game"]["id"]);
    tells_when(&refused_create, "create");
    for seat in [Host, Guest] {
        again(seat).await.expect(201);
    }
}

#[tokio::test]
async fn whoever_has_no_guess_left_does_not_reach_the_database() {
    let database = Cluster::shared().database().await;
    let proxy = Proxy::start(&database);
    let mut command = program();
    command.env("DATABASE_URL", proxy.url()).env("NAVAL_BATTLE_LIMITS", "on");
    let server = Server::spawn(command);
    let table = Table::in_battle(&server).await;
    let full = table.path("/join");
    let unknown = |number: usize| format!("/v1/games/01890a5d-ac96-774b-bcce-b302099a{number:04x}");
    // All at once, before the first of them has failed.
    let all = join_all((0..200).map(|number| {
        let written = get(&server, &unknown(number), None);
        async move { ask(&written).await.expect("an answer").status }
    }));
    let before = proxy.questions();

    let statuses = all.await;
    let asked = proxy.questions() - before;

    let failed = statuses.iter().filter(|status| **status == 404).count();
    assert!(statuses.iter().all(|status| [404, 429].contains(status)), "{statuses:?}");
    // What looks after clocks and followers asks too, some times each second.
    assert!(asked < failed + 2 * GUESSES, "{asked} questions for {failed} guesses");
    let mut guesses: Vec<RequestBuilder> = Vec::new();
    for number in 0..4 * GUESSES {
        let (path, token) = (unknown(9_000 + number), table.path(""));
        guesses.extend([
            server.request(Method::GET, &path),
            server.request(Method::HEAD, &path),
            server.request(Method::GET, &format!("{path}/events?wait=20")),
            stream_of(&server, &format!("{path}/events"), None),
            server.request(Method::GET, "/v1/games/no-id"),
            authorized(server.request(Method::GET, &token), Some("nonsense")),
            authorized(server.request(Method::GET, &token), Some(&"A".repeat(43))),
        ]);
    }
    guesses.extend((0..GUESSES).map(|_| server.request(Method::POST, &full)));
    let before = proxy.questions();
    let mut failed = 0;
    for guess in guesses {
        let status = send(guess).await.status;
        failed += usize::from([404, 401, 409].contains(&status));
        assert!([404, 401, 409, 429].contains(&status), "{status}");
        // Those that play are known, and go on.
        if failed == 0 {
            table.look(&server, Some(Host)).await.expect(200);
        }
    }
    let asked = proxy.questions() - before;

    assert!(asked < 10 * (failed + GUESSES), "{asked} questions for {failed} guesses");
    table.look(&server, None).await.expect(200);
    table.look(&server, Some(Guest)).await.expect(200);
    table.fire(&server, Host, "A1").await.expect(200);
    // Another address guesses on.
    let mut there = server.afresh();
    there.client = Client::builder().local_address(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2))).build().unwrap();
    there.get(&unknown(0), None).await.refuses(404, "game_not_found");
}

#[tokio::test]
async fn whoever_leaves_before_the_answer_has_guessed_too() {
    let database = Cluster::shared().database().await;
    let proxy = Proxy::start(&database);
    let mut command = program();
    command.env("DATABASE_URL", proxy.url()).env("NAVAL_BATTLE_LIMITS", "on");
    let server = Server::spawn(command);
    let unknown = "/v1/games/01890a5d-ac96-774b-bcce-b302099a8057";
    let written = get(&server, unknown, None);
    let mut lines = join_all((0..GUESSES).map(|_| Line::for_request(&written))).await;

    proxy.delay(Duration::from_millis(400));
    for line in &mut lines {
        line.send(&written).await;
    }
    while !server.get("/metrics", None).await.text.contains(&format!("naval_battle_database_places {GUESSES}\n")) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    lines.into_iter().for_each(Line::reset);
    proxy.delay(Duration::ZERO);

    let (_, refused) = spend(GUESSES, || server.request(Method::GET, unknown)).await;
    tells_when(&refused, "guess");
}

#[tokio::test]
async fn more_tokens_than_guesses_that_a_server_does_not_know_are_looked_up_at_once() {
    let database = Cluster::shared().database().await;
    let environment = [("NAVAL_BATTLE_LIMITS", "on")];
    let server = Server::start_with(&database, &environment);
    let games = stream::iter((0..GUESSES / 2 + 5).map(|_| Table::in_battle(&server)));
    let tables: Vec<Table> = games.buffer_unordered(10).collect().await;

    let anew = Server::start_with(&database, &environment);
    let seats = tables.iter().flat_map(|table| [(table, Host), (table, Guest)]);
    let looks = join_all(seats.map(async |(table, seat)| {
        let mut seen = table.look(&anew, Some(seat)).await;
        // A slow machine may be too slow for so many at once.
        while seen.status == 503 {
            seen = table.look(&anew, Some(seat)).await;
        }
        seen
    }));

    for seen in looks.await {
        seen.expect(200);
    }
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
