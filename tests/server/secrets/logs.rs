//! What is written to standard error, and what Postgres writes, at the noisiest.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor};

use crate::secrets::hidden::Hidden;
use ground::cluster::{Cluster, Database};
use ground::random_game::RandomGame;
use ground::server::{Server, authorized, send};
use ground::table::{FLEET, Table, layout};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use testing::model::{Action, Options, Seat, random_layout, spoiled_layout};

use Seat::{Guest, Host};

const CLASSIC: Options = Options { grid: 10, russian: false, mines: true, salvo: false, shoot_again: false };

#[tokio::test]
async fn at_the_noisiest_level_nothing_hidden_and_no_token_is_written() {
    for level in
        ["trace", "naval_battle=trace,actix_http=trace,actix_web=trace,actix_server=trace,sqlx=trace,mio=trace"]
    {
        let database = Cluster::shared().database().await;
        let environment = [("RUST_LOG", level), ("RUST_BACKTRACE", "full")];
        let mut server = Server::start_with(&database, &environment);
        let mut hidden = Hidden::default();

        play(&server, &database, &mut hidden).await;
        ask_wrongly(&server, &mut hidden).await;
        break_http(&server, &mut hidden);
        break_the_database(&server, &database, &mut hidden).await;

        let log = stop(&mut server).await;
        assert!(log.matches("answered").count() > 100, "{log}");
        assert!(log.contains("SQLSTATE 23514"), "what the database refused is written: {log}");
        hidden.does_not_show_in(&log);
    }
}

/// Plays games of several kinds to their ends and half-way.
async fn play(server: &Server, database: &Database, hidden: &mut Hidden) {
    hidden.cells_of(&Options { grid: 15, ..CLASSIC });
    let options = |grid, russian, salvo| Options { grid, russian, mines: true, salvo, shoot_again: salvo };
    for (seed, (options, steps)) in
        [(options(8, true, false), 500), (options(15, false, true), 500), (options(10, false, false), 30)]
            .into_iter()
            .enumerate()
    {
        let mut game = RandomGame::create(server, options, &json!({}), Some("x"), u64::try_from(seed).unwrap()).await;
        game.join(server, None).await;
        game.play_on(server, 2).await;
        hidden.rows(&mut database.connect().await, &game.table).await;
        game.play_on(server, steps).await;
        for token in [&game.table.host, &game.table.guest] {
            hidden.token(token);
            for below in ["", "/events", "/verify", "/replay?as=all", "/replay?as=host"] {
                server.get(&game.table.path(below), Some(token)).await;
            }
        }
        hidden.rows(&mut database.connect().await, &game.table).await;
    }
}

/// Sends what is refused, with secrets in every place where a client could put them.
async fn ask_wrongly(server: &Server, hidden: &mut Hidden) {
    let mut rng = ChaCha8Rng::seed_from_u64(90);
    let table = Table::in_battle(server).await;
    let placing = Table::joined(server, &json!({})).await;
    for _ in 0..30 {
        let spoiled = spoiled_layout(&CLASSIC, &mut rng);
        hidden.layout(&spoiled);
        placing.place(server, Host, &spoiled).await;
    }
    let board = random_layout(&CLASSIC, &mut rng);
    hidden.layout(&board);
    table.place(server, Host, &board).await.refuses(409, "already_placed");
    let other = Table::in_battle(server).await;
    let guessed = URL_SAFE_NO_PAD.encode(rng.random::<[u8; 32]>());
    for token in [&guessed, &other.host, &table.host] {
        hidden.token(token);
    }
    for token in [guessed.as_str(), &other.host, "a-wrong-token-of-another-length", "a wrong token with spaces"] {
        hidden.text("a wrong token", token);
        for below in ["", "/events", "/replay", "/verify"] {
            server.get(&table.path(below), Some(token)).await.refuses(401, "unauthorized");
        }
        for below in ["/place", "/fire", "/reveal", "/resign", "/join"] {
            server.post(&table.path(below), Some(token), &board.to_json()).await.refuses(401, "unauthorized");
        }
        // In the path, the query, a cookie, and the body, where none is looked for.
        server.get(&format!("/v1/games/{}", token.replace(' ', "%20")), None).await;
        server.get(&table.path(&format!("?token={token}")), None).await;
        server.get(&format!("/nowhere/{}", token.replace(' ', "%20")), Some(token)).await;
        send(server.request(Method::GET, &table.path("")).header("cookie", format!("token={token}"))).await;
        send(server.request(Method::GET, &table.path("")).header("authorization", format!("Basic {token}"))).await;
        send(server.request(Method::DELETE, &table.path("")).bearer_auth(token)).await;
        server.post(&table.path("/join"), None, &json!({ "token": token })).await;
        let key = format!("{token}-a key that is as secret as a token");
        let keyed = authorized(server.request(Method::POST, &table.path("/fire")), Some(&table.host));
        send(keyed.header("idempotency-key", &key).json(&json!({"shots": ["O15"]}))).await;
        let created = server.request(Method::POST, "/v1/games").header("idempotency-key", &key);
        send(created.json(&json!({}))).await;
        hidden.text("a key", &key);
    }
    for body in [r#"{"shots": ["B3""#, r#"{"shots": ["B3"], "B4": 1}"#, r#"{"ships": "C5"}"#, "C6", "[\"C7\"]"] {
        for below in ["/place", "/fire", "/reveal"] {
            let request = authorized(server.request(Method::POST, &table.path(below)), Some(&table.host));
            send(request.header("content-type", "application/json").body(body)).await;
        }
    }
}

/// Sends what the parser of HTTP itself refuses, with a token and cells in it.
fn break_http(server: &Server, hidden: &mut Hidden) {
    let secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlYw0";
    hidden.text("a token in a broken request", secret);
    let address = server.base.trim_start_matches("http://");
    for request in [
        format!("GET /v1/games/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secret}\u{1}\r\n\r\n"),
        format!("GET /v1/games/{secret} HTTP/9.9\r\nHost: x\r\n\r\n"),
        format!("{secret} / HTTP/1.1\r\n\r\n"),
        format!("POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: {secret}\r\n\r\nA1"),
        format!("POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {secret}\r\n\r\nA1"),
        format!("POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{secret}\r\n"),
        format!("POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{{\"shots\": [\"A1\", \"{secret}"),
        format!("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n\r\n", secret.repeat(4_000)),
        format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{secret}"),
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        // The server may hang up in the middle of it.
        drop(stream.write_all(request.as_bytes()));
        drop(stream.read(&mut [0; 1_000]));
    }
}

/// Has statements fail with whole rows in what Postgres says of them, and connections break.
async fn break_the_database(server: &Server, database: &Database, hidden: &mut Hidden) {
    let mut connection = database.connect().await;
    let table = Table::in_battle(server).await;
    hidden.rows(&mut connection, &table).await;
    let placing = Table::joined(server, &json!({})).await;
    let board = layout(FLEET, "J10");
    hidden.layout(&board);

    for statement in [
        "alter table layouts add constraint provoked check (length(cells) < 0) not valid",
        "alter table games add constraint provoked check (version < 5) not valid",
    ] {
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    placing.place(server, Host, &board).await.refuses(500, "internal");
    table.fire(server, Host, "A1").await.refuses(500, "internal");
    for statement in ["alter table layouts drop constraint provoked", "alter table games drop constraint provoked"] {
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    table.fire(server, Host, "A1").await.expect(200);

    // A row that makes no sense.
    let garbled = Table::in_battle(server).await;
    hidden.rows(&mut connection, &garbled).await;
    let statement = format!("update games set state = '\\x01ff' || state where game_id = '{}'", garbled.id);
    connection.execute(AssertSqlSafe(statement)).await.unwrap();
    let refused = garbled.fire(server, Host, "B2").await;
    assert!(refused.status >= 500, "{}", refused.text);

    // All connections are dropped, in the middle of many moves as well.
    for _ in 0..5 {
        let dropped = "select count(pg_terminate_backend(pid)) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()";
        connection.execute(dropped).await.unwrap();
        table.fire(server, Guest, "A9").await;
        placing.place(server, Host, &board).await;
        table.look(server, Some(Host)).await;
    }
    let unplaced = Table::joined(server, &json!({})).await;
    connection.execute("alter table layouts rename to elsewhere").await.unwrap();
    assert!(table.look(server, Some(Host)).await.status >= 500);
    assert!(unplaced.place(server, Guest, &board).await.status >= 500);
    connection.execute("alter table elsewhere rename to layouts").await.unwrap();
}

/// Stops a server in order, and gives all that it has written.
async fn stop(server: &mut Server) -> String {
    let killed = Command::new("kill").arg(server.id().to_string()).status().unwrap();
    assert!(killed.success());
    server.wait();
    for _ in 0..100 {
        if server.log().contains("stopping") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.log()
}

#[tokio::test]
async fn what_rust_log_says_counts_for_this_program_and_never_opens_others() {
    let written = async |level: &str| {
        let database = Cluster::shared().database().await;
        let mut server = Server::start_with(&database, &[("RUST_LOG", level), ("NAVAL_BATTLE_EXPIRE_AFTER", "1")]);
        let table = Table::create(&server, &json!({})).await;
        while table.look(&server, None).await.json["status"] == "waiting" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let killed = Command::new("kill").arg(server.id().to_string()).status().unwrap();
        assert!(killed.success());
        server.wait();
        tokio::time::sleep(Duration::from_millis(200)).await;
        server.log()
    };
    let (debug, info, error) = futures_util::future::join3(written("trace"), written("info"), written("error")).await;

    assert!(debug.contains("a deadline passed") && debug.contains("answered"), "{debug}");
    assert!(!info.contains("a deadline passed") && info.contains("answered"), "{info}");
    assert_eq!(error, "");
    for line in debug.lines().filter(|line| line.contains(" DEBUG ") || line.contains(" TRACE ")) {
        assert!(line.contains(" naval_battle::"), "{line}");
    }
    // Who wants one room of it only gets that.
    let room = written("naval_battle::service=debug").await;
    assert!(room.contains("a deadline passed") && !room.contains("answered"), "{room}");
}

#[tokio::test]
async fn postgres_itself_writes_no_row_and_no_parameter_into_its_log() {
    let cluster = Cluster::start();
    let database = cluster.database().await;
    let server = Server::start(&database);
    let mut hidden = Hidden::default();
    hidden.cells_of(&CLASSIC);
    let mut game = RandomGame::create(&server, CLASSIC, &json!({}), None, 3).await;
    game.join(&server, None).await;
    let board = random_layout(&CLASSIC, &mut ChaCha8Rng::seed_from_u64(3));
    game.act(&server, Host, &Action::Place(board.clone())).await.expect(200);
    hidden.layout(&board);
    hidden.token(&game.table.host);

    break_the_database(&server, &database, &mut hidden).await;

    let log = cluster.log();
    assert!(log.contains("ERROR") && log.contains("provoked"), "the errors are in it: {log}");
    assert!(!log.contains("Failing row") && !log.contains("DETAIL") && !log.contains("parameters"), "{log}");
    hidden.does_not_show_in(&log);
}
