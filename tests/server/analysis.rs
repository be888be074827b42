//! What each side of a finished game could reckon, over HTTP.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use ground::cluster::Cluster;
use ground::random_game::RandomGame;
use ground::server::{Server, send};
use ground::table::Table;
use testing::model::{Options, Seat};

use Seat::{Guest, Host};

async fn played(server: &Server, options: Options, seed: u64) -> Table {
    let mut game = RandomGame::create(server, options, &json!({"first": "host"}), None, seed).await;
    game.join(server, None).await;
    game.play_to_the_end(server).await;
    game.table
}

/// A chance in ten-thousandths: it has four decimals and is one.
#[track_caller]
fn parts(chance: &Value) -> i64 {
    let chance = chance.as_f64().unwrap();
    let parts = (chance * 10_000.0).round();
    assert!((0.0..=10_000.0).contains(&parts) && (chance - parts / 10_000.0).abs() < 1e-12, "{chance}");
    format!("{parts}").parse().unwrap()
}

fn kinds() -> [Options; 3] {
    let options = |grid, russian, mines, salvo| Options { grid, russian, mines, salvo, shoot_again: salvo };
    [options(8, true, true, false), options(10, false, true, true), options(15, false, false, false)]
}

#[tokio::test]
async fn each_shot_of_a_finished_game_is_analysed_and_all_adds_up() {
    let server = Server::shared().await;
    for (seed, options) in (8_000..).zip(kinds()) {
        let table = played(&server, options, seed).await;
        let log = table.log(&server).await;
        let analysis = server.get(&table.path("/analysis"), None).await.expect(200).clone();
        assert!(analysis["boards_drawn"].as_u64() > Some(0));
        let shots = analysis["shots"].as_array().unwrap();

        let fired: Vec<Value> = log
            .iter()
            .flat_map(|event| {
                let shots = event["shots"].as_array().into_iter().flatten();
                shots.map(|shot| json!([event["seq"], event["seat"], shot["cell"], shot["outcome"]]))
            })
            .collect();
        let told: Vec<Value> =
            shots.iter().map(|shot| json!([shot["seq"], shot["seat"], shot["cell"], shot["outcome"]])).collect();
        assert_eq!(told, fired);
        for seat in [Host, Guest] {
            let fortune = &analysis["seats"][seat.name()];
            let own = || shots.iter().filter(|shot| shot["seat"] == seat.name());
            let sum = |field: &str| own().map(|shot| parts(&shot[field])).sum::<i64>();
            let of = |outcomes: &[&str]| {
                i64::try_from(own().filter(|shot| outcomes.contains(&shot["outcome"].as_str().unwrap())).count())
                    .unwrap()
            };
            let number = |field: &str| (fortune[field].as_f64().unwrap() * 10_000.0).round();
            let is = |field: &str, parts: i64| assert_eq!(number(field).to_string(), parts.to_string(), "{field}");
            let count = i64::try_from(own().count()).unwrap();
            is("shots", count * 10_000);
            is("hits", of(&["hit", "sunk"]) * 10_000);
            is("mines", of(&["mine"]) * 10_000);
            is("expected_hits", sum("ship_chance"));
            is("expected_mines", sum("mine_chance"));
            is("luck", of(&["hit", "sunk"]) * 10_000 - sum("ship_chance"));
            let good = own().filter(|shot| parts(&shot["ship_chance"]) + 100 >= parts(&shot["best"]["ship_chance"]));
            let good = i64::try_from(good.count()).unwrap();
            is("choices_as_good", (good * 10_000 + count / 2) / count);
        }
    }
}

#[tokio::test]
async fn a_turn_has_the_chances_of_every_cell_and_those_of_the_shots_are_among_them() {
    let server = Server::shared().await;
    for (seed, options) in (8_100..).zip(kinds()) {
        let side = usize::from(options.grid);
        let table = played(&server, options, seed).await;
        let analysis = server.get(&table.path("/analysis"), None).await.expect(200).clone();
        let mut known = std::collections::HashMap::new();
        for shot in analysis["shots"].as_array().unwrap() {
            let turn = server.get(&table.path(&format!("/analysis/{}", shot["seq"])), None).await.expect(200).clone();
            assert_eq!((&turn["seq"], &turn["seat"]), (&shot["seq"], &shot["seat"]));
            let [ships, mines] = ["ship_chances", "mine_chances"].map(|field| turn[field].as_array().unwrap().clone());
            for rows in [&ships, &mines] {
                assert!(rows.len() == side && rows.iter().all(|row| row.as_array().unwrap().len() == side));
                assert!(rows.iter().flat_map(|row| row.as_array().unwrap()).all(|chance| parts(chance) >= 0));
            }
            let at = |rows: &[Value], name: &Value| {
                let (row, column) = testing::model::cell(name.as_str().unwrap());
                rows[usize::from(row)][usize::from(column)].clone()
            };
            assert_eq!(at(&ships, &shot["cell"]), shot["ship_chance"]);
            assert_eq!(at(&mines, &shot["cell"]), shot["mine_chance"]);
            assert_eq!(at(&ships, &shot["best"]["cell"]), shot["best"]["ship_chance"]);
            // Cells fired at before are certain.
            for (cell, outcome, by) in known.values() {
                if by == &shot["seat"] {
                    let ship = if outcome == "hit" || outcome == "sunk" { 1.0 } else { 0.0 };
                    assert_eq!(at(&ships, cell).as_f64(), Some(ship));
                    assert_eq!(at(&mines, cell).as_f64(), Some(if outcome == "mine" { 1.0 } else { 0.0 }));
                }
            }
            let later = (shot["cell"].clone(), shot["outcome"].clone(), shot["seat"].clone());
            if !table_is_salvo(&analysis, &shot["seq"]) {
                known.insert(format!("{}{}", shot["seat"], shot["cell"]), later);
            }
        }
    }
}

/// Whether an event has several shots: they are all reckoned before the first of them.
fn table_is_salvo(analysis: &Value, seq: &Value) -> bool {
    analysis["shots"].as_array().unwrap().iter().filter(|shot| shot["seq"] == *seq).count() > 1
}

#[tokio::test]
async fn it_is_the_same_in_every_reply_on_every_server() {
    let database = Cluster::shared().database().await;
    let servers = [Server::start(&database), Server::start(&database)];
    let options = Options { grid: 8, russian: true, mines: true, salvo: false, shoot_again: true };
    let table = played(&servers[0], options, 8_200).await;
    let path = table.path("/analysis");

    let at_once = join_all((0..6).map(|nth| servers[nth % 2].get(&path, None))).await;

    for reply in &at_once {
        reply.expect(200);
        assert_eq!(reply.text, at_once[0].text);
    }
    let head = send(servers[1].request(Method::HEAD, &path)).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), Some(at_once[0].text.len().to_string().as_str()));
    assert_eq!(head.header("cache-control"), Some("private, no-cache, no-transform"));
}

#[tokio::test]
async fn before_the_end_and_after_an_abort_nothing_is_analysed() {
    let server = Server::shared().await;
    let battle = Table::in_battle(&server).await;
    battle.fire(&server, Host, "A1").await.expect(200);
    let aborted = Table::joined(&server, &json!({})).await;
    aborted.resign(&server, Host).await.expect(200);
    for table in [&battle, &aborted] {
        for below in ["/analysis", "/analysis/5", "/analysis/1", "/analysis/x"] {
            for token in [Some(table.token(Host)), None] {
                server.get(&table.path(below), token).await.refuses(409, "not_over");
            }
            server.get(&table.path(&format!("{below}?x=1")), None).await.refuses(400, "malformed");
            server.get(&table.path(&format!("{below}?x=1")), Some("nonsense")).await.refuses(401, "unauthorized");
        }
    }

    battle.resign(&server, Guest).await.expect(200);
    for seq in ["0", "1", "4", "6", "7", "05", "x", "-5", "99999999999999999999"] {
        server.get(&battle.path(&format!("/analysis/{seq}")), None).await.refuses(404, "nothing_to_analyse");
    }
    server.get(&battle.path("/analysis/5"), None).await.expect(200);
    // The guest has not fired.
    let analysis = server.get(&battle.path("/analysis"), None).await.expect(200).clone();
    let fortune = &analysis["seats"]["guest"];
    assert_eq!((&fortune["shots"], &fortune["luck"]), (&json!(0), &json!(0.0)));
    assert_eq!(fortune["choices_as_good"], Value::Null);
}

#[tokio::test]
async fn moves_are_answered_while_games_are_analysed() {
    let server = Server::shared().await;
    let options = Options { grid: 8, russian: true, mines: true, salvo: false, shoot_again: false };
    let mut finished = Vec::new();
    for seed in 8_300..8_303 {
        finished.push(played(&server, options.clone(), seed).await.path("/analysis"));
    }
    let battle = Table::in_battle(&server).await;
    let analysing = join_all(finished.iter().map(|path| server.get(path, None)));
    let moving = async {
        for (host, guest) in [("A1", "A1"), ("B1", "B1"), ("C1", "C1")] {
            battle.fire(&server, Host, host).await.expect(200);
            battle.fire(&server, Guest, guest).await.expect(200);
        }
    };

    let (analysed, ()) = futures_util::future::join(analysing, moving).await;

    for reply in analysed {
        assert!([200, 503].contains(&reply.status), "{}", reply.text);
    }
}
