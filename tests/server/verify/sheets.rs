//! `naval-battle show GAME.json EVENTS.json`: a game move by move, both boards side by side.

use serde_json::json;

use crate::verify::command::run_on;
use crate::verify::golden;
use crate::verify::true_games::finished;
use ground::random_game::Download;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

#[tokio::test]
async fn every_move_of_a_finished_game_is_drawn() {
    let server = Server::shared().await;
    let body = json!({"options": {"first": "host", "grid": 8}, "name": "Ada \u{1f6a2}"});
    let mut table = Table::create(&server, &body).await;
    table.join(&server).await;
    for seat in [Host, Guest] {
        table.place(&server, seat, &layout(FLEET, "H8")).await.expect(200);
    }
    table.fire(&server, Host, "H8").await.expect(200);
    table.reveal(&server, Host, "A3").await.expect(200);
    table.fire(&server, Guest, "E7").await.expect(200);
    table.fire(&server, Host, "H1").await.expect(200);
    table.fire(&server, Guest, "F7").await.expect(200);
    table.resign(&server, Host).await.expect(200);
    let download = Download::download(&server, &table).await;

    let ran = run_on(&download, "show", &[]);

    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], format!("game {}: 8×8, 10 events", table.id));
    assert_eq!(lines[1], "■ ship  * mine  o miss  x hit  # sunk  @ mine struck  ? given away");
    let titles = [
        "host (Ada \u{1f6a2}) creates the game",
        "guest joins; host fires first",
        "host places",
        "guest places",
        "host fires: H8 mine; owes 1",
        "host gives away A3",
        "guest fires: E7 hit",
        "host fires: H1 miss",
        "guest fires: F7 sunk",
        "host resigns; guest has won: resigned",
    ];
    let mut told: Vec<&str> = Vec::new();
    for (event, seq) in download.events().iter().zip(1..) {
        let start = format!("{seq}  {}  ", event["at"].as_str().unwrap());
        let title = lines.iter().find_map(|line| line.strip_prefix(&start)).expect("a line for each event");
        told.push(title);
    }
    assert_eq!(told, titles);
    // The last boards: the host's with what was given, hit and sunk, the guest's with mine and miss.
    let last = ran.out.rsplit("guest fires: F7 sunk\n").next().unwrap();
    let sheet: Vec<&str> = last.lines().take(10).collect();
    assert_eq!(
        sheet,
        [
            "host                  guest",
            "   A B C D E F G H       A B C D E F G H",
            " 1 ■ ■ ■ ■ ■ · · ·     1 ■ ■ ■ ■ ■ · · o",
            " 2 · · · · · · · ·     2 · · · · · · · ·",
            " 3 ? ■ ■ ■ · · · ·     3 ■ ■ ■ ■ · · · ·",
            " 4 · · · · · · · ·     4 · · · · · · · ·",
            " 5 ■ ■ ■ · · · · ·     5 ■ ■ ■ · · · · ·",
            " 6 · · · · · · · ·     6 · · · · · · · ·",
            " 7 ■ ■ ■ · # # · ·     7 ■ ■ ■ · ■ ■ · ·",
            " 8 · · · · · · · *     8 · · · · · · · @",
        ]
    );
    // After each placing, volley and giving away both boards are drawn.
    assert_eq!(lines.iter().filter(|line| line.starts_with("host   ")).count(), 7);
}

#[tokio::test]
async fn of_a_game_under_way_nothing_is_drawn_but_what_the_download_shows() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    table.fire(&server, Host, "A1").await.expect(200);

    let ran = run_on(&Download::download(&server, &table).await, "show", &[]);

    assert_eq!(ran.code, Some(0));
    let drawn = ran.out.rsplit_once("host fires: A1 hit\n").unwrap().1;
    assert!(!drawn.contains('■') && !drawn.contains('*'), "{drawn}");
    assert_eq!(drawn.matches('x').count(), 1);
}

#[test]
fn every_real_game_can_be_shown() {
    for account in finished() {
        let ran = run_on(&account.download(), "show", &[]);

        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let titles = ran.out.lines().filter(|line| line.contains("Z  ")).count();
        assert_eq!(titles, account.events().len());
    }
    for name in ["expired", "timed_out_placing", "aborted"] {
        let ran = run_on(&golden::download(name), "show", &[]);

        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        assert!(ran.out.contains("nobody has won"), "{name}: {}", ran.out);
    }
}

#[test]
fn what_cannot_be_read_is_named_and_ends_badly() {
    let mut account = finished()[0].clone();
    account.events_mut()[2] = json!({"seq": 3, "type": "sank"});

    let ran = run_on(&account.download(), "show", &[]);

    ran.says_in_one_line("1 events cannot be read");
    assert!(ran.out.contains("an event that cannot be read: {\"seq\":3,\"type\":\"sank\"}"), "{}", ran.out);
}
