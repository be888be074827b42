//! Many games in one feed.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::feed::cuts::insist;
use crate::feed::games::{SHORT, log_of, pair, play_out, seqs, short_game, shots, unlimited};
use ground::cluster::{Cluster, Database};
use ground::server::{Server, send};
use ground::stream::{EventStream, Told, is_comment, within};
use ground::table::Table;
use testing::model::Seat;

use Seat::Host;

async fn short_games(server: &Server, count: usize) -> Vec<Table> {
    let mut tables = Vec::new();
    for _ in 0..count {
        tables.push(short_game(server).await);
    }
    tables
}

/// A request for a feed of these games.
fn feed_of(server: &Server, tables: &[&Table], query: &str) -> RequestBuilder {
    let ids: Vec<_> = tables.iter().map(|table| table.id.as_str()).collect();
    server.request(Method::GET, &format!("/v1/feed?games={}{query}", ids.join(",")))
}

fn stream_of(server: &Server, tables: &[&Table], query: &str, last: Option<&str>) -> RequestBuilder {
    let request = feed_of(server, tables, query).header("accept", "text/event-stream");
    last.into_iter().fold(request, |request, last| request.header("last-event-id", last))
}

/// An event of a feed: its id, and what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FromFeed {
    id: String,
    data: String,
}

impl FromFeed {
    fn read(block: &str) -> Self {
        let (id, data) =
            block.strip_prefix("id: ").unwrap().strip_suffix("\n\n").unwrap().split_once("\ndata: ").unwrap();
        Self { id: id.to_owned(), data: data.to_owned() }
    }

    fn event(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

async fn next(stream: &mut EventStream) -> Option<FromFeed> {
    loop {
        let block = stream.block().await?;
        if !is_comment(&block) {
            return Some(FromFeed::read(&block));
        }
    }
}

async fn rest(mut stream: EventStream) -> Vec<FromFeed> {
    let mut all = Vec::new();
    while let Some(event) = next(&mut stream).await {
        all.push(event);
    }
    all
}

/// What a feed says of an event of a log: the same with the game before all else, and once.
fn in_feed(table: &Table, event: &Told) -> String {
    let game = format!(r#""game":"{}","#, table.id);
    format!("{{{game}{}", event.data.replacen(&game, "", 1).strip_prefix('{').unwrap())
}

/// Insists that events of a feed are these logs, each once and in order, and that their ids tell how far each was read.
fn are_the_logs(events: &[FromFeed], tables: &[&Table], logs: &[Vec<Told>], from: &[usize]) {
    let mut reached: Vec<usize> = from.to_vec();
    for event in events {
        let game = event.event()["game"].as_str().unwrap().to_owned();
        let place = tables.iter().position(|table| table.id == game).unwrap();
        assert_eq!(event.data, in_feed(tables[place], &logs[place][reached[place]]));
        reached[place] += 1;
        assert_eq!(event.id, reached.iter().map(usize::to_string).collect::<Vec<_>>().join("."));
    }
    assert_eq!(reached, logs.iter().map(Vec::len).collect::<Vec<_>>());
}

#[tokio::test]
async fn c_a_feed_has_the_logs_of_its_games_each_event_with_its_game_first() {
    let [server, other] = pair().await;
    let tables = [short_game(&server).await, short_game(&server).await, short_game(&server).await];
    let tables: Vec<_> = tables.iter().collect();
    let stream = EventStream::open(stream_of(&other, &tables, "&after=0.0.0", None)).await.expect("a stream");
    let headers = stream.response.headers();
    assert_eq!(headers["content-type"], "text/event-stream");
    assert_eq!(headers["cache-control"], "private, no-cache, no-transform");
    assert_eq!(headers["x-accel-buffering"], "no");

    let servers = [&server, &other];
    let playing = join_all(tables.iter().map(|table| play_out(&servers, table)));
    let (events, _) = join(rest(stream), playing).await;

    let logs = join_all(tables.iter().map(|table| log_of(&server, table))).await;
    are_the_logs(&events, &tables, &logs, &[0, 0, 0]);
    // `created` says its game once, before all else.
    let created = events.iter().find(|event| event.event()["type"] == "created").unwrap();
    assert_eq!(created.data.matches("\"game\":").count(), 1);
    assert!(events.iter().all(|event| event.data.starts_with("{\"game\":\"")));
    // What has ended is told to whoever lacks it.
    let resumed = EventStream::open(stream_of(&server, &tables, "", Some("20.21.4"))).await.expect("a stream");
    are_the_logs(&rest(resumed).await, &tables, &logs, &[20, 21, 4]);
    let from_the_query = stream_of(&server, &tables, "&lastEventId=20.21.4&after=0.0.0", None);
    assert_eq!(rest(EventStream::open(from_the_query).await.expect("a stream")).await.len(), 18);
}

#[tokio::test]
async fn c_a_feed_begins_with_what_comes_next_and_ends_when_all_games_have() {
    let [server, other] = pair().await;
    let (one, two) = (short_game(&server).await, short_game(&server).await);
    let tables = [&one, &two];
    let mut stream = EventStream::open(stream_of(&server, &tables, "", None)).await.expect("a stream");
    let late = EventStream::open(stream_of(&server, &tables, "&after=100.4", None)).await.expect("a stream");
    assert!(stream.is_silent_for(Duration::from_millis(200)).await);

    one.fire(&other, Host, "A1").await.expect(200);
    let fired = next(&mut stream).await.unwrap();
    one.resign(&other, Host).await.expect(200);
    let resigned = next(&mut stream).await.unwrap();
    assert!(stream.is_silent_for(Duration::from_millis(200)).await);
    two.resign(&server, Host).await.expect(200);

    assert_eq!((fired.id.as_str(), resigned.id.as_str()), ("5.4", "6.4"));
    assert_eq!((&fired.event()["game"], &fired.event()["type"]), (&json!(one.id), &json!("fired")));
    let last = rest(stream).await;
    assert_eq!(last.iter().map(|event| event.id.as_str()).collect::<Vec<_>>(), ["6.5"]);
    // What lies beyond a log is never told.
    assert_eq!(rest(late).await.iter().map(|event| event.id.clone()).collect::<Vec<_>>(), ["100.5"]);
    for (query, last) in [("", None), ("&after=6.5", None), ("", Some("6.5")), ("&lastEventId=100.5", None)] {
        for method in [Method::GET, Method::HEAD] {
            let mut request = stream_of(&server, &tables, query, last).build().unwrap();
            *request.method_mut() = method;
            let reply = within(server.client.execute(request)).await.unwrap();
            assert_eq!(reply.status(), 204, "{query} {last:?}");
        }
    }
    // In JSON there is nothing more.
    let page = within(send(feed_of(&server, &tables, "&wait=25"))).await;
    assert_eq!(page.expect(200), &json!({"events": [], "after": "6.5"}));
}

#[tokio::test]
async fn c_fifty_games_at_once_over_one_feed_that_is_cut_and_resumed_over_two_servers_and_a_restart() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let tables = short_games(&server, 50).await;
    let tables: Vec<_> = tables.iter().collect();
    let playing = async {
        let servers = [&server];
        for shot in shots() {
            join_all(tables.iter().map(|table| insist(&servers, table, std::slice::from_ref(&shot)))).await;
        }
    };

    let (events, ()) = join(follow_with_cuts(&database, &server, &tables), playing).await;

    let logs = join_all(tables.iter().map(|table| log_of(&server, table))).await;
    assert!(logs.iter().all(|log| seqs(log) == (1..=SHORT).collect::<Vec<_>>()));
    are_the_logs(&events, &tables, &logs, &[0; 50]);
}

/// Follows games to their end: hangs up after some events and goes on at the other server, which is ended and started
/// anew now and then.
async fn follow_with_cuts(database: &Database, server: &Server, tables: &[&Table]) -> Vec<FromFeed> {
    let zeros = vec!["0"; tables.len()].join(".");
    let mut other = unlimited(database, &[]);
    let mut events: Vec<FromFeed> = Vec::new();
    for turn in 0.. {
        let last = events.last().map_or(&zeros, |event| &event.id).clone();
        let on = if turn % 2 == 0 { &other } else { server };
        let mut stream = match EventStream::open(stream_of(on, tables, "", Some(&last))).await {
            Ok(stream) => stream,
            Err(reply) => {
                assert_eq!(reply.status, 204, "{}", reply.text);
                break;
            }
        };
        for _ in 0..[1, 7, 60, 25][turn % 4] {
            match next(&mut stream).await {
                Some(event) => events.push(event),
                None => break,
            }
        }
        if turn % 6 == 2 {
            // A server that leaves ends its streams in order, with all that it has sent.
            other.terminate();
            events.extend(rest(stream).await);
            assert_eq!(other.wait(), Some(0));
            other = unlimited(database, &[]);
        }
    }
    events
}

#[tokio::test]
async fn c_a_feed_costs_no_statement_for_each_game_and_says_each_15_seconds_that_nothing_has_come() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let tables = short_games(&server, 50).await;
    let tables: Vec<_> = tables.iter().collect();
    let counted = async || {
        // A session counts what it did once a second.
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        transactions(&database).await
    };
    let start = counted().await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let idle = f64::from(i32::try_from(counted().await - start).unwrap()) / 6.5;

    let mut stream = EventStream::open(stream_of(&server, &tables, "", None)).await.expect("a stream");
    let waiting = send(feed_of(&server, &tables, "&wait=10"));
    let (before, began) = (counted().await, Instant::now());
    let (page, block) = join(within(waiting), stream.block()).await;
    let (after, passed) = (counted().await, began.elapsed().as_secs_f64());

    assert_eq!(page.expect(200)["events"], json!([]));
    assert!(is_comment(&block.expect("a comment")));
    assert!((12.0..25.0).contains(&passed), "{passed} seconds");
    let more = f64::from(i32::try_from(after - before).unwrap()) / passed - idle;
    assert!(more < 5.0, "{more} statements a second for a feed of 50 idle games, beside {idle}");
    tables[49].fire(&server, Host, "A1").await.expect(200);
    assert!(next(&mut stream).await.unwrap().id.ends_with(".5"));
}

/// How many statements were run in a database: each is a transaction.
async fn transactions(database: &Database) -> i64 {
    sqlx::query_scalar("select xact_commit + xact_rollback from pg_stat_database where datname = current_database()")
        .fetch_one(&mut database.connect().await)
        .await
        .unwrap()
}

#[tokio::test]
async fn c_pages_of_a_feed_have_500_events_at_most_and_lead_on() {
    let [server, other] = pair().await;
    let tables = short_games(&server, 30).await;
    let tables: Vec<_> = tables.iter().collect();
    let servers = [&server, &other];
    for table in &tables {
        play_out(&servers, table).await;
    }
    let logs = join_all(tables.iter().map(|table| log_of(&server, table))).await;

    let (mut after, mut read, mut pages) = (vec!["0"; 30].join("."), HashMap::<String, Vec<Value>>::new(), 0);
    loop {
        let page = send(feed_of(&server, &tables, &format!("&after={after}"))).await;
        let page = page.expect(200);
        let events = page["events"].as_array().unwrap();
        page["after"].as_str().unwrap().clone_into(&mut after);
        assert!(events.len() <= 500, "{}", events.len());
        for event in events {
            read.entry(event["game"].as_str().unwrap().to_owned()).or_default().push(event.clone());
        }
        pages += 1;
        if events.is_empty() {
            break;
        }
    }

    assert!((3..=5).contains(&pages), "{pages} pages for 630 events");
    assert_eq!(after, vec!["21"; 30].join("."));
    for (table, log) in tables.iter().zip(&logs) {
        let expected: Vec<Value> =
            log.iter().map(|told| serde_json::from_str(&in_feed(table, told)).unwrap()).collect();
        assert_eq!(read[&table.id], expected);
    }
    // One alone may have a page to itself.
    let one = send(feed_of(&server, &tables[..1], "&after=0")).await;
    assert_eq!(one.expect(200)["events"].as_array().unwrap().len(), 21);
    assert!(one.text.starts_with(&format!("{{\"events\":[{},", in_feed(tables[0], &logs[0][0]))));
}

#[tokio::test]
async fn c_a_page_of_a_feed_is_awaited_through_any_server() {
    let [server, other] = pair().await;
    let (one, two) = (short_game(&server).await, short_game(&server).await);
    let tables = [&one, &two];
    let nothing = send(feed_of(&server, &tables, "")).await;
    assert_eq!(nothing.expect(200), &json!({"events": [], "after": "4.4"}));

    let waiting = within(send(feed_of(&other, &tables, "&after=4.4&wait=25")));
    let moving = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        two.fire(&server, Host, "A1").await.expect(200).clone()
    };
    let began = Instant::now();
    let (page, fired) = join(waiting, moving).await;

    assert!(began.elapsed() < Duration::from_secs(20), "it is answered when something comes");
    let page = page.expect(200);
    assert_eq!(page["after"], "4.5");
    let mut event = fired["events"][0].clone();
    event["game"] = json!(two.id);
    assert_eq!(page["events"], json!([event]));
    let began = Instant::now();
    let in_vain = within(send(feed_of(&other, &tables, "&wait=1"))).await;
    assert_eq!(in_vain.expect(200), &json!({"events": [], "after": "4.5"}));
    assert!(began.elapsed() >= Duration::from_secs(1));
    // `HEAD` neither waits nor streams.
    for accept in ["application/json", "text/event-stream"] {
        let mut head = feed_of(&other, &tables, "&wait=25").header("accept", accept).build().unwrap();
        *head.method_mut() = Method::HEAD;
        let reply = within(server.client.execute(head)).await.unwrap();
        assert_eq!((reply.status().as_u16(), &reply.headers()["content-type"]), (200, &accept.parse().unwrap()));
    }
}

#[tokio::test]
async fn c_a_feed_names_what_is_not_there_and_refuses_what_it_cannot_read() {
    let [server, _] = pair().await;
    let (one, two) = (short_game(&server).await, short_game(&server).await);
    let unknown = "0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";
    let upper = one.id.to_uppercase();
    let many = |count: usize| (0..count).map(|n| format!("0199a1b2-c3d4-7e5f-8a6b-{n:012}")).collect::<Vec<_>>();
    let games = |games: &[&str]| format!("/v1/feed?games={}", games.join(","));

    for accept in ["application/json", "text/event-stream"] {
        let ask = async |path: String| {
            let request = server.request(Method::GET, &path).header("accept", accept);
            within(send(request.bearer_auth("nonsense"))).await
        };
        for (path, missing) in [
            (games(&[&one.id, unknown, &two.id]), json!([unknown])),
            (games(&[unknown, &upper, "x"]), json!([unknown, upper, "x"])),
            (format!("{}&after=x", games(&[unknown])), json!([unknown])),
            (format!("{}&limit=5", games(&[unknown])), json!([unknown])),
            (games(&many(50).iter().map(String::as_str).collect::<Vec<_>>()), json!(many(50))),
        ] {
            let reply = ask(path.clone()).await;
            assert_eq!(reply.refuses(404, "game_not_found")["games"], missing, "{path}");
        }
        for path in [
            "/v1/feed".to_owned(),
            games(&[""]),
            games(&[&one.id, ""]),
            games(&[&one.id, &one.id]),
            games(&many(51).iter().map(String::as_str).collect::<Vec<_>>()),
            format!("{}&games={}", games(&[&one.id]), two.id),
            format!("{}&limit=5", games(&[&one.id])),
            format!("{}&wait=26", games(&[&one.id])),
            format!("{}&after=", games(&[&one.id])),
            format!("{}&after=1.1", games(&[&one.id])),
            format!("{}&after=1", games(&[&one.id, &two.id])),
            format!("{}&after=1.-1", games(&[&one.id, &two.id])),
            format!("{}&after=2147483648", games(&[&one.id])),
            format!("{}&lastEventId=x", games(&[&one.id])),
        ] {
            let reply = ask(path.clone()).await;
            assert_eq!((reply.status, reply.code()), (400, "malformed"), "{path}");
        }
        let header = server.request(Method::GET, &games(&[&one.id])).header("accept", accept);
        within(send(header.header("last-event-id", "1.2"))).await.refuses(400, "malformed");
    }
    // A token makes no difference, whosever it is; nor does the form in which commas are sent.
    let spelt = format!("/v1/feed?games={}%2C{}&after=0.2147483647", one.id, two.id);
    for token in [None, Some("nonsense"), Some(two.host.as_str())] {
        let page = server.get(&spelt, token).await;
        assert_eq!(page.expect(200)["events"].as_array().unwrap().len(), 4);
    }
}

#[tokio::test]
async fn c_a_feed_is_one_of_the_fifty_streams_of_its_address() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let (one, two) = (short_game(&server).await, short_game(&server).await);
    let tables = [&one, &two];
    let feed = EventStream::open(stream_of(&server, &tables, "", None)).await.expect("a stream");
    let mut streams = Vec::new();
    for _ in 0..49 {
        streams.push(EventStream::of(&server, &one.path("/stream"), Some(4)).await);
    }
    assert!(streams[0].is_silent_for(Duration::from_millis(100)).await);

    // One more, of either kind, ends the oldest.
    let newer = EventStream::open(stream_of(&server, &tables, "", None)).await.expect("a stream");
    assert_eq!(rest(feed).await, []);
    let _newest = EventStream::of(&server, &one.path("/stream"), Some(4)).await;
    assert_eq!(streams.remove(0).rest().await, []);

    one.resign(&server, Host).await.expect(200);
    two.resign(&server, Host).await.expect(200);
    assert_eq!(rest(newer).await.len(), 2);
}

#[tokio::test]
async fn c_each_game_of_a_feed_that_is_not_there_is_a_failed_guess() {
    let server = Server::start_with(&Cluster::shared().database().await, &[("NAVAL_BATTLE_LIMITS", "on")]);
    let table = short_game(&server).await;
    let unknown: Vec<_> = (0..50).map(|n| format!("0199a1b2-c3d4-7e5f-8a6b-{n:012}")).collect();
    let path = format!("/v1/feed?games={}", unknown.join(","));

    server.get(&path, None).await.refuses(404, "game_not_found");
    let spent = server.get(&path, None).await;
    spent.refuses(429, "rate_limited");
    let seconds: u64 = spent.header("retry-after").unwrap().parse().unwrap();
    assert!((30..=41).contains(&seconds), "{seconds} until there are 50 again");
    assert!(spent.header("ratelimit").is_some());

    // Whoever names what is there goes on, and a few guesses are left.
    for _ in 0..100 {
        send(feed_of(&server, &[&table], "")).await.expect(200);
    }
    server.get("/v1/feed?games=x", None).await.refuses(404, "game_not_found");
}

#[tokio::test]
async fn c_a_packed_log_is_in_a_feed_as_it_was() {
    let database = Cluster::shared().database().await;
    let server = unlimited(&database, &[]);
    let (ended, open) = (short_game(&server).await, short_game(&server).await);
    play_out(&[&server], &ended).await;
    let tables = [&ended, &open];
    let logs = [log_of(&server, &ended).await, log_of(&server, &open).await];
    let page = send(feed_of(&server, &tables, "&after=7.0")).await.expect(200).clone();
    let mut connection = database.connect().await;
    sqlx::query("update timers set check_at = now() - interval '1 minute' where game_id::text = $1")
        .bind(&ended.id)
        .execute(&mut connection)
        .await
        .unwrap();
    let packed = "select count(*) from archives where game_id::text = $1";
    let began = Instant::now();
    while sqlx::query_scalar::<_, i64>(packed).bind(&ended.id).fetch_one(&mut connection).await.unwrap() == 0 {
        assert!(began.elapsed() < Duration::from_secs(30), "it is packed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    assert_eq!(send(feed_of(&server, &tables, "&after=7.0")).await.expect(200), &page);
    let mut stream = EventStream::open(stream_of(&server, &tables, "&after=7.0", None)).await.expect("a stream");
    let mut by_game: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for _ in 0..14 + 4 {
        let event = next(&mut stream).await.unwrap();
        by_game.entry(event.event()["game"].as_str().unwrap().to_owned()).or_default().push(event.data);
    }
    assert_eq!(by_game[&ended.id], logs[0][7..].iter().map(|told| in_feed(&ended, told)).collect::<Vec<_>>());
    assert_eq!(by_game[&open.id], logs[1].iter().map(|told| in_feed(&open, told)).collect::<Vec<_>>());
}
