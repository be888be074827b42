//! `naval-battle verify GAME.json EVENTS.json`: its lines and its exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use serde_json::{Value, json};

use crate::verify::tampering;
use crate::verify::true_games::{Account, finished, rewrite};
use ground::cluster::scratch_folder;
use ground::random_game::Download;
use ground::server::Server;
use ground::table::{FLEET, Table, layout};
use testing::model::Seat;

use Seat::{Guest, Host};

/// What a command did.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Insists that it failed and said why in one line, and nothing else.
    #[track_caller]
    pub(crate) fn says_in_one_line(&self, expected: &str) {
        assert_eq!(self.code, Some(1), "{}{}", self.out, self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.starts_with("naval-battle: ") && self.err.contains(expected), "{}", self.err);
    }
}

/// Runs the binary, without anything that a server would read.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_naval-battle"));
    let Output { status, stdout, stderr } = command.args(arguments).env_remove("DATABASE_URL").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Writes both documents down and runs a command on them.
pub(crate) fn run_on(download: &Download, command: &str, more: &[&str]) -> Ran {
    let (game, events) = write(&scratch_folder("download"), download);
    let paths = [command, game.to_str().unwrap(), events.to_str().unwrap()];
    run(&[&paths, more].concat())
}

fn write(folder: &Path, download: &Download) -> (PathBuf, PathBuf) {
    let (game, events) = (folder.join("GAME.json"), folder.join("EVENTS.json"));
    fs::write(&game, &download.game).unwrap();
    fs::write(&events, &download.events).unwrap();
    (game, events)
}

#[tokio::test]
async fn a_true_game_has_a_line_for_each_event_and_ends_well() {
    let server = Server::shared().await;
    let options = json!({"first": "host", "salvo": true});
    let table = Table::in_battle_with(&server, &options, &layout(FLEET, "J10"), &layout(FLEET, "J10")).await;
    table.fire(&server, Host, "J1 J3 J5 J7 J10").await.expect(200);
    table.reveal(&server, Host, "A1").await.expect(200);
    table.resign(&server, Guest).await.expect(200);
    let download = Download::download(&server, &table).await;

    let ran = run_on(&download, "verify", &[]);

    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines,
        [
            "   1  created host      ok",
            "   2  joined guest      ok",
            "   3  placed host       ok",
            "   4  placed guest      ok",
            "   5  fired host        ok",
            "   6  revealed host     ok",
            "   7  resigned guest    ok",
            "checked 7 events: both layouts, both commitments and 5 answers",
        ]
    );
}

#[tokio::test]
async fn a_game_that_is_not_opened_ends_well_and_says_so() {
    let server = Server::shared().await;
    let running = Table::in_battle(&server).await;
    let aborted = Table::joined(&server, &json!({})).await;
    aborted.resign(&server, Guest).await.expect(200);
    for (table, events) in [(&running, 4), (&aborted, 3)] {
        let ran = run_on(&Download::download(&server, table).await, "verify", &[]);

        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        let last = ran.out.lines().last().unwrap();
        assert_eq!(last, format!("checked {events} events: the chain alone, since the game is not opened"));
    }
}

#[test]
fn a_lie_is_told_beside_its_event_and_ends_badly() {
    let mut account = finished()[0].clone();
    let place = account.events().iter().position(|event| event["type"] == "fired").unwrap();
    account.events_mut()[place]["at"] = json!("2001-01-01T00:00:00.000000Z");

    let ran = run_on(&account.download(), "verify", &[]);

    ran.says_in_one_line("found");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[place].ends_with("FALSE"), "{}", ran.out);
    assert!(lines[place + 1].contains("head is not the hash"), "{}", ran.out);
    let others = lines[..place].iter().chain(&lines[place + 2..=account.events().len()]);
    assert!(others.into_iter().all(|line| line.ends_with("ok")), "{}", ran.out);
}

#[test]
fn what_the_game_shows_falsely_is_told_after_the_events() {
    let mut account = finished()[0].clone();
    account.download["game"]["players"]["host"]["ships_afloat"] = json!(4);
    account.download["game"]["status"] = json!("aborted");

    let ran = run_on(&account.download(), "verify", &[]);

    ran.says_in_one_line("found");
    let last: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("FALSE")).collect();
    assert!(!last.is_empty() && last[0].contains("status"), "{}", ran.out);
}

#[test]
fn dozens_of_tamperings_end_badly_and_the_untouched_games_well() {
    let mut rng = ChaCha8Rng::seed_from_u64(80);
    for account in finished() {
        let mut tried = 0;
        while tried < 5 {
            let mut tampered = account.clone();
            let Some(how) = tampering::any(&mut tampered.download, &mut rng) else { continue };
            if !(tampered.download["game"].is_object() && tampered.download["events"].is_array()) {
                continue;
            }
            tried += 1;

            let ran = run_on(&tampered.download(), "verify", &[]);

            assert_eq!(ran.code, Some(1), "{how}: {}{}", ran.out, ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{how}: {}", ran.err);
            assert!(ran.out.contains("FALSE") || ran.err.contains("GAME.json is not a game"), "{how}: {}", ran.err);
        }

        let game = rewrite(account.game(), &mut rng);
        let events = rewrite(&json!({"version": 1, "events": account.events()}), &mut rng);
        let ran = run_on(&Download { game, events }, "verify", &["--head", account.game()["head"].as_str().unwrap()]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn the_events_may_be_a_list_put_together_from_pages() {
    let account = &finished()[0];
    let list = Download { game: account.game().to_string(), events: Value::from(account.events().clone()).to_string() };

    let ran = run_on(&list, "verify", &[]);

    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[tokio::test]
async fn a_head_that_was_kept_gives_away_a_tail_that_was_cut_off() {
    let server = Server::shared().await;
    let table = Table::in_battle(&server).await;
    let mut as_it_was = Vec::new();
    for (seat, cell) in [(Host, "A1"), (Guest, "A3"), (Host, "B1"), (Guest, "J1")] {
        table.fire(&server, seat, cell).await.expect(200);
        as_it_was.push(Download::download(&server, &table).await);
    }
    let heads: Vec<Value> = table.log(&server).await.iter().map(|event| event["head"].clone()).collect();

    for (download, left) in as_it_was.iter().zip(5..) {
        // Events and game as they really were at that time: by themselves nothing is wrong with them.
        assert_eq!(run_on(download, "verify", &[]).code, Some(0));
        for (kept, seq) in heads.iter().zip(1..) {
            let ran = run_on(download, "verify", &["--head", kept.as_str().unwrap()]);

            assert_eq!(ran.code == Some(0), seq <= left, "{left} events, {seq} was kept: {}{}", ran.out, ran.err);
            assert_eq!(ran.out.contains("FALSE  no event of the log has the head that was kept"), seq > left);
        }
    }
    // Cut off without the game being made to fit.
    let whole = as_it_was.last().unwrap();
    let cut = Download { game: whole.game.clone(), events: as_it_was[1].events.clone() };
    run_on(&cut, "verify", &[]).says_in_one_line("found");
}

#[test]
fn files_that_are_no_download_are_refused_in_one_line() {
    let folder = scratch_folder("nonsense");
    let (game, events) = write(&folder, &finished()[0].download());
    let (game, events) = (game.to_str().unwrap(), events.to_str().unwrap());
    let nonsense = folder.join("nonsense.json");
    let nonsense_name = nonsense.to_str().unwrap();
    let deep = "[".repeat(100_000);
    let texts: [&[u8]; 15] = [
        b"",
        b" ",
        b"{",
        b"null",
        b"1",
        b"\"game\"",
        b"{}",
        b"{\"events\": 5}",
        b"{\"events\": null}",
        b"{\"version\": 1}",
        b"<html>404</html>",
        b"\xff\xfe\x00\x01",
        b"{\"code\": \"game_not_found\", \"status\": 404}",
        deep.as_bytes(),
        b"[1e999]",
    ];
    for command in ["verify", "show"] {
        for text in texts {
            fs::write(&nonsense, text).unwrap();
            let start = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();

            run(&[command, nonsense_name, events]).says_in_one_line("nonsense.json is not a game");
            let ran = run(&[command, game, nonsense_name]);
            ran.says_in_one_line("nonsense.json is not a list of events");
            assert!(!ran.err.contains("untagged"), "{start}: {}", ran.err);
        }
        run(&[command, events, game]).says_in_one_line("EVENTS.json is not a game");
        run(&[command, game, "/nowhere/EVENTS.json"]).says_in_one_line("/nowhere/EVENTS.json cannot be read");
        run(&[command, folder.to_str().unwrap(), events]).says_in_one_line("cannot be read");
    }
}

#[test]
fn files_are_read_however_they_were_saved() {
    let folder = scratch_folder("saved");
    // The names of the players are far from ASCII.
    let download = crate::verify::golden::download("names");
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let save = |way: &str, text: &str| match way {
        "UTF-8" => text.into(),
        "UTF-8 with a mark" => format!("\u{feff}{text}").into(),
        "UTF-8 with a mark and line breaks" => format!("\u{feff}\r\n{text}\r\n").into(),
        "PowerShell's >" => utf16(&format!("\u{feff}{text}\r\n"), u16::to_le_bytes),
        "UTF-16, big end first" => utf16(&format!("\u{feff}{text}"), u16::to_be_bytes),
        "UTF-16 without a mark" => utf16(text, u16::to_le_bytes),
        _ => utf16(text, u16::to_be_bytes),
    };
    let ways = [
        "UTF-8",
        "UTF-8 with a mark",
        "UTF-8 with a mark and line breaks",
        "PowerShell's >",
        "UTF-16, big end first",
        "UTF-16 without a mark",
        "UTF-16 without a mark, big end first",
    ];
    for way in ways {
        let (game, events) = (folder.join("GAME.json"), folder.join("EVENTS.json"));
        fs::write(&game, save(way, &download.game)).unwrap();
        fs::write(&events, save(way, &download.events)).unwrap();
        for command in ["verify", "show"] {
            let ran = run(&[command, game.to_str().unwrap(), events.to_str().unwrap()]);

            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{way}: {}", ran.out);
        }
    }
}

#[test]
fn a_log_is_read_from_its_pages_one_after_the_other_or_in_a_list() {
    let account = &finished()[0];
    let pages: Vec<String> = account
        .events()
        .chunks(7)
        .map(|page| json!({"version": account.events().len(), "events": page}).to_string())
        .collect();
    for events in
        [pages.join("\n"), pages.concat(), format!("[{}]", pages.join(",")), format!("\u{feff}{}", pages.concat())]
    {
        let ran = run_on(&Download { game: account.game().to_string(), events }, "verify", &[]);

        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn a_file_that_is_something_else_is_told_what_it_is() {
    let folder = scratch_folder("else");
    let account = &finished()[0];
    let (game, events) = write(&folder, &account.download());
    let other = folder.join("other.json");
    let stream = format!("id: 1\ndata: {}\n\n", account.events()[0]);
    let refusal = json!({"type": "/problems/game_not_found", "title": "No such game", "status": 404,
        "detail": "there is no game of this id", "code": "game_not_found"})
    .to_string();
    let log = fs::read(&events).unwrap();
    let cases: [(&[u8], &str); 13] = [
        (b"", "it is empty"),
        (b"\xef\xbb\xbf\r\n", "it is empty"),
        (b"\xff\xfe", "it is empty"),
        (b"\n<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", "it is a web page"),
        (&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0], "packed with gzip"),
        (b"PK\x03\x04\x14\x00", "packed with zip"),
        (&[0x28, 0xb5, 0x2f, 0xfd, 4], "packed with zstd"),
        (b"{\"name\": \"\xe4\"}", "neither UTF-8 nor UTF-16"),
        (b"\xff\xfe{\x00\x00\xd8", "neither UTF-8 nor UTF-16"),
        (stream.as_bytes(), "a stream of server-sent events"),
        (refusal.as_bytes(), "the server's refusal, 404 game_not_found: there is no game of this id"),
        (&log[..log.len() / 2], "it ends in the middle"),
        (b"StatusCode        : 200", "expected value"),
    ];
    for command in ["verify", "show"] {
        for (text, what) in cases {
            fs::write(&other, text).unwrap();
            let name = other.to_str().unwrap();

            run(&[command, name, events.to_str().unwrap()]).says_in_one_line(what);
            run(&[command, game.to_str().unwrap(), name]).says_in_one_line(what);
        }
        let [game, events] = [game.to_str().unwrap(), events.to_str().unwrap()];
        run(&[command, events, game]).says_in_one_line("it is a game's log");
        run(&[command, game, game]).says_in_one_line("it is the game itself");
        run(&[command, game, folder.to_str().unwrap()]).says_in_one_line("directory");
        run(&[command, "/dev/zero", events]).says_in_one_line("larger than any game");
    }
}

#[test]
fn a_log_with_pages_missing_or_of_another_game_is_told_so() {
    let account = &finished()[0];
    let all = account.events();
    let page = |events: &[Value]| json!({"version": all.len(), "events": events}).to_string();
    let other = &finished()[1];
    for (events, what) in [
        (page(&all[..5]), format!("the log ends with event 5 of {}", all.len())),
        (page(&all[5..]), "the log begins with event 6".to_owned()),
        (page(&[]), "the log has no events".to_owned()),
        (page(other.events()), "the log is that of game ".to_owned()),
    ] {
        let ran = run_on(&Download { game: account.game().to_string(), events }, "verify", &[]);

        ran.says_in_one_line(&what);
        ran.says_in_one_line("faults were found");
    }
}

#[test]
fn a_list_of_what_is_no_event_is_told_line_by_line() {
    let game = finished()[0].game().to_string();
    for events in ["[]", "[1, null, {}, [], \"x\"]", "[{\"type\": \"fired\", \"seat\": 5}]"] {
        let ran = run_on(&Download { game: game.clone(), events: events.to_owned() }, "verify", &[]);

        ran.says_in_one_line("found");
        assert!(ran.out.contains("FALSE"), "{events}: {}", ran.out);
    }
}

#[test]
fn what_a_liar_writes_cannot_paint_over_the_findings() {
    let mut account = finished()[0].clone();
    let paint = "\u{1b}[2K\r   2  joined guest      ok\n   3  \u{9b}placed";
    account.events_mut()[1]["type"] = json!(paint);
    account.events_mut()[2]["seat"] = json!(paint);
    account.events_mut()[0]["name"] = json!(paint);
    account.events_mut().last_mut().unwrap()["result"]["reason"] = json!(paint);
    for command in ["verify", "show"] {
        let ran = run_on(&account.download(), command, &[]);

        assert_eq!(ran.code, Some(1));
        let controls = ran.out.chars().chain(ran.err.chars()).filter(|letter| letter.is_control() && *letter != '\n');
        assert_eq!(controls.count(), 0, "{:?}", ran.out);
        assert!(!ran.out.contains("\n   2  joined guest      ok\n"), "{}", ran.out);
    }
}

#[test]
fn the_commands_need_both_files_and_take_no_other_argument() {
    for arguments in
        [&["verify"][..], &["verify", "x"], &["show", "x"], &["show", "x", "y", "z"], &["verify", "x", "y", "--head"]]
    {
        assert_eq!(run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn an_account_that_tells_of_another_game_is_found() {
    let (one, other) = (&finished()[0], &finished()[2]);
    let mixed = Account { download: json!({"game": one.game(), "events": other.events()}) };

    assert!(!mixed.passes(None));
    run_on(&mixed.download(), "verify", &[]).says_in_one_line("found");
}
